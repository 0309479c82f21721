//! Checkers and validators in C++ at the command line, with and without the real testlib.h.

use crate::inputs::written;
use crate::{BAD_INPUT, CANNOT_TELL, REPORT, SANDBOX_ERROR, has, json, stderr};
use profiler_core::sandbox::Choice;
use profiler_test_support::require;
use profiler_tests::swiftprof::run;
use std::process::Output;
use tempfile::TempDir;

/// A checker that accepts any two numbers whose sum is the input.
const ANY_SUM: &str = r#"#include <fstream>
#include <iostream>
int main(int, char **argv) {
  std::ifstream in(argv[1]), out(argv[2]);
  long n, a, b;
  in >> n;
  if (!(out >> a >> b)) return std::cerr << "there are no two numbers\n", 2;
  if (a + b != n) return std::cerr << "the sum is " << a + b << "\n", 1;
}
"#;
/// The same, which also reads the expected output, as most checkers do.
const ANY_SUM_LIKE_EXPECTED: &str = r#"#include <fstream>
#include <iostream>
int main(int, char **argv) {
  std::ifstream in(argv[1]), out(argv[2]), expected(argv[3]);
  long n, a, b, c, d;
  in >> n;
  if (!(expected >> c >> d) || c + d != n) return std::cerr << "nothing right is expected\n", 3;
  if (!(out >> a >> b)) return std::cerr << "there are no two numbers\n", 2;
  if (a + b != n) return std::cerr << "the sum is " << a + b << "\n", 1;
}
"#;
/// The same with testlib.
const ANY_SUM_WITH_TESTLIB: &str = r#"#include "testlib.h"
int main(int argc, char **argv) {
  registerTestlibCmd(argc, argv);
  int n = inf.readInt(), a = ouf.readInt(0, n), b = ouf.readInt(0, n);
  if (a + b != n) quitf(_wa, "the sum is %d", a + b);
  if (a == 0) quitp(0.5, "half");
  quitf(_ok, "the sum is %d", n);
}
"#;
/// A validator that allows a number from 1 to 9.
const ONE_TO_NINE: &str = r#"#include <iostream>
int main() {
  int n;
  if (std::cin >> n && n >= 1 && n <= 9) return 0;
  return std::cerr << "n is " << n << "\n", 1;
}
"#;
/// The same with testlib.
const ONE_TO_NINE_WITH_TESTLIB: &str = r#"#include "testlib.h"
int main(int argc, char **argv) {
  registerValidation(argc, argv);
  inf.readInt(1, 9, "n");
  inf.readEoln();
  inf.readEof();
}
"#;
/// Variable with the path of testlib.h.
const TESTLIB: &str = "PROFILER_TEST_TESTLIB";

/// A folder with a test case, whose input is 5.
fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    written(&folder, "1.in", "5\n");
    written(&folder, "1.out", "2 3\n");
    folder
}

/// Runs the program that prints this expression of n, checked by `checker.cpp`.
async fn judged(folder: &TempDir, prints: &str, options: &[&str]) -> Output {
    let source = format!(
        "#include <iostream>\nint main() {{ int n; std::cin >> n; std::cout << {prints}; }}\n"
    );
    let program = written(folder, "program.cpp", &source);
    let tests = folder.path().to_str().unwrap();
    let checker = folder.path().join("checker.cpp");
    let checker = checker.to_str().unwrap();
    let args = ["run", &program, "--tests", tests, "--checker", checker, "--sizes", "1"];
    run(&[&args[..], &["--backend", "native"], options].concat()).await
}

fn first_line(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).lines().next().unwrap_or_default().to_owned()
}

#[tokio::test]
async fn checker_accepts_each_of_several_right_answers() {
    if !has("native", Choice::Native).await {
        return;
    }
    let folder = folder();
    written(&folder, "checker.cpp", ANY_SUM);
    for prints in ["1 << ' ' << n - 1", "n << ' ' << 0"] {
        let output = judged(&folder, prints, &[]).await;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(output.status.code(), Some(REPORT), "{text}");
        assert_eq!(first_line(&output), "correct on 1 of 1 test.");
        assert!(text.contains("runtime"), "{text}");
    }
    let wrong = "wrong on 1 of 1 test; first: test 1 printed";
    for (prints, why) in
        [("1 << ' ' << n", "\"1 5\": the sum is 6"), ("n", "5: there are no two numbers")]
    {
        let output = judged(&folder, prints, &[]).await;
        assert_eq!(output.status.code(), Some(SANDBOX_ERROR), "{}", stderr(&output));
        assert_eq!(first_line(&output), format!("{wrong} {why}."));
    }
}

#[tokio::test]
async fn checker_that_fails_is_named_and_there_is_no_verdict() {
    if !has("native", Choice::Native).await {
        return;
    }
    let folder = folder();
    let [not_judged, not_run] = ["test 1 is not judged", "0 of 1 test ran"];
    for (checker, first, why) in [
        ("int main() { return nothing; }", not_run, "the checker does not compile: line 1"),
        (
            "#include <cstdlib>\nint main() { abort(); }",
            not_judged,
            "the checker ended with SIGABRT",
        ),
        ("int main() { return 3; }", not_judged, "the checker ended with exit code 3"),
    ] {
        written(&folder, "checker.cpp", checker);
        let output = judged(&folder, "n", &[]).await;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(output.status.code(), Some(CANNOT_TELL), "{text}");
        assert!(text.contains(why) && text.contains("checker_failed"), "{text}");
        let first = format!("no verdict: {first}, because the checker ");
        assert!(text.starts_with(&first) && !text.contains("runtime"), "{text}");
    }
}

#[tokio::test]
async fn real_testlib_is_found_next_to_the_checker_or_by_its_path() {
    let Some(header) = require::tool("testlib", TESTLIB) else { return };
    if !has("native", Choice::Native).await {
        return;
    }
    let folder = folder();
    written(&folder, "checker.cpp", ANY_SUM_WITH_TESTLIB);
    let lacking = judged(&folder, "n", &[]).await;
    assert_eq!(lacking.status.code(), Some(BAD_INPUT), "{lacking:?}");
    assert!(stderr(&lacking).contains("name it with --testlib PATH"), "{}", stderr(&lacking));
    let right = "1 << ' ' << n - 1";
    let by_path = judged(&folder, right, &["--testlib", &header]).await;
    assert_eq!(by_path.status.code(), Some(REPORT), "{}", stderr(&by_path));
    std::fs::copy(&header, folder.path().join("testlib.h")).unwrap();
    for (prints, code, message, points) in [
        (right, REPORT, "ok the sum is 5", None),
        ("1 << ' ' << n", SANDBOX_ERROR, "wrong answer the sum is 6", None),
        (
            "1 << ' ' << n - 1 << \" 9\"",
            SANDBOX_ERROR,
            "wrong output format Extra information in the output file",
            None,
        ),
        ("0 << ' ' << n", REPORT, "points 0.5 half", Some(0.5)),
    ] {
        let report = json(&judged(&folder, prints, &["--format", "json"]).await, code);
        let case = &report["test_cases"][0];
        assert_eq!(case["checker_message"].as_str(), Some(message), "{case}");
        assert_eq!(case["points"].as_f64(), points, "{case}");
        assert_eq!(case["correct"].as_bool(), Some(code == REPORT), "{case}");
    }
}

#[tokio::test]
async fn test_case_whose_input_is_invalid_has_no_verdict() {
    if !has("native", Choice::Native).await {
        return;
    }
    let folder = folder();
    written(&folder, "2.in", "0\n");
    written(&folder, "2.out", "never\n");
    let program =
        written(&folder, "program.cpp", "#include <cstdio>\nint main() { puts(\"2 3\"); }");
    let validator = written(&folder, "validator.cpp", ONE_TO_NINE);
    let tests = folder.path().to_str().unwrap();
    let args = ["run", &program, "--tests", tests, "--validator", &validator];
    let args = [&args[..], &["--sizes", "1", "--backend", "native"]].concat();
    let first = "no verdict: 1 of 2 tests ran, and their answers are correct; test 2 was not run, \
                 because its input is invalid: ";
    let output = run(&args).await;
    assert_eq!(output.status.code(), Some(CANNOT_TELL), "{}", stderr(&output));
    assert_eq!(first_line(&output), format!("{first}n is 0."));
    let Some(header) = require::tool("testlib", TESTLIB) else { return };
    written(&folder, "validator.cpp", ONE_TO_NINE_WITH_TESTLIB);
    let output = run(&[&args[..], &["--testlib", &header]].concat()).await;
    assert_eq!(output.status.code(), Some(CANNOT_TELL), "{}", stderr(&output));
    let why = "FAIL Integer parameter [name=n] equals to 0, violates the range [1, 9]";
    let found = first_line(&output);
    assert!(found.starts_with(&format!("{first}{why}")), "{found}");
}

#[tokio::test]
async fn spec_whose_largest_input_is_invalid_is_bad_input() {
    if !has("native", Choice::Native).await {
        return;
    }
    let folder = folder();
    let program =
        written(&folder, "program.cpp", "#include <cstdio>\nint main() { puts(\"2 3\"); }");
    let validator = written(&folder, "validator.cpp", ONE_TO_NINE);
    let spec = "layout: [{line: {items: [n]}}]\n";
    let spec = written(&folder, "spec.yaml", spec);
    let sized = async |sizes: &str| {
        let args = ["run", &program, "--input-spec", &spec, "--validator", &validator];
        run(&[&args[..], &["--sizes", sizes, "--backend", "native"]].concat()).await
    };
    let output = sized("1,5,10").await;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(BAD_INPUT), "{text}");
    let why = "invalid_input: the input of n = 10 is invalid: n is 10";
    assert!(text.contains(why) && !text.contains("runtime ms"), "{text}");
    assert_eq!(sized("1,9").await.status.code(), Some(REPORT));
    let alone = run(&["run", &program, "--validator", &validator, "--backend", "native"]).await;
    assert_eq!(alone.status.code(), Some(BAD_INPUT));
    let why = "--validator: requires test cases, inputs or an input spec";
    assert!(stderr(&alone).contains(why), "{}", stderr(&alone));
}

/// The slow program takes many times as long as the others, even on a busy host.
#[tokio::test]
async fn programs_with_different_right_answers_are_compared() {
    if !has("native", Choice::Native).await {
        return;
    }
    let folder = TempDir::new().unwrap();
    let program = |name: &str, steps: &str, prints: &str| {
        let source = format!(
            "#include <cstdio>\nint main() {{\n  long n;\n  if (scanf(\"%ld\", &n) != 1) return 1;\n  \
             for (volatile long i = 0; i < {steps}; ++i) {{}}\n  printf(\"%ld %ld\\n\", {prints});\n}}\n"
        );
        written(&folder, name, &source)
    };
    let slow = program("slow.cpp", "20000 * n", "1L, n - 1");
    let fast = program("fast.cpp", "1", "n, 0L");
    let wrong = program("wrong.cpp", "1", "n, n > 1000 ? 1L : 0L");
    let checker = written(&folder, "checker.cpp", ANY_SUM_LIKE_EXPECTED);
    let judged = async |command: &str, other: &str, options: &[&str]| {
        let args = [command, &slow, other, "--sizes", "1000,2000", "--backend", "native"];
        let output = run(&[&args[..], options].concat()).await;
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    let with_checker = ["--checker", &*checker];
    let (code, text) = judged("compare", &fast, &[]).await;
    assert_eq!(code, Some(SANDBOX_ERROR), "{text}");
    let (code, text) = judged("compare", &fast, &with_checker).await;
    assert_eq!(code, Some(REPORT), "{text}");
    assert!(text.contains("the programs write different right answers at 2 of 2 sizes"), "{text}");
    assert!(text.contains(" times faster at n = 2000"), "{text}");
    let (code, text) = judged("run", &fast, &with_checker).await;
    assert_eq!(code, Some(REPORT), "{text}");
    assert!(text.contains("fast.cpp is the fastest at n = 2000"), "{text}");
    let why = "wrong at n = 2000: the sum is 2001";
    for (command, first) in
        [("compare", format!("no verdict: B is {why}")), ("run", format!("{wrong}: {why}"))]
    {
        let (code, text) = judged(command, &wrong, &with_checker).await;
        assert_eq!(code, Some(SANDBOX_ERROR), "{text}");
        assert_eq!(text.lines().next(), Some(first.as_str()), "{text}");
        assert!(!text.contains("faster"), "{text}");
    }
}

#[tokio::test]
async fn numbers_within_the_tolerance_are_not_different_outputs() {
    if !has("native", Choice::Native).await {
        return;
    }
    let folder = TempDir::new().unwrap();
    let program = |name: &str, prints: &str| {
        let source = format!(
            "#include <cstdio>\nint main() {{\n  long n;\n  if (scanf(\"%ld\", &n) != 1) return 1;\n  \
             printf(\"%.8f\\n\", {prints});\n}}\n"
        );
        written(&folder, name, &source)
    };
    let one = program("one.cpp", "n * 0.1");
    let near = program("near.cpp", "n * 0.1 + 1e-7");
    let far = program("far.cpp", "n * 0.1 + (n > 1000)");
    let compared = async |other: &str, options: &[&str]| {
        let args = ["compare", &one, other, "--sizes", "1000,2000", "--backend", "native"];
        let output = run(&[&args[..], options].concat()).await;
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    let (code, text) = compared(&near, &[]).await;
    assert_eq!(code, Some(SANDBOX_ERROR), "{text}");
    assert!(text.starts_with("B writes a different output than A at n = 1000"), "{text}");
    let numbers = ["--checker", "numbers"];
    for (other, tolerance, count) in [(&near, "0.000001", 2), (&far, "0.01", 1)] {
        let (_, text) =
            compared(other, &[&numbers[..], &["--tolerance", tolerance]].concat()).await;
        let said = format!("the programs write different right answers at {count} of 2 sizes");
        assert!(text.contains(&said), "{text}");
    }
    let (code, text) = compared(&far, &numbers).await;
    assert_eq!(code, Some(SANDBOX_ERROR), "{text}");
    let why = "word 1 is 201.00000000, expected 200.00000000";
    assert_eq!(text.lines().next(), Some(&*format!("no verdict: B is wrong at n = 2000: {why}")));
}
