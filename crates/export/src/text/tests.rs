mod allocations;
mod summary;
mod worst;

use super::*;
use crate::tests::sample_reports::{
    ending, error, failed, growing, ok, report, segfault, too_slow, whole,
};
use profiler_decode::diagnostics::errors::{Errors, errors};
use profiler_proto::v1::{
    CompileStep, ErrorCode, Evidence, FailureHint, Host, Hotspot, HotspotFunction, InputCheck,
    InputUse, InteractorResult, Outcome, ProfileReport, Remedy, RemedyKind, Warning, WarningCode,
};

fn shown(ending: &Ending) -> String {
    text(ending, &TextOptions::default())
}

/// The text without its plots, which have tests of their own.
fn without_plots(text: &str) -> String {
    let is_plot = |section: &&str| section.contains(" over n") && section.contains('•');
    text.split("\n\n").filter(|section| !is_plot(section)).collect::<Vec<_>>().join("\n\n")
}

/// The interactor's message is the reason.
#[test]
fn rejected_size_is_explained_by_its_interactor() {
    let exited = |code| Evidence { exit_code: Some(code), ..Evidence::default() };
    let mut size = failed(1000, Outcome::ProtocolError, exited(0), "");
    size.interactor = Some(InteractorResult {
        outcome: Outcome::RuntimeError.into(),
        evidence: Some(exited(1)),
        stderr_tail: "wrong answer".into(),
        ..InteractorResult::default()
    });
    let quiet = Evidence { hint: FailureHint::Silence.into(), ..Evidence::default() };
    let silent = failed(2000, Outcome::TimeLimit, quiet, "");
    assert_eq!(
        sections::failures::sizes(&report(vec![size, silent])),
        "  n = 1000: PROTOCOL_ERROR, exit code 0\n    \
         interactor: RUNTIME_ERROR, exit code 1; stderr ends with\n    | wrong answer\n  \
         n = 2000: TIME_LIMIT, program and interactor waited for each other"
    );
}

#[test]
fn host_of_a_fleet_is_named() {
    let mut report = report(growing());
    assert!(!shown(&ending(report.clone())).contains("host node"));
    report.host.as_mut().unwrap().name = Some("node-7".into());
    let text = shown(&ending(report));
    assert!(text.contains("\nhost node-7\n"), "{text}");
}

/// A run without a sandbox has no head, and no list of limits that are not enforced.
#[test]
fn run_without_a_sandbox_is_its_error_alone() {
    let host = Host { backend: "native".into(), ..Host::default() };
    let partial = ProfileReport { host: Some(host), ..ProfileReport::default() };
    let ending =
        error(ErrorCode::Internal, "not supported on this host: make namespaces: EPERM", partial);
    assert_eq!(shown(&ending), "internal: not supported on this host: make namespaces: EPERM");
}

#[test]
fn full_report_as_table() {
    let mut sizes = growing();
    sizes.extend([segfault(), too_slow()]);
    let mut report = report(sizes);
    report.hotspot_lines = vec![Hotspot {
        file: "main.cpp".into(),
        line: 23,
        function: "solve(int)".into(),
        self_share: 0.412,
        cumulative_share: 0.412,
        ..Hotspot::default()
    }];
    report.warnings = vec![Warning {
        code: WarningCode::Unstable.into(),
        size: Some(1000),
        message: "the third repetition crashed".into(),
        candidate: None,
        ..Warning::default()
    }];
    insta::assert_snapshot!(without_plots(&shown(&ending(report))));
}

#[test]
fn functions_with_the_highest_self_cost_are_shown_after_their_callers() {
    let caller = HotspotFunction { inclusive_share: 1.0, ..HotspotFunction::default() };
    let mut functions = vec![caller; 20];
    functions.push(HotspotFunction {
        name: "work".into(),
        self_share: 0.9,
        ..functions[0].clone()
    });
    let text = sections::hotspots::functions(&functions, &TextOptions::default());
    assert_eq!(text.lines().count(), 1 + 10 + 1, "{text}");
    assert!(text.lines().last().is_some_and(|last| last.ends_with("work")), "{text}");
}

#[test]
fn sources_are_as_wide_as_the_terminal_at_most() {
    let report = ProfileReport {
        code_cpp: "x".repeat(100),
        hotspot_lines: vec![Hotspot { file: "main.cpp".into(), line: 1, ..Hotspot::default() }],
        ..ProfileReport::default()
    };
    let width = |width| {
        let options = TextOptions { width, ..TextOptions::default() };
        let text = sections::hotspots::lines(&report, &options);
        text.lines().map(|line| line.chars().count()).max().unwrap()
    };
    assert_eq!([Some(90), Some(200), None].map(width), [90, 117, 117]);
}

#[test]
fn program_without_its_input_is_named_first() {
    let check = InputCheck {
        input_use: InputUse::Starved.into(),
        default_input: Some("100000\n".into()),
        ..InputCheck::default()
    };
    let warning = Warning {
        code: WarningCode::InputExhausted.into(),
        message: "it reads on: set input_specs".into(),
        reason: "it reads on".into(),
        remedies: vec![RemedyKind::InputSpec.into()],
        ..Warning::default()
    };
    let report = ProfileReport {
        input_check: Some(check.clone()),
        warnings: vec![warning],
        ..report(growing())
    };
    let fed = shown(&ending(report.clone()));
    assert!(
        fed.starts_with(
            "The program was not measured on its task: it was fed only \"100000\\n\" and asked for \
             more. Declare its input with --input-spec, or use --interactor if it talks to a \
             judge.\n"
        ),
        "{fed}"
    );
    let opens = InputCheck { opened_file: Some("in.txt".into()), ..check.clone() };
    let opens = shown(&ending(ProfileReport { input_check: Some(opens), ..report.clone() }));
    assert!(opens.contains("opens in.txt. Name the file with --input-file in.txt."), "{opens}");
    assert!(fed.contains("input \"100000\\n\"") && !fed.contains("input_specs"), "{fed}");
    let reads_to_end = InputCheck { input_use: InputUse::ReadsToEnd.into(), ..check.clone() };
    let noted = shown(&ending(ProfileReport { input_check: Some(reads_to_end), ..report.clone() }));
    assert!(
        noted.starts_with(
            "note: the program reads its input to the end, and was fed only \"100000\\n\". If its \
             task has more input, declare it with --input-spec.\n"
        ),
        "{noted}"
    );
    let declared = InputCheck { default_input: None, ..check.clone() };
    let enough = InputCheck { input_use: InputUse::Enough.into(), ..check };
    for check in [declared, enough] {
        let silent = ProfileReport { input_check: Some(check), ..report.clone() };
        let text = shown(&ending(silent));
        assert!(!text.contains("not measured on its task"), "{text}");
        assert!(text.contains("input_exhausted: it reads on; use --input-spec"), "{text}");
    }
}

#[test]
fn everything_that_is_known_has_its_section() {
    insta::assert_snapshot!(without_plots(&shown(&ending(whole()))));
}

#[test]
fn candidates_are_each_named_among_several() {
    let [slow, mut quick] = [ok(1000, 2.5, 3.5), ok(1000, 0.5, 3.5)];
    quick.candidate = 1;
    let mut report = report(vec![slow, quick]);
    report.candidates = vec!["worst".into(), "random".into()];
    report.warnings = vec![Warning {
        code: WarningCode::Noisy.into(),
        size: Some(1000),
        candidate: Some(1),
        message: "known to ± 0.2 ms".into(),
        ..Warning::default()
    }];
    report.schedule_end = Some("n = 1000 is the bound".into());
    insta::assert_snapshot!(without_plots(&shown(&ending(report))));
}

#[test]
fn instructions_have_a_column_where_they_were_counted() {
    let mut counted = ok(1, 0.5, 3.5);
    counted.instructions = Some(1_234_567_890);
    let sizes = vec![counted, ok(2, 0.5, 3.5)];
    let text = shown(&ending(report(sizes)));
    assert!(text.contains("1234567890"), "{text}");
    let widest = text.lines().map(|line| line.chars().count()).max().unwrap();
    assert!(widest <= 100, "{widest} columns:\n{text}");
    let without = report(vec![ok(1, 0.5, 3.5)]);
    let without = shown(&ending(without));
    assert!(!without.contains("instructions"), "{without}");
}

#[test]
fn neighbours_are_named_where_there_were_some() {
    let mut report = report(growing());
    report.host.as_mut().unwrap().neighbours = Some(2);
    let text = shown(&ending(report));
    assert!(text.contains("other programs measured at the same time: 2"), "{text}");
}

#[test]
fn compile_error_shows_what_the_compiler_said() {
    let mut partial = report(Vec::new());
    partial.compile = Some(CompileStep {
        output: "main.cpp:1:14: error: expected ';'\n    1 | int main() { return 0 }\n".into(),
        truncated: true,
        ..CompileStep::default()
    });
    insta::assert_snapshot!(shown(&error(
        ErrorCode::Compile,
        "the program does not compile",
        partial
    )));
}

/// Builds a report from g++'s output about the program, with what people are shown of it.
fn not_compiled(output: &str) -> ProfileReport {
    let mut partial = report(Vec::new());
    let Errors { text: error_text, standard, .. } = errors("g++", output, false);
    let remedy = |argument| Remedy { kind: RemedyKind::Standard.into(), argument };
    let remedies = standard.map(remedy).into_iter().collect();
    partial.compile =
        Some(CompileStep { output: output.into(), error_text, remedies, ..CompileStep::default() });
    partial
}

/// An error with 90 lines of notes.
fn explained() -> String {
    let note = "main.cpp:1:1: note: larger sizes need '-std=c++20'\n";
    let error =
        "main.cpp:1:14: error: it\x1b[2J fails for larger sizes\n    1 | error: error: it\n";
    format!("main.cpp: In function 'int main()':\n{error}{}", note.repeat(90))
}

#[test]
fn compile_error_is_short_unless_all_is_asked_for() {
    let error = error(ErrorCode::Compile, "1 error", not_compiled(&explained()));
    assert_eq!(
        shown(&error),
        "main.cpp:1:14: error: it␛[2J fails for larger sizes\n    1 | error: error: it\n  \
         (… 90 lines of notes)\nhint: this needs C++20: compile with --std c++20\n\
         --full-diagnostics prints all messages of g++\n\ncompile: 1 error"
    );
    let all = TextOptions { full_diagnostics: true, ..TextOptions::default() };
    assert!(text(&error, &all).contains("  | main.cpp:1:1: note: "));
    let coloured = TextOptions { palette: Palette::coloured(), ..TextOptions::default() };
    let coloured = text(&error, &coloured);
    assert!(coloured.starts_with("main.cpp:1:14: \x1b[31merror:\x1b[0m it"), "{coloured:?}");
}

#[test]
fn errors_left_out_are_counted_as_more() {
    let many = not_compiled(&"main.cpp:1:1: error: no\n".repeat(21));
    let text = shown(&error(ErrorCode::Compile, "21 errors", many));
    assert!(text.contains("\n… and 1 more error\n--full-diagnostics prints all"), "{text}");
}

#[test]
fn errors_of_an_interactor_are_shown() {
    let mut partial = not_compiled(&explained());
    partial.interactor_compile = partial.compile.take();
    partial.compile = Some(CompileStep { binary_bytes: Some(9), ..CompileStep::default() });
    let text = shown(&error(ErrorCode::Compile, "1 error", partial));
    assert!(text.starts_with("main.cpp:1:14: error:"), "{text}");
}

#[test]
fn error_comes_after_what_was_measured() {
    let ending = error(ErrorCode::Cancelled, "stopped by Ctrl-C", report(growing()));
    let text = shown(&ending);
    assert!(text.contains("10000"), "{text}");
    assert!(text.ends_with("cancelled: stopped by Ctrl-C"), "{text}");
}

#[test]
fn failing_sizes_are_coloured_and_nothing_else_of_the_table() {
    let sizes = vec![ok(1, 0.5, 3.5), segfault()];
    let options = TextOptions { palette: Palette::coloured(), ..TextOptions::default() };
    let coloured = text(&ending(report(sizes)), &options);
    let red: Vec<_> = coloured.lines().filter(|line| line.contains("\x1b[31m")).collect();
    assert_eq!(red.len(), 1, "{coloured}");
    assert!(red[0].contains("50000"), "{coloured}");
}

#[test]
fn narrow_terminals_have_the_most_important_columns() {
    let ending = ending(report(growing()));
    let widest = |width| {
        let options = TextOptions { width: Some(width), explain: true, ..TextOptions::default() };
        let text = text(&ending, &options);
        let table = text.lines().filter(|line| line.starts_with(['┌', '│']) && line.contains('─'));
        let widest = table.map(|line| line.chars().count()).max().unwrap();
        assert!(widest <= width, "{text}");
        text
    };
    assert!(!widest(100).contains("not shown"));
    assert!(widest(80).contains("not shown: delay ms; see --wide"));
    assert!(widest(64).contains("not shown: delay ms, cpu ms, runs; see --wide"));
}

/// The interval of a single run is a placeholder.
#[test]
fn single_run_has_no_interval() {
    let mut once = ok(50_000, 1112.8, 3.5);
    if let Some(wall) = once.figures.as_mut().and_then(|figures| figures.wall_ms.as_mut()) {
        wall.count = 1;
    }
    let text = shown(&ending(report(vec![once])));
    let row = text.lines().find(|line| line.contains("50000")).unwrap();
    assert!(row.contains("1112.800 ┆ – ┆ "), "{row}");
}

#[test]
fn columns_are_explained_on_request() {
    let words = ["wall clock minus run delay (one thread)", "~: too short", "calibration 1.250 ms"];
    let ending = ending(report(growing()));
    let explained = text(&ending, &TextOptions { explain: true, ..TextOptions::default() });
    assert_eq!(words.iter().find(|word| !explained.contains(**word)), None, "{explained}");
    let plain = shown(&ending);
    let words = ["wall clock", "net", "cpu ms", "delay", "start-up", "calibration", "core", "~"];
    assert_eq!(words.iter().find(|word| plain.contains(**word)), None, "{plain}");
}

/// A size that did not end OK is in the list of failures, and not in that of warnings too.
#[test]
fn failures_are_listed_once() {
    let mut report = report(vec![ok(1, 0.5, 3.5), segfault()]);
    let code = WarningCode::RuntimeFailure.into();
    report.warnings = vec![Warning { code, size: Some(50_000), ..Warning::default() }];
    let text = shown(&ending(report));
    assert!(text.contains("Failures") && !text.contains("Warnings"), "{text}");
}
