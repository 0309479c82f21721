//! Test cases at the command line: their order, their files, and the checkers of their answers.

use crate::inputs::{SUM, TASK, written};
use crate::{SANDBOX_ERROR, has};
use profiler_core::sandbox::Choice;
use profiler_tests::swiftprof::run;

#[tokio::test]
async fn wrong_program_is_said_to_be_wrong_before_anything_is_measured() {
    if !has("native", Choice::Native).await {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let right = TASK.replace("\"output\": \"6\"}],", "\"output\": \"5\"}],");
    let [program, wrong, right] = [("sum.cpp", SUM), ("wrong.json", TASK), ("right.json", &right)]
        .map(|(name, text)| written(&folder, name, text));
    let said = async |task: &str| {
        let args = ["run", &program, "--task", task, "--test-cases", "--backend", "native"];
        let output = run(&args).await;
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    let (code, text) = said(&wrong).await;
    assert_eq!(code, Some(1), "{text}");
    let first = "wrong on 1 of 2 tests; first: test 2 printed 5, expected 6.";
    assert_eq!(text.lines().next(), Some(first), "{text}");
    assert!(text.lines().count() <= 8 && !text.contains("runtime"), "{text}");
    let (code, text) = said(&right).await;
    assert_eq!(code, Some(0), "{text}");
    assert_eq!(text.lines().next(), Some("correct on 2 of 2 tests."), "{text}");
    assert!(text.contains("\n  slowest: test ") && text.contains("runtime"), "{text}");
}

#[tokio::test]
async fn test_cases_are_read_from_a_folder() {
    if !has("native", Choice::Native).await {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let program = written(&folder, "sum.cpp", SUM);
    for (name, text) in [("2.in", "1 5"), ("2.out", "5\n"), ("10.in", "2 1 2"), ("10.ans", "4\n")] {
        written(&folder, name, text);
    }
    let tests = folder.path().to_str().unwrap();
    let output = run(&["run", &program, "--tests", tests, "--backend", "native"]).await;
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(SANDBOX_ERROR), "{text}");
    let first = "wrong on 1 of 2 tests; first: test 2 printed 3, expected 4.";
    assert!(
        text.starts_with(&format!("{first}\n\nTest cases\n  1 AC · 1 WA (test 2)\n")),
        "{text}"
    );
}

#[tokio::test]
async fn checker_of_numbers_allows_an_error() {
    if !has("native", Choice::Native).await {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let third =
        "#include <cstdio>\nint main() { double n; scanf(\"%lf\", &n); printf(\"%f\", 1 / n); }";
    let program = written(&folder, "third.cpp", third);
    written(&folder, "1.in", "3");
    written(&folder, "1.out", "0.33333333333\n");
    let tests = folder.path().to_str().unwrap();
    let args = ["run", &program, "--tests", tests, "--backend", "native", "--sizes", "1"];
    for (checker, code) in [
        (&["--checker", "words"][..], 1),
        (&["--checker", "numbers"], 0),
        (&["--checker", "numbers", "--tolerance", "1e-9"], 1),
        (&["--checker", "words", "--tolerance", "1e-9"], 2),
    ] {
        let output = run(&[&args[..], checker].concat()).await;
        assert_eq!(output.status.code(), Some(code), "{checker:?} {output:?}");
    }
}
