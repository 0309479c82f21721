//! Comparing two programs, or two saved reports.

use crate::inputs::written;
use crate::{BAD_INPUT, CANNOT_TELL, REPORT, has, json, sort, stderr};
use profiler_core::sandbox::Choice;
use profiler_tests::swiftprof::run;
use serde_json::{Value, json};
use std::fs;

/// The exit code if B is slower.
const SLOWER: i32 = 1;
/// The exit code if B writes something else than A.
const OTHER_OUTPUT: i32 = 1;
/// The exit code if a program is wrong on a test case.
const WRONG: i32 = 1;

/// Takes time in proportion to the square of n.
const QUADRATIC: &str = "#include <cstdio>
int main() {
    long n, sum = 0;
    if (std::scanf(\"%ld\", &n) != 1) return 1;
    for (volatile long i = 0; i < n; ++i) for (long j = 0; j < n; ++j) { asm volatile(\"\"); sum += j; }
    std::printf(\"%ld\\n\", sum);
}
";

#[tokio::test]
async fn slower_program_is_told_whichever_is_named_first() {
    if !has("native", Choice::Native).await {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let slow = folder.path().join("slow.cpp");
    fs::write(&slow, QUADRATIC).unwrap();
    let (slow, fast) = (slow.display().to_string(), sort());
    let options =
        ["--backend", "native", "--sizes", "10,10000", "--format", "json", "--any-output"];
    let output = run(&[&["compare", &fast, &slow][..], &options].concat()).await;
    let told = json(&output, SLOWER);
    assert_eq!((told["verdict"].as_str(), told["runs"].as_u64()), (Some("slower"), Some(2)));
    assert!(told["sizes"][1]["time"]["low"].as_f64().unwrap() > 1.0, "{told:#}");
    let output = run(&[&["compare", &slow, &fast][..], &options].concat()).await;
    assert_eq!(json(&output, REPORT)["verdict"], "faster");
}

/// The wrong program is right at small sizes, as an optimizer makes it that looks at test cases.
#[tokio::test]
async fn program_that_writes_something_else_is_not_called_faster() {
    if !has("native", Choice::Native).await {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let of = |name: &str, from: &str, to: &str| {
        let path = folder.path().join(name);
        let source = QUADRATIC.replacen(from, to, 1);
        assert_ne!(source, QUADRATIC, "{name}");
        fs::write(&path, source).unwrap();
        path.display().to_string()
    };
    let honest = of("honest.cpp", "long n, sum = 0", "long sum = 0, n");
    let blanks = of("blanks.cpp", "\\n", " \\n\\n");
    let wrong =
        of("wrong.cpp", "return 1;", "return 1; if (n > 100) { std::puts(\"42\"); return 0; }");
    let random = of(
        "random.cpp",
        "#include <cstdio>",
        "#include <cstdio>\n#include <ctime>\nstd::timespec now;\n\
         static int told = (std::timespec_get(&now, TIME_UTC), std::printf(\"%ld \", now.tv_nsec));",
    );
    // At n = 5000, the honest program takes ten times as long, even on a busy host.
    let options = ["--backend", "native", "--sizes", "10,5000"];
    let output = run(&[&["compare", &honest, &wrong][..], &options].concat()).await;
    assert_eq!(output.status.code(), Some(OTHER_OUTPUT), "{}", stderr(&output));
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(
        [said.lines().next(), said.lines().last()].map(Option::unwrap_or_default),
        [
            "B writes a different output than A at n = 5000, so neither is called faster",
            "If the task has several right answers, use --checker or --any-output.",
        ]
    );
    assert!(!said.contains("B is faster"), "{said}");
    let output = run(&[&["run", &honest, &wrong][..], &options].concat()).await;
    assert_eq!(output.status.code(), Some(OTHER_OUTPUT), "{}", stderr(&output));
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("write different words at n = 5000, so none is called"), "{said}");
    let options = [&options[..], &["--format", "json"]].concat();
    let output = run(&[&["compare", &honest, &random][..], &options].concat()).await;
    let told = json(&output, OTHER_OUTPUT);
    assert_eq!((&told["verdict"], &told["other_output_at"]), (&"other_output".into(), &10.into()));
    let output = run(&[&["compare", &honest, &blanks][..], &options].concat()).await;
    let told: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(told["sizes"][1]["same_output"], true, "{told:#}");
    let options = [&options[..], &["--any-output"]].concat();
    let output = run(&[&["compare", &honest, &wrong][..], &options].concat()).await;
    assert_eq!(json(&output, REPORT)["verdict"], "faster");
}

#[tokio::test]
async fn program_that_is_wrong_on_a_test_case_is_not_compared() {
    if !has("native", Choice::Native).await {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let [right, wrong] = [("right.cpp", "n"), ("wrong.cpp", "n + 1")].map(|(name, prints)| {
        let source = "#include <iostream>\nint main() { long n; std::cin >> n; std::cout << ";
        written(&folder, name, &format!("{source}{prints}; }}\n"))
    });
    written(&folder, "1.in", "5");
    written(&folder, "1.out", "5");
    let tests = folder.path().to_str().unwrap();
    let options = ["--tests", tests, "--sizes", "1000", "--backend", "native"];
    let said = "wrong on 1 of 1 test; first: test 1 printed 6, expected 5";
    for (command, first) in
        [("compare", format!("no verdict: B is {said}")), ("run", format!("{wrong}: {said}"))]
    {
        let output = run(&[&[command, &right, &wrong][..], &options].concat()).await;
        assert_eq!(output.status.code(), Some(WRONG), "{}", stderr(&output));
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(text.lines().next(), Some(first.as_str()), "{text}");
        assert!(!text.contains("faster"), "{text}");
    }
    let checker = written(&folder, "checker.cpp", "int main() { return 3; }");
    for command in ["compare", "run"] {
        let judged = ["--checker", &checker];
        let output = run(&[&[command, &right, &wrong][..], &options, &judged].concat()).await;
        assert_eq!(output.status.code(), Some(CANNOT_TELL), "{}", stderr(&output));
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains("no verdict: test 1 is not judged, because the checker"), "{text}");
    }
}

#[tokio::test]
async fn saved_reports_are_compared() {
    if !has("native", Choice::Native).await {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let [a, b] = ["a.json", "b.json"].map(|name| folder.path().join(name).display().to_string());
    let source = sort();
    let options = ["--format", "json", "--backend", "native", "--sizes", "20000"];
    let output = run(&[&["run", &source][..], &options].concat()).await;
    let mut report: Value = json(&output, REPORT);
    fs::write(&a, report.to_string()).unwrap();
    let output = run(&["compare", &a, &a]).await;
    assert_eq!(output.status.code(), Some(REPORT), "{}", stderr(&output));
    assert!(
        String::from_utf8(output.stdout).unwrap().contains("B is as fast at n = 20000 (within")
    );
    let ms = report["sizes"][0]["runtime_ms"].as_f64().unwrap();
    report["sizes"][0]["runtime_ms"] = (ms * 2.0).into();
    fs::write(&b, report.to_string()).unwrap();
    assert_eq!(run(&["compare", &a, &b]).await.status.code(), Some(SLOWER));
    report["host"]["fingerprint"] = "another".into();
    for (part, value, told) in [
        ("kernel", json!("another"), "the hosts of the reports differ in kernel: "),
        ("method_version", json!(1), "versions of swiftprof that measure differently: "),
    ] {
        report["host"][part] = value;
        fs::write(&b, report.to_string()).unwrap();
        let output = run(&["compare", &a, &b]).await;
        assert_eq!(output.status.code(), Some(CANNOT_TELL), "{part}");
        let said = String::from_utf8(output.stdout).unwrap();
        assert!(said.contains(told), "{said}");
        assert_eq!(said.contains("--instructions"), part == "kernel", "{said}");
    }
}

#[tokio::test]
async fn incomparable_input_is_bad_input() {
    let source = sort();
    let folder = tempfile::tempdir().unwrap();
    let bad = folder.path().join("bad.json").display().to_string();
    let empty = folder.path().join("empty.json").display().to_string();
    fs::write(&bad, "{}{").unwrap();
    fs::write(&empty, "{}").unwrap();
    for (a, b, said) in [
        (&source, &bad, "two programs, or two reports"),
        (&bad, &bad, "is not a saved report"),
        (&empty, &empty, "empty.json: type: must be"),
    ] {
        let output = run(&["compare", a, b]).await;
        assert_eq!(output.status.code(), Some(BAD_INPUT));
        assert!(stderr(&output).contains(said), "{}", stderr(&output));
    }
}
