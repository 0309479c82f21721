//! Advice rests on what was tried, on every backend.

use crate::{Check, check};
use libtest_mimic::Trial;
use profiler_core::limits::PATIENCE;
use profiler_proto::v1::{Advice, TriedChange};
use profiler_tests::harness::Backend;
use std::fmt::Write;

/// Two sizes: the output must be the same at both.
const SIZES: [u64; 2] = [2_000, 100_000];
/// Long enough even on a busy machine, in milliseconds.
const TIMEOUT_MS: u32 = 10_000 * PATIENCE;

/// Spends most of its time in `cin`.
const READS: &str = "#include <iostream>
int main() {
    int n = 0;
    std::cin >> n;
    long long sum = 0;
    for (int i = 0, x = 0; i < n && std::cin >> x; ++i) sum += x;
    std::cout << sum << std::endl;
}
";
/// Nothing of the catalogue makes it faster: each step needs the one before.
const EFFICIENT: &str = "#include <cstdio>
int main() {
    unsigned n = 0, x = 1;
    if (std::scanf(\"%u\", &n) != 1) return 1;
    for (unsigned i = 0; i < 200 * n; ++i) x = x * 1664525u + 1013904223u + (x >> 16);
    std::printf(\"%u\\n\", x);
}
";
/// The order of the keys matters, so a hashed map gives another output.
const ORDERED: &str = "#include <cstdio>
#include <map>
int main() {
    unsigned n = 0, x = 1, hash = 0;
    if (std::scanf(\"%u\", &n) != 1) return 1;
    std::map<unsigned, int> times;
    for (unsigned i = 0; i < n; ++i) ++times[x = x * 1664525u + 1013904223u];
    for (auto [key, count] : times) hash = hash * 31 + key * count;
    std::printf(\"%u\\n\", hash);
}
";
const COPIES: &str = "#include <cstdio>
#include <vector>
int at(std::vector<int> v, int i) { return v[i]; }
int grown(std::vector<int> v) { v.push_back(1); return v.size(); }
int main() {
    int n = 0;
    if (std::scanf(\"%d\", &n) != 1) return 1;
    std::vector<int> v(n, 1);
    long long sum = grown(v);
    for (int i = 0; i < 500; ++i) sum += at(v, i % n);
    std::printf(\"%lld\\n\", sum);
}
";
const CRASHES: &str = "#include <iostream>
int main() { std::cout << 1 << std::endl; return 1; }
";
const DIFFERS: &str = "#include <chrono>
#include <iostream>
int main() { std::cout << std::chrono::steady_clock::now().time_since_epoch().count() << std::endl; }
";

/// The tests as trials.
pub(crate) fn trials(trial: impl Fn(&str, Check) -> Trial) -> [Trial; 6] {
    [
        trial("for_slow_reading", check(reads)),
        trial("for_copies", check(copies)),
        trial("none_for_an_efficient_program", check(efficient)),
        trial("none_with_another_output", check(ordered)),
        trial("none_without_a_size", check(crashes)),
        trial("none_for_changing_output", check(differs)),
    ]
}

/// n, and n numbers after it.
fn input(n: u64) -> (u64, Vec<u8>) {
    let mut text = format!("{n}\n");
    for number in 0..n {
        // Writing to a text never fails.
        let _ = write!(text, "{} ", number * 7919 % 1_000_003);
    }
    (n, text.into_bytes())
}

async fn advised(backend: &Backend, source: &str) -> Advice {
    let profiling = backend.profile_source("advice", source).sizes(&SIZES);
    let profiling = profiling.inputs(SIZES.map(input).into()).timeout_ms(TIMEOUT_MS);
    let ended = profiling.advice().await;
    let told = ended.report().advice.clone();
    told.unwrap_or_else(|| panic!("nothing is told: {ended:#?}"))
}

fn why_not<'a>(advice: &'a Advice, found: &str) -> &'a str {
    let tried = advice.refused.iter().find(|it| it.found.contains(found));
    &tried.unwrap_or_else(|| panic!("not refused: {advice:#?}")).why_not
}

/// The only advice, which must have its proof.
fn only(advice: &Advice) -> &TriedChange {
    let [one] = &advice.given[..] else { panic!("one piece of advice: {advice:#?}") };
    let speedup = one.speedup.unwrap_or_else(|| panic!("measured: {advice:#?}"));
    let interval = speedup.interval.expect("an interval");
    assert!(interval.low > 1.0 && interval.high > speedup.times, "{advice:#?}");
    assert_eq!((advice.size, speedup.same_outputs), (Some(SIZES[1]), 2), "{advice:#?}");
    one
}

async fn reads(backend: &Backend) {
    let advice = advised(backend, READS).await;
    let change = only(&advice);
    assert!(change.remedy.contains("sync_with_stdio(false)"), "{advice:#?}");
    assert!(change.speedup.is_some_and(|it| it.times > 1.5), "{advice:#?}");
    let cold = advice.untried.iter().find(|it| it.found.contains("`endl`"));
    let cold = cold.unwrap_or_else(|| panic!("tried: {advice:#?}"));
    assert_eq!(cold.why_not, "its lines take almost no time", "{advice:#?}");
}

async fn copies(backend: &Backend) {
    let advice = advised(backend, COPIES).await;
    let change = only(&advice);
    assert_eq!((change.found.contains("`at`"), change.line), (true, Some(3)), "{advice:#?}");
    assert_eq!(change.after, "int at(const std::vector<int>& v, int i) { return v[i]; }");
    assert_eq!(why_not(&advice, "`grown`"), "it does not compile");
}

async fn efficient(backend: &Backend) {
    let advice = advised(backend, EFFICIENT).await;
    assert_eq!((advice.given.len(), advice.refused.len()), (0, 1), "{advice:#?}");
}

async fn ordered(backend: &Backend) {
    let advice = advised(backend, ORDERED).await;
    assert_eq!(advice.given.len(), 0, "{advice:#?}");
    let why = why_not(&advice, "`map`");
    assert!(why.starts_with("it wrote a different output at n = "), "{advice:#?}");
}

async fn crashes(backend: &Backend) {
    let advice = advised(backend, CRASHES).await;
    let problem = "no size ended OK".to_owned();
    assert_eq!(advice, Advice { problem, ..Advice::default() });
}

async fn differs(backend: &Backend) {
    let advice = advised(backend, DIFFERS).await;
    let problem = "the program writes a different output in every run".to_owned();
    assert_eq!(advice, Advice { problem, ..Advice::default() });
}
