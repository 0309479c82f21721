use crate::text::remedies::flag;
use crate::text::summary::{largest_size, text};
use profiler_growth::Class;
use profiler_proto::v1::{
    Evidence, GrowthClassification, GrowthPrediction, GrowthReach, GrowthReport, Hotspot,
    HotspotsMethod, Interval, LimitKind, Outcome, ProfileReport, RemedyKind, SizeResult,
};

fn class(class: Class, prediction: GrowthPrediction) -> GrowthClassification {
    GrowthClassification {
        function: Some(class.into()),
        confidence: Some(0.97),
        prediction: Some(prediction),
        ..GrowthClassification::default()
    }
}

fn prediction(value: f64, limit: f64, fits: Option<bool>) -> GrowthPrediction {
    let interval = Some(Interval { low: value * 0.5, high: value * 2.0, level: 0.95 });
    GrowthPrediction { size: 1_000_000, value, interval, limit, fits }
}

fn in_flags(report: &ProfileReport) -> String {
    text(report, flag)
}

fn said(time: GrowthClassification, memory: Option<GrowthClassification>) -> String {
    let growth = GrowthReport { time: Some(time), memory, ..GrowthReport::default() };
    in_flags(&ProfileReport { growth: Some(growth), ..ProfileReport::default() })
}

#[test]
fn everything_known_is_one_sentence() {
    let time = class(Class::Linearithmic, prediction(1900.0, 1000.0, Some(false)));
    let growth = GrowthReport { time: Some(time), ..GrowthReport::default() };
    let line = Hotspot { line: 14, self_share: 0.812, ..Hotspot::default() };
    let report = ProfileReport {
        growth: Some(growth),
        hotspots_method: HotspotsMethod::Instructions.into(),
        hotspot_lines: vec![line],
        ..ProfileReport::default()
    };
    assert_eq!(
        in_flags(&report),
        "time grows like n log n (confidence 0.97); at n = 1000000 about 1.9 s: over the limit of \
         1 s; line 14 takes 81 % of the instructions"
    );
}

#[test]
fn largest_size_is_told_unless_the_bound_is_within() {
    let reach = |low, high| GrowthReach { size: 20_749, low, high, limit: 2000.0 };
    let within = |reach, fits| {
        let prediction = GrowthPrediction { limit: 2000.0, fits, ..GrowthPrediction::default() };
        let time = GrowthClassification {
            reach: Some(reach),
            prediction: Some(prediction),
            ..GrowthClassification::default()
        };
        let growth = GrowthReport { time: Some(time), ..GrowthReport::default() };
        largest_size(&ProfileReport { growth: Some(growth), ..ProfileReport::default() })
    };
    let said = within(reach(20_100, 21_300), Some(false)).unwrap();
    assert_eq!(said, "largest n within 2 s: about 20700");
    let said = within(reach(10_000, 41_000), None).unwrap();
    assert_eq!(said, "largest n within 2 s: between 10000 and 41000");
    assert_eq!(within(reach(20_100, 21_300), Some(true)), None);
}

#[test]
fn failed_size_comes_last() {
    let size = |n, outcome: Outcome, limit: LimitKind, value| SizeResult {
        size: n,
        outcome: outcome.into(),
        evidence: Some(Evidence { limit: limit.into(), limit_value: value, ..Evidence::default() }),
        ..SizeResult::default()
    };
    let growth = |class: Class| GrowthClassification {
        function: Some(class.into()),
        ..GrowthClassification::default()
    };
    let report = |failed| ProfileReport {
        growth: Some(GrowthReport {
            time: Some(growth(Class::Quadratic)),
            memory: Some(growth(Class::Quadratic)),
            ..GrowthReport::default()
        }),
        sizes: vec![size(10, Outcome::Ok, LimitKind::Unspecified, None), failed],
        ..ProfileReport::default()
    };
    let memory = size(50_000, Outcome::MemoryLimit, LimitKind::Memory, Some(512.0));
    assert_eq!(
        in_flags(&report(memory)),
        "time grows like n²; memory grows like n²; n = 50000 took over 512 MiB"
    );
    let time = size(2000, Outcome::TimeLimit, LimitKind::Wall, Some(4250.0));
    let said = in_flags(&report(time));
    let wall = "; n = 2000 took over 4.25 s of wall clock time, more than twice the time limit";
    assert!(said.ends_with(wall), "{said}");
    let time = size(2000, Outcome::TimeLimit, LimitKind::Time, Some(2000.0));
    let mut slow = report(time);
    assert!(in_flags(&slow).ends_with("; n = 2000 took over 2 s"));
    let unknown = Some(GrowthClassification::default());
    slow.growth =
        Some(GrowthReport { time: unknown.clone(), memory: unknown, ..GrowthReport::default() });
    assert_eq!(
        in_flags(&slow),
        "cannot tell how time and memory grow.\nlargest n within 2 s: between 10 and 2000; \
         n = 2000 took over 2 s",
        "it is a sentence of its own"
    );
    let crash = size(20, Outcome::RuntimeError, LimitKind::Unspecified, None);
    let name = Outcome::RuntimeError.name();
    assert!(in_flags(&report(crash)).ends_with(&format!("; n = 20 has the outcome {name}")));
}

#[test]
fn questions_at_the_largest_size_are_told() {
    let size = |size, candidate, questions| SizeResult {
        size,
        candidate,
        questions,
        outcome: Outcome::Ok.into(),
        ..SizeResult::default()
    };
    let sizes = vec![size(10, 0, Some(99)), size(1000, 0, Some(17)), size(1000, 1, Some(12))];
    let mut report = ProfileReport { sizes, ..ProfileReport::default() };
    assert_eq!(in_flags(&report), "asks 17 questions at n = 1000");
    report.sizes.push(size(5000, 0, None));
    assert_eq!(in_flags(&report), "asks 17 questions at n = 1000");
    report.sizes.truncate(1);
    report.sizes[0].questions = Some(1);
    assert_eq!(in_flags(&report), "asks 1 question at n = 10");
}

#[test]
fn failure_at_zero_alone_is_a_question() {
    let size = |n, outcome: Outcome| SizeResult {
        size: n,
        outcome: outcome.into(),
        ..SizeResult::default()
    };
    let zero = SizeResult {
        evidence: Some(Evidence { exit_code: Some(3), ..Evidence::default() }),
        stderr_tail: "assertion".into(),
        ..size(0, Outcome::RuntimeError)
    };
    let mut report =
        ProfileReport { sizes: vec![zero, size(1, Outcome::Ok)], ..ProfileReport::default() };
    let question =
        "Does the task allow n = 0? The program fails only there: RUNTIME_ERROR, exit code 3.";
    assert_eq!(in_flags(&report), question);
    report.sizes.push(size(9, Outcome::RuntimeError));
    let question = question.replace("fails only there", "fails there");
    let expected = format!("n = 9 has the outcome RUNTIME_ERROR\n{question}");
    assert_eq!(in_flags(&report), expected);
    report.sizes[1] = size(1, Outcome::RuntimeError);
    assert_eq!(in_flags(&report), "n = 0 has the outcome RUNTIME_ERROR");
}

#[test]
fn unknown_growth_has_its_reason() {
    let time = GrowthClassification {
        undecided_reason: "n (0.50) or n log n (0.40)".into(),
        remedies: vec![RemedyKind::FullGrowth.into()],
        ..GrowthClassification::default()
    };
    let memory = class(Class::Constant, prediction(3.5, 512.0, Some(true)));
    assert_eq!(
        said(time.clone(), Some(memory)),
        "cannot tell how time grows: n (0.50) or n log n (0.40). To decide, use --growth full.\n\
         memory does not grow with n (confidence 0.97); at n = 1000000 about 3.5 MiB: within \
         the limit of 512 MiB"
    );
    let prediction = Some(prediction(1900.0, 1000.0, Some(false)));
    assert!(
        said(GrowthClassification { prediction, ..time }, None)
            .ends_with(".\ntime at n = 1000000 about 1.9 s: over the limit of 1 s")
    );
}

#[test]
fn one_reason_is_said_once() {
    let undecided_reason = "the program lacked input".to_owned();
    let unknown = GrowthClassification { undecided_reason, ..GrowthClassification::default() };
    assert_eq!(
        said(unknown.clone(), Some(unknown)),
        "cannot tell how time and memory grow: the program lacked input."
    );
}

#[test]
fn limit_within_the_interval_is_undecided() {
    assert_eq!(
        said(class(Class::Linear, prediction(1000.0, 1250.0, None)), None),
        "time grows like n (confidence 0.97); at n = 1000000 about 1 s, between 500 ms and 2 s: \
         cannot tell whether it is within the limit of 1.25 s"
    );
}

#[test]
fn empty_report_has_no_summary() {
    assert_eq!(in_flags(&ProfileReport::default()), "");
}
