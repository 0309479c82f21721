//! Expected complexities of task files, and their comparison with measured growth.

use super::*;
use profiler_proto::Word;

fn job(size: Option<&str>, bounds: &[&str]) -> Job {
    Job {
        size_variable: size.map(str::to_owned),
        input_bounds: bounds.iter().map(|&name| (name.to_owned(), 100)).collect(),
        ..Job::default()
    }
}

/// The parsed class, or the message.
fn read(text: &str, job: &Job) -> Result<String, String> {
    Expected::parse(text, job).0.map(Class::name)
}

#[test]
fn supported_forms_are_parsed_in_every_spelling() {
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
        ("log² n", &["O(log^2 n)", "O((log n)^2)"]),
        ("n log² n", &["O(n log^2 n)"]),
        ("2ⁿ", &["O(2^n)", "O(2ⁿ)", "O(2^(n))"]),
        ("n·2ⁿ", &["O(n * 2^n)"]),
        ("n²·2ⁿ", &["O(n^2 2^n)", "O(n²·2ⁿ)"]),
        ("3ⁿ", &["O(3^n)"]),
        ("4ⁿ", &["O(4^n)"]),
        ("3.7ⁿ", &["O(3.7^n)"]),
        ("n!", &["O(n!)", "O(n * n!)"]),
    ] {
        for text in texts {
            assert_eq!(read(text, &job), Ok(name.to_owned()), "{text}");
        }
    }
}

#[test]
fn every_class_but_one_is_listed_as_supported() {
    let listed = form::supported();
    for class in profiler_growth::Class::NAMED {
        let form = format!("O({})", class.name());
        assert_eq!(listed.split(", ").any(|it| it == form), form != "O(φⁿ)", "{form}: {listed}");
    }
}

#[test]
fn other_texts_are_refused_and_quoted_in_part() {
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
        "O(n log^3 n)",
        "O((log n)^3)",
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
        assert!(said.contains("is not supported; supported are O(1)"), "{text}: {said}");
    }
    let long = format!("O({}\u{1b}[2J", "(".repeat(100_000));
    let said = read(&long, &job).unwrap_err();
    assert!(said.chars().count() < 300 && !said.contains('\u{1b}'), "{said}");
}

#[test]
fn another_variable_is_not_comparable() {
    for text in ["O(n + m)", "O(n*m)", "O(nm)", "O(V+E)", "O(n log m)", "O(m)"] {
        let said = read(text, &job(None, &["n", "m"])).unwrap_err();
        assert!(said.contains("cannot be compared: growth is measured over n"), "{text}: {said}");
    }
}

#[test]
fn size_has_the_name_that_the_job_gives_it() {
    assert_eq!(read("O(m log m)", &job(None, &["m"])), Ok("n log n".into()));
    assert_eq!(read("O(len^2)", &job(Some("len"), &["len", "k"])), Ok("n²".into()));
    assert_eq!(read("O(l log l)", &job(Some("l"), &["l"])), Ok("n log n".into()));
    assert_eq!(read("O(n)", &job(None, &[])), Ok("n".into()));
    assert!(read("O(n)", &job(Some("m"), &["n", "m"])).is_err());
    assert!(read("O(N)", &job(None, &["n", "N"])).is_err(), "both are variables");
}

/// Growth of the time by this class.
fn growth(name: &str) -> GrowthClassification {
    GrowthClassification {
        function: Class::parse(name).map(Into::into),
        confidence: Some(0.97),
        runner_up: Some(Class::Linearithmic.into()),
        runner_up_confidence: Some(0.02),
        ..GrowthClassification::default()
    }
}

/// The note, or the warning.
fn compare(text: &str, time: Option<&GrowthClassification>) -> Result<String, String> {
    match Expected::parse(text, &job(None, &["n"])).compare(time) {
        Finding::Note(note) => Ok(note),
        Finding::Warning(warning) => Err(format!("{}: {}", warning.code().word(), warning.message)),
    }
}

#[test]
fn growth_as_expected_or_slower_is_a_note() {
    for (text, name, line) in [
        ("O(n^2)", "n²", "the task expects n², and time grows like that (confidence 0.97)"),
        ("O(n^2)", "n", "the task expects n²; time grows more slowly, like n (confidence 0.97)"),
        ("O(3.7^n)", "3.72ⁿ", "the task expects 3.7ⁿ, and time grows like that (confidence 0.97)"),
        ("O(1.6^n)", "φⁿ", "the task expects 1.6ⁿ, and time grows like that (confidence 0.97)"),
        (
            "O(4^n)",
            "3.7ⁿ",
            "the task expects 4ⁿ; time grows more slowly, exponentially, with a base of about 3.7 \
             (confidence 0.97)",
        ),
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
        ("O(n)", "", "the task expects n; the growth of time is unknown"),
    ] {
        assert_eq!(compare(text, Some(&growth(name))), Ok(line.into()), "{text} {name}");
    }
    assert!(compare("O(n)", None).unwrap().contains("is unknown"));
}

#[test]
fn faster_growth_is_a_warning() {
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
        assert_eq!(compare(text, Some(&growth(name))), Err(warning), "{text} {name}");
    }
}

#[test]
fn unsupported_text_is_a_warning() {
    let warning = compare("O(n log* n)", Some(&growth("n"))).unwrap_err();
    assert!(
        warning.starts_with("expected_complexity: expected_complexity \"O(n log* n)\""),
        "{warning}"
    );
}
