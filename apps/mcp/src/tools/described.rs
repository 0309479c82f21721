//! Descriptions of the tools for clients. An agent reads all of them in every session, so they are
//! short: 1,500 tokens, which a test checks.

use super::check::check;
use super::check_inputs::check_inputs;
use super::compare::compare;
use super::existing_runs::{MAX_WAIT_SEC, cancel_run, explain_run, get_run};
use super::profile::profile;
use super::run_tests::run_tests;
use super::worst_case::{GOALS, worst_case};
use crate::arguments::Arguments;
use crate::explain::{MATTERS, MAX_LINES};
use crate::failure::Failure;
use crate::job::STANDARDS;
use crate::session::{Call, Session};
use crate::tool_result::{Answer, object};
use futures::future::BoxFuture;
use profiler_proto::file::kinds::kinds;
use profiler_proto::options::{Kind, OPTIONS};
use serde_json::{Map, Value, json};

/// Function that runs a tool.
type Run =
    for<'a> fn(&'a Session, Arguments, &'a mut Call) -> BoxFuture<'a, Result<Answer, Failure>>;

/// Tool, as a client sees it.
#[derive(Debug)]
pub(crate) struct Tool {
    pub(crate) word: &'static str,
    pub(crate) description: &'static str,
    /// The properties of the schema, in the order in which a client sees them.
    properties: fn() -> Value,
    required: &'static [&'static str],
    /// Whether it changes nothing that another call sees.
    pub(crate) is_read_only: bool,
    pub(super) run: Run,
}

/// The tools, in the order in which a client sees them.
pub(crate) const TOOLS: [Tool; 9] = [
    Tool {
        word: "profile",
        description: "Compile a C++ program in a sandbox, measure time and memory over growing \
            inputs, and tell how both grow. A program that reads more than n needs input_spec or \
            samples. Equal arguments return the same run at no cost. If the answer has next: \
            get_run, call that. The other tools share its arguments.",
        properties: profile_properties,
        required: &["code"],
        is_read_only: true,
        run: |session, arguments, call| Box::pin(profile(session, arguments, call)),
    },
    Tool {
        word: "run_tests",
        description: "Run the program once on each test and judge its answers, without measuring. \
            Tests without output: show what the program prints.",
        properties: run_tests_properties,
        required: &["code", "tests"],
        is_read_only: true,
        run: |session, arguments, call| Box::pin(run_tests(session, arguments, call)),
    },
    Tool {
        word: "check",
        description: "Search for a small input to which the program and a reference, usually a \
            brute force, give different answers. Takes input_spec or samples.",
        properties: check_properties,
        required: &["code", "reference"],
        is_read_only: true,
        run: |session, arguments, call| Box::pin(check(session, arguments, call)),
    },
    Tool {
        word: "worst_case",
        description: "Search the inputs that a spec allows for the one on which the program \
            executes the most instructions. Tells how its cost grows and how that of random input \
            grows, and which line it makes slow. Takes input_spec or samples.",
        properties: worst_case_properties,
        required: &["code"],
        is_read_only: true,
        run: |session, arguments, call| Box::pin(worst_case(session, arguments, call)),
    },
    Tool {
        word: "compare",
        description: "Tell whether program B writes the same output as A, and whether it is slower, \
            with the ratio and its 95 % interval for each size. Give code or a run_id for each; two \
            codes are measured in turns.",
        properties: compare_properties,
        required: &[],
        is_read_only: true,
        run: |session, arguments, call| Box::pin(compare(session, arguments, call)),
    },
    Tool {
        word: "check_inputs",
        description: "Show the first 2 kB of the input that a spec makes for n, or what is wrong \
            with the spec and what is allowed. Runs nothing.",
        properties: || {
            json!({
                "input_spec": {},
                "n": {},
                "n_max": {},
            })
        },
        required: &["input_spec", "n"],
        is_read_only: true,
        run: |session, arguments, _| Box::pin(check_inputs(session, arguments)),
    },
    Tool {
        word: "explain",
        description: "Explain an ended run: hottest lines, allocations, why this class of growth, \
            memory of each size, or which changes made it faster.",
        properties: || {
            json!({
                "run_id": {},
                "what": { "enum": words(&MATTERS) },
                "lines": { "type": "integer", "maximum": MAX_LINES },
            })
        },
        required: &["run_id", "what"],
        is_read_only: true,
        run: |session, arguments, _| Box::pin(explain_run(session, arguments)),
    },
    Tool {
        word: "get_run",
        description: "Wait for a run and return its result, or what is known so far.",
        properties: || {
            json!({
                "run_id": {},
                "wait_s": { "type": "integer", "maximum": MAX_WAIT_SEC },
            })
        },
        required: &["run_id"],
        is_read_only: true,
        run: |session, arguments, call| Box::pin(get_run(session, arguments, call)),
    },
    Tool {
        word: "cancel_run",
        description: "Cancel a live run.",
        properties: || json!({ "run_id": {} }),
        required: &["run_id"],
        is_read_only: false,
        run: |session, arguments, _| Box::pin(cancel_run(session, arguments)),
    },
];

impl Tool {
    /// The schema of its arguments.
    pub(crate) fn schema(&self) -> Map<String, Value> {
        let mut schema = Map::new();
        schema.insert("type".into(), "object".into());
        schema.insert("properties".into(), (self.properties)());
        if !self.required.is_empty() {
            schema.insert("required".into(), self.required.into());
        }
        schema
    }

    /// The names of its arguments.
    pub(crate) fn arguments(&self) -> Vec<String> {
        let Value::Object(properties) = (self.properties)() else { return Vec::new() };
        properties.into_iter().map(|(name, _)| name).collect()
    }
}

/// Arguments of a run of a program.
const RUN: [&str; 5] = ["timeout_ms", "memory_mb", "std", "flags", "fresh"];
/// Arguments of a verdict on its answers.
const JUDGED: [&str; 3] = ["checker", "tolerance", "relative_tolerance"];
/// Arguments that describe its inputs.
const DESCRIBED: [&str; 3] = ["input_spec", "samples", "n_max"];

fn words<T>(words: &[(&'static str, T)]) -> Vec<&'static str> {
    words.iter().map(|(word, _)| *word).collect()
}

/// Returns the properties that all jobs share.
fn job_properties() -> Map<String, Value> {
    // The messages are part of the program, so reading them does not fail.
    let kinds = kinds().unwrap_or_default();
    let kinds: Vec<_> = kinds.into_iter().map(|kind| kind.name).collect();
    let mut properties = object(json!({
        "input_spec": {
            "type": ["string", "object", "array"],
            "description": format!(
                "Input of size n, as YAML or JSON: vars: [{{name: a, array: {{len: n, min: 1, max: \
                 10^9, order: random}}}}], layout: [{{line: {{items: [n]}}}}, {{line: {{items: \
                 [a]}}}}]. Kinds: {}. A list is measured case by case.",
                kinds.join(", ")
            ),
        },
        "samples": {
            "type": "array", "items": { "type": "string" },
            "description": "Sample inputs from which to infer a spec.",
        },
        "sizes": {
            "description": "Sizes n, such as [1000, \"1e5\"] or \"1e3..1e6 x10\". Default: up to \
                n_max (100000).",
        },
        "n_max": { "description": "Largest n of the task." },
        "timeout_ms": { "type": "integer", "description": "Time limit of one run. Default 2000." },
        "memory_mb": { "type": "integer", "description": "Default 512." },
        "std": { "enum": words(&STANDARDS) },
        "flags": {
            "type": "array", "items": { "type": "string" },
            "description": "Flags of g++. Default: -O2 -std=c++17.",
        },
        "tests": {
            "type": "array",
            "items": { "type": "object" },
            "description": "[{input, output}]. Only a program that passes all is measured.",
        },
        "checker": {
            "type": "string",
            "description": "words (default), exact, caseless, numbers, or C++ source with \
                testlib's arguments and exit codes, without testlib.h.",
        },
        "fresh": { "type": "boolean", "description": "Measure again." },
    }));
    properties.extend(declared_properties());
    properties
}

/// Returns the properties of the options that `job.proto` declares.
fn declared_properties() -> impl Iterator<Item = (String, Value)> {
    OPTIONS.iter().filter(|option| !option.argument.is_empty()).filter_map(|option| {
        let summary = option.summary();
        let property = match &option.kind {
            Kind::Switch { .. } => json!({ "type": "boolean", "description": summary }),
            Kind::Choice { values, default, .. } => {
                let words: Vec<_> = values.iter().map(|value| value.word).collect();
                json!({ "enum": words, "default": default, "description": summary })
            }
            Kind::Count { .. } => json!({ "type": "integer", "description": summary }),
            Kind::Number { .. } => json!({ "type": "number", "description": summary }),
            Kind::Text { .. } => json!({ "type": "string", "description": summary }),
            Kind::Structured => return None,
        };
        Some((option.argument.to_owned(), property))
    })
}

fn profile_properties() -> Value {
    let mut properties = Map::new();
    properties.insert("code".into(), json!({ "type": "string", "description": "C++ source." }));
    properties.extend(job_properties());
    properties.into()
}

/// Adds properties that jobs share to those of a tool. Only `profile` describes them.
fn with_shared(own: Value, is_shared: fn(&str) -> bool) -> Value {
    let mut properties = object(own);
    let shared = job_properties().into_iter().filter(|(name, _)| is_shared(name));
    properties.extend(shared.map(|(name, _)| (name, json!({}))));
    properties.into()
}

fn compare_properties() -> Value {
    let own = json!({
        "code_a": {},
        "run_id_a": {},
        "code_b": {},
        "run_id_b": {},
        "any_output": { "type": "boolean" },
    });
    with_shared(own, |name| !["hotspots", "allocations", "advice"].contains(&name))
}

fn run_tests_properties() -> Value {
    let own = json!({ "code": {}, "tests": {} });
    with_shared(own, |name| RUN.contains(&name) || JUDGED.contains(&name))
}

fn check_properties() -> Value {
    let own = json!({
        "code": {},
        "reference": { "type": "string", "description": "C++ source of a program that is right." },
        "seconds": { "type": "integer", "description": "Default 10." },
        "sizes": {},
        "seed": {},
    });
    with_shared(own, |name| {
        RUN.contains(&name) || JUDGED.contains(&name) || DESCRIBED.contains(&name)
    })
}

fn worst_case_properties() -> Value {
    let own = json!({
        "code": {},
        "n": { "description": "Size of the worst input. Default 1000." },
        "seconds": { "type": "integer", "description": "Default 20." },
        "for": { "enum": words(&GOALS), "description": "Cost to maximize." },
        "line": { "type": "integer" },
    });
    with_shared(own, |name| RUN.contains(&name) || DESCRIBED.contains(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAX_TOKENS: usize = 1_500;
    /// Length of a token of English and JSON, in bytes.
    const BYTES_PER_TOKEN: usize = 4;

    #[test]
    fn descriptions_leave_room_for_the_agents_own_work() {
        let all: Vec<_> = TOOLS
            .iter()
            .map(|tool| {
                json!({
                    "name": tool.word,
                    "description": tool.description,
                    "inputSchema": tool.schema(),
                })
            })
            .collect();
        let bytes = Value::from(all).to_string().len();
        assert!(bytes <= MAX_TOKENS * BYTES_PER_TOKEN, "{bytes} bytes");
    }

    #[test]
    fn required_name_is_an_argument() {
        for tool in &TOOLS {
            let arguments = tool.arguments();
            assert!(tool.required.iter().all(|it| arguments.iter().any(|name| name == it)));
        }
    }
}
