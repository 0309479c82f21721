//! Every format, from reports that have what it needs and from reports that lack it.

pub(crate) mod sample_reports;

use crate::*;
use profiler_growth::Class;
use profiler_proto::v1::{
    CallStack, ErrorCode, Evidence, ExportFormat, Outcome, ProfileReport, SandboxError,
};
use profiler_proto::{json, v1};
use proptest::prelude::*;
use sample_reports::{ending, error, failed, growing, ok, report, segfault, whole};

fn shown(ending: &Ending, format: ExportFormat) -> String {
    let exported = export(ending, format, &TextOptions::default()).unwrap();
    String::from_utf8(exported.content).unwrap()
}

#[test]
fn report_as_strict_json_has_the_strict_keys_alone() {
    let mut report = report(vec![ok(0, 0.5, 3.5), segfault()]);
    report.hotspots.insert("_crash".into(), "SIGSEGV".into());
    insta::assert_snapshot!(shown(&ending(report), ExportFormat::Swiftsolve));
}

#[test]
fn report_as_json_is_the_full_message() {
    let json = shown(&ending(report(growing())), ExportFormat::Json);
    let report: ProfileReport = json::parse(&json).unwrap();
    assert_eq!(report.runtime_ms, [0.412, 0.409, 0.55, 1.9]);
    assert_eq!(report.sizes.len(), 4);
    assert_eq!(report.compile.unwrap().compiler, "12.2.0");
}

#[test]
fn largest_size_is_exact_in_every_format_for_programs() {
    let ending = ending(report(vec![ok(1_000_000_000_000_000_000, 0.5, 3.5)]));
    for (format, written) in [
        (ExportFormat::Json, r#""size": 1000000000000000000,"#),
        (ExportFormat::Swiftsolve, "1000000000000000000\n  ]"),
        (ExportFormat::Csv, ",1000000000000000000,"),
    ] {
        let shown = shown(&ending, format);
        assert!(shown.contains(written), "{shown}");
    }
}

#[test]
fn page_says_of_an_endless_program_what_the_terminal_says() {
    let endless = |size, outcome| failed(size, outcome, Evidence::default(), "");
    let sizes = vec![endless(0, Outcome::TimeLimit), endless(1, Outcome::NotRun)];
    let page = shown(&ending(report(sizes)), ExportFormat::Html);
    assert!(page.contains("even n = 0 does not end within the time limit: an endless loop"));
    assert!(page.contains("<small>because two smaller sizes in a row exceeded a limit"));
}

#[test]
fn test_cases_that_were_not_run_leave_the_verdict_open() {
    let case = |outcome: Outcome, correct| v1::TestCaseResult {
        outcome: outcome.into(),
        correct,
        ..v1::TestCaseResult::default()
    };
    let mut report = report(vec![failed(10, Outcome::NotRun, Evidence::default(), "")]);
    report.test_cases = vec![case(Outcome::Ok, Some(true)); 13];
    report.test_cases.resize(40, case(Outcome::NotRun, None));
    let why = "27 of 40 test cases were not run, because the time for test cases was spent";
    report.warnings = vec![v1::Warning::new(v1::WarningCode::TestCasesNotRun, why)];
    let open = ending(report.clone());
    let [text, page] = [ExportFormat::Text, ExportFormat::Html].map(|it| shown(&open, it));
    let verdict = "no verdict: 13 of 40 tests ran, and their answers are correct.";
    let counts = "Test cases\n  13 AC · 27 NOT_RUN (tests 14, 15, 16, 17, 18, …)";
    assert_eq!(text, format!("{verdict}\n\n{counts}\n\nWarnings\n  test_cases_not_run: {why}"));
    assert!(page.contains(&format!("role=\"alert\"><p>{verdict}</p>")), "{page}");
    assert!(page.contains("<small>because not every test case has a verdict"), "{page}");
    report.test_cases[1].correct = Some(false);
    let text = shown(&ending(report), ExportFormat::Text);
    assert!(text.starts_with("wrong on 1 of 40 tests (27 not run)."), "{text}");
}

#[test]
fn worst_input_is_in_what_people_read() {
    let worst = v1::WorstInput {
        measured_size: Some(9),
        instructions: Some(500),
        random: Some(v1::RandomInstructions { median: 100, most: 120 }),
        looks: vec!["a: <b>".into()],
        spec: Some(v1::InputSpec::default()),
        ..v1::WorstInput::default()
    };
    let ending = ending(ProfileReport { worst: Some(Box::new(worst)), ..report(growing()) });
    let [text, page] = [ExportFormat::Text, ExportFormat::Html].map(|it| shown(&ending, it));
    assert!(text.contains("\n\nWorst input\nfound at this n only: "), "{text}");
    assert!(text.contains("looks:  a: <b>"), "{text}");
    assert!(page.contains("5.0 times the median of random inputs"), "{page}");
    assert!(page.contains("looks:  a: &lt;b&gt;"), "{page}");
}

#[test]
fn error_has_no_strict_form() {
    let ending = error(ErrorCode::Memory, "size 1000 exceeded 64 MiB", report(growing()));
    let json = shown(&ending, ExportFormat::Swiftsolve);
    assert_eq!(json, shown(&ending, ExportFormat::Json));
    assert_eq!(json::parse::<SandboxError>(&json).unwrap().code(), ErrorCode::Memory);
}

#[test]
fn every_figure_has_a_column() {
    insta::assert_snapshot!(shown(&ending(whole()), ExportFormat::Csv));
}

#[test]
fn chosen_columns_come_in_the_chosen_order() {
    let columns = ["largest_peak_memory_mb", "size", "time_growth", "time_growth_confidence"];
    let mut report = report(growing());
    let growth = report.growth.get_or_insert_default();
    growth.time = Some(v1::GrowthClassification {
        function: Some(Class::Linearithmic.into()),
        confidence: Some(0.97),
        ..v1::GrowthClassification::default()
    });
    growth.memory = Some(v1::GrowthClassification {
        confidence: Some(0.5),
        ..v1::GrowthClassification::default()
    });
    let table = |names: &[&str]| {
        let names: Vec<_> = names.iter().map(|&name| name.to_owned()).collect();
        String::from_utf8(export_csv(&ending(report.clone()), &names).unwrap()).unwrap()
    };
    let chosen = table(&columns);
    assert_eq!(chosen.lines().next(), Some(columns.join(",").as_str()));
    assert_eq!(chosen.lines().last(), Some("3.9,10000,n log n,0.97"));
    let undecided = table(&["size", "memory_growth", "memory_growth_confidence"]);
    assert_eq!(undecided.lines().last(), Some("10000,,"));
    assert_eq!(table(&[]), shown(&ending(report.clone()), ExportFormat::Csv));
    let unknown = export_csv(&ending(report.clone()), &["sise".to_owned()]);
    assert!(matches!(unknown, Err(Error::NoColumn(name)) if name == "sise"));
}

#[test]
fn every_number_has_a_row_of_the_long_form() {
    let sizes = vec![sample_reports::ok(1000, 2.5, 3.5), segfault()];
    insta::assert_snapshot!(shown(&ending(report(sizes)), ExportFormat::CsvLong));
    let table = shown(&ending(whole()), ExportFormat::CsvLong);
    let mut reader = ::csv::Reader::from_reader(table.as_bytes());
    for row in reader.records() {
        let row = row.unwrap();
        assert!(row[5].parse::<f64>().is_ok(), "{row:?}");
    }
}

#[test]
fn rows_of_csv_have_one_length_and_names_are_unique() {
    let table = shown(&ending(whole()), ExportFormat::Csv);
    let mut reader = ::csv::Reader::from_reader(table.as_bytes());
    let names: Vec<_> = reader.headers().unwrap().iter().map(str::to_owned).collect();
    let different: std::collections::BTreeSet<_> = names.iter().collect();
    assert_eq!(different.len(), names.len());
    // The reader refuses rows of another length.
    assert_eq!(reader.records().collect::<Result<Vec<_>, _>>().unwrap().len(), 4);
}

/// A table of a run equals that of its saved JSON.
#[test]
fn figures_of_csv_have_nine_digits() {
    let mut report = report(growing());
    report.sizes[0].runtime_ms = Some(1.030_449_032_666_863_9);
    let table = shown(&ending(report), ExportFormat::Csv);
    assert!(table.contains(",1.03044903,"), "{table}");
}

#[test]
fn chains_are_folded() {
    let folded = shown(&ending(whole()), ExportFormat::Folded);
    assert_eq!(folded, "main() 81200\nmain();work() 18800\n");
}

#[test]
fn flame_graph_is_the_same_picture_each_time() {
    let svg = shown(&ending(whole()), ExportFormat::FlameGraph);
    assert_eq!(svg, shown(&ending(whole()), ExportFormat::FlameGraph));
    assert!(svg.contains("sort: width is the share of 100 k instructions."), "{svg}");
    assert!(
        svg.contains("<title>work()\n18.8\u{202f}%, 18\u{202f}800 instructions</title>"),
        "{svg}"
    );
}

#[test]
fn need_of_a_format_is_named_where_it_lacks() {
    let bare = ending(report(vec![segfault()]));
    let reasons = [
        (ExportFormat::Folded, "the run has no call stacks: they need `debug`"),
        (ExportFormat::FlameGraph, "the run has no call stacks: they need `debug`"),
        (ExportFormat::PerunTime, "the run has no size that ended OK"),
        (ExportFormat::PerunMixed, "the run has no three sizes that ended OK"),
        (ExportFormat::PerunMemory, "the run has no allocations: they need `allocations`"),
        (ExportFormat::Unspecified, "choose a format"),
    ];
    for (format, reason) in reasons {
        let text = export(&bare, format, &TextOptions::default()).unwrap_err().to_string();
        assert!(text.starts_with(reason), "{format:?}: {text}");
    }
}

#[test]
fn error_without_figures_still_has_text_and_json() {
    let mut error = SandboxError { code: ErrorCode::Internal.into(), ..SandboxError::default() };
    error.message = "the sandbox was lost".into();
    let ending = Ending::Error(Box::new(error));
    assert_eq!(shown(&ending, ExportFormat::Text), "internal: the sandbox was lost");
    assert!(shown(&ending, ExportFormat::Json).contains("the sandbox was lost"));
    let refused = export(&ending, ExportFormat::Csv, &TextOptions::default()).unwrap_err();
    assert!(matches!(refused, Error::Lacks { .. }), "{refused}");
}

/// Names as a hostile program would have them.
pub(crate) fn hostile() -> impl Strategy<Value = String> {
    let parts = prop_oneof![
        Just("]]>".to_owned()),
        Just("</title><script>alert(1)</script>".to_owned()),
        Just("\"\r\n=HYPERLINK(\"http://x\")".to_owned()),
        Just("&#x0;;main 9\n".to_owned()),
        Just("\u{1b}[2J\0\u{ffff}".to_owned()),
        any::<String>(),
    ];
    proptest::collection::vec(parts, 0..4).prop_map(|parts| parts.concat())
}

proptest! {
    #[test]
    fn no_name_breaks_a_picture_or_its_stacks(names in proptest::collection::vec(hostile(), 1..5), task in hostile()) {
        let mut report = whole();
        let depth = names.len();
        report.task_id = task;
        report.call_stacks = vec![CallStack { frames: names, instructions: 7 }];
        let folded = shown(&ending(report.clone()), ExportFormat::Folded);
        let (chain, count) = folded.trim_end_matches('\n').rsplit_once(' ').unwrap();
        prop_assert_eq!((folded.lines().count(), chain.split(';').count(), count), (1, depth, "7"));
        let svg = shown(&ending(report), ExportFormat::FlameGraph);
        let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
        let picture = roxmltree::Document::parse_with_options(&svg, options).unwrap();
        let scripts = picture.descendants().filter(|node| node.has_tag_name("script")).count();
        let own = shown(&ending(whole()), ExportFormat::FlameGraph);
        prop_assert_eq!(scripts, own.matches("<script").count());
    }

    #[test]
    fn no_name_breaks_a_table_or_becomes_a_formula(task in hostile(), candidate in hostile()) {
        let mut report = whole();
        (report.task_id, report.candidates) = (task, vec![candidate.clone()]);
        let table = shown(&ending(report), ExportFormat::Csv);
        let mut reader = ::csv::Reader::from_reader(table.as_bytes());
        let at = reader.headers().unwrap().iter().position(|name| name == "candidate_name").unwrap();
        for row in reader.records() {
            let row = row.unwrap();
            let shown: String = candidate.chars().map(crate::report::harmless).collect();
            prop_assert!(row[at].ends_with(&shown));
            prop_assert!(!row[at].starts_with(['=', '+', '-', '@', '\t']));
        }
    }

    #[test]
    fn no_name_reaches_the_terminal_as_a_command(text in hostile()) {
        let mut report = whole();
        report.task_id.clone_from(&text);
        report.code_cpp = format!("{text}\n{text}\n{text}");
        report.hotspot_functions[0].name.clone_from(&text);
        report.allocations.as_mut().unwrap().sites[0].trace[1].function.clone_from(&text);
        let growth = report.growth.as_mut().unwrap();
        growth.memory.as_mut().unwrap().undecided_reason.clone_from(&text);
        let written = shown(&ending(report), ExportFormat::Text);
        let bad = written.chars().find(|&c| c.is_control() && c != '\n' && c != '\t');
        prop_assert_eq!(bad, None);
    }

    #[test]
    fn no_name_breaks_a_profile(text in hostile()) {
        let mut report = whole();
        report.task_id.clone_from(&text);
        report.allocations.as_mut().unwrap().sites[0].trace[1].function = text;
        let profile = shown(&ending(report), ExportFormat::PerunMemory);
        let profile: serde_json::Value = serde_json::from_str(&profile).unwrap();
        let function = &profile["snapshots"][0]["resources"][0]["trace"][2]["function"];
        prop_assert!(!function.as_str().unwrap().contains(['\n', ';']));
    }
}
