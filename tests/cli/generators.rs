//! Inputs that a generator in C++ makes, at the command line.

use crate::inputs::{SUM, warnings, written};
use crate::{BAD_INPUT, DIFFERENT, REPORT, has, json, stderr};
use profiler_core::sandbox::Choice;
use profiler_test_support::require;
use profiler_tests::swiftprof::run;
use serde_json::Value;
use std::process::Output;
use tempfile::TempDir;

/// The variable that names the real testlib.h.
const TESTLIB: &str = "PROFILER_TEST_TESTLIB";
/// Makes numbers that each divide the next one, which no spec describes. The seed is the first.
const CHAIN: &str = "#include <cstdio>\n#include <cstdlib>\n\
    int main(int, char** a) { long n = atol(a[1]), x = atol(a[2]);\n\
    printf(\"%ld\\n\", n); while (n--) printf(\"%ld \", x), x = x < 9999 ? 2 * x : x; puts(\"\"); }\n";
/// Fails unless each number divides the next one, and the first one is 3.
const DIVIDES: &str = "#include <iostream>\nint main() { long n, x, y; std::cin >> n >> x;\n\
    if (n && x != 3) return 1; while (n-- > 1) { std::cin >> y; if (y % x) return 2; x = y; }\n\
    std::cout << x; }\n";
/// Adds 1 to the sum of 3 and more numbers.
const WRONG_FROM_3: &str = "#include <iostream>\nint main() { int n, x, s = 0; std::cin >> n;\n\
    for (int i = 0; i < n; ++i) std::cin >> x, s += x; std::cout << s + (n > 2) << '\\n'; }\n";
/// Makes numbers that testlib draws. Its seed comes from the arguments.
const WITH_TESTLIB: &str = "#include \"testlib.h\"\n\
    int main(int c, char** a) { registerGen(c, a, 1); int n = atoi(a[1]);\n\
    println(n); for (int i = 0; i < n; ++i) std::cout << rnd.next(1, 9) << ' '; }\n";

/// Runs `program` natively at n = 50 and n = 500 with this generator.
async fn run_with(program: &str, generator: &str, options: &[&str]) -> Option<Output> {
    if !has("native", Choice::Native).await {
        return None;
    }
    let folder = TempDir::new().unwrap();
    let program = written(&folder, "a.cpp", program);
    written(&folder, "gen.cpp", generator);
    let spec = written(&folder, "spec.yaml", "generator: gen.cpp\nseed: 3\nn_max: 500\n");
    let args = ["run", &program, "--input-spec", &spec, "--sizes", "50,500", "--quick"];
    let natively = ["--backend", "native", "--format", "json"];
    Some(run(&[&args[..], &natively, options].concat()).await)
}

#[tokio::test]
async fn generator_makes_what_no_spec_describes() {
    let Some(ran) = run_with(DIVIDES, CHAIN, &[]).await else { return };
    let report: Value = json(&ran, REPORT);
    let outcomes: Vec<_> =
        report["sizes"].as_array().unwrap().iter().map(|size| &size["outcome"]).collect();
    assert_eq!(outcomes, ["OUTCOME_OK"; 2], "{:?}", warnings(&report));
}

#[tokio::test]
async fn generator_that_fails_is_named() {
    let random = "#include <cstdio>\n#include <unistd.h>\n#include <ctime>\nint main() {\n\
        timespec t; clock_gettime(CLOCK_MONOTONIC, &t); printf(\"1 %ld\\n\", t.tv_nsec); }\n";
    for (generator, why) in [
        (random, "wrote something else at its second run with the same arguments, n = 50"),
        ("int main() {\n}\n", "the generator wrote nothing at n = 50"),
        ("int main() {\n return 1 }\n", "the generator does not compile"),
    ] {
        let Some(ran) = run_with(SUM, generator, &[]).await else { return };
        assert_eq!(ran.status.code(), Some(BAD_INPUT), "{}", stderr(&ran));
        let told = format!("{}{}", String::from_utf8_lossy(&ran.stdout), stderr(&ran));
        assert!(told.contains(why), "{told}");
    }
}

#[tokio::test]
async fn check_finds_a_generated_input_that_input_makes_again() {
    if !has("native", Choice::Native).await {
        return;
    }
    let folder = TempDir::new().unwrap();
    let [wrong, right, spec] =
        [("wrong.cpp", WRONG_FROM_3), ("right.cpp", SUM), ("spec.yaml", "generator: gen.cpp\n")]
            .map(|(name, text)| written(&folder, name, text));
    written(&folder, "gen.cpp", CHAIN);
    let natively = ["--backend", "native"];
    let args = ["check", &wrong, &right, "--input-spec", &spec, "--seed", "5", "--no-sanitize"];
    let search = ["--inputs", "20", "--format", "json"];
    let checked = run(&[&args[..], &search, &natively].concat()).await;
    assert_eq!(checked.status.code(), Some(DIFFERENT), "{}", stderr(&checked));
    let result: Value = serde_json::from_slice(&checked.stdout).unwrap();
    let found = &result["difference"];
    assert_eq!((&found["n"], &found["seed"]), (&3.into(), &5.into()), "{result}");
    assert_eq!(found["input"], "3\n5 10 20 \n");
    assert_eq!(found["command"], format!("swiftprof input {spec} --n 3 --seed 5"));
    let again = run(&[&["input", &spec, "--n", "3", "--seed", "5"][..], &natively].concat()).await;
    assert_eq!(String::from_utf8_lossy(&again.stdout), "3\n5 10 20 \n", "{}", stderr(&again));
}

#[tokio::test]
async fn generator_includes_testlib() {
    let Some(lacking) = run_with(SUM, WITH_TESTLIB, &[]).await else { return };
    assert_eq!(lacking.status.code(), Some(BAD_INPUT), "{}", stderr(&lacking));
    assert!(stderr(&lacking).contains("name it with --testlib PATH"), "{}", stderr(&lacking));
    let Some(header) = require::tool("testlib", TESTLIB) else { return };
    let testlib = ["--testlib", &header];
    let Some(ran) = run_with(SUM, WITH_TESTLIB, &testlib).await else { return };
    let report: Value = json(&ran, REPORT);
    assert_eq!(report["sizes"].as_array().unwrap().len(), 2);
}
