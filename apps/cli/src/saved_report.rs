//! Reads reports that `run --format json` wrote. Anybody may have edited them since, so their
//! figures are checked: an impossible figure would lead to a meaningless verdict.

use crate::exit::Failure;
use profiler_compare::Program;
use profiler_core::error::Violation;
use profiler_export::{Ending, readable};
use profiler_proto::Word;
use profiler_proto::v0_1;
use profiler_proto::v1::{ErrorCode, Outcome, ProfileReport, SandboxError, SizeResult, Statistics};
use std::fs::File;
use std::io::{Error, ErrorKind, Read};
use std::path::Path;

/// Maximum length of an accepted report, in bytes. A report with all raw samples is far smaller.
const MAX_BYTES: u64 = 64 << 20;
/// Maximum number of faults of a file that are reported.
const MAX_FAULTS: usize = 10;
const TYPE: &str = "profile_report";

/// Reads a saved report as a program with one report. A run that ended early is refused.
pub(crate) fn read_program(path: &Path) -> Result<Program, Failure> {
    let name = path.display().to_string();
    match read(path)? {
        Ending::Report(report) => Ok(Program { name, reports: vec![*report] }),
        Ending::Error(error) => {
            let (code, message) = (error.code().word(), readable(&error.message));
            let problem = format!("the run ended early as {code}: {message}");
            Err(Failure::argument(format!("{name}: code"), problem))
        }
    }
}

/// Reads how a saved run ended. A run that ended early may lack sizes.
pub(crate) fn read(path: &Path) -> Result<Ending, Failure> {
    let ending = parse(path, &text(path)?)?;
    let mut faults = match &ending {
        Ending::Report(report) => faults(report),
        Ending::Error(error) => error.partial.as_ref().map(faults_of_sizes).unwrap_or_default(),
    };
    for fault in &mut faults {
        fault.field = format!("{}: {}", path.display(), fault.field);
    }
    if faults.is_empty() { Ok(ending) } else { Err(Failure::Arguments(faults)) }
}

fn text(path: &Path) -> Result<String, Failure> {
    let unreadable = |cause| Failure::Unreadable { path: path.into(), cause };
    let mut text = String::new();
    let file = File::open(path).map_err(unreadable)?;
    let length = file.take(MAX_BYTES + 1).read_to_string(&mut text).map_err(unreadable)?;
    if length as u64 > MAX_BYTES {
        return Err(unreadable(Error::from(ErrorKind::FileTooLarge)));
    }
    Ok(text)
}

/// Parses a report, or else the error of a run that ended early.
fn parse(path: &Path, text: &str) -> Result<Ending, Failure> {
    let cause = match v0_1::parse_either::<ProfileReport>(text) {
        Ok(report) => return Ok(Ending::Report(Box::new(report))),
        Err(cause) => cause,
    };
    match v0_1::parse_either::<SandboxError>(text) {
        Ok(error) if error.code() != ErrorCode::Unspecified => Ok(Ending::Error(Box::new(error))),
        _ => Err(Failure::NoReport { path: path.into(), cause }),
    }
}

/// The first faults of a report: values that no run produces.
fn faults(report: &ProfileReport) -> Vec<Violation> {
    let fault =
        |field: &str, problem: &str| Violation { field: field.into(), problem: problem.into() };
    if report.r#type != TYPE {
        return vec![fault("type", "must be \"profile_report\", as `run --format json` writes it")];
    }
    if report.sizes.is_empty() && report.test_cases.is_empty() {
        return vec![fault("sizes", "must not be empty: save the report with `--format json`")];
    }
    faults_of_sizes(report)
}

/// The first faults of the sizes of a report.
fn faults_of_sizes(report: &ProfileReport) -> Vec<Violation> {
    let mut faults = Vec::new();
    if !report.input_sizes.is_sorted_by(|a, b| a < b) {
        faults.push(Violation { field: "input_sizes".into(), problem: "must increase".into() });
    }
    let mut before: Option<&SizeResult> = None;
    for (at, size) in report.sizes.iter().enumerate() {
        let place = |of: &SizeResult| (of.size, of.candidate);
        if before.is_some_and(|before| place(before) >= place(size)) {
            let problem = format!(
                "n = {}, candidate {} follows n = {}, candidate {}: sizes must increase, and so \
                 must the candidates of a size",
                size.size,
                size.candidate,
                before.map_or(0, |it| it.size),
                before.map_or(0, |it| it.candidate),
            );
            faults.push(Violation { field: format!("sizes[{at}].size"), problem });
        }
        before = Some(size);
        let wrong = wrong(size).map(|(field, problem)| Violation {
            field: format!("sizes[{at}].{field}"),
            problem: problem.into(),
        });
        faults.extend(wrong);
        if faults.len() >= MAX_FAULTS {
            break;
        }
    }
    faults
}

/// The first wrong figure of a size: the field, and the rule.
fn wrong(size: &SizeResult) -> Option<(&'static str, &'static str)> {
    const TIME: &str = "must be above 0 and finite if the outcome is OK, else Infinity or absent";
    const MEMORY: &str =
        "must be 0 or more and finite if the outcome is OK, else Infinity or absent";
    const STATISTICS: &str = "must have a count of 1 or more, and 0 <= min <= median <= max";
    let outcome = size.outcome();
    let runs = |ms: f64| ms.is_finite() && ms > 0.0;
    let holds = |mb: f64| mb.is_finite() && mb >= 0.0;
    let fits = |value: Option<f64>, ok: fn(f64) -> bool| match (outcome, value) {
        (Outcome::Ok, value) => value.is_some_and(ok),
        (_, value) => value.is_none_or(|value| value == f64::INFINITY),
    };
    let figures = size.figures.unwrap_or_default();
    let headline = figures.headline;
    let interval = headline.and_then(|it| it.interval);
    let between = |ms| interval.is_none_or(|it| 0.0 <= it.low && it.low <= ms && ms <= it.high);
    let checks = [
        (outcome == Outcome::Unspecified, "outcome", "must be a known outcome"),
        (!fits(size.runtime_ms, runs), "runtime_ms", TIME),
        (!fits(size.peak_memory_mb, holds), "peak_memory_mb", MEMORY),
        (size.instructions == Some(0), "instructions", "must be 1 or more, or absent"),
        (
            headline.is_some_and(|it| !runs(it.ms)),
            "figures.headline.ms",
            "must be above 0 and finite",
        ),
        (
            headline.is_some_and(|it| !between(it.ms)),
            "figures.headline.interval",
            "must include the headline, and not be below 0",
        ),
        (!is_sound(figures.runtime_ms), "figures.runtime_ms", STATISTICS),
        (!is_sound(figures.wall_ms), "figures.wall_ms", STATISTICS),
        (!is_sound(figures.run_delay_ms), "figures.run_delay_ms", STATISTICS),
    ];
    checks.into_iter().find(|check| check.0).map(|(_, field, problem)| (field, problem))
}

fn is_sound(statistics: Option<Statistics>) -> bool {
    statistics.is_none_or(|of| {
        let rising = [0.0, of.min, of.median, of.max];
        of.count > 0 && of.max.is_finite() && rising.is_sorted()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use profiler_proto::json;
    use profiler_proto::v1::{Figures, Headline, Interval};
    use serde_json::{Value, json};
    use std::fs;

    /// A saved report of two sizes with two candidates each.
    fn report() -> Value {
        let statistics = |value: f64| Statistics {
            min: value,
            max: value,
            median: value,
            count: 1,
            ..Statistics::default()
        };
        let size = |size: u64, candidate| SizeResult {
            size,
            candidate,
            outcome: Outcome::Ok.into(),
            runtime_ms: Some(1.5),
            peak_memory_mb: Some(3.5),
            instructions: Some(1000),
            figures: Some(Figures {
                headline: Some(Headline {
                    ms: 1.5,
                    interval: Some(Interval { low: 0.0, high: 1.5, level: 0.95 }),
                    known: false,
                }),
                runtime_ms: Some(statistics(1.5)),
                wall_ms: Some(statistics(1.6)),
                run_delay_ms: Some(statistics(0.1)),
                ..Figures::default()
            }),
            ..SizeResult::default()
        };
        let report = ProfileReport {
            r#type: TYPE.into(),
            input_sizes: vec![10, 20],
            sizes: vec![size(10, 0), size(10, 1), size(20, 0), size(20, 1)],
            ..ProfileReport::default()
        };
        serde_json::from_str(&json::to_string(&report).unwrap()).unwrap()
    }

    /// Reads a file with this text; the error is the message.
    fn read_text(text: &str) -> Result<(), String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("saved.json");
        fs::write(&path, text).unwrap();
        read_program(&path).map(|_| ()).map_err(|failure| {
            assert_eq!(failure.exit(), crate::exit::Exit::BadInput);
            failure.to_string()
        })
    }

    #[test]
    fn saved_report_is_read() {
        read_text(&report().to_string()).unwrap();
        let mut failed = report();
        failed["sizes"][3]["outcome"] = "OUTCOME_TIME_LIMIT".into();
        failed["sizes"][3]["runtime_ms"] = "Infinity".into();
        failed["sizes"][3]["peak_memory_mb"] = "Infinity".into();
        read_text(&failed.to_string()).unwrap();
        let mut judged = report();
        (judged["sizes"], judged["input_sizes"]) = (json!([]), json!([]));
        judged["test_cases"] = json!([{ "verdict": "TEST_VERDICT_ACCEPTED" }]);
        read_text(&judged.to_string()).unwrap();
    }

    #[test]
    fn report_of_version_0_1_is_read() {
        read_text(include_str!("../../../proto/tests/fixtures/v0.1/report.json")).unwrap();
    }

    #[test]
    fn impossible_figures_are_refused_with_their_place() {
        for (place, value, named) in [
            ("/type", json!("code"), "type: must be \"profile_report\""),
            ("/sizes", json!([]), "sizes: must not be empty"),
            ("/input_sizes", json!([20, 10]), "input_sizes: must increase"),
            ("/input_sizes", json!([10, 10]), "input_sizes: must increase"),
            ("/sizes/2/size", json!(10), "sizes[2].size: n = 10, candidate 0 follows"),
            ("/sizes/1/candidate", json!(0), "sizes[1].size: n = 10, candidate 0 follows"),
            ("/sizes/0/size", json!(30), "sizes[1].size"),
            ("/sizes/0/outcome", json!(0), "sizes[0].outcome"),
            ("/sizes/0/runtime_ms", json!(-1.0), "sizes[0].runtime_ms: must be above 0"),
            ("/sizes/0/runtime_ms", json!(0), "sizes[0].runtime_ms"),
            ("/sizes/0/runtime_ms", json!("NaN"), "sizes[0].runtime_ms"),
            ("/sizes/0/runtime_ms", json!("Infinity"), "sizes[0].runtime_ms"),
            ("/sizes/0/runtime_ms", Value::Null, "sizes[0].runtime_ms"),
            ("/sizes/3/outcome", json!("OUTCOME_TIME_LIMIT"), "sizes[3].runtime_ms"),
            ("/sizes/0/peak_memory_mb", json!(-0.5), "sizes[0].peak_memory_mb"),
            ("/sizes/0/instructions", json!("0"), "sizes[0].instructions"),
            ("/sizes/0/figures/headline/ms", json!("NaN"), "sizes[0].figures.headline.ms"),
            ("/sizes/0/figures/headline/interval/low", json!(9), "figures.headline.interval"),
            ("/sizes/0/figures/runtime_ms/count", json!(0), "sizes[0].figures.runtime_ms"),
            ("/sizes/0/figures/wall_ms/min", json!("NaN"), "sizes[0].figures.wall_ms"),
            ("/sizes/0/figures/run_delay_ms/max", json!("Infinity"), "figures.run_delay_ms"),
        ] {
            let mut bad = report();
            *bad.pointer_mut(place).unwrap() = value.clone();
            let said = read_text(&bad.to_string()).unwrap_err();
            assert!(said.contains(named) && said.contains("saved.json"), "{place} {value}: {said}");
        }
    }

    #[test]
    fn other_files_are_refused() {
        assert!(read_text("{}").unwrap_err().contains("type: must be"));
        assert!(read_text("[]").unwrap_err().contains("is not a saved report"));
    }

    #[test]
    fn first_faults_alone_are_reported() {
        let mut bad = report();
        bad["sizes"] = vec![bad["sizes"][0].clone(); 1000].into();
        assert_eq!(read_text(&bad.to_string()).unwrap_err().lines().count(), MAX_FAULTS);
    }

    #[test]
    fn early_end_of_a_run_is_reported() {
        let early = r#"{"code": "compile", "message": "main.cpp:1: no"}"#;
        let said = read_text(early).unwrap_err();
        assert!(said.contains("ended early as compile: main.cpp:1: no"), "{said}");
    }
}
