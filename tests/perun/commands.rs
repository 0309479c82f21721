//! `swiftprof perun` on samples: it must write profiles for Perun, and find what Perun finds.

use super::accept::{accepted, check, regression};
use super::{path, python};
use profiler_tests::swiftprof::run;
use serde_json::Value;
use tempfile::NamedTempFile;

/// Profiles with sizes.
const SIZED: [&str; 4] =
    ["complexity_dual", "complexity_global", "complexity_native", "time_sizes_repeated"];

fn sample(name: &str) -> String {
    path(&format!("{name}.json")).display().to_string()
}

/// The output of `swiftprof perun`.
async fn printed(args: &[&str]) -> Vec<u8> {
    let output = run(&[&["perun"][..], args].concat()).await;
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

fn lines(bytes: &[u8]) -> Vec<Value> {
    let text = std::str::from_utf8(bytes).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[tokio::test]
async fn perun_finds_the_models_that_regression_writes() {
    let Some(python) = python() else { return };
    for name in SIZED.iter().chain(&["memory", "time"]) {
        accepted(&python, &path(&format!("{name}.json"))).await;
    }
}

#[tokio::test]
async fn perun_loads_the_models_of_every_method() {
    let Some(python) = python() else { return };
    for method in ["full", "interval", "bisection", "initial_guess", "iterative"] {
        let mut modelled = NamedTempFile::new().unwrap();
        let options = ["--method", method, "--models", "all", "--steps", "3", "--of", "amount"];
        regression(&path("complexity_dual.json"), &options, modelled.as_file_mut()).await;
        check(&python, modelled.path(), &[]).await;
    }
}

#[tokio::test]
async fn perun_loads_normalised_profiles() {
    let Some(python) = python() else { return };
    for options in [&["--unit", "ns"][..], &[]] {
        let profile = sample("complexity_dual");
        let normal = printed(&[&["normalize", profile.as_str()][..], options].concat()).await;
        let file = NamedTempFile::new().unwrap();
        std::fs::write(file.path(), normal).unwrap();
        check(&python, file.path(), &["--skip-regression"]).await;
    }
}

#[tokio::test]
async fn query_prints_a_value_a_line() {
    let memory = sample("memory");
    let uids = printed(&["query", "unique_resource_values_of", &memory, "uid:line"]).await;
    assert_eq!(lines(&uids), [22, 10, 27, 30]);
    let items = printed(&["query", "all_items_of", &memory, "--resource", "4"]).await;
    assert!(
        lines(&items).contains(&serde_json::json!(["uid", "../memory_collect_test.c:main:30"]))
    );
    let models = printed(&["query", "all_models_of", &sample("complexity_dual")]).await;
    assert_eq!(lines(&models).len(), 18);
    let refused = run(&["perun", "query", "all_key_values_of", &memory]).await;
    assert_eq!(refused.status.code(), Some(2));
}

#[tokio::test]
async fn convert_prints_every_format() {
    let memory = sample("memory");
    for (format, reference) in [("heap-map", "memory.heap_map"), ("heat-map", "memory.heat_map")] {
        let map: Value =
            serde_json::from_slice(&printed(&["convert", format, &memory]).await).unwrap();
        let file = std::fs::read(path(&format!("fixtures/{reference}.json"))).unwrap();
        assert_eq!(map, serde_json::from_slice::<Value>(&file).unwrap(), "{format}");
    }
    let flame = printed(&["convert", "flame", "--order", "leaf-first", &memory]).await;
    assert_eq!(flame, std::fs::read(path("fixtures/memory.flame.seed-era.txt")).unwrap());
    let table = printed(&["convert", "dataframe", &memory]).await;
    assert_eq!(table.split(|&byte| byte == b'\n').count(), 7);
    let arrow = printed(&["convert", "dataframe", "--format", "arrow", &memory]).await;
    assert!(arrow.starts_with(b"ARROW1") && arrow.ends_with(b"ARROW1"));
    let plot = printed(&["convert", "plot", &sample("complexity_dual")]).await;
    let plot: Value = serde_json::from_slice(&plot).unwrap();
    assert_eq!(plot[17]["plot_y"].as_array().unwrap().len(), 51);
}

#[tokio::test]
async fn file_that_is_no_profile_is_bad_input() {
    let file = NamedTempFile::new().unwrap();
    std::fs::write(file.path(), r#"{"header": {}, "snapshots": [{"resources": 1}]}"#).unwrap();
    let refused = run(&["perun", "convert", "dataframe", &file.path().display().to_string()]).await;
    assert_eq!(refused.status.code(), Some(2));
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(said.contains("snapshots[0].resources: must be a list"), "{said}");
}
