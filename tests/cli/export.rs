//! Documents on stdout, and the options that they need.

use crate::{BAD_INPUT, REPORT, has, sort, stderr};
use profiler_core::sandbox::Choice;
use profiler_tests::swiftprof::run;
use serde_json::Value;

/// Prints a run of the sort in this format.
async fn exported(format: &[&str]) -> Option<String> {
    if !has("native", Choice::Native).await {
        return None;
    }
    let file = sort();
    let args = ["run", &file, "--backend", "native", "--sizes", "1,1000,5000,20000"];
    let output = run(&[&args[..], format].concat()).await;
    assert_eq!(output.status.code(), Some(REPORT), "{}", stderr(&output));
    Some(String::from_utf8(output.stdout).unwrap())
}

#[tokio::test]
async fn csv_has_a_row_for_each_size() {
    let Some(table) = exported(&["--format", "csv"]).await else { return };
    let lines: Vec<_> = table.lines().collect();
    assert_eq!(lines.len(), 5, "{table}");
    let at = lines[0].split(',').position(|name| name == "size").unwrap();
    let sizes: Vec<_> = lines[1..].iter().map(|line| line.split(',').nth(at).unwrap()).collect();
    assert_eq!(sizes, ["1", "1000", "5000", "20000"]);
}

#[tokio::test]
async fn perun_profile_has_every_repetition() {
    let Some(profile) = exported(&["--format", "perun", "--perun-type", "time"]).await else {
        return;
    };
    let profile: Value = serde_json::from_str(&profile).unwrap();
    assert_eq!(profile["header"]["type"], "time");
    let resources = profile["snapshots"][0]["resources"].as_array().unwrap();
    for size in [1, 1000, 5000, 20_000] {
        let here = resources.iter().filter(|it| it["structure-unit-size"] == size);
        let repeated = here.filter(|it| it["uid"] == "runtime").count();
        assert!(repeated >= 5, "{size}: {repeated}");
    }
}

#[tokio::test]
async fn format_without_what_it_needs_is_refused_before_anything_runs() {
    let file = sort();
    for (format, argument) in [
        (&["--format", "folded"][..], "--debug"),
        (&["--format", "flame-graph"], "--debug"),
        (&["--format", "perun", "--perun-type", "memory"], "--allocations"),
    ] {
        let output = run(&[&["run", &file][..], format].concat()).await;
        assert_eq!(output.status.code(), Some(BAD_INPUT));
        let said = stderr(&output);
        assert_eq!(said, format!("swiftprof: --format: this format needs {argument}\n"));
    }
}
