//! Searching for the worst input.

use crate::{CANNOT_TELL, INTERRUPTED, REPORT, has, json, stderr};
use profiler_core::sandbox::Choice;
use profiler_tests::swiftprof::{Signal, run, signal, swiftprof};
use serde_json::Value;
use std::fs;
use std::process::{Output, Stdio};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, BufReader};

/// Insertion sort.
const SORTS: &str = "#include <cstdio>
#include <utility>
int a[100000];
int main() { int n; scanf(\"%d\", &n);
    for (int i = 0; i < n; ++i) scanf(\"%d\", a + i);
    for (int i = 1; i < n; ++i)
        for (int j = i; j > 0 && a[j - 1] > a[j]; --j) std::swap(a[j - 1], a[j]);
    printf(\"%d\\n\", a[n / 2]); }
";
/// Crashes where the first number is above the second one.
const CRASHES: &str = "#include <cstdio>
int main() { int n, x, y; scanf(\"%d%d%d\", &n, &x, &y);
    if (x > y) *reinterpret_cast<volatile int*>(0) = 1; }
";
/// Takes so long that a search does not end before it is interrupted.
/// It reads first: a series of counts begins each input where the program could first read it.
const SLOW: &str = "#include <cstdio>
int main() {
    int n = 0;
    if (std::scanf(\"%d\", &n) != 1) return 1;
    for (volatile int i = 0; i < 20'000'000; ++i) {}
}
";
/// Holds 20000 bytes for each number above half of what is allowed.
const HOLDS: &str = "#include <cstdio>
#include <cstdlib>
#include <cstring>
int main() { int n, x; scanf(\"%d\", &n);
    while (scanf(\"%d\", &x) == 1)
        if (x > 500000) memset(malloc(20000), 1, 20000); }
";
/// Makes numbers that fall with the seed 7, and rise with others.
const FALLS: &str = "#include <cstdio>
#include <cstdlib>
int main(int, char** a) { int n = atoi(a[1]), seed = atoi(a[2]); printf(\"%d\\n\", n);
    for (int i = 0; i < n; ++i) printf(\"%d \", seed == 7 ? n - i : i + seed);
    puts(\"\"); }
";
const THREADS: &str = "#include <thread>
int main() { std::thread other([] {}); other.join(); }
";
const SPEC: &str = "\
vars: [{name: a, array: {len: n, min: 1, max: 1000000}}]
layout: [{line: {items: [n]}}, {line: {items: [a]}}]
";

/// A folder with a program and a spec.
struct Task {
    folder: TempDir,
    paths: [String; 2],
}

impl Task {
    fn of(program: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let paths = [("program.cpp", program), ("spec.yaml", SPEC)].map(|(name, text)| {
            let path = folder.path().join(name);
            fs::write(&path, text).unwrap();
            path.display().to_string()
        });
        Self { folder, paths }
    }

    fn line<'a>(&'a self, options: &[&'a str]) -> Vec<&'a str> {
        let [program, spec] = self.paths.each_ref().map(String::as_str);
        [&["worst", program, "--input-spec", spec, "--backend", "native"], options].concat()
    }

    async fn worst(&self, options: &[&str]) -> Output {
        run(&self.line(options)).await
    }

    /// The result as JSON.
    async fn told(&self, options: &[&str], exit: i32) -> Value {
        json(&self.worst(&[options, &["--format", "json"]].concat()).await, exit)
    }
}

#[tokio::test]
async fn worst_order_is_found_scaled_and_made_again() {
    if !has("native", Choice::Native).await {
        return;
    }
    let task = Task::of(SORTS);
    let [kept, spec] =
        ["worst.in", "worst.json"].map(|name| task.folder.path().join(name).display().to_string());
    let options = ["--n", "800", "--executions", "60", "--seconds", "600", "--seed", "3"];
    let keep = ["-o", &kept, "--output-spec", &spec];
    let told = task.told(&[&options[..], &keep].concat(), REPORT).await;
    assert_eq!(told["input"]["looks"][0], "a: falling", "{told}");
    assert_eq!((told["searched_n"].as_u64(), told["measured_n"].as_u64()), (Some(100), Some(800)));
    assert_eq!(told["growth"]["worst"]["class"], "n²", "{told}");
    let worst = told["worst_instructions"].as_u64().unwrap();
    assert!(worst > told["random_instructions"]["most"].as_u64().unwrap(), "{told}");
    assert_eq!(told["line"]["line"], 7, "{told}");
    let kept = fs::read(kept).unwrap();
    let command: Vec<_> = told["input"]["command"].as_str().unwrap().split(' ').collect();
    assert_eq!(run(&command[1..]).await.stdout, kept, "{command:?}");
    let mut again = task.told(&options, REPORT).await;
    let mut told = told;
    for told in [&mut told, &mut again] {
        // Only times and what was kept may differ.
        told["seconds"] = Value::Null;
        told["input"]["command"] = Value::Null;
        let ways = told["ways"].as_array_mut().unwrap();
        for way in ways.iter_mut() {
            way["seconds"] = Value::Null;
        }
    }
    assert_eq!(told, again, "the same seed finds the same");
}

#[tokio::test]
async fn worst_seed_of_a_generator_is_found_and_made_again() {
    if !has("native", Choice::Native).await {
        return;
    }
    let task = Task::of(SORTS);
    fs::write(task.folder.path().join("gen.cpp"), FALLS).unwrap();
    fs::write(&task.paths[1], "generator: gen.cpp\n").unwrap();
    let kept = task.folder.path().join("worst.in").display().to_string();
    let told = task.told(&["--n", "300", "--executions", "12", "-o", &kept], REPORT).await;
    assert_eq!(told["input"]["generator_seed"], 7, "{told}");
    // The start-up is most of what all inputs cost.
    let figure = |value: &Value| value.as_f64().unwrap();
    let start_up = figure(&told["start_up_instructions"]);
    let net = (figure(&told["worst_instructions"]) - start_up)
        / (figure(&told["random_instructions"]["median"]) - start_up);
    assert!((figure(&told["ratio"]) - net).abs() < 1e-6 && net > 3.0, "{told}");
    let command: Vec<_> = told["input"]["command"].as_str().unwrap().split(' ').collect();
    let again = run(&[&command[1..], &["--backend", "native"]].concat()).await;
    assert_eq!(again.stdout, fs::read(kept).unwrap(), "{command:?}");
}

#[tokio::test]
async fn run_tells_both_classes() {
    if !has("native", Choice::Native).await {
        return;
    }
    let task = Task::of(SORTS);
    let [program, spec] = task.paths.each_ref().map(String::as_str);
    let line = ["run", program, "--input-spec", spec, "--backend", "native", "--sizes", "50,400"];
    let output = run(&[&line[..], &["--worst=800"]].concat()).await;
    assert_eq!(output.status.code(), Some(REPORT), "{}", stderr(&output));
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("\nWorst input\n"), "{said}");
    assert!(said.contains("looks:  a: falling"), "{said}");
    let (sentences, _) = said.split_once("\n\n").expect("sentences, and the rest");
    assert!(sentences.contains("instructions: n² on random and on the worst input"), "{said}");
    let output = run(&["run", program, "--backend", "native", "--worst"]).await;
    assert_eq!(output.status.code(), Some(crate::BAD_INPUT));
    assert!(stderr(&output).contains("--worst: requires an input spec"), "{}", stderr(&output));
}

#[tokio::test]
async fn inputs_on_which_the_program_crashes_are_told() {
    if !has("native", Choice::Native).await {
        return;
    }
    let output = Task::of(CRASHES).worst(&["--n", "10", "--executions", "40"]).await;
    assert_eq!(output.status.code(), Some(REPORT), "{}", stderr(&output));
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("that proves nothing"), "{said}");
    assert!(said.contains("did not end OK; the first, at n = 10"), "{said}");
    assert!(said.contains("SIGSEGV"), "{said}");
}

#[tokio::test]
async fn program_that_cannot_be_counted_has_no_worst_input() {
    if !has("native", Choice::Native).await {
        return;
    }
    let output = Task::of(THREADS).worst(&[]).await;
    assert_eq!(output.status.code(), Some(CANNOT_TELL), "{}", stderr(&output));
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("its instructions cannot be counted: "), "{said}");
}

#[tokio::test]
async fn spec_without_such_an_input_is_refused_before_anything_runs() {
    let task = Task::of(SORTS);
    let spec = SPEC.replace("len: n", "len: 10 / (n - 7)");
    fs::write(&task.paths[1], spec).unwrap();
    let output = task.worst(&["--n", "7"]).await;
    assert_eq!(output.status.code(), Some(crate::BAD_INPUT));
    assert!(stderr(&output).contains("divides by zero at n = 7"), "{}", stderr(&output));
}

#[tokio::test]
async fn interrupted_search_prints_the_best_so_far() {
    if !has("native", Choice::Native).await {
        return;
    }
    let task = Task::of(SLOW);
    let options = ["--n", "20", "--executions", "1000000", "--seconds", "3600"];
    let line = task.line(&[&options[..], &["--progress", "plain", "--format", "json"]].concat());
    let mut command = swiftprof(&line);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    while !lines.next_line().await.unwrap().unwrap().contains("the worst so far") {}
    signal(&child, Signal::SIGINT);
    let told = json(&child.wait_with_output().await.unwrap(), INTERRUPTED);
    assert_eq!(told["ended_by"], "signal");
    assert!(told["worst_instructions"].as_u64().is_some_and(|worst| worst > 0), "{told}");
}

#[tokio::test]
async fn memory_allocations_and_a_line_have_worst_inputs_too() {
    if !has("native", Choice::Native).await {
        return;
    }
    let few = ["--n", "400", "--executions", "150"];
    for (program, goal, unit) in [
        (HOLDS, "memory", "bytes"),
        (HOLDS, "allocations", "allocations"),
        (SORTS, "line 7", "instructions"),
    ] {
        let told = Task::of(program).told(&[&few[..], &["--for", goal]].concat(), 0).await;
        let worst = told[format!("worst_{unit}")].as_f64();
        let median = told[format!("random_{unit}")]["median"].as_f64();
        let ratio = worst.zip(median).map(|(worst, median)| worst / median);
        assert!(ratio.is_some_and(|ratio| (1.7..2.3).contains(&ratio)), "{goal}: {told}");
        assert_eq!(told["sizes"].as_array().map(Vec::len), Some(5), "{told}");
    }
}

#[tokio::test]
async fn wrong_option_is_named() {
    let task = Task::of(SORTS);
    let output = task.worst(&["--for", "line", "99"]).await;
    assert_eq!(output.status.code(), Some(crate::BAD_INPUT));
    let lines = "--for line: must be from 1 to 9, the last line of the source";
    assert!(stderr(&output).contains(lines), "{}", stderr(&output));
    let output = task.worst(&["--output-spec", "worst.yaml"]).await;
    assert_eq!(output.status.code(), Some(crate::BAD_INPUT));
    assert!(stderr(&output).contains("must end in .json"), "{}", stderr(&output));
}
