//! Ctrl-C and SIGTERM end a run with the results so far, locally and on a server, and leave
//! nothing.

use crate::{INTERRUPTED, TERMINATED, has, json, sort, stderr};
use profiler_core::sandbox::Choice;
use profiler_tests::jobs;
use profiler_tests::swiftprof::{Served, Signal, signal, swiftprof};
use profiler_tests::traces::{Owner, Program};
use std::process::Stdio;
use std::time::{Duration, Instant};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::net::UnixListener;
use tokio::process::Command;
use tokio::time::timeout;

/// Time limit for a client of a frozen server to end: more than it waits for the server.
const PATIENCE: Duration = Duration::from_secs(30);

/// `swiftprof run` of an endless program, the name of its process, and the folder of its source.
fn endless(args: &[&str]) -> (Command, String, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("endless.cpp");
    let (job, name) = jobs::endless();
    std::fs::write(&source, job.code.unwrap().code_cpp).unwrap();
    let source = source.display().to_string();
    let run = ["run", &source, "--format", "json", "--timeout", "60s"];
    let mut command = swiftprof(&[&run[..], args].concat());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    (command, name, folder)
}

async fn interrupted_by(asked: Signal, backend: &str) {
    let (mut command, name, _folder) = endless(&["--backend", backend]);
    let child = command.spawn().unwrap();
    let owner = Owner::of(child.id().unwrap());
    let program = Program::running(&name).await;
    let begun = Instant::now();
    signal(&child, asked);
    let took = program.gone().await - begun;
    println!("{backend}: {asked} to the program's end: {} ms", took.as_millis());
    let output = child.wait_with_output().await.unwrap();
    let (exit, by) = match asked {
        Signal::SIGINT => (INTERRUPTED, "Ctrl-C"),
        _ => (TERMINATED, "SIGTERM"),
    };
    let error = json(&output, exit);
    assert_eq!(error["code"], "ERROR_CODE_CANCELLED");
    assert_eq!(error["message"], format!("stopped by {by} after 0 sizes"));
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

#[tokio::test]
async fn ctrl_c_on_a_server() {
    if !has("native", Choice::Native).await {
        return;
    }
    let served = Served::start("native", &[]).await;
    let (mut command, name, _folder) = endless(&["--endpoint", served.url()]);
    let child = command.spawn().unwrap();
    let program = Program::running(&name).await;
    let begun = Instant::now();
    signal(&child, Signal::SIGINT);
    let took = program.gone().await - begun;
    println!("server: Ctrl-C to the program's end: {} ms", took.as_millis());
    let output = child.wait_with_output().await.unwrap();
    assert_eq!(json(&output, INTERRUPTED)["code"], "ERROR_CODE_CANCELLED");
    assert!(served.stop().await.success());
}

/// The client waits for a lost server; a second Ctrl-C ends the wait.
#[tokio::test]
async fn ctrl_c_twice_without_a_server() {
    if !has("native", Choice::Native).await {
        return;
    }
    let served = Served::start("native", &[]).await;
    let (mut command, name, _folder) = endless(&["--endpoint", served.url()]);
    let mut child = command.spawn().unwrap();
    let program = Program::running(&name).await;
    let orphans = served.kill().await;
    program.gone().await;
    let mut stderr = BufReader::new(child.stderr.take().unwrap()).lines();
    while !stderr.next_line().await.unwrap().expect("it says so").starts_with("reconnecting…") {}
    signal(&child, Signal::SIGINT);
    signal(&child, Signal::SIGTERM);
    let output = child.wait_with_output().await.unwrap();
    // Which of two signals at once is seen last is a matter of chance.
    let exit = output.status.code();
    assert!([Some(INTERRUPTED), Some(TERMINATED)].contains(&exit), "{exit:?}");
    assert!(output.stdout.is_empty());
    let next = Served::start("native", &[]).await;
    assert_eq!(orphans.left().await, Vec::<String>::new(), "not swept");
    assert!(next.stop().await.success());
}

/// The server is frozen, so it confirms nothing, and may never read the cancellation of a client
/// that has gone. The command that the client prints ends the run.
#[tokio::test]
async fn termination_without_a_confirmation() {
    if !has("native", Choice::Native).await {
        return;
    }
    let served = Served::start("native", &[]).await;
    let (mut command, name, _folder) = endless(&["--endpoint", served.url()]);
    let child = command.spawn().unwrap();
    let program = Program::running(&name).await;
    served.freeze();
    signal(&child, Signal::SIGTERM);
    let output = timeout(PATIENCE, child.wait_with_output()).await.unwrap().unwrap();
    served.thaw();
    assert_eq!(output.status.code(), Some(TERMINATED), "{output:?}");
    let said = stderr(&output);
    let command = said.split('`').nth(1).expect("a command").strip_prefix("swiftprof ").unwrap();
    let words: Vec<&str> = command.split(' ').collect();
    assert_eq!(words[..2], ["runs", "cancel"], "{said}");
    swiftprof(&words).output().await.unwrap();
    program.gone().await;
    assert!(served.stop().await.success());
}

/// The server never answers.
#[tokio::test]
async fn ctrl_c_before_a_watched_run_has_begun() {
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("socket");
    let listener = UnixListener::bind(&socket).unwrap();
    let endpoint = format!("unix:{}", socket.display());
    let mut command = swiftprof(&["run", &sort(), "--watch", "--endpoint", &endpoint]);
    let child = command.stderr(Stdio::piped()).spawn().unwrap();
    let _connection = listener.accept().await.unwrap();
    signal(&child, Signal::SIGINT);
    let output = child.wait_with_output().await.unwrap();
    assert_eq!(output.status.code(), Some(INTERRUPTED), "{output:?}");
}

#[tokio::test]
async fn watched_program_runs_again_until_ctrl_c() {
    if !has("native", Choice::Native).await {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("a.cpp");
    std::fs::write(&source, "int main() {").unwrap();
    let file = source.display().to_string();
    let run = ["run", &file, "--watch", "--backend", "native", "--sizes", "1", "--format", "json"];
    let mut command = swiftprof(&run);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stderr = BufReader::new(child.stderr.take().unwrap()).lines();
    for change in [Some("int main() {}"), None] {
        while !stderr.next_line().await.unwrap().unwrap().contains("waiting for a change") {}
        if let Some(text) = change {
            // At once, or the watcher may find the file empty.
            let changed = folder.path().join("changed.cpp");
            std::fs::write(&changed, text).unwrap();
            std::fs::rename(changed, &source).unwrap();
        }
    }
    signal(&child, Signal::SIGINT);
    let output = child.wait_with_output().await.unwrap();
    assert_eq!(output.status.code(), Some(INTERRUPTED));
    let said = String::from_utf8_lossy(&output.stdout);
    let [failed, ended_ok] = ["ERROR_CODE_COMPILE", "OUTCOME_OK"].map(|it| said.find(it).unwrap());
    assert!(failed < ended_ok, "{said}");
}
