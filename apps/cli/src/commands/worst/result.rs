//! The result of a search for the worst input, as JSON.

use crate::args::WorstArgs;
use crate::sandbox::Ended;
use profiler_core::measure::worst::WorstEnd;
use profiler_export::worst::{costs, costs_at, ratio, source_line, unit};
use profiler_export::{flag, why_undecided};
use profiler_growth::Class;
use profiler_proto::json::{self, Error};
use profiler_proto::v1::{
    GrowthClassification, RandomCosts, SearchEnd, SlowLine, WorstInput, WorstPoint,
};
use serde_json::{Value, json};

/// Returns the result as JSON. The keys of costs name the unit, as `worst_bytes` does. `source` is
/// the program's, `command` reproduces the input, and `ended_by` is a word for what ended the
/// search.
pub(super) fn result(
    args: &WorstArgs,
    source: &str,
    found: &WorstInput,
    command: Option<&str>,
    ended_by: &str,
) -> Result<Value, Error> {
    let [worst, random] = ["worst", "random"].map(|of| format!("{of}_{}", unit(found)));
    let size = |point: &WorstPoint| {
        let (cost, costs) = costs_at(point);
        json!({ "n": point.size, (&worst): cost, (&random): costs.map(median_and_most) })
    };
    let is_found = found.spec.is_some() || found.generator_seed.is_some();
    let input = is_found.then(|| {
        Ok::<_, Error>(json!({
            "n": found.measured_size.unwrap_or(found.searched_size),
            // Empty if only the seed makes this input the worst.
            "looks": found.looks,
            "input": String::from_utf8_lossy(&found.input),
            "input_bytes": found.input_bytes,
            // Describes inputs of every size that look like this one. Its seed gives this very
            // input. Absent if a generator makes the input, with this seed.
            "spec": found.spec.as_ref().map(json::readable).transpose()?,
            "generator_seed": found.generator_seed,
            "command": command,
        }))
    });
    let failures = found.failures.as_ref().map(|failed| {
        Ok::<_, Error>(json!({
            "inputs": failed.count,
            "first_ended": failed.ended,
            "first_n": failed.size,
            "first_looks": failed.looks,
            "first_spec": failed.spec.as_ref().map(json::readable).transpose()?,
        }))
    });
    let growth = found.random_growth.as_ref().zip(found.worst_growth.as_ref());
    let growth =
        growth.map(|(random, worst)| json!({ "random": class(random), "worst": class(worst) }));
    let (cost, of_random) = costs(found);
    let ways = found.ways.iter().map(json::readable);
    Ok(json!({
        "program": args.file.display().to_string(),
        "n": args.n,
        "searched_n": found.searched_size,
        "measured_n": found.measured_size,
        (&worst): cost,
        (&random): of_random.map(median_and_most),
        // Both costs without the start-up, if the program's instructions are maximized.
        "ratio": ratio(found),
        "start_up_instructions": found.start_up_instructions,
        // Absent if the input was found at one n only.
        "growth": growth,
        "input": input.transpose()?,
        "line": found.line.as_ref().map(|slow| slow_line(slow, source)),
        "sizes": found.points.iter().map(size).collect::<Vec<_>>(),
        "executions": found.executions,
        "searched_executions": found.searched_executions,
        "seconds": found.seconds,
        "ways": ways.collect::<Result<Vec<_>, _>>()?,
        "seed": found.seed,
        "ended_by": ended_by,
        "problem": Some(&found.problem).filter(|problem| !problem.is_empty()),
        "failures": failures.transpose()?,
    }))
}

/// Returns the slow line as JSON. `source` is the text of its file.
fn slow_line(slow: &SlowLine, source: &str) -> Value {
    json!({
        "line": slow.line,
        "file": Some(&slow.file).filter(|file| !file.is_empty()),
        "function": slow.function,
        "source": source_line(source, slow.line),
        "n": slow.size,
        "worst_instructions": slow.worst,
        "random_instructions": slow.random,
    })
}

fn median_and_most(costs: RandomCosts) -> Value {
    json!({ "median": costs.median, "most": costs.most })
}

/// Returns a class as JSON: null if it is undecided. The likeliest class is given even then.
fn class(found: &GrowthClassification) -> Value {
    json!({
        "class": found.class().map(Class::name),
        "likeliest": found.class().or(found.runner_up_class()).map(Class::name),
        "confidence": found.confidence,
        "undecided": Some(why_undecided(found, flag)).filter(|why| !why.is_empty()),
    })
}

/// Returns a word for what ended the search, and the reason if the search did not end by itself.
pub(super) fn end(ended: &Ended<WorstEnd>, of_search: SearchEnd) -> (&'static str, Option<String>) {
    match ended {
        Ended::NotCompiled(at, refused) => {
            let what = if *at == 0 { "it" } else { "the generator" };
            ("not_compiled", Some(format!("{what} does not compile: {}", refused.because)))
        }
        Ended::Stopped(_) => ("signal", Some("stopped by a signal".into())),
        Ended::Fault(_) => ("fault", Some("a fault of the host ended the search".into())),
        Ended::Searched(WorstEnd::Uncountable(_)) => ("uncountable", None),
        Ended::Searched(WorstEnd::NotGenerated(_)) => ("not_generated", None),
        Ended::Searched(_) => match of_search {
            SearchEnd::Executions => ("executions", None),
            SearchEnd::Time => ("time", None),
            SearchEnd::NothingBetter | SearchEnd::Unspecified => ("nothing_better", None),
        },
    }
}
