//! A request that is refused costs the server at most three times its bytes and 1 MiB, whatever
//! field is wrong. The server is a process of its own: this test, started again.

use crate::service::support::requests::{Field, all_fields};
use crate::service::support::{Server, backend};
use profiler_proto::v1::{self, ProfileRequest};
use profiler_server::Config;
use prost::Message;
use prost::bytes::Bytes;
use std::process::Stdio;
use std::{env, fs, io};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use tonic::Code;
use tonic::transport::{Channel, Endpoint};
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_client::HealthClient;
use tonic_reflection::pb::v1::ServerReflectionRequest;
use tonic_reflection::pb::v1::server_reflection_client::ServerReflectionClient;
use tonic_reflection::pb::v1::server_reflection_request::MessageRequest;

/// Name of the test that runs the server.
const SERVE: &str = "service::memory::serve";
/// Environment variable that makes this test run the server.
const SERVED: &str = "PROFILER_TEST_IS_SERVER";
/// Printed by the server before its address.
const LISTENING: &str = "listening on ";
/// Approximate length of a request that is refused, in bytes.
const LONG: usize = 6 << 20;
/// Number of elements of a list, or of bytes of a text, that exceeds no limit.
const SHORT: usize = 16;
/// Maximum cost of a refusal in addition to three times the bytes of the message, in bytes.
const ALLOWANCE: usize = 1 << 20;

/// The server. It ends with the test that started it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn serve() {
    if env::var_os(SERVED).is_none() {
        return;
    }
    let server = Server::start(Config::default(), backend::stuck()).await;
    println!("\n{LISTENING}{}", server.url());
    tokio::task::spawn_blocking(|| io::stdin().lines().count()).await.unwrap();
}

struct Process {
    child: Child,
    channel: Channel,
}

impl Process {
    async fn start() -> Self {
        let mut command = Command::new(env::current_exe().unwrap());
        command.args(["--exact", SERVE, "--nocapture"]);
        command.env(SERVED, "yes");
        // Freed memory goes back to the kernel, so the next request begins where this one did.
        let returned = ["MALLOC_MMAP_THRESHOLD_", "MALLOC_TRIM_THRESHOLD_"];
        command.envs(returned.map(|name| (name, "65536")));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true);
        let mut child = command.spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let url = loop {
            let line = lines.next_line().await.unwrap().expect("the server's address");
            if let Some(url) = line.strip_prefix(LISTENING) {
                break url.to_owned();
            }
        };
        let channel = Endpoint::from_shared(url).unwrap().connect().await.unwrap();
        Self { child, channel }
    }

    fn file(&self, name: &str) -> String {
        format!("/proc/{}/{name}", self.child.id().expect("it runs"))
    }

    /// A figure of the process's status, in bytes.
    fn status(&self, name: &str) -> usize {
        let status = fs::read_to_string(self.file("status")).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix(name)).expect("the figure");
        let kib: usize = line.trim_matches([':', '\t', ' ', 'k', 'B']).parse().unwrap();
        kib << 10
    }

    /// Returns the growth of the resident set while this request was refused, in bytes.
    async fn cost(&self, field: &Field, message: Bytes) -> usize {
        // Resets the peak to the current resident set.
        fs::write(self.file("clear_refs"), "5").unwrap();
        let before = self.status("VmRSS");
        field.send(self.channel.clone(), message).await.expect_err("it is refused");
        self.status("VmHWM").saturating_sub(before)
    }
}

/// Requests with as many nested messages as possible for their length. They exceed no limit of a
/// list.
fn bushes() -> [v1::Job; 2] {
    let repetition = v1::Repetition {
        vars: vec![v1::Variable::default()],
        layout: vec![v1::Layout::default()],
        ..Default::default()
    };
    let part = v1::Layout { kind: Some(v1::layout::Kind::Repeat(repetition)) };
    let variant =
        v1::QueryVariant { fields: vec![v1::QueryField::default()], ..Default::default() };
    let queries = v1::Queries { variants: vec![variant], ..Default::default() };
    let kind = Some(v1::variable::Kind::Queries(queries));
    let variable = v1::Variable { kind, ..Default::default() };
    let layouts = v1::InputSpec { layout: vec![part; 64], ..Default::default() };
    let variables = v1::InputSpec { vars: vec![variable; 64], ..Default::default() };
    [layouts, variables].map(|spec| v1::Job { input_specs: vec![spec; 8], ..Default::default() })
}

#[tokio::test]
async fn refused_request_costs_three_times_its_bytes_at_most() {
    let server = Process::start().await;
    let mut requests = Vec::new();
    for field in all_fields() {
        if field.is_repeated() {
            let element = field.with_elements(2).len() - field.with_elements(1).len();
            let first = field.with_elements(SHORT);
            requests.push((field.clone(), first, field.with_elements(LONG / element)));
        }
        if field.holds_text() {
            // A quoted message has five bytes for each such character.
            let text = |bytes: usize| field.with_value("\u{1}".repeat(bytes).as_bytes());
            requests.push((field.clone(), text(SHORT), text(LONG)));
        }
    }
    let profile = requests[0].0.clone();
    for job in bushes() {
        let message: Bytes = ProfileRequest { job: Some(job) }.encode_to_vec().into();
        requests.push((profile.clone(), message.clone(), message));
    }
    // The code of the server becomes resident when it first runs.
    for (field, first, _) in &requests {
        let _ = field.send(server.channel.clone(), first.clone()).await;
    }
    for (field, _, message) in requests {
        let bytes = message.len();
        let cost = server.cost(&field, message).await;
        println!("{} of {}: {bytes} bytes, {cost} bytes", field.path(), field.method);
        assert!(cost <= 3 * bytes + ALLOWANCE, "{bytes} bytes cost {cost}: {field:?}");
    }
}

/// Any caller can send these, and the limits of fields do not apply to them.
#[tokio::test]
async fn messages_to_health_and_reflection_are_short() {
    let server = Server::start(Config::default(), backend::stuck()).await;
    let name = |bytes| "x".repeat(bytes);
    let mut health = HealthClient::new(server.channel().await);
    let mut check = async |service| health.check(HealthCheckRequest { service }).await.unwrap_err();
    assert_eq!(check(name(512)).await.code(), Code::NotFound);
    assert_eq!(check(name(1 << 10)).await.code(), Code::OutOfRange);
    let mut reflection = ServerReflectionClient::new(server.channel().await);
    let symbol = MessageRequest::FileContainingSymbol(name(4 << 10));
    let long = ServerReflectionRequest { host: String::new(), message_request: Some(symbol) };
    let answers = reflection.server_reflection_info(futures::stream::iter([long])).await.unwrap();
    // tonic-reflection ends the stream without a word.
    assert_eq!(answers.into_inner().message().await.unwrap(), None);
}
