//! A run with sanitizers at a size that failed.

use crate::inputs::written;
use crate::{REPORT, has, json};
use profiler_core::sandbox::Choice;
use profiler_tests::swiftprof::run;

/// Reads from address 0 if n is large.
const CRASHES: &str = "#include <cstdio>
static int value(volatile int* at) {
    return *at;
}
int main() { int n; if (scanf(\"%d\", &n) != 1) return 0;
    volatile int* volatile at = n >= 2000 ? nullptr : &n;
    printf(\"%d\", value(at)); }
";

#[tokio::test]
async fn failing_size_names_the_error_and_its_line() {
    if !has("native", Choice::Native).await {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let source = written(&folder, "a.cpp", CRASHES);
    let options = ["--quick", "--sizes", "10,2001", "--sanitize", "--backend", "native"];
    let line = [&["run", &source][..], &options, &["--format", "json"]].concat();
    let told = json(&run(&line).await, REPORT);
    let found = &told["sanitizer"];
    let line = &found["finding"]["line"];
    assert_eq!((&found["size"], line), (&2001.into(), &3.into()), "{found}");
}
