//! A server used from the command line and from a service in Rust.

use crate::{BAD_INPUT, REPORT, SANDBOX_ERROR, has, json, sort, stderr};
use profiler_core::sandbox::Choice;
use profiler_core::sandbox::fake::Fake;
use profiler_server::Config;
use profiler_server::config::Identity;
use profiler_tests::server::Server;
use profiler_tests::swiftprof::{Served, example, file, run};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;

/// All paths in an object; the elements of a list have one shape.
fn shape(value: &Value) -> BTreeSet<String> {
    let below = |name: &str, value: &Value| {
        let paths = shape(value).into_iter().map(move |path| format!("{name}.{path}"));
        paths.collect::<Vec<_>>()
    };
    match value {
        Value::Object(fields) => {
            let names = fields.keys().cloned();
            let deeper = fields.iter().flat_map(|(name, value)| below(name, value));
            names.chain(deeper).collect()
        }
        Value::Array(items) => items.iter().flat_map(shape).collect(),
        _ => BTreeSet::new(),
    }
}

/// A server measures both programs in one job: the next job may be on another host of a fleet.
#[tokio::test]
async fn server_compares_in_one_job() {
    if !has("native", Choice::Native).await {
        return;
    }
    let served = Served::start("native", &[]).await;
    let folder = tempfile::tempdir().unwrap();
    let slow = folder.path().join("slow.cpp").display().to_string();
    let wasteful = fs::read_to_string(sort()).unwrap().replacen(
        "int main() {",
        "int main() { for (volatile long i = 0; i < 300000000; ++i) {}",
        1,
    );
    let long = "// A comment of a line that makes the source long.\n".repeat(200);
    fs::write(&slow, wasteful + &long).unwrap();
    let options = ["--sizes", "1000", "--format", "json", "--std", "20"];
    let options = [&options[..], &["--endpoint", served.url()]].concat();
    let output = run(&[&["compare", &sort(), &slow][..], &options].concat()).await;
    let told = json(&output, 1);
    assert_eq!((told["verdict"].as_str(), told["runs"].as_u64()), (Some("slower"), Some(2)));
    let listed = run(&["runs", "list", "--endpoint", served.url()]).await;
    let listed = String::from_utf8(listed.stdout).unwrap();
    assert_eq!(listed.lines().filter(|line| line.contains("finished")).count(), 1, "{listed}");
    fs::write(&slow, "int main() { return x; }").unwrap();
    let output = run(&[&["compare", &sort(), &slow][..], &options].concat()).await;
    assert!(stderr(&output).contains("slow.cpp"), "{}", stderr(&output));
    assert!(served.stop().await.success());
}

#[tokio::test]
async fn report_of_a_server_looks_like_a_local_one() {
    if !has("native", Choice::Native).await {
        return;
    }
    let served = Served::start("native", &[]).await;
    let file = sort();
    let args = ["run", &file, "--format", "json", "--sizes", "1,1000"];
    let there = run(&[&args[..], &["--endpoint", served.url()]].concat()).await;
    let here = run(&[&args[..], &["--backend", "native"]].concat()).await;
    let [mut there, mut here] = [there, here].map(|output| json(&output, REPORT));
    for report in [&mut there, &mut here] {
        // Warnings depend on the state of the machine.
        report["warnings"] = Value::Null;
    }
    assert_eq!(shape(&there), shape(&here));
    assert_eq!(there["input_sizes"], here["input_sizes"]);
    assert!(served.stop().await.success());
}

#[tokio::test]
async fn sandbox_error_of_a_server_has_its_exit_code() {
    if !has("native", Choice::Native).await {
        return;
    }
    let served = Served::start("native", &[]).await;
    let file = file("tests/programs/does_not_compile.cpp");
    let args = ["run", &file, "--format", "json", "--endpoint", served.url()];
    assert_eq!(json(&run(&args).await, SANDBOX_ERROR)["code"], "ERROR_CODE_COMPILE");
    assert!(served.stop().await.success());
}

#[tokio::test]
async fn field_that_a_server_refuses_is_named_as_the_argument() {
    if !has("native", Choice::Native).await {
        return;
    }
    let served = Served::start("native", &[]).await;
    let file = sort();
    let output = run(&["run", &file, "--sizes", "5,5", "--endpoint", served.url()]).await;
    assert_eq!(output.status.code(), Some(BAD_INPUT), "{output:?}");
    assert!(stderr(&output).contains("--sizes: "), "{output:?}");
    assert!(served.stop().await.success());
}

#[tokio::test]
async fn service_in_rust_sees_every_size() {
    if !has("native", Choice::Native).await {
        return;
    }
    let served = Served::start("native", &[]).await;
    let output = example("profile", &[&sort(), served.url()]).output().await.unwrap();
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{}", stderr(&output));
    let sizes = printed.lines().filter(|line| line.starts_with("n = "));
    assert_eq!(sizes.count(), 7, "{printed}");
    assert!(served.stop().await.success());
}

#[tokio::test]
async fn socket_that_is_served_is_not_taken_over() {
    if !has("native", Choice::Native).await {
        return;
    }
    let served = Served::start("native", &[]).await;
    let output = run(&["serve", "--listen", served.url(), "--backend", "native"]).await;
    assert_eq!(output.status.code(), Some(BAD_INPUT), "{output:?}");
    assert!(stderr(&output).contains("another server"), "{output:?}");
    assert!(served.stop().await.success());
}

/// Checks that an endpoint is refused with this sentence.
async fn is_refused(endpoint: &str, sentence: &str) {
    let output = run(&["run", &sort(), "--endpoint", endpoint]).await;
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(BAD_INPUT), "{said}");
    assert!(said.contains(sentence), "{said}");
    assert_eq!(output.stdout, b"", "results alone go to stdout");
}

#[tokio::test]
async fn https_to_a_server_without_tls_is_refused() {
    let server = Server::over_tcp(Fake::costing(20, 8)).await;
    let endpoint = server.url().replace("http://", "https://");
    is_refused(&endpoint, &format!("--endpoint {endpoint}: the server does not speak TLS")).await;
    is_refused(&endpoint, "to connect without TLS, use http://").await;
}

#[tokio::test]
async fn http_to_a_server_with_tls_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let issued = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]).unwrap();
    let [cert, key] = ["cert.pem", "key.pem"].map(|name| folder.path().join(name));
    fs::write(&cert, issued.cert.pem()).unwrap();
    fs::write(&key, issued.signing_key.serialize_pem()).unwrap();
    let identity = Identity { tls_cert: Some(cert), tls_key: Some(key), ..Identity::default() };
    let config = Config { identity, ..Config::default() };
    let server = Server::with(Fake::costing(20, 8), 0, config).await;
    let endpoint = server.url();
    is_refused(endpoint, &format!("--endpoint {endpoint}: the server speaks TLS")).await;
    is_refused(endpoint, "use https://").await;
}
