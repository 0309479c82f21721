//! Specs that are inferred from samples at the command line.

use crate::inputs::written;
use crate::{BAD_INPUT, CANNOT_TELL, REPORT, SANDBOX_ERROR, has, stderr};
use profiler_core::limits::MAX_SOURCE_BYTES;
use profiler_core::sandbox::Choice;
use profiler_tests::swiftprof::run;
use std::process::Output;

#[tokio::test]
async fn spec_is_proposed_from_a_sample() {
    let folder = tempfile::tempdir().unwrap();
    let sample = written(&folder, "1.txt", "5\n3 1 4 1 5\n");
    let output = run(&["input", "--infer", &sample]).await;
    assert_eq!(output.status.code(), Some(REPORT), "{output:?}");
    let spec = written(&folder, "spec.yaml", &String::from_utf8(output.stdout).unwrap());
    let output = run(&["input", &spec, "--n", "7"]).await;
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<_> = text.lines().collect();
    assert_eq!((lines[0], lines[1].split(' ').count(), lines.len()), ("7", 7, 2));
}

#[tokio::test]
async fn likeliest_of_several_readings_is_proposed() {
    let folder = tempfile::tempdir().unwrap();
    let sample = written(&folder, "1.txt", "3 3\n4 9 4\n");
    let output = run(&["input", "--infer", &sample]).await;
    assert_eq!(output.status.code(), Some(REPORT), "{output:?}");
    let spec = String::from_utf8_lossy(&output.stdout);
    assert!(spec.contains("items: [n, k]") && spec.contains("# 2: k n; a"), "{spec}");
    let output = run(&["input", "--infer", &sample, "--reading", "2"]).await;
    let spec = String::from_utf8_lossy(&output.stdout);
    assert!(spec.contains("items: [k, n]") && spec.contains("# 1: n k; a"), "{spec}");
    let output = run(&["input", "--infer", &sample, "--reading", "99"]).await;
    assert_eq!(output.status.code(), Some(BAD_INPUT), "{output:?}");
    assert!(stderr(&output).contains("--reading: must be from 1 to"), "{output:?}");
}

#[tokio::test]
async fn sample_without_a_reading_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let sample = written(&folder, "1.txt", "3\n1 2 x y z 4 5\n");
    let output = run(&["input", "--infer", &sample]).await;
    assert_eq!((output.status.code(), output.stdout.len()), (Some(CANNOT_TELL), 0), "{output:?}");
    assert!(stderr(&output).contains("fails at `x` on line 2"), "{output:?}");
}

/// A sample of an array.
const ARRAY: &str = "5\n3 1 4 1 5\n";

/// Runs `input --infer` on a sample, with a program that has this body.
async fn confirmed(sample: &str, body: &str) -> Option<Output> {
    if !has("native", Choice::Native).await {
        return None;
    }
    let folder = tempfile::tempdir().unwrap();
    let sample = written(&folder, "1.txt", sample);
    let headers = "#include <ctime>\n#include <iostream>\n";
    let source = format!("{headers}int main() {{ int n, x, s = 0; {body} }}\n");
    let program = written(&folder, "P.cpp", &source);
    let args = ["input", "--infer", &sample, "--program", &program, "--backend", "native"];
    Some(run(&args).await)
}

#[tokio::test]
async fn program_confirms_a_spec() {
    let body = "std::cin >> n; while (n--) std::cin >> x, s += x; std::cout << s;";
    let Some(output) = confirmed(ARRAY, body).await else { return };
    assert_eq!(output.status.code(), Some(REPORT), "{output:?}");
    let spec = String::from_utf8_lossy(&output.stdout);
    let first = spec.lines().next().unwrap();
    assert!(first.starts_with("# confirmed: ") && first.contains("asks for no more"), "{spec}");
    assert!(spec.contains("array: {len: n, min: 1, max: 5}"), "{spec}");
}

#[tokio::test]
async fn program_that_reads_less_or_more_confirms_nothing() {
    for (body, exit, said) in [
        ("std::cin >> n >> s; std::cout << s;", SANDBOX_ERROR, "bytes unread"),
        (
            "n = 70; while (n--) std::cin >> x, s += x; std::cout << s;",
            SANDBOX_ERROR,
            "asks for more",
        ),
        ("while (std::cin >> x) s += x; std::cout << s;", CANNOT_TELL, "reads to the end"),
        ("return 1;", CANNOT_TELL, "ended as"),
        ("std::string all; for (;;) all += all + 'x';", CANNOT_TELL, "ended as"),
        ("while (std::clock() < CLOCKS_PER_SEC * 3 / 10) {}", CANNOT_TELL, "takes longer than"),
    ] {
        let Some(output) = confirmed(ARRAY, body).await else { return };
        assert_eq!(output.status.code(), Some(exit), "{body}: {output:?}");
        let text = stderr(&output);
        assert!(text.contains("not confirmed") && text.contains(said), "{body}: {text}");
        let spec = String::from_utf8_lossy(&output.stdout);
        assert!(spec.contains(text.trim_end().trim_start_matches("swiftprof: ")), "{spec}");
    }
}

#[tokio::test]
async fn program_decides_between_readings() {
    let body = "std::cin >> s >> n; while (n--) std::cin >> x, s += x; std::cout << s;";
    let Some(output) = confirmed("3 3\n4 9 4\n", body).await else { return };
    assert_eq!(output.status.code(), Some(REPORT), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("items: [k, n]"), "{output:?}");
}

#[tokio::test]
async fn program_that_does_not_compile_decides_nothing() {
    for sample in [ARRAY, "3 3\n4 9 4\n"] {
        let Some(output) = confirmed(sample, "no").await else { return };
        assert_eq!(output.status.code(), Some(SANDBOX_ERROR), "{output:?}");
        let text = stderr(&output);
        assert_eq!(text.matches("ended early as compile").count(), 1, "{text}");
        assert!(output.stdout.is_empty(), "{output:?}");
    }
}

#[tokio::test]
async fn program_decides_between_many_readings() {
    let sample = "2 2\n5 5\n7 9\n4 4\n";
    let three_arrays = "std::cin >> n >> s; n *= 3; while (n--) std::cin >> x; std::cout << x;";
    let Some(output) = confirmed(sample, three_arrays).await else { return };
    let spec = String::from_utf8_lossy(&output.stdout);
    let first = spec.lines().next().unwrap_or_default();
    assert_eq!(output.status.code(), Some(REPORT), "{spec}");
    assert!(first.starts_with("# confirmed: ") && spec.contains("items: [c]"), "{spec}");
    let too_little = "std::cin >> n >> s; std::cout << s;";
    let Some(output) = confirmed(sample, too_little).await else { return };
    assert_eq!(output.status.code(), Some(SANDBOX_ERROR), "{output:?}");
    let text = stderr(&output);
    assert!(text.contains("confirms none of"), "{text}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("layout:"), "{output:?}");
}

#[tokio::test]
async fn refused_program_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let sample = written(&folder, "1.txt", "3\n1 2 3\n");
    let program = written(&folder, "big.cpp", &"/".repeat(MAX_SOURCE_BYTES + 1));
    let output = run(&["input", "--infer", &sample, "--program", &program]).await;
    assert_eq!(output.status.code(), Some(BAD_INPUT), "{output:?}");
    assert!(stderr(&output).contains(&format!("{program}: ")), "{output:?}");
}
