//! Programs of several files at the command line: headers, further sources, and folders.

use super::{REPORT, SANDBOX_ERROR, has, json, stderr};
use profiler_core::sandbox::Choice;
use profiler_tests::swiftprof::run;
use serde_json::Value;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

const MAIN: &str = "#include \"lib/work.h\"\n#include <cstdio>\nint main() {\n    \
                    std::printf(\"%d\\n\", work(300000) + more(1));\n}\n";
/// The loop is on line 5.
const HEADER: &str = "#pragma once\nint more(int n);\ninline int work(int n) {\n    \
                      volatile int sum = 0;\n    for (int i = 0; i < n; ++i) sum = sum + i;\n    \
                      return sum;\n}\n";
const SOURCE: &str = "#include \"work.h\"\nint more(int n) { return n + 1; }\n";

/// The folder of a program: its `solve.cpp`, a header and another source.
fn program(source: &str) -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::create_dir(folder.path().join("lib")).unwrap();
    for (path, text) in [("solve.cpp", MAIN), ("lib/work.h", HEADER), ("lib/more.cpp", source)] {
        fs::write(folder.path().join(path), text).unwrap();
    }
    folder
}

async fn profiled(programs: &[&Path], exit: i32) -> Value {
    let paths = programs.iter().map(|path| path.to_str().unwrap());
    let options = ["--sizes", "1", "--quick", "--hotspots", "--backend", "native"];
    let words = ["run"].into_iter().chain(paths).chain(options).chain(["--format", "json"]);
    json(&run(&words.collect::<Vec<_>>()).await, exit)
}

#[tokio::test]
async fn header_and_two_sources_are_one_program() {
    if !has("native", Choice::Native).await {
        return;
    }
    let folder = program(SOURCE);
    let [main, more] = ["solve.cpp", "lib/more.cpp"].map(|name| folder.path().join(name));
    for programs in [&[folder.path()][..], &[&*main, &*more]] {
        let report = profiled(programs, REPORT).await;
        let command = report["compile"]["command"].as_str().unwrap();
        assert!(command.contains(" main.cpp lib/more.cpp -o "), "{command}");
        let paths = report["files"].as_array().unwrap().iter().map(|file| &file["path"]);
        assert!(paths.eq(["lib/more.cpp", "lib/work.h"]), "{}", report["files"]);
        let hottest = &report["hotspot_lines"][0];
        assert_eq!(hottest["file"], "lib/work.h", "{hottest}");
        assert_eq!(hottest["line"], 5, "{hottest}");
    }
}

#[tokio::test]
async fn message_of_the_compiler_names_the_file() {
    if !has("native", Choice::Native).await {
        return;
    }
    let folder = program("int more(int n) { return odd; }\n");
    let args = ["run", folder.path().to_str().unwrap(), "--sizes", "1", "--backend", "native"];
    let output = run(&args).await;
    assert_eq!(output.status.code(), Some(SANDBOX_ERROR), "{}", stderr(&output));
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &stderr(&output);
    assert!(said.contains("lib/more.cpp:1: 'odd' was not declared"), "{said}");
}

/// A program gets no expected output, hidden file or checker, even if it names them.
#[tokio::test]
async fn files_of_the_job_and_hidden_ones_are_not_read() {
    if !has("native", Choice::Native).await {
        return;
    }
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name);
    let judge = "int main() { return 0; } // the secret\n";
    let files =
        [("t/1.in", "1"), ("t/1.out", "the secret"), (".env", "the secret"), ("c.cpp", judge)];
    fs::create_dir(at("t")).unwrap();
    for (name, text) in files {
        fs::write(at(name), text).unwrap();
    }
    let (main, tests, checker) = (at("a.cpp"), at("t"), at("c.cpp"));
    let [main, tests, checker] = [&main, &tests, &checker].map(|path| path.to_str().unwrap());
    for name in ["t/1.out", ".env", "c.cpp"] {
        let source = format!(
            "#if 0\n#include \"{name}\"\n#endif\nasm(\".incbin \\\"{name}\\\"\");\nint main() {{}}\n"
        );
        fs::write(main, source).unwrap();
        let args = ["run", main, "--tests", tests, "--checker", checker, "--backend", "native"];
        let output = run(&args).await;
        assert_eq!(output.status.code(), Some(SANDBOX_ERROR), "{}", stderr(&output));
        let said = String::from_utf8_lossy(&output.stdout).into_owned() + &stderr(&output);
        assert!(said.contains(&format!("does not get: {name}. The path")), "{said}");
        assert!(said.contains(&format!("file not found: {name}")), "{said}");
    }
}

#[tokio::test]
async fn header_outside_of_the_folder_is_not_read() {
    if !has("native", Choice::Native).await {
        return;
    }
    let folder = program("#include \"../../secret.h\"\nint more(int) { return 0; }\n");
    fs::write(folder.path().join("secret.h"), "#error the secret\n").unwrap();
    let inner = folder.path().join("inner");
    fs::create_dir(&inner).unwrap();
    fs::rename(folder.path().join("solve.cpp"), inner.join("solve.cpp")).unwrap();
    fs::rename(folder.path().join("lib"), inner.join("lib")).unwrap();
    let args = ["run", inner.to_str().unwrap(), "--sizes", "1", "--backend", "native"];
    let output = run(&args).await;
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &stderr(&output);
    assert!(said.contains("../../secret.h: No such file or directory"), "{said}");
    assert!(!said.contains("the secret"), "{said}");
}
