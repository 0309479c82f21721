//! Texts of task files, and growth that they are compared with.

use super::*;
use profiler_proto::Word;
use profiler_proto::v1::GrowthReport;

fn job(size: Option<&str>, bounds: &[&str]) -> Job {
    Job {
        size_variable: size.map(str::to_owned),
        input_bounds: bounds.iter().map(|&name| (name.to_owned(), 100)).collect(),
        ..Job::default()
    }
}

/// What is read of a text, or what is said of it.
fn read(text: &str, job: &Job) -> Result<String, String> {
    Expected::of(text, job).0.map(Class::name)
}

#[test]
fn the_known_forms_are_read_however_they_are_written() {
    let job = job(None, &["n"]);
    for (name, texts) in [
        ("1", &["O(1)", "O( 1 )", " O (1) "][..]),
        ("log n", &["O(log n)", "O(log(n))", "O(logn)", "O(ln n)", "O(log2(n))", "O(log N)"]),
        ("√n", &["O(sqrt n)", "O(sqrt(n))", "O(√n)", "O(n^0.5)"]),
        ("n", &["O(n)", "O(N)", "Θ(n)", "O(2*n)", "O(sqrt(n) * sqrt(n))"]),
        (
            "n log n",
            &[
                "O(n log n)",
                "O(n*log n)",
                "O(nlogn)",
                "O(n · log(n))",
                "O(N log N)",
                "O((n) log(n^2))",
            ],
        ),
        ("n√n", &["O(n sqrt n)", "O(n*sqrt(n))", "O(n√n)", "O(n^1.5)"]),
        ("n²", &["O(n^2)", "O(n²)", "O(n * n)", "O((n)^2)"]),
        ("n² log n", &["O(n^2 log n)", "O(n² log n)", "O(log n * n^2)"]),
        ("n³", &["O(n^3)", "O(n³)"]),
        ("2ⁿ", &["O(2^n)", "O(2ⁿ)", "O(3^n)", "O(n * 2^n)", "O(2^(n))"]),
        ("n!", &["O(n!)", "O(n * n!)"]),
    ] {
        for text in texts {
            assert_eq!(read(text, &job), Ok(name.to_owned()), "{text}");
        }
    }
}

#[test]
fn what_is_none_of_them_is_named_and_quoted_in_part() {
    let job = job(None, &["n"]);
    for text in [
        "",
        "linear",
        "n",
        "O",
        "O(",
        "O()",
        "O(n",
        "O(n))",
        "O((n)",
        "O(n log)",
        "O(n^)",
        "O(^2)",
        "O(n^n)",
        "O(n + n)",
        "O(n log^2 n)",
        "O((log n)^2)",
        "O(n^4)",
        "O(n^1.1)",
        "O(n^0.1)",
        "O(n/2)",
        "O(*n)",
        "O(n*)",
        "O(1^n)",
        "O(2^n log n)",
        "O(sqrt(2^n))",
        "O(log 2)",
        "O(n^-1)",
        "O(n^1.2.3)",
        "O(α(n))",
        "o(n)",
        "O(2^n n!)",
        "O(n^100)",
    ] {
        let said = read(text, &job).unwrap_err();
        assert!(said.contains("is not read: known are O(1)"), "{text}: {said}");
    }
    let long = format!("O({}\u{1b}[2J", "(".repeat(100_000));
    let said = read(&long, &job).unwrap_err();
    assert!(said.chars().count() < 300 && !said.contains('\u{1b}'), "{said}");
}

#[test]
fn another_variable_is_not_comparable() {
    for text in ["O(n + m)", "O(n*m)", "O(nm)", "O(V+E)", "O(n log m)", "O(m)"] {
        let said = read(text, &job(None, &["n", "m"])).unwrap_err();
        assert!(said.contains("is not comparable: growth is over n"), "{text}: {said}");
    }
}

#[test]
fn the_size_has_the_name_that_the_job_gives_it() {
    assert_eq!(read("O(m log m)", &job(None, &["m"])), Ok("n log n".into()));
    assert_eq!(read("O(len^2)", &job(Some("len"), &["len", "k"])), Ok("n²".into()));
    assert_eq!(read("O(l log l)", &job(Some("l"), &["l"])), Ok("n log n".into()));
    assert_eq!(read("O(n)", &job(None, &[])), Ok("n".into()));
    assert!(read("O(n)", &job(Some("m"), &["n", "m"])).is_err());
    assert!(read("O(N)", &job(None, &["n", "N"])).is_err(), "both are variables");
}

/// A report in which the time grows so.
fn report(name: &str) -> ProfileReport {
    let time = GrowthClassification {
        function: Class::parse(name).map(Into::into),
        confidence: Some(0.97),
        runner_up: Some(Class::Linearithmic.into()),
        runner_up_confidence: Some(0.02),
        ..GrowthClassification::default()
    };
    let growth = GrowthReport { time: Some(time), ..GrowthReport::default() };
    ProfileReport { growth: Some(growth), ..ProfileReport::default() }
}

/// The line, and the warnings.
fn compared(text: &str, mut report: ProfileReport) -> (Option<String>, Vec<String>) {
    let line = Expected::of(text, &job(None, &["n"])).compare(&mut report);
    let warnings = report.warnings.iter().map(|it| format!("{}: {}", it.code().word(), it.message));
    (line, warnings.collect())
}

#[test]
fn growth_that_is_as_expected_or_slower_is_one_line() {
    for (text, name, line) in [
        ("O(n^2)", "n²", "the task expects n², and time grows so (confidence 0.97)"),
        ("O(n^2)", "n", "the task expects n²; time grows more slowly, like n (confidence 0.97)"),
        (
            "O(n^2)",
            "n^1.58",
            "the task expects n²; time grows more slowly, like n^1.58 (confidence 0.97)",
        ),
        (
            "O(n log n)",
            "n",
            "the task expects n log n; time grows more slowly, like n (confidence 0.97, n log n 0.02)",
        ),
        ("O(n)", "", "the task expects n: whether time grows so cannot be told"),
    ] {
        assert_eq!(compared(text, report(name)), (Some(line.into()), vec![]), "{text} {name}");
    }
    assert!(compared("O(n)", ProfileReport::default()).0.unwrap().contains("cannot be told"));
}

#[test]
fn growth_that_is_faster_is_a_warning() {
    for (text, name, message) in [
        (
            "O(n log n)",
            "n²",
            "the task expects n log n; time grows like n² (confidence 0.97, n log n 0.02)",
        ),
        ("O(n)", "n^1.25", "the task expects n; time grows like n^1.25 (confidence 0.97)"),
        ("O(n^3)", "2ⁿ", "the task expects n³; time grows like 2ⁿ (confidence 0.97)"),
    ] {
        let warning = format!("grows_faster_than_expected: {message}");
        assert_eq!(compared(text, report(name)), (None, vec![warning]), "{text} {name}");
    }
}

#[test]
fn what_is_not_read_is_a_warning() {
    let (line, warnings) = compared("O(n log* n)", report("n"));
    assert_eq!((line, warnings.len()), (None, 1));
    assert!(
        warnings[0].starts_with("expected_complexity: expected_complexity \"O(n log* n)\""),
        "{warnings:?}"
    );
}
