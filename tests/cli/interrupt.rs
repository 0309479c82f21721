//! Ctrl-C and SIGTERM end a run in this process with what it has, and nothing is left.

use crate::{SANDBOX_ERROR, has, json};
use profiler_core::sandbox::Choice;
use profiler_tests::jobs;
use profiler_tests::swiftprof::{Signal, signal, swiftprof};
use profiler_tests::traces::{Owner, Program};
use std::process::Stdio;
use std::time::Instant;

async fn interrupted_by(asked: Signal, backend: &str) {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("endless.cpp");
    let (job, name) = jobs::endless();
    std::fs::write(&source, job.code.unwrap().code_cpp).unwrap();
    let source = source.display().to_string();
    let args = ["run", &source, "--format", "json", "--timeout", "60s", "--backend", backend];
    let mut command = swiftprof(&args);
    let streams = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = streams.spawn().unwrap();
    let owner = Owner::of(child.id().unwrap());
    let program = Program::running(&name).await;
    let begun = Instant::now();
    signal(&child, asked);
    let took = program.gone().await - begun;
    println!("{backend}: {asked} to the program's end: {} ms", took.as_millis());
    let output = child.wait_with_output().await.unwrap();
    assert_eq!(json(&output, SANDBOX_ERROR)["code"], "cancelled");
    assert_eq!(owner.left().await, Vec::<String>::new());
}

#[tokio::test]
async fn ctrl_c_on_native() {
    if has("native", Choice::Native).await {
        interrupted_by(Signal::SIGINT, "native").await;
    }
}

#[tokio::test]
async fn ctrl_c_on_docker() {
    if has("docker", Choice::Docker).await {
        interrupted_by(Signal::SIGINT, "docker").await;
    }
}

#[tokio::test]
async fn termination_on_native() {
    if has("native", Choice::Native).await {
        interrupted_by(Signal::SIGTERM, "native").await;
    }
}

#[tokio::test]
async fn termination_on_docker() {
    if has("docker", Choice::Docker).await {
        interrupted_by(Signal::SIGTERM, "docker").await;
    }
}
