//! `grpcurl` against a real server, of which it knows only the address.

#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test fails by panicking"
)]

use profiler_client::v1::{Job, ProfileRequest};
use profiler_core::sandbox::Choice;
use profiler_proto::json;
use profiler_test_support::require;
use profiler_tests::harness::Backend;
use profiler_tests::jobs;
use profiler_tests::swiftprof::{Served, file};
use serde_json::Value;
use std::process::Stdio;
use tokio::io::{AsyncBufReadExt, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};

const SERVICE: &str = "swiftsolve.profiler.v1.ProfilerService";
/// Ends at sizes below 4.
const ENDLESS_FROM_FOUR: &str = "#include <iostream>
int main() { unsigned n = 0; std::cin >> n; for (volatile bool on = n > 3; on;) {} }";
/// Number of sizes from 1 to 4 that end.
const ENDING: usize = 3;

/// grpcurl, and a server for it.
struct Grpcurl {
    program: String,
    served: Served,
}

impl Grpcurl {
    /// `None` if the host has no grpcurl or no native sandbox.
    async fn here() -> Option<Self> {
        let program = require::tool("grpcurl", "PROFILER_TEST_GRPCURL")?;
        require::or_skip("native", Backend::select(Choice::Native).await)?;
        let served = Served::over_tcp("native").await;
        Some(Self { program, served })
    }

    fn command(&self, options: &[&str], request: &[&str]) -> Command {
        let authority = self.served.url().strip_prefix("http://").expect("a TCP address");
        let mut command = Command::new(&self.program);
        command.arg("-plaintext").args(options).arg(authority).args(request);
        command.kill_on_drop(true);
        command
    }

    /// Ends the server.
    async fn done(self) {
        assert!(self.served.stop().await.success());
    }

    /// Runs grpcurl and returns its output.
    async fn says(&self, options: &[&str], request: &[&str]) -> String {
        let output = self.command(options, request).output().await.unwrap();
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{request:?}: {complaint}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Calls a method and returns its answer.
    async fn call(&self, method: &str, request: &str) -> Value {
        let method = format!("{SERVICE}/{method}");
        serde_json::from_str(&self.says(&["-d", request], &[&method]).await).unwrap()
    }

    /// The lines of a stream as they arrive.
    fn stream(&self, request: &str) -> (Child, Lines<BufReader<ChildStdout>>) {
        let method = format!("{SERVICE}/ProfileStream");
        let mut command = self.command(&["-d", request], &[&method]);
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let stdout = child.stdout.take().expect("stdout is piped");
        (child, BufReader::new(stdout).lines())
    }
}

fn request(job: Job) -> String {
    json::to_string(&ProfileRequest { job: Some(job) }).unwrap()
}

fn sort() -> Job {
    let source = std::fs::read_to_string(file("examples/sort.cpp")).unwrap();
    Job { input_sizes: vec![1, 1000, 10_000], ..jobs::job(&source) }
}

#[tokio::test]
async fn services_are_listed() {
    let Some(grpcurl) = Grpcurl::here().await else {
        return;
    };
    let listed = grpcurl.says(&[], &["list"]).await;
    for service in [SERVICE, "grpc.health.v1.Health"] {
        assert!(listed.lines().any(|line| line == service), "{listed}");
    }
    grpcurl.done().await;
}

#[tokio::test]
async fn every_method_is_described() {
    let Some(grpcurl) = Grpcurl::here().await else {
        return;
    };
    let described = grpcurl.says(&[], &["describe", SERVICE]).await;
    for method in ["Profile", "ProfileStream", "CancelRun", "InferInputs", "GetCapabilities"] {
        assert!(described.contains(&format!("rpc {method} (")), "{described}");
    }
    grpcurl.done().await;
}

#[tokio::test]
async fn capabilities_and_health_are_told() {
    let Some(grpcurl) = Grpcurl::here().await else {
        return;
    };
    let can = grpcurl.call("GetCapabilities", "{}").await;
    assert_eq!((&can["backend"], &can["serving"]), (&"native".into(), &true.into()));
    let asked = format!(r#"{{"service": "{SERVICE}"}}"#);
    let health = grpcurl.says(&["-d", &asked], &["grpc.health.v1.Health/Check"]).await;
    assert!(health.contains("\"SERVING\""), "{health}");
    grpcurl.done().await;
}

#[tokio::test]
async fn program_is_profiled() {
    let Some(grpcurl) = Grpcurl::here().await else {
        return;
    };
    let answer = grpcurl.call("Profile", &request(sort())).await;
    let report = &answer["report"];
    assert_eq!(report["inputSizes"], serde_json::json!(["1", "1000", "10000"]), "{answer}");
    let times = report["runtimeMs"].as_array().expect("times");
    assert!(times.iter().all(|time| time.as_f64() > Some(0.0)), "{times:?}");
    grpcurl.done().await;
}

#[tokio::test]
async fn spec_is_proposed_for_a_sample() {
    let Some(grpcurl) = Grpcurl::here().await else {
        return;
    };
    let answer = grpcurl.call("InferInputs", r#"{"samples": ["5\n3 1 4 1 5\n"]}"#).await;
    let array = &answer["proposal"]["spec"]["vars"][0]["array"];
    assert_eq!(array, &serde_json::json!({"len": "n", "min": "1", "max": "5"}), "{answer}");
    grpcurl.done().await;
}

#[tokio::test]
async fn sizes_are_streamed_before_the_end() {
    let Some(grpcurl) = Grpcurl::here().await else {
        return;
    };
    let (_child, mut lines) = grpcurl.stream(&request(sort()));
    let mut measured = 0;
    loop {
        let line = lines.next_line().await.unwrap().expect("the run finishes");
        measured += usize::from(line.contains("\"sizeMeasured\": {"));
        if line.contains("\"finished\": {") {
            break;
        }
    }
    assert_eq!(measured, 3);
    grpcurl.done().await;
}

/// The sizes of a run that never ends can be read as they are measured.
#[tokio::test]
async fn sizes_are_visible_while_the_run_goes_on() {
    let Some(grpcurl) = Grpcurl::here().await else {
        return;
    };
    let job = Job {
        input_sizes: vec![1, 2, 3, 4],
        limits: jobs::endless().0.limits,
        ..jobs::job(ENDLESS_FROM_FOUR)
    };
    let (mut child, mut lines) = grpcurl.stream(&request(job));
    let (mut measured, mut run_id) = (0, String::new());
    while measured < ENDING {
        let line = lines.next_line().await.unwrap().expect("the run goes on");
        measured += usize::from(line.contains("\"sizeMeasured\": {"));
        if let Some((_, rest)) = line.split_once("\"runId\": \"") {
            run_id = rest.trim_end_matches(['"', ',']).into();
        }
    }
    let cancelled = grpcurl.call("CancelRun", &format!(r#"{{"run_id": "{run_id}"}}"#)).await;
    assert_eq!(cancelled, serde_json::json!({}));
    let mut rest = String::new();
    while let Some(line) = lines.next_line().await.unwrap() {
        rest += &line;
    }
    assert!(rest.contains("\"code\": \"ERROR_CODE_CANCELLED\""), "{rest}");
    assert!(child.wait().await.unwrap().success());
    grpcurl.done().await;
}
