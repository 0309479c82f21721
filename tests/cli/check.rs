//! Checking one program against another.

use crate::{BAD_INPUT, CANNOT_TELL, DIFFERENT, INTERRUPTED, REPORT, has, json, stderr};
use profiler_core::sandbox::Choice;
use profiler_tests::swiftprof::{Signal, file, run, signal, swiftprof};
use profiler_tests::traces::Owner;
use serde_json::Value;
use std::fs;
use std::process::{Output, Stdio};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, BufReader};

/// Writes the sum of n numbers.
const HONEST: &str = "#include <iostream>
int main() { long n, x, sum = 0; std::cin >> n;
    for (int i = 0; i < n; ++i) std::cin >> x, sum += x;
    std::cout << sum; }
";
/// The same, but without the fourth number. Its answer has other blanks.
const FORGETS_FOURTH: &str = "#include <iostream>
int main() { long n, x, sum = 0; std::cin >> n;
    for (int i = 0; i < n; ++i) std::cin >> x, sum += i == 3 ? 0 : x;
    std::cout << '\\n' << sum << \"  \\n\"; }
";
/// The same, but it reads from address 0 if n is 2 or more.
const CRASHES: &str = "#include <iostream>
int main() { long n, x, sum = 0; std::cin >> n;
    for (int i = 0; i < n; ++i) std::cin >> x, sum += x;
    if (n >= 2) sum += *reinterpret_cast<volatile long*>(0);
    std::cout << sum; }
";
/// Writes the right sum, and reads one number too many. On line 6, for the sanitizers, which it
/// tries to silence.
const READS_ON: &str = "#include <iostream>
#include <vector>
int main() { long n, x, sum = 0; std::cin >> n;
    std::vector<long> all;
    for (int i = 0; i < n; ++i) std::cin >> x, sum += x, all.push_back(x);
    volatile long next = all[n];
    std::cout << sum << (next == 7 ? \"\" : \" \"); }
extern \"C\" const char* __asan_default_options() {
    return \"exitcode=0:log_path=/dev/null:poison_heap=0:detect_container_overflow=0\"; }
extern \"C\" const char* __ubsan_default_options() {
    return \"exitcode=0:log_path=/dev/null\"; }
";
/// Rejects any output but the sum of the input.
const CHECKER: &str = "#include <fstream>
#include <iostream>
int main(int, char** argv) { std::ifstream in(argv[1]), out(argv[2]), expected(argv[3]);
    long n, x, sum = 0, said = -1;
    if (!expected || expected >> x) return 3;
    in >> n; while (n-- > 0 && in >> x) sum += x;
    out >> said; if (said != sum) std::cerr << \"the sum is \" << sum << \"\\n\";
    return said != sum; }
";
/// Writes another number each time.
const RANDOM: &str = "#include <iostream>
#include <random>
int main() { std::random_device draw; std::cout << draw() << ' ' << draw(); }
";
/// Two candidates, for n of 1 and more.
const SPEC: &str = "\
- name: small
  vars: [{name: a, array: {len: n, min: 1, max: 9}}, {name: least, scalar: {value: 10 / n}}]
  layout: [{line: {items: [n]}}, {line: {items: [a]}}]
- name: rising
  vars: [{name: a, array: {len: n, min: 1, max: 1000, order: sorted}}, {name: least, scalar: {value: 10 / n}}]
  layout: [{line: {items: [n]}}, {line: {items: [a]}}]
";

/// A folder with two programs and a spec.
struct Pair {
    folder: TempDir,
    paths: [String; 3],
}

impl Pair {
    fn of(fast: &str, slow: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let paths = [("fast.cpp", fast), ("slow.cpp", slow), ("spec.yaml", SPEC)];
        let paths = paths.map(|(name, text)| {
            let path = folder.path().join(name);
            fs::write(&path, text).unwrap();
            path.display().to_string()
        });
        Self { folder, paths }
    }

    fn line<'a>(&'a self, options: &[&'a str]) -> Vec<&'a str> {
        let [fast, slow, spec] = self.paths.each_ref().map(String::as_str);
        let line =
            ["check", fast, slow, "--input-spec", spec, "--backend", "native", "--no-sanitize"];
        [&line, options].concat()
    }

    /// The first program alone, with sanitizers unless `options` say otherwise.
    async fn alone(&self, options: &[&str], exit: i32) -> Value {
        let [fast, _, spec] = self.paths.each_ref().map(String::as_str);
        let line = ["check", fast, "--input-spec", spec, "--backend", "native"];
        json(&run(&[&line, options, &["--inputs", "60", "--format", "json"]].concat()).await, exit)
    }

    async fn check(&self, options: &[&str]) -> Output {
        run(&self.line(options)).await
    }

    /// The result as JSON.
    async fn told(&self, options: &[&str], exit: i32) -> Value {
        json(&self.check(&[options, &["--format", "json"]].concat()).await, exit)
    }
}

#[tokio::test]
async fn smallest_difference_is_found_with_small_values() {
    if !has("native", Choice::Native).await {
        return;
    }
    let pair = Pair::of(FORGETS_FOURTH, HONEST);
    let kept = pair.folder.path().join("bad.txt").display().to_string();
    let told = pair.told(&["--inputs", "60", "--seed", "5", "-o", &kept], DIFFERENT).await;
    let found = &told["difference"];
    assert_eq!((told["verdict"].as_str(), found["n"].as_u64()), (Some("different"), Some(4)));
    assert_eq!(told["inputs"], 60, "smaller n are tried further");
    let agreed: Vec<_> = told["sizes"].as_array().unwrap().iter().map(|it| &it["n"]).collect();
    assert_eq!(agreed, [1, 2, 3], "n = 0 has no input");
    let kept = fs::read(kept).unwrap();
    assert_eq!(found["input"].as_str().unwrap().as_bytes(), kept);
    assert_eq!(kept, b"4\n1 1 1 1\n");
    assert_eq!(
        [&found["command"], &found["seed"]],
        [&Value::Null; 2],
        "no seed makes these values"
    );
    let again = pair.told(&["--inputs", "60", "--seed", "5"], DIFFERENT).await;
    assert_eq!(again["difference"]["input"], found["input"], "the same seed, the same inputs");
}

/// The input leaves no choice, so its seed makes it.
#[tokio::test]
async fn input_of_the_declared_spec_can_be_made_again() {
    if !has("native", Choice::Native).await {
        return;
    }
    let pair = Pair::of(CRASHES, HONEST);
    let spec = "{vars: [], layout: [{line: {items: [n, n]}}, {literal: \"1\"}]}\n";
    fs::write(&pair.paths[2], spec).unwrap();
    let found = &pair.told(&["--sizes", "1,2", "--inputs", "9"], DIFFERENT).await["difference"];
    let command: Vec<_> = found["command"].as_str().unwrap().split(' ').collect();
    let made = String::from_utf8(run(&command[1..]).await.stdout).unwrap();
    assert_eq!(made, found["input"].as_str().unwrap(), "{command:?}");
}

#[tokio::test]
async fn programs_that_agree_have_no_difference() {
    if !has("native", Choice::Native).await {
        return;
    }
    let pair = Pair::of(FORGETS_FOURTH, HONEST);
    let output = pair.check(&["--n-max", "3", "--inputs", "20", "--name", "rising"]).await;
    assert_eq!(output.status.code(), Some(REPORT), "{}", stderr(&output));
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains(" agree on 20 inputs with n from 1 to 3, in "), "{said}");
    assert!(said.contains("--inputs ended the search"), "{said}");
}

/// No input of at most 3 numbers reaches the lines 7 and 8.
#[tokio::test]
async fn line_that_no_input_reached_is_named() {
    if !has("native", Choice::Native).await {
        return;
    }
    let rare = "#include <iostream>\n\
                int main() {\n\
                long n, x, sum = 0;\n\
                std::cin >> n;\n\
                for (int i = 0; i < n; ++i) std::cin >> x, sum += x;\n\
                if (n == 1000) {\n\
                std::cout << \"many \";\n\
                std::cout << n << ' ';\n\
                }\n\
                std::cout << sum;\n\
                }\n";
    let pair = Pair::of(rare, rare);
    let options = ["--n-max", "3", "--inputs", "40", "--name", "rising"];
    let told = pair.told(&options, REPORT).await;
    let coverage = &told["coverage"];
    let range = serde_json::json!([{ "file": "", "first": 7, "last": 8 }]);
    assert_eq!(coverage["unreached"], range, "{coverage:#}");
    assert_eq!(coverage["inputs"], told["inputs"], "{coverage:#}");
    let said = String::from_utf8(pair.check(&options).await.stdout).unwrap();
    assert!(said.ends_with("\nno input reached lines 7 to 8\n"), "{said}");
}

#[tokio::test]
async fn crash_is_a_difference() {
    if !has("native", Choice::Native).await {
        return;
    }
    let pair = Pair::of(CRASHES, HONEST);
    let told = pair.told(&["--sizes", "1,2,5", "--inputs", "9"], DIFFERENT).await;
    let found = &told["difference"];
    assert_eq!(
        (found["n"].as_u64(), &found["fast"]["outcome"]),
        (Some(2), &"OUTCOME_RUNTIME_ERROR".into())
    );
    assert_eq!(found["fast"]["evidence"]["signal"], "SIGSEGV");
    assert_eq!(found["slow"]["outcome"], "OUTCOME_OK");
    let told =
        Pair::of(CRASHES, CRASHES).told(&["--sizes", "1,2", "--inputs", "9"], DIFFERENT).await;
    assert_eq!(told["verdict"], "both_fail");
}

#[tokio::test]
async fn random_program_cannot_be_checked() {
    if !has("native", Choice::Native).await {
        return;
    }
    let pair = Pair::of(RANDOM, HONEST);
    let output = pair.check(&[]).await;
    assert_eq!(output.status.code(), Some(CANNOT_TELL), "{}", stderr(&output));
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("fast.cpp does not repeat its answer to the same input"), "{said}");
    assert!(said.contains("fast.cpp, run again, answers:"), "{said}");
}

/// The answers differ after 80,000 bytes, more than are kept.
#[tokio::test]
async fn long_answers_are_compared_to_the_end() {
    if !has("native", Choice::Native).await {
        return;
    }
    let long = |last: u32| {
        format!(
            "#include <iostream>\nint main() {{ \
             for (int i = 0; i < 40000; ++i) std::cout << \"1 \"; std::cout << {last}; }}\n"
        )
    };
    let told = Pair::of(&long(2), &long(3)).told(&["--inputs", "3"], DIFFERENT).await;
    assert_eq!(told["difference"]["first_difference"], Value::Null, "{told:#}");
    Pair::of(&long(2), &long(2)).told(&["--inputs", "3"], REPORT).await;
}

#[tokio::test]
async fn program_that_does_not_compile_cannot_be_checked() {
    if !has("native", Choice::Native).await {
        return;
    }
    let refused = "#include <bit>\nint main() { return x + std::popcount(1u); }";
    let output = Pair::of(HONEST, refused).check(&[]).await;
    assert_eq!(output.status.code(), Some(CANNOT_TELL));
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.contains("slow.cpp does not compile: "), "{said}");
    let errors = stderr(&output);
    assert!(errors.contains("'x' was not declared"), "{errors}");
    assert!(errors.contains("compile with --std c++20"), "{errors}");
}

#[tokio::test]
async fn wrong_specs_and_options_are_named() {
    let pair = Pair::of(HONEST, HONEST);
    fs::write(pair.folder.path().join("spec.yaml"), SPEC.replace("len: n", "len: k")).unwrap();
    for (options, named) in [
        (&[][..], "spec.yaml: line 2, column "),
        (&[], "vars[0].array.len"),
        (&["--name", "falling"], "--name: none of the 2 specs"),
        (&["--sizes", "3,2"], "--sizes"),
        (&["--timeout", "0s"], "--timeout"),
        (&["--inputs", "0"], "--inputs"),
    ] {
        let output = pair.check(options).await;
        assert_eq!(output.status.code(), Some(BAD_INPUT), "{options:?}");
        assert!(stderr(&output).contains(named), "{options:?} {}", stderr(&output));
    }
    fs::write(pair.folder.path().join("spec.yaml"), SPEC).unwrap();
    for (options, named) in [
        (["--sizes", "0,1"], "divides by zero at n = 0"),
        (
            ["-o", "no/such/bad.txt"],
            "cannot write no/such/bad.txt: No such file or directory (os error 2)\n",
        ),
    ] {
        let output = pair.check(&options).await;
        assert_eq!(output.status.code(), Some(BAD_INPUT), "{options:?}");
        assert!(stderr(&output).contains(named), "{options:?} {}", stderr(&output));
    }
    let spec = &pair.paths[2];
    let output = run(&["check", "-", "-", "--input-spec", spec]).await;
    assert_eq!(output.status.code(), Some(BAD_INPUT));
    let said = stderr(&output);
    assert!(said.contains("SLOW.cpp: only one program can come from stdin"), "{said}");
}

#[tokio::test]
async fn ctrl_c_tells_what_was_tried_and_leaves_nothing() {
    if !has("native", Choice::Native).await {
        return;
    }
    let pair = Pair::of(HONEST, HONEST);
    let options = ["--time", "3600", "--inputs", "1000000", "--n-max", "50"];
    let mut command = swiftprof(&pair.line(&options));
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let owner = Owner::of(child.id().unwrap());
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    while !lines.next_line().await.unwrap().expect("it shows progress").contains(" tried, now n = ")
    {
    }
    signal(&child, Signal::SIGINT);
    let output = child.wait_with_output().await.unwrap();
    assert_eq!(output.status.code(), Some(INTERRUPTED));
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("stopped by Ctrl-C; no difference among "), "{said}");
    assert_eq!(owner.left().await, Vec::<String>::new());
}

/// The programs of the documents.
#[tokio::test]
async fn example_differs_where_numbers_are_equal() {
    if !has("native", Choice::Native).await {
        return;
    }
    let [fast, slow, spec] =
        ["lis.cpp", "brute.cpp", "lis.yaml"].map(|name| file(&format!("examples/check/{name}")));
    let line = ["check", &fast, &slow, "--input-spec", &spec, "--backend", "native"];
    let told = json(&run(&[&line[..], &["--format", "json"]].concat()).await, DIFFERENT);
    assert_eq!(
        (told["difference"]["n"].as_u64(), &told["difference"]["name"]),
        (Some(2), &"random".into())
    );
    let distinct = run(&[&line[..], &["--name", "distinct", "--inputs", "50"]].concat()).await;
    assert_eq!(distinct.status.code(), Some(REPORT), "{}", stderr(&distinct));
}

#[tokio::test]
async fn sanitizer_finds_what_the_answer_hides() {
    if !has("native", Choice::Native).await {
        return;
    }
    let pair = Pair::of(READS_ON, HONEST);
    let told = pair.alone(&["--property", "sorted"], DIFFERENT).await;
    assert_eq!(told["verdict"], "sanitizer_error", "{told}");
    let found = &told["difference"]["sanitizer"];
    let kind = found["kind"].as_str().unwrap();
    assert!(["heap-buffer-overflow", "container-overflow"].contains(&kind), "{found}");
    assert_eq!((found["line"].as_u64(), told["difference"]["n"].as_u64()), (Some(6), Some(1)));
    assert_eq!(pair.alone(&["--property", "sorted", "--no-sanitize"], 0).await["verdict"], "same");
}

#[tokio::test]
async fn judge_replaces_the_second_program() {
    if !has("native", Choice::Native).await {
        return;
    }
    let pair = Pair::of(FORGETS_FOURTH, HONEST);
    let checker = pair.folder.path().join("checker.cpp").display().to_string();
    fs::write(&checker, CHECKER).unwrap();
    for judge in ["--checker", "--property"] {
        let told = pair.alone(&[judge, &checker, "--no-sanitize"], DIFFERENT).await;
        assert_eq!((&told["verdict"], &told["slow"]), (&"rejected".into(), &Value::Null), "{told}");
        let found = &told["difference"];
        assert_eq!((&found["n"], &found["rejected"]), (&4.into(), &"the sum is 4".into()));
    }
}
