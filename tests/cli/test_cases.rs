//! Test cases at the command line: their order, their files, and the checkers of their answers.

use crate::inputs::{SUM, TASK, written};
use crate::{BAD_INPUT, REPORT, SANDBOX_ERROR, has, stderr};
use profiler_core::sandbox::Choice;
use profiler_tests::swiftprof::run;
use serde_json::json;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

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

/// Writes two tests of a sum, of which the second expects another answer.
fn archive(path: &Path) {
    let mut archive = ZipWriter::new(File::create(path).unwrap());
    for (name, text) in [("t/1.in", "1 5"), ("t/1.out", "5\n"), ("t/2.in", "1 7"), ("t/2.a", "4")] {
        archive.start_file(name, SimpleFileOptions::default()).unwrap();
        archive.write_all(text.as_bytes()).unwrap();
    }
    archive.finish().unwrap();
}

/// Writes two right tests of a sum, and returns their folder.
fn right_tests(folder: &tempfile::TempDir) -> &str {
    for (name, text) in [("1.in", "1 5"), ("1.out", "5\n"), ("2.in", "2 1 2"), ("2.out", "3\n")] {
        written(folder, name, text);
    }
    folder.path().to_str().unwrap()
}

#[tokio::test]
async fn verdict_alone_is_a_report_in_every_format() {
    if !has("native", Choice::Native).await {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (program, tests) = (written(&folder, "sum.cpp", SUM), right_tests(&folder));
    let judge = async |more: &[&str]| {
        let args = ["run", &program, "--tests", tests, "--reward", "--backend", "native"];
        run(&[&args[..], more].concat()).await
    };
    let names = ["txt", "json", "csv", "long.csv", "html", "xml", "sarif", "github.txt"];
    let mut files = names.map(|name| format!("{tests}/r.{name}")).to_vec();
    files.push(format!("{tests}/r.swiftsolve.json"));
    let output =
        judge(&files.iter().flat_map(|file| ["-o", file.as_str()]).collect::<Vec<_>>()).await;
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    assert_eq!(output.status.code(), Some(REPORT), "{text} {}", stderr(&output));
    assert_eq!(text.lines().next(), Some("correct on 2 of 2 tests."), "{text}");
    assert!(text.contains(" · costliest: test ") && !text.contains('│'), "{text}");
    assert!(files.iter().all(|file| Path::new(file).exists()), "{files:?}");
    let saved = std::fs::read_to_string(&files[1]).unwrap();
    let report: serde_json::Value = serde_json::from_str(&saved).unwrap();
    assert_eq!((&report["sizes"], &report["warnings"]), (&json!([]), &json!([])));
    let counts = |report: &serde_json::Value| {
        let cases = report["test_cases"].as_array().unwrap();
        cases.iter().map(|case| case["instructions"].as_u64()).collect::<Vec<_>>()
    };
    let counted = counts(&report);
    assert!(counted.iter().all(|count| count.is_some_and(|count| count > 10_000)), "{counted:?}");
    let case = &report["test_cases"][0];
    let [all, own, net] = ["instructions", "own_instructions", "net_instructions"]
        .map(|count| case[count].as_u64().unwrap_or_default());
    assert!((1..all).contains(&own) && (1..all).contains(&net), "{case}");
    let again = crate::json(&judge(&["--format", "json"]).await, REPORT);
    assert_eq!(counts(&again), counted, "a count repeats");
    assert_eq!(run(&["report", &files[1]]).await.status.code(), Some(REPORT));
    written(&folder, "2.out", "4\n");
    let output = judge(&[]).await;
    assert_eq!(output.status.code(), Some(SANDBOX_ERROR), "{}", stderr(&output));
    let refused = judge(&["--hotspots"]).await;
    assert_eq!(refused.status.code(), Some(BAD_INPUT), "{}", stderr(&refused));
}

#[tokio::test]
async fn program_with_a_thread_has_a_verdict_and_no_count() {
    if !has("native", Choice::Native).await {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let source = "#include <iostream>\n#include <thread>\nint main() { int n, s = 0, a; std::cin >> n;\n\
                  std::thread([&] { while (n--) { std::cin >> a; s += a; } }).join();\n\
                  std::cout << s; }\n";
    let (program, tests) = (written(&folder, "thread.cpp", source), right_tests(&folder));
    let args = ["run", &program, "--tests", tests, "--reward", "--backend", "native"];
    let output = run(&[&args[..], &["--flags", "-O2 -std=c++17 -pthread"]].concat()).await;
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(REPORT), "{text}");
    assert!(text.starts_with("correct on 2 of 2 tests."), "{text}");
    assert!(text.contains("instructions_unsupported: test 1: "), "{text}");
    assert!(!text.contains("costliest"), "{text}");
}

#[tokio::test]
async fn test_cases_are_read_from_files_of_every_shape() {
    if !has("native", Choice::Native).await {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let program = written(&folder, "sum.cpp", SUM);
    let cases = [("1 5", "5\n"), ("1 7", "4")];
    let cases = cases.map(|(input, output)| json!({"input": input, "output": output}));
    // The SHA-256 of "5\n" and of "4\n".
    let digests = [
        ("1 5", "f0b5c2c2211c8d67ed15e75e656c7862d086e9245420892a7de62cd9ec582a06"),
        ("1 7", "7de1555df0c2700329e815b93b32c571c3ea54dc967b89e81ab73b9972b72d1d"),
    ];
    let lines = digests.map(|(input, sha256)| {
        let line = json!({"input": input, "output_words_sha256": sha256});
        format!("{line}\n")
    });
    let task = json!({ "test_cases": cases }).to_string();
    let zip = folder.path().join("tests.zip");
    archive(&zip);
    let (quoted, other) = ("expected 4", "expected other words");
    for (tests, expected) in [
        (written(&folder, "tests.jsonl", &lines.concat()), other),
        (written(&folder, "tests.json", &task), quoted),
        (zip.to_str().unwrap().into(), quoted),
    ] {
        let output = run(&["run", &program, "--tests", &tests, "--backend", "native"]).await;
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(SANDBOX_ERROR), "{tests}: {text}");
        let first = format!("wrong on 1 of 2 tests; first: test 2 printed 7, {expected}.");
        assert_eq!(text.lines().next(), Some(first.as_str()), "{tests}");
    }
}

#[tokio::test]
async fn file_of_test_cases_that_is_none_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let program = written(&folder, "sum.cpp", SUM);
    let tests = written(&folder, "tests.jsonl", "{\"input\": \"1 5\", \"expected\": \"5\"}\n");
    let output = run(&["run", &program, "--tests", &tests, "--backend", "native"]).await;
    assert_eq!(output.status.code(), Some(BAD_INPUT), "{output:?}");
    let said = stderr(&output);
    assert!(said.contains(&format!("{tests}: line 1, column ")), "{said}");
    let allowed = "a line must be an object with input, and either output or output_words_sha256";
    assert!(said.contains("`expected`") && said.contains(allowed), "{said}");
    let digest = "0a".repeat(32);
    let line = json!({"input": "1 5", "output_words_sha256": digest}).to_string();
    let tests = written(&folder, "tests.jsonl", &line);
    let args = ["run", &program, "--tests", &tests, "--checker", "exact", "--backend", "native"];
    let said = stderr(&run(&args).await);
    let expected = format!("{tests}: output_words_sha256 requires the checker WORDS");
    assert!(said.contains(&expected), "{said}");
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
        (&["--checker", "numbers", "--relative-tolerance", "1e-5"], 0),
        (&["--checker", "numbers", "--tolerance", "1e-9", "--relative-tolerance", "0"], 1),
        (&["--checker", "numbers", "--tolerance", "1e-6", "--relative-tolerance", "0"], 0),
        (&["--checker", "words", "--relative-tolerance", "1e-9"], 2),
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
