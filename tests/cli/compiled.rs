//! Programs that g++ compiled before swiftprof saw them.

use crate::inputs::written;
use crate::{BAD_INPUT, REPORT, SANDBOX_ERROR, has, json, stderr};
use profiler_core::sandbox::Choice;
use profiler_tests::swiftprof::run;
use std::process::Command;
use tempfile::TempDir;

const LINEAR: &str = "#include <iostream>\nint main() { long n; std::cin >> n;\n\
    for (volatile long i = 0; i < n; i = i + 1) {} std::cout << n; }\n";

/// Compiles in `folder` with these arguments of g++.
fn compile(folder: &TempDir, args: &[&str]) {
    let ended = Command::new("g++").args(args).current_dir(folder).status();
    assert!(ended.expect("g++ starts").success(), "{args:?}");
}

#[tokio::test]
async fn compiled_program_has_the_class_of_its_source() {
    if !has("native", Choice::Native).await {
        return;
    }
    let folder = TempDir::new().unwrap();
    written(&folder, "linear.cpp", LINEAR);
    compile(&folder, &["-O1", "-s", "linear.cpp", "-o", "linear"]);
    let program = folder.path().join("linear").display().to_string();
    let sizes = "10000,20000,40000,80000,160000";
    let options = ["--backend", "native", "--sizes", sizes, "--precision", "100%"];
    let args = [&["run"], &options[..], &["--format", "json", "--", &program]].concat();
    let report = json(&run(&args).await, REPORT);
    let class = &report["growth"]["time"]["function"]["growth_class"];
    assert_eq!(*class, "GROWTH_CLASS_LINEAR", "{:#}", report["growth"]["time"]);
    assert_eq!(report["task_id"], "linear");
    assert_eq!(report["code_cpp"].as_str().unwrap_or_default(), "");
}

#[tokio::test]
async fn crash_of_a_compiled_program_has_its_line_if_the_program_has_lines() {
    if !has("native", Choice::Native).await {
        return;
    }
    let folder = TempDir::new().unwrap();
    written(&folder, "main.cpp", "int main() {\n  *(volatile int*)nullptr = 1;\n}\n");
    let program = folder.path().join("crash").display().to_string();
    let options = ["--backend", "native", "--sizes", "10", "--quick", "--input-experiment", "off"];
    let args = [&["run"], &options[..], &["--format", "json", "--", &program]].concat();
    for (flag, line) in [("-g", Some(2)), ("-s", None)] {
        compile(&folder, &["-O1", flag, "main.cpp", "-o", "crash"]);
        let report = json(&run(&args).await, SANDBOX_ERROR);
        assert_eq!(report["fault"]["calls"][0]["line"].as_u64(), line, "{:#}", report["fault"]);
    }
}

#[tokio::test]
async fn library_that_no_sandbox_has_is_named_before_the_program_runs() {
    let folder = TempDir::new().unwrap();
    written(&folder, "library.cpp", "int answer() { return 42; }\n");
    written(&folder, "user.cpp", "int answer();\nint main() { return answer() - 42; }\n");
    let library = ["-shared", "-fPIC", "-Wl,-soname,libanswer.so.1", "library.cpp"];
    compile(&folder, &[&library[..], &["-o", "libanswer.so"]].concat());
    compile(&folder, &["user.cpp", "-L.", "-lanswer", "-o", "user"]);
    let program = folder.path().join("user").display().to_string();
    let refused = run(&["run", "--", &program]).await;
    assert_eq!(refused.status.code(), Some(BAD_INPUT));
    let said = stderr(&refused);
    assert!(said.contains(&format!("{program}: needs libanswer.so.1, which no sandbox")), "{said}");
    let argument = run(&["run", "--", &program, "5"]).await;
    let said = stderr(&argument);
    assert!(said.contains("5: there is no such file, and a compiled program"), "{said}");
}
