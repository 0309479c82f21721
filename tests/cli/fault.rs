//! The line at which a program fails, and programs that use files of their own.

use crate::inputs::written;
use crate::{REPORT, SANDBOX_ERROR, has, json};
use profiler_core::sandbox::Choice;
use profiler_tests::swiftprof::run;
use serde_json::Value;
use tempfile::TempDir;

/// Crashes from n = 1000 on, in line 5, at -O2.
const CRASH: &str = "#include <cstdio>
#include <cstdlib>
__attribute__((noinline)) void fill(int* a, int n) {
  if (n >= 1000) a = nullptr;
  a[n / 2] = n;
}
int main() {
  int n;
  if (scanf(\"%d\", &n) != 1) return 1;
  int* a = (int*)malloc(sizeof(int) * (n + 1));
  fill(a, n);
  printf(\"%d\\n\", a[n / 2]);
}
";
/// Throws an exception that nobody catches, in line 5.
const THROW: &str = "#include <vector>
#include <cstdio>
std::vector<int> v(10);
__attribute__((noinline)) int at(int n) {
  return v.at(n);
}
int main() {
  int n;
  if (scanf(\"%d\", &n) != 1) return 1;
  printf(\"%d\\n\", at(n));
}
";
/// Never ends, in line 5.
const LOOP: &str = "#include <cstdio>
int main() {
  volatile unsigned n = 1;
  if (scanf(\"%u\", (unsigned*)&n) != 1) return 1;
  while (n != 0) n |= 1;
}
";
/// Overflows the stack.
const DEEP: &str = "#include <cstdio>
int deep(volatile int* n) {
  volatile int here[64] = {*n};
  return deep(n) + here[1];
}
int main() {
  int n;
  if (scanf(\"%d\", &n) != 1) return 1;
  printf(\"%d\\n\", deep(&n));
}
";
/// Crashes in line 2 with a stack that leads nowhere.
const FORGED: &str = "int main() {
  __asm__ volatile(\"lea 256(%rsp), %rsp; push %rsp; push %rsp; xor %ebp, %ebp; ud2\");
}
";
/// Reads and writes files.
const FILES: &str = "#include <cstdio>
int main() {
  freopen(\"input.txt\", \"r\", stdin);
  FILE* out = fopen(\"output.txt\", \"w\");
  printf(\"a message\");
  int n;
  if (scanf(\"%d\", &n) != 1) return 1;
  fprintf(out, \"%d\\n\", 2 * n);
}
";
/// A program with most instructions in line 6 and most time in line 7. The reads of memory in line 7
/// wait for each other.
const WAITS: &str = "#include <cstdio>
unsigned table[1 << 25];
int main() {
  unsigned n, x = 1, at = 0;
  if (scanf(\"%u\", &n) != 1) return 1;
  for (unsigned i = 0; i < 40 * n; i++) { x ^= x << 13; x ^= x >> 17; x ^= x << 5; }
  for (unsigned i = 0; i < n; i++) at = (table[at] + at + i * 2654435761u) & ((1 << 25) - 1);
  printf(\"%u\\n\", x + at);
}
";
const QUICK: [&str; 6] = ["--backend", "native", "--input-experiment", "off", "--growth", "timed"];

async fn report(source: &str, options: &[&str], code: i32) -> Value {
    let folder = TempDir::new().unwrap();
    let program = written(&folder, "a.cpp", source);
    let args = [&["run", &program, "--format", "json"], &QUICK[..], options].concat();
    json(&run(&args).await, code)
}

/// The signal, the innermost line, and the outermost function of a fault.
fn place(report: &Value) -> (&str, u64, &str) {
    let fault = &report["fault"];
    let calls = fault["calls"].as_array().unwrap_or_else(|| panic!("no calls in {report:#}"));
    let outermost = calls.last().and_then(|it| it["function"].as_str()).unwrap_or_default();
    (
        fault["signal"].as_str().unwrap_or_default(),
        calls[0]["line"].as_u64().unwrap_or_default(),
        outermost,
    )
}

#[tokio::test]
async fn line_that_waits_for_memory_has_its_time() {
    if !has("native", Choice::Native).await {
        return;
    }
    let report = report(WAITS, &["--sizes", "1000000", "--hotspots"], REPORT).await;
    let lines = report["hotspot_lines"].as_array().unwrap();
    let share = |number: u64, of: &str| {
        let line = lines.iter().find(|line| line["line"] == number);
        line.and_then(|line| line[of].as_f64()).unwrap_or_default()
    };
    assert!(share(6, "self_share") > 0.9, "{lines:#?}");
    let sum = share(6, "time_share") + share(7, "time_share");
    assert!(sum > 0.9 && share(7, "time_share") > share(7, "self_share"), "{lines:#?}");
}

#[tokio::test]
async fn crash_has_its_line() {
    if !has("native", Choice::Native).await {
        return;
    }
    let crash = report(CRASH, &["--sizes", "10,1000,2000"], REPORT).await;
    assert_eq!(place(&crash), ("SIGSEGV", 5, "main"));
    assert_eq!((&crash["fault"]["size"], &crash["fault"]["is_cut"]), (&1000.into(), &false.into()));
    let thrown = report(THROW, &["--sizes", "10"], SANDBOX_ERROR).await;
    assert_eq!(place(&thrown), ("SIGABRT", 5, "main"));
    if cfg!(target_arch = "x86_64") {
        let forged = report(FORGED, &["--sizes", "10"], SANDBOX_ERROR).await;
        assert_eq!(place(&forged), ("SIGILL", 2, "main"));
    }
    let deep = report(DEEP, &["--sizes", "10"], SANDBOX_ERROR).await;
    let (signal, _, _) = place(&deep);
    assert_eq!(signal, "SIGSEGV");
    let times = deep["fault"]["calls"].as_array().unwrap().iter().map(|it| it["times"].as_u64());
    assert!(times.max().flatten() > Some(1000), "{:#}", deep["fault"]);
}

#[tokio::test]
async fn crash_in_a_header_names_the_file() {
    if !has("native", Choice::Native).await {
        return;
    }
    let folder = TempDir::new().unwrap();
    let header =
        "__attribute__((noinline)) void fill(volatile int* a, int n) {\n  a[n / 2] = n;\n}\n";
    written(&folder, "fill.h", header);
    let source = "#include \"fill.h\"\nint* volatile none;\nint main() {\n  fill(none, 4);\n}\n";
    let program = written(&folder, "a.cpp", source);
    let options = ["--sizes", "10", "--sanitize", "--format", "json"];
    let args = [&["run", &program], &QUICK[..], &options].concat();
    let crash = json(&run(&args).await, SANDBOX_ERROR);
    assert_eq!(place(&crash), ("SIGSEGV", 2, "main"));
    let found = &crash["sanitizer"]["finding"];
    for place in [&crash["fault"]["calls"][0], found] {
        assert_eq!((&place["file"], &place["line"]), (&"fill.h".into(), &2.into()), "{place}");
    }
}

#[tokio::test]
async fn endless_loop_has_its_line() {
    if !has("native", Choice::Native).await {
        return;
    }
    let stuck = report(LOOP, &["--sizes", "10", "--timeout", "200ms"], SANDBOX_ERROR).await;
    assert_eq!(place(&stuck), ("", 5, "main"));
    assert!(stuck["fault"]["stopped_ms"].is_number(), "{:#}", stuck["fault"]);
}

#[tokio::test]
async fn program_with_files_of_its_own_gets_its_input() {
    if !has("native", Choice::Native).await {
        return;
    }
    let folder = TempDir::new().unwrap();
    let program = written(&folder, "a.cpp", FILES);
    written(&folder, "1.in", "21\n");
    written(&folder, "1.out", "42\n");
    let tests = folder.path().to_str().unwrap();
    let args = ["run", &program, "--tests", tests, "--reward", "--backend", "native"];
    let files = ["--input-file", "input.txt", "--output-file", "output.txt"];
    let judged = run(&[&args[..], &files].concat()).await;
    assert_eq!(judged.status.code(), Some(REPORT), "{judged:?}");
    let said = String::from_utf8(judged.stdout).unwrap();
    assert!(said.starts_with("correct on 1 of 1 test."), "{said}");
    let without = run(&args).await;
    let said = String::from_utf8(without.stdout).unwrap();
    let next = format!("swiftprof {} --input-file input.txt", args.join(" "));
    assert!(said.contains(&next), "{said}");
}
