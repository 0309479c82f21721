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
    let first = "The program is wrong on 1 of 2 test cases: test case 2 expects \"6\", but the answer is \"5\".";
    assert_eq!(text.lines().next(), Some(first), "{text}");
    assert!(text.lines().count() <= 8 && !text.contains("runtime"), "{text}");
    let (code, text) = said(&right).await;
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("2 of 2 correct") && text.contains("runtime"), "{text}");
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
    let first = "The program is wrong on 1 of 2 test cases: test case 2 expects \"4\", but the answer is \"3\".";
    assert_eq!(text.trim_end(), first);
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

/// A sandbox keeps 68 KiB of an answer, and digests of all of it.
#[tokio::test]
async fn answers_of_a_megabyte_are_judged() {
    if !has("native", Choice::Native).await {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let source =
        "#include <cstdio>\nint main() { int n; scanf(\"%d\", &n); while (n--) puts(\"Yes\"); }";
    let program = written(&folder, "yes.cpp", source);
    written(&folder, "1.in", "300000");
    let tests = folder.path().to_str().unwrap();
    let right = "Yes\n".repeat(300_000);
    let wrong = right.replacen("Yes", "No", 1);
    let late = "Yes\n".repeat(299_999) + "No\n";
    for (checker, expected, word) in [
        ("words", &right, ""),
        ("exact", &right, ""),
        ("caseless", &right, ""),
        ("words", &late, "wrong_answer"),
        ("exact", &late, "wrong_answer"),
        ("caseless", &wrong, "wrong_answer"),
        ("caseless", &late, "not_judged"),
    ] {
        written(&folder, "1.out", expected);
        let args = ["run", &program, "--tests", tests, "--checker", checker];
        let output = run(&[&args[..], &["--sizes", "1", "--backend", "native"]].concat()).await;
        let text = String::from_utf8(output.stdout).unwrap();
        let is_wrong = output.status.code() == Some(SANDBOX_ERROR);
        assert_eq!(is_wrong, word == "wrong_answer", "{checker} {word}: {text}");
        assert_eq!(text.contains("not_judged"), word == "not_judged", "{checker} {word}: {text}");
    }
}
