//! Programs that were not fed what they read.

use crate::inputs::{SUM, warnings, written};
use crate::{CANNOT_TELL, REPORT, SANDBOX_ERROR, has, json, stderr};
use profiler_core::sandbox::Choice;
use profiler_tests::swiftprof::{run, swiftprof};
use std::process::Stdio;
use tempfile::TempDir;
use tokio::process::Command;

/// Maximum number of lines about a program that was not measured, those of its progress included.
const MAX_LINES: usize = 8;

#[tokio::test]
async fn program_that_lacks_its_input_is_not_measured() {
    if !has("native", Choice::Native).await {
        return;
    }
    let folder = TempDir::new().unwrap();
    let program = written(&folder, "sum.cpp", SUM);
    let args = ["run", &program, "--backend", "native"];
    let table = run(&args).await;
    let said = String::from_utf8(table.stdout.clone()).unwrap();
    assert_eq!(table.status.code(), Some(CANNOT_TELL), "{said}{}", stderr(&table));
    assert!(said.starts_with("The program was not measured on its task"), "{said}");
    let shown = stderr(&table) + &said;
    assert!(said.contains("--input-spec") && shown.lines().count() <= MAX_LINES, "{shown}");
    assert!(said.lines().last().is_some_and(|last| last.starts_with("  swiftprof run ")), "{said}");
    let report = json(&run(&[&args[..], &["--format", "json"]].concat()).await, CANNOT_TELL);
    let sizes = report["sizes"].as_array().expect("a list");
    assert_eq!(sizes.last().expect("a size")["outcome"], "OUTCOME_NOT_RUN");
    assert_eq!(warnings(&report), ["WARNING_CODE_INPUT_EXHAUSTED"]);
    let next = format!("swiftprof run {program} --backend native --input-spec spec.yaml");
    assert!(said.contains(&next), "{said}");
    let all_the_same = ["--sizes", "1,100", "--input-experiment", "off", "--format", "json"];
    let report = json(&run(&[&args[..], &all_the_same].concat()).await, SANDBOX_ERROR);
    assert_eq!(report["sizes"][1]["outcome"], "OUTCOME_RUNTIME_ERROR");
}

/// The commands that a run without its input prints, as they are printed.
#[tokio::test]
async fn printed_commands_lead_to_a_class() {
    if !has("native", Choice::Native).await {
        return;
    }
    let folder = TempDir::new().unwrap();
    let program = written(&folder, "sum.cpp", SUM);
    written(&folder, "sample.txt", "4\n3 1 4 1\n");
    let first = run(&["run", &program, "--backend", "native"]).await;
    let said = String::from_utf8(first.stdout).unwrap();
    let commands: Vec<_> = said.lines().filter_map(|line| line.strip_prefix("  ")).collect();
    assert_eq!(commands.len(), 2, "{said}");
    let binary = swiftprof(&["--version"]).as_std().get_program().to_owned();
    let mut last = String::new();
    for command in commands {
        let script = command.replacen("swiftprof", "\"$0\"", 1);
        let mut shell = Command::new("sh");
        shell.arg("-c").arg(script).arg(&binary).current_dir(&folder).stdin(Stdio::null());
        let output = shell.kill_on_drop(true).output().await.unwrap();
        assert_eq!(output.status.code(), Some(REPORT), "{command}: {}", stderr(&output));
        last = String::from_utf8(output.stdout).unwrap();
    }
    assert!(last.contains("time grows like n"), "{last}");
}
