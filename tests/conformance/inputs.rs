//! Inputs that specs describe. The program finds exactly that input on stdin, no other process
//! holds it in memory, and two specs make worst cases.

use crate::{Check, check};
use libtest_mimic::Trial;
use profiler_core::limits::PATIENCE;
use profiler_input::{InputSpec, Recipe, Scope};
use profiler_proto::v1::Outcome;
use profiler_tests::harness::Backend;
use profiler_tests::specs;
use sha2::{Digest, Sha256};

/// Long enough even on a busy machine, in milliseconds.
const TIMEOUT_MS: u32 = 10_000 * PATIENCE;
/// More than the program needs, and much less than its input, in MiB.
const LITTLE_MB: u32 = 16;
/// Ten million numbers with fewer than ten digits take about 100 MB.
const MANY: u64 = 10_000_000;
/// A worst case takes more than this many times the instructions of random input.
const WORSE: u64 = 10;

/// Numbers and a tree: every part of a layout that matters to the sandbox.
const SEVERAL: &str = "
name: several
vars:
  - {name: a, array: {len: n, min: 0, max: 10^9}}
  - {name: t, tree: {nodes: n, weights: {min: 1, max: 9}}}
layout:
  - line: {items: [n]}
  - line: {items: [a]}
  - lines: {items: [t]}
";
const NUMBERS: &str = "
vars: [{name: a, array: {len: n, min: 0, max: 10^9 - 1}}]
layout: [{line: {items: [n]}}, {line: {items: [a]}}]
";

/// The tests as trials.
pub(crate) fn trials(trial: impl Fn(&str, Check) -> Trial) -> [Trial; 4] {
    [
        trial("inputs_are_those_of_the_spec", check(same)),
        trial("a_large_input_is_nobodys_memory", check(large)),
        trial(
            "anti_quicksort_is_quadratic",
            check(async |backend: &Backend| worst(backend, "array").await),
        ),
        trial(
            "anti_hash_is_quadratic",
            check(async |backend: &Backend| worst(backend, "hashmap").await),
        ),
    ]
}

/// The same input, generated in this process.
fn made(spec: &InputSpec, n: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    let scope = Scope { size_variable: "n".into(), ..Scope::default() };
    let recipe = Recipe { spec: spec.clone(), scope, n };
    recipe.write(&mut bytes).expect("a test's spec has an input");
    bytes
}

async fn same(backend: &Backend) {
    let spec = specs::parsed(SEVERAL);
    let sizes = [0, 1, 2, 1_000, 100_000];
    let ended = backend.profile("echoes").sizes(&sizes).described(spec.clone()).await;
    assert_eq!(ended.error(), None);
    for n in sizes {
        let (expected, result) = (made(&spec[0], n), ended.size(n));
        assert_eq!(result.outcome(), Outcome::Ok, "{result:#?}");
        assert_eq!(result.input_bytes, Some(expected.len() as u64));
        let stdout = result.stdout.as_ref().expect("it was run");
        assert_eq!(stdout.sha256, format!("{:x}", Sha256::digest(&expected)), "n = {n}");
    }
    assert_eq!(ended.report().candidates, ["several"]);
}

async fn large(backend: &Backend) {
    let sizes = [1_000, MANY];
    let profiling = backend.profile("reads_numbers").sizes(&sizes).memory_mb(LITTLE_MB);
    let ended = profiling.timeout_ms(TIMEOUT_MS).described(specs::parsed(NUMBERS)).await;
    let [small, large] = sizes.map(|n| ended.size(n));
    assert_eq!((small.outcome(), large.outcome()), (Outcome::Ok, Outcome::Ok), "{ended:#?}");
    assert!(large.input_bytes > Some(90_000_000), "{large:#?}");
    assert!((small.peak_memory_mb() - large.peak_memory_mb()).abs() < 1.0, "{ended:#?}");
}

/// An example's second candidate is far worse than the first. Instructions show this; times would
/// prove nothing here.
async fn worst(backend: &Backend, task: &str) {
    let specs = specs::of_file(&format!("examples/tasks/{task}.yaml"));
    let profiling = backend.profile_file(&format!("examples/tasks/{task}.cpp")).sizes(&[20_000]);
    let ended = profiling.timeout_ms(TIMEOUT_MS).described(specs).instructions().await;
    let counts = ended.report().sizes.iter().map(|result| result.instructions);
    let [Some(random), Some(worst)] = counts.collect::<Vec<_>>()[..] else {
        panic!("{ended:#?}");
    };
    assert!(worst > WORSE * random, "{worst} and {random}");
}
