//! A run as an answer: the verdict, a table of at most [`MAX_ROWS`] sizes, the hottest lines, the
//! warnings, and links to the rest.

mod next;
mod rows;
mod stress;
mod tests_run;

pub(crate) use rows::{MAX_ROWS, rounded};

use crate::remedies::{INPUT, argument};
use crate::resources::links;
use crate::session::{Known, State};
use crate::tool_result::{Answer, clipped, object};
use profiler_export::{
    Ending, changes, explain_errors, explain_warning, fault, hot_line, hottest, lack_of_input,
    named_files, of_what, readable, stress_sentence, unfinished_tests, worst, wrong_tests,
};
use profiler_growth::Class;
use profiler_proto::Word;
use profiler_proto::v1::{
    Advice, ErrorCode, GrowthClassification, Hotspot, InputUse, ProfileReport, SandboxError,
    Warning, WorstInput,
};
use serde_json::{Map, Value, json};

/// Maximum number of hottest lines in an answer.
pub(crate) const LINES: usize = 5;
/// Maximum number of warnings in an answer.
const MAX_WARNINGS: usize = 10;
/// Maximum length of a warning, or of the reason why a class is undecided, in bytes.
const MAX_WARNING_BYTES: usize = 300;
/// Maximum number of bytes of the worst input in an answer.
const MAX_INPUT_BYTES: usize = 400;
/// Maximum length of a line of source, in bytes.
pub(crate) const MAX_SOURCE_BYTES: usize = 120;
/// Maximum length of a compiler's output, in bytes.
const MAX_COMPILER_BYTES: usize = 4_000;

/// Returns the known state of a run as an answer. `assumptions` are about its inputs.
pub(crate) fn answer(run_id: &str, known: &Known, assumptions: &[String]) -> Answer {
    match known {
        Known::Live(state) => handle(run_id, state),
        Known::Ended(ending) => ended(run_id, ending, assumptions),
    }
}

/// Returns a handle to a run that has not ended.
fn handle(run_id: &str, state: &State) -> Answer {
    let count = state.sizes.len();
    let summary = format!("run {run_id} is {}, {count} sizes so far", state.word());
    let figures = json!({
        "run_id": run_id,
        "state": state.word(),
        "next": "get_run",
        "sizes_so_far": count,
        "sizes": rows::rows(&state.sizes, &[], MAX_ROWS),
    });
    Answer::new(&summary, figures).then(format!("call get_run with run_id {run_id}"))
}

fn ended(run_id: &str, ending: &Ending, assumptions: &[String]) -> Answer {
    let (summary, told) = match ending {
        Ending::Report(report) => {
            let verdict = verdict(report);
            (verdict.clone(), json!({ "run_id": run_id, "state": "finished", "verdict": verdict }))
        }
        Ending::Error(error) => failed(run_id, error),
    };
    let mut figures = object(told);
    if let Some(report) = ending.report() {
        figures.extend(measured(report));
    }
    if !assumptions.is_empty() {
        figures.insert("assumed_of_samples".into(), json!(assumptions));
    }
    let is_starved = ending.report().is_some_and(|report| starved(report).is_some());
    let answer = Answer::new(&summary, figures).then(next::next(ending, is_starved));
    Answer { links: links(run_id, ending), ..answer }
}

/// Returns the reason that a run ended early, as a sentence and as figures.
fn failed(run_id: &str, error: &SandboxError) -> (String, Value) {
    let code = error.code().word();
    let state = if error.code() == ErrorCode::Cancelled { "cancelled" } else { "failed" };
    let told = |what: &str, text: &str| json!({ "run_id": run_id, "state": state, "error": code, what: text });
    let (program, step) = stress::refused_step(error);
    let said = step.map(|step| {
        let errors = explain_errors(step, argument);
        if errors.is_empty() { readable(&step.output) } else { errors }
    });
    if let Some(said) = said.filter(|it| error.code() == ErrorCode::Compile && !it.is_empty()) {
        let first = said.lines().next().unwrap_or_default();
        let told = told("compile_error", &clipped(&said, MAX_COMPILER_BYTES));
        return (format!("{program}does not compile: {first}"), told);
    }
    let message = readable(&error.message);
    (format!("ended early as {code}: {message}"), told("message", &message))
}

/// Returns the most important sentence about a report. The verdict of the test cases comes first.
pub(crate) fn verdict(report: &ProfileReport) -> String {
    if let Some(found) = &report.stress {
        return readable(&stress_sentence(found));
    }
    if tests_run::are_unjudged(report) {
        return tests_run::ending(report);
    }
    if let Some(problem) = wrong_tests(report).or_else(|| unfinished_tests(report)) {
        let known = [Some(problem), fault(report)].into_iter().flatten();
        return known.collect::<Vec<_>>().join("; ");
    }
    let figures = starved(report).unwrap_or_else(|| match &report.worst {
        Some(worst) => worst::sentence(worst),
        None => readable(&profiler_export::summary(report, argument)),
    });
    let known = [profiler_export::verdict(report), Some(figures), fault(report)];
    let known = known.into_iter().flatten().filter(|text| !text.is_empty());
    known.collect::<Vec<_>>().join("; ")
}

/// Returns the objection to the figures of a program that was not fed what it reads.
fn starved(report: &ProfileReport) -> Option<String> {
    if let Some(lack) = lack_of_input(report) {
        let named = named_files(report, argument).map(|it| format!("name the file with {it}"));
        let remedy = named.unwrap_or_else(|| format!("declare its input with {INPUT}"));
        return Some(format!("the program was not measured on its task: it {lack}; {remedy}"));
    }
    let check = report.input_check.as_ref()?;
    (check.input_use() == InputUse::Starved).then(|| {
        format!(
            "at n = {} the program asked for more input than it was fed: look at the input with \
             check_inputs",
            check.size
        )
    })
}

/// The worst input that was found.
fn worst_input(report: &ProfileReport, found: &WorstInput) -> Value {
    let input = String::from_utf8_lossy(&found.input);
    let ((worst, random), unit) = (worst::costs(found), worst::unit(found));
    let line = found.line.as_ref().map(|line| {
        json!({
            "line": line.line,
            "source": worst::source_line(worst::source(report, found), line.line),
            "worst_instructions": line.worst,
            "random_instructions": line.random,
        })
    });
    json!({
        "classes": worst::classes(found),
        "n": found.measured_size.unwrap_or(found.searched_size),
        format!("worst_{unit}"): worst,
        format!("random_{unit}"): random.map(|random| random.median),
        "ratio": rounded(worst::ratio(found), 2),
        "seed": found.generator_seed,
        "looks": found.looks.iter().map(|it| readable(it)).collect::<Vec<_>>(),
        "input": clipped(&readable(&input), MAX_INPUT_BYTES),
        "input_bytes": found.input_bytes,
        "spec": found.spec.as_ref().and_then(|spec| profiler_proto::json::readable(spec).ok()),
        "line": line,
        "inputs_tried": found.searched_executions,
    })
}

/// Returns the changes that made the program faster, or says that none did.
fn advice(found: &Advice, of_what: &str) -> Vec<String> {
    let one = |it| readable(&changes::advised(it, found, of_what));
    let mut told: Vec<_> = found.given.iter().map(one).collect();
    if told.is_empty() {
        told.push(readable(&changes::sentence(found, of_what)));
    }
    told.extend(changes::together(found));
    told.extend(changes::left_out(found));
    told
}

/// Returns the figures of a report, the most important ones first.
fn measured(report: &ProfileReport) -> Map<String, Value> {
    // The sizes of tests without an expected output are numbers of inputs.
    let has_sizes = !tests_run::are_unjudged(report);
    let growth = report.growth.as_ref().filter(|_| has_sizes);
    let stressed = report.stress.as_deref();
    let more_warnings = report.warnings.len().saturating_sub(MAX_WARNINGS);
    let wrong = report.test_cases.iter().filter(|case| case.is_wrong()).count();
    let counts = report.test_cases.iter().take(MAX_ROWS).map(|case| case.instructions);
    let counts = counts.collect::<Vec<_>>();
    let mut figures = object(json!({
        "input_exhausted": starved(report),
        "time": growth.and_then(|it| it.time.as_ref()).map(class),
        "memory": growth.and_then(|it| it.memory.as_ref()).map(class),
        "difference": stressed.and_then(|it| it.difference.as_ref()).map(stress::difference),
        "search": stressed.map(stress::effort),
        "tests": tests_run::rows(report),
        "worst": report.worst.as_ref().map(|found| worst_input(report, found)),
        "advice": report.advice.as_ref().map(|it| advice(it, of_what(report))),
        "sizes": has_sizes.then(|| rows::rows(&report.sizes, &report.candidates, MAX_ROWS)),
        "lines": lines(report, LINES),
        "warnings": warnings(report),
        "sizes_measured": Some(report.sizes.len()).filter(|count| *count > MAX_ROWS),
        "more_warnings": Some(more_warnings).filter(|count| *count > 0),
        "wrong_test_cases": Some(wrong).filter(|count| *count > 0),
        "test_instructions": Some(counts).filter(|it| it.iter().any(Option::is_some)),
    }));
    figures.retain(|_, value| !value.is_null() && !value.as_array().is_some_and(Vec::is_empty));
    figures
}

/// Describes how something grows.
pub(crate) fn class(growth: &GrowthClassification) -> Value {
    let mut entries = Map::new();
    if let Some(class) = growth.class() {
        entries.insert("grows_like".into(), class.name().into());
        entries.insert("confidence".into(), rounded(growth.confidence, 2));
    } else {
        let undecided = profiler_export::why_undecided(growth, argument);
        let undecided = clipped(&undecided, MAX_WARNING_BYTES);
        entries.insert("undecided".into(), undecided.into());
        if let Some(class) = growth.runner_up_class().map(Class::name) {
            entries.insert("runner_up".into(), class.into());
        }
    }
    if let Some(at) = &growth.prediction {
        entries.insert(
            "predicted".into(),
            json!({
                "n": at.size,
                "value": rounded(Some(at.value), 3),
                "limit": rounded(Some(at.limit), 3),
                "fits": at.fits,
            }),
        );
    }
    entries.into()
}

/// Returns the lines that take the most, with their source. The line that takes most time is among
/// them.
pub(crate) fn lines(report: &ProfileReport, count: usize) -> Vec<Value> {
    let line = |hot: &Hotspot| {
        json!({
            "line": hot.line,
            "share": rounded(Some(hot.self_share), 3),
            "time_share": rounded(hot.time_share, 3),
            "times": hot.count,
            "source": clipped(&readable(hot_line(report, hot)), MAX_SOURCE_BYTES),
        })
    };
    let mut shown: Vec<_> = report.hotspot_lines.iter().take(count).collect();
    if let Some(slowest) = hottest(report).nth(1)
        && count > 1
        && !shown.iter().any(|it| std::ptr::eq(*it, slowest))
    {
        shown.truncate(count - 1);
        shown.push(slowest);
    }
    shown.into_iter().map(line).collect()
}

/// Returns the warnings. Sizes that did not end OK have their reason in the table.
fn warnings(report: &ProfileReport) -> Vec<Value> {
    let one = |warning: &Warning| {
        let text = explain_warning(warning, argument);
        json!({
            "code": warning.code().word(),
            "n": warning.size,
            "message": clipped(&text, MAX_WARNING_BYTES),
        })
    };
    report.warnings.iter().take(MAX_WARNINGS).map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use profiler_proto::v1::{InputCheck, TestCaseResult, TestVerdict, WarningCode};

    #[test]
    fn verdict_of_the_test_cases_comes_first() {
        let said = |judged: TestVerdict| {
            let case = TestCaseResult { verdict: judged.into(), ..TestCaseResult::default() };
            let problem = Warning::new(WarningCode::WrongAnswer, "test 1 printed 4, expected 3");
            let check = InputCheck {
                input_use: InputUse::Starved.into(),
                size: 9,
                ..InputCheck::default()
            };
            verdict(&ProfileReport {
                test_cases: vec![case],
                warnings: vec![problem],
                input_check: Some(check),
                ..ProfileReport::default()
            })
        };
        let wrong = "wrong on 1 of 1 test; first: test 1 printed 4, expected 3";
        assert_eq!(said(TestVerdict::WrongAnswer), wrong);
        assert_eq!(said(TestVerdict::NotRun), "no verdict: 0 of 1 test ran");
        let check = InputCheck {
            input_use: InputUse::Starved.into(),
            opened_file: Some("in.txt".into()),
            ..InputCheck::default()
        };
        let report = ProfileReport { input_check: Some(check), ..ProfileReport::default() };
        assert!(verdict(&report).ends_with("opens in.txt; name the file with input_file: in.txt"));
        let right = said(TestVerdict::Accepted);
        assert!(right.starts_with("correct on 1 of 1 test; at n = 9 the program asked"), "{right}");
    }

    #[test]
    fn report_without_sizes_has_a_verdict_and_the_counts_of_its_tests() {
        let case = |instructions| TestCaseResult {
            verdict: TestVerdict::Accepted.into(),
            instructions,
            ..TestCaseResult::default()
        };
        let test_cases = vec![case(Some(7)), case(None)];
        let report = ProfileReport { test_cases, ..ProfileReport::default() };
        assert_eq!(verdict(&report), "correct on 2 of 2 tests");
        let figures = measured(&report);
        assert_eq!(figures["test_instructions"], json!([7, null]));
        assert_eq!(figures["tests"][1], json!({ "test": 2, "verdict": "AC" }));
    }
}
