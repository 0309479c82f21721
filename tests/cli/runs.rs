//! The runs of a server, and programs that are ranked.

use crate::{BAD_INPUT, REPORT, has, json, sort, stderr};
use profiler_core::sandbox::Choice;
use profiler_tests::swiftprof::{Served, file, run};
use std::fs;

#[tokio::test]
async fn runs_of_a_server_are_listed_shown_and_watched() {
    if !has("native", Choice::Native).await {
        return;
    }
    let served = Served::start("native", &[]).await;
    let url = served.url();
    let file = sort();
    let ran = run(&["run", &file, "--sizes", "1", "--format", "json", "--endpoint", url]).await;
    let id = json(&ran, REPORT)["run_id"].as_str().unwrap().to_owned();
    let list = run(&["runs", "list", "--format", "json", "--endpoint", url]).await;
    let list = json(&list, REPORT);
    assert_eq!(
        (list["runs"][0]["run_id"].as_str(), list["runs"].as_array().unwrap().len()),
        (Some(id.as_str()), 1)
    );
    for command in ["show", "watch"] {
        let shown = run(&["runs", command, &id, "--format", "swiftsolve", "--endpoint", url]).await;
        assert_eq!(json(&shown, REPORT)["task_id"], "sort");
    }
    let gone = run(&["runs", "cancel", &id, "--endpoint", url]).await;
    assert_eq!(gone.status.code(), Some(BAD_INPUT), "{}", stderr(&gone));
    assert!(stderr(&gone).starts_with("swiftprof: RUN: "), "{}", stderr(&gone));
    assert!(served.stop().await.success());
}

#[tokio::test]
async fn several_programs_are_ranked() {
    if !has("native", Choice::Native).await {
        return;
    }
    let [slow, fast] = ["examples/quadratic.cpp", "examples/agent/merge.cpp"].map(file);
    let folder = tempfile::tempdir().unwrap();
    let junit = folder.path().join("a.xml").display().to_string();
    let options = ["--backend", "native", "--sizes", "20000", "--format", "json", "-o", &junit];
    let output = run(&[&["run", &slow, &fast][..], &options].concat()).await;
    let ranking = json(&output, REPORT);
    let names: Vec<_> =
        ranking["programs"].as_array().unwrap().iter().map(|it| it["program"].clone()).collect();
    assert_eq!(names, [fast.as_str(), slow.as_str()]);
    assert_eq!(ranking["programs"][1]["verdict"], "slower");
    let junit = fs::read_to_string(&junit).unwrap();
    let suites = [slow, fast].map(|name| junit.contains(&format!("<testsuite name=\"{name}\"")));
    assert_eq!(suites, [true; 2], "{junit}");
}
