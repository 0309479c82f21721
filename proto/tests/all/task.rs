//! Task files of SwiftSolve's datasets.

#![cfg(feature = "json")]

use profiler_proto::file::Places;
use profiler_proto::task::{INPUT_SPEC, Task, read_test_cases};
use profiler_proto::v1::{Job, RunLimits};
use serde_json::json;
use std::fs;

fn task(more: &serde_json::Value) -> Task {
    let mut task = json!({
        "task_id": "CF1285A", "title": "Mezo Playing Zoma", "source": "codeforces",
        "difficulty": "easy", "description": "", "input_format": "", "output_format": "",
        "input_bounds": {"n": 100_000, "k": 10}, "time_limit_ms": 2000, "memory_limit_mb": 256,
        "expected_complexity": "O(n)", "expected_approach": "implementation",
        "test_cases": [{"input": "3\n1 2 3", "output": "6", "explanation": "Sample case"}],
        "source_url": null, "source_rating": 800, "tags": ["implementation"]
    });
    for (key, value) in more.as_object().expect("more keys") {
        task[key] = value.clone();
    }
    serde_json::from_value(task).expect("a task")
}

#[test]
fn bounds_and_limits_are_the_tasks() {
    let mut job = Job::default();
    task(&json!({})).apply(&mut job).unwrap();
    assert_eq!(job.code, None);
    assert_eq!(job.input_bounds, [("k".to_owned(), 10), ("n".into(), 100_000)].into());
    let limits = job.limits.unwrap();
    assert_eq!((limits.runtime_limit_ms, limits.memory_mb), (Some(2000.0), Some(256)));
    assert!(job.input_specs.is_empty() && job.test_cases.is_empty());
}

#[test]
fn settings_given_to_a_job_stay() {
    let limits = RunLimits { memory_mb: Some(64), ..RunLimits::default() };
    let mut job =
        Job { input_bounds: [("n".into(), 5)].into(), limits: Some(limits), ..Job::default() };
    task(&json!({})).apply(&mut job).unwrap();
    assert_eq!(job.input_bounds["n"], 5);
    assert_eq!(job.limits.unwrap().memory_mb, Some(64));
}

#[test]
fn input_spec_may_be_one_or_several() {
    let spec = json!({"layout": [{"literal": "1"}]});
    for (given, count) in [(spec.clone(), 1), (json!([spec, spec]), 2)] {
        let mut job = Job::default();
        task(&json!({ "input_spec": given })).apply(&mut job).unwrap();
        assert_eq!(job.input_specs.len(), count);
    }
    let wrong = task(&json!({"input_spec": {"vras": []}})).apply(&mut Job::default());
    assert!(wrong.unwrap_err().to_string().contains("vras"));
}

#[test]
fn answers_are_asked_for_by_request() {
    let mut job = Job::default();
    task(&json!({})).ask_answers(&mut job);
    assert_eq!(
        (job.test_cases[0].input.as_str(), job.test_cases[0].output.as_str()),
        ("3\n1 2 3", "6")
    );
}

#[test]
fn expected_output_may_be_a_digest() {
    let tests = json!([{"input": "1", "output_words_sha256": "0A".repeat(32)}]);
    let mut job = Job::default();
    task(&json!({ "test_cases": tests })).ask_answers(&mut job);
    let case = &job.test_cases[0];
    assert_eq!((case.output.as_str(), case.output_words_sha256.as_slice()), ("", &[10; 32][..]));
}

#[test]
fn test_case_that_is_not_one_has_its_place() {
    let said = |case: &str| {
        let text = format!(
            r#"{{"task_id": "T", "input_bounds": {{}}, "time_limit_ms": 1, "memory_limit_mb": 64,
            "unit_tests": [{{"input": "1", "output": "1"}},
{case}]}}"#
        );
        Task::parse(&text).map(|task| task.test_cases.len()).map_err(|error| error.to_string())
    };
    assert_eq!(said(r#"{"input": "1", "output": "1", "explanation": "x"}"#), Ok(2));
    let one_of = "line 3, column 14: a test case must have either output or output_words_sha256";
    assert_eq!(said(r#"{"input": "1"}"#), Err(one_of.into()));
    let both = said(r#"{"input": "1", "output": "1", "output_words_sha256": ""}"#).unwrap_err();
    assert!(both.ends_with("a test case must have either output or output_words_sha256"), "{both}");
    let short = said(r#"{"input": "1", "output_words_sha256": "0a"}"#).unwrap_err();
    assert!(short.ends_with("output_words_sha256 must have 64 hexadecimal digits"), "{short}");
    let without = said(r#"{"output": "1"}"#).unwrap_err();
    assert!(without.starts_with("line 3, column 15: missing field `input`"), "{without}");
}

#[test]
fn all_missing_keys_are_named() {
    let said = |text: &str| Task::parse(text).unwrap_err().to_string();
    assert_eq!(
        said(r#"{"task_id": "T", "time_limit_ms": 2000}"#),
        "lacks input_bounds, memory_limit_mb; a task has task_id, input_bounds, time_limit_ms, \
         memory_limit_mb"
    );
    let bad = r#"{"task_id": "T", "input_bounds": {}, "time_limit_ms": 1,
        "memory_limit_mb": "64"}"#;
    assert!(said(bad).starts_with("line 2, column 31: invalid type: string"), "{}", said(bad));
    assert_eq!(said("{"), "line 1, column 1: EOF while parsing an object");
}

#[test]
fn test_cases_need_no_other_keys() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let read = |text: &str| {
        fs::write(file.path(), text).unwrap();
        read_test_cases(file.path()).map_err(|error| error.to_string())
    };
    let long = "1\n".repeat(1 << 20);
    for key in ["test_cases", "unit_tests"] {
        let cases = read(&json!({ key: [{"input": "1", "output": long}] }).to_string()).unwrap();
        assert_eq!((cases.len(), cases[0].output == long), (1, true));
    }
    let marked = "\u{feff}{\"test_cases\": [{\"input\": \"1\", \"output\": \"2\"}]}";
    assert_eq!(read(marked).unwrap().len(), 1);
    for text in ["{}", "[]", r#"{"test_cases": []}"#] {
        let said = read(text).unwrap_err();
        assert!(said.starts_with("must have the key test_cases or unit_tests: a list"), "{said}");
    }
    assert!(read("1").unwrap_err().starts_with("line 1, column "));
}

#[test]
fn mistake_in_the_specs_of_a_task_has_its_place() {
    let text = r#"{"task_id": "T", "input_bounds": {}, "time_limit_ms": 1, "memory_limit_mb": 64,
        "input_spec": [{"layout": [{"literal": "1"}]},
            {"vras": []}]}"#;
    let wrong = Task::parse(text).unwrap().apply(&mut Job::default()).unwrap_err();
    let said = wrong.at(&Places::new(text), INPUT_SPEC).to_string();
    assert!(said.starts_with("line 3, column 14: [1].vras: "), "{said}");
}
