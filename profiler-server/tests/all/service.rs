//! The service from its callers' side.

mod connections;
mod deletion;
mod drain;
mod exports;
mod identity;
mod lists;
mod memory;
mod quotas;
mod samples;
mod support;
mod versions;

use profiler_client::v1::ErrorCode;
use profiler_client::v1::event::Kind;
use profiler_client::{Client, Error, Run, Violation, v1};
use profiler_core::limits::MAX_SOURCE_BYTES;
use profiler_proto::v1::profiler_service_client::ProfilerServiceClient;
use profiler_server::config::MAX_RUNS;
use profiler_server::{Address, Config};
use profiler_test_support::elf::executable;
use prost::Message;
use prost_types::FileDescriptorProto;
use std::time::Duration;
use support::{PATIENCE, Server, backend, job};
use tokio::time::timeout;
use tonic::codegen::http::uri::PathAndQuery;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;
use tonic_reflection::pb::{v1 as reflection, v1alpha as reflection_alpha};

const SERVICE: &str = "swiftsolve.profiler.v1.ProfilerService";

fn small_queue() -> Config {
    Config { max_queued: 1, drain_sec: 0.0, ..Config::default() }
}

/// Room for every run that a test submits while it waits for something else.
fn long_queue() -> Config {
    Config { max_queued: MAX_RUNS, ..Config::default() }
}

async fn violations(job: v1::Job) -> Vec<Violation> {
    let server = Server::start(Config::default(), backend::stuck()).await;
    match server.client().await.submit(job).await {
        Err(Error::Invalid { violations, .. }) => violations,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn every_bad_field_is_named_at_once() {
    let found = violations(v1::Job {
        code: None,
        input_sizes: vec![2, 1],
        on_memory_limit: 9,
        on_disconnect: 7,
        ..job()
    });
    let fields: Vec<_> = found.await.into_iter().map(|violation| violation.field).collect();
    let expected =
        ["on_disconnect", "on_memory_limit", "code.task_id", "code.code_cpp", "input_sizes[1]"];
    assert_eq!(fields, expected);
}

#[tokio::test]
async fn source_that_is_too_large_is_refused_by_name() {
    let mut large = job();
    large.code.as_mut().unwrap().code_cpp = "x".repeat(8 * MAX_SOURCE_BYTES);
    assert_eq!(violations(large).await[0].field, "code.code_cpp");
}

/// A CodeMessage whose source is bytes, which a caller can send although the contract forbids it.
#[derive(Clone, PartialEq, prost::Message)]
struct BytesCode {
    #[prost(bytes, tag = "6")]
    code_cpp: Vec<u8>,
}

/// A message that contains one message, which on the wire looks like its bytes.
#[derive(Clone, PartialEq, prost::Message)]
struct Around {
    #[prost(bytes, tag = "1")]
    inner: Vec<u8>,
}

#[tokio::test]
async fn source_that_is_not_utf8_is_the_callers_fault() {
    let server = Server::start(Config::default(), backend::stuck()).await;
    let mut stub = tonic::client::Grpc::new(server.channel().await);
    stub.ready().await.unwrap();
    let code = BytesCode { code_cpp: vec![0xff] };
    let job = Around { inner: code.encode_to_vec() };
    let request = Around { inner: job.encode_to_vec() };
    let codec = tonic_prost::ProstCodec::<_, v1::ProfileResponse>::new();
    let path = PathAndQuery::try_from(format!("/{SERVICE}/Profile")).unwrap();
    let refused = stub.unary(tonic::Request::new(request), path, codec).await.unwrap_err();
    assert_eq!(refused.code(), tonic::Code::InvalidArgument, "{refused}");
}

#[tokio::test]
async fn full_queue_says_when_to_try_again() {
    let server = Server::start(small_queue(), backend::stuck()).await;
    let client = server.client().await;
    let _live = [client.submit(job()).await.unwrap(), client.submit(job()).await.unwrap()];
    let refused = server.submit_once("anybody").await.unwrap_err();
    assert!(matches!(refused, Error::Unavailable { retry_after: Some(_), .. }), "{refused:?}");
}

#[tokio::test]
async fn run_learns_its_place() {
    let server = Server::start(small_queue(), backend::stuck()).await;
    let client = server.client().await;
    let _first = client.submit(job()).await.unwrap();
    assert_eq!(submit(&client).await.1, 1);
}

#[tokio::test]
async fn cancelled_run_ends_with_what_it_had() {
    let server = Server::start(small_queue(), backend::stuck()).await;
    let client = server.client().await;
    let _first = client.submit(job()).await.unwrap();
    let second = client.submit(job()).await.unwrap();
    second.cancel().await.unwrap();
    let Err(Error::Sandbox(ended)) = second.wait().await else { panic!() };
    assert_eq!((ended.code(), ended.partial.unwrap().input_sizes), (ErrorCode::Cancelled, vec![]));
}

#[tokio::test]
async fn fields_that_the_profiler_does_not_use_make_no_other_job() {
    let server = Server::start(small_queue(), backend::stuck()).await;
    let client = server.client().await;
    let program = || {
        let code_cpp = "int main() {}".into();
        Some(v1::CheckerProgram { code_cpp, ..v1::CheckerProgram::default() })
    };
    let written = |seconds: i64| {
        let mut job = v1::Job {
            request_id: "again".into(),
            test_cases: vec![v1::TestCase::default()],
            checker_program: program(),
            check_sizes: true,
            ..job()
        };
        let code = job.code.as_mut().unwrap();
        code.timestamp_utc = Some(prost_types::Timestamp { seconds, nanos: 0 });
        code.model_version = Some(seconds.to_string());
        code.seed = Some(seconds);
        job
    };
    let first = client.submit(written(1)).await.unwrap();
    let again = client.submit(written(2)).await.unwrap();
    assert_eq!(again.id(), first.id());
    let uses: [fn(&mut v1::Job); 7] = [
        |job| job.code.as_mut().unwrap().iteration = 1,
        |job| {
            let program = executable("", &[]);
            let code = job.code.take().unwrap();
            job.code = Some(v1::CodeMessage { code_cpp: String::new(), program, ..code });
        },
        |job| job.check_sizes = false,
        |job| {
            let code_cpp = "int main() {}".into();
            job.reference = Some(v1::OtherProgram { code_cpp, ..v1::OtherProgram::default() });
        },
        |job| job.validator_program.clone_from(&job.checker_program),
        |job| job.fit_sizes = true,
        |job| job.reward = true,
    ];
    for (at, use_field) in uses.into_iter().enumerate() {
        let mut other = written(1);
        use_field(&mut other);
        let Err(Error::Status(status)) = client.submit(other).await else { panic!("{at}") };
        assert_eq!(status.code(), tonic::Code::AlreadyExists, "{at}: {status}");
    }
}

#[tokio::test]
async fn run_that_is_not_there_cannot_be_cancelled() {
    let server = Server::start(Config::default(), backend::stuck()).await;
    let Err(Error::Status(status)) = server.client().await.cancel("nobody").await else { panic!() };
    assert_eq!(status.code(), tonic::Code::NotFound);
}

#[tokio::test]
async fn server_refuses_no_field() {
    let server = Server::start(Config::default(), backend::stuck()).await;
    let can = server.client().await.capabilities().await.unwrap();
    assert!(can.unsupported_fields.is_empty(), "{can:?}");
}

#[tokio::test]
async fn health_turns_with_the_sandboxes() {
    let (switch, profiler) = backend::switched_off();
    let server = Server::start(Config::default(), profiler).await;
    let mut client = HealthClient::new(server.channel().await);
    let request = HealthCheckRequest { service: SERVICE.into() };
    let mut watch = client.watch(request).await.unwrap().into_inner();
    let mut until = async |expected: ServingStatus| {
        while watch.message().await.unwrap().unwrap().status() != expected {}
    };
    until(ServingStatus::NotServing).await;
    switch.store(true, std::sync::atomic::Ordering::SeqCst);
    until(ServingStatus::Serving).await;
}

#[tokio::test]
async fn job_is_refused_while_no_sandbox_can_be_started() {
    let (_switch, profiler) = backend::switched_off();
    let mut health = profiler.pool.health();
    let server = Server::start(Config::default(), profiler).await;
    health.wait_for(Result::is_err).await.unwrap();
    let refused = server.submit_once("anybody").await.unwrap_err();
    assert!(matches!(refused, Error::Unavailable { retry_after: Some(_), .. }), "{refused:?}");
}

#[tokio::test]
async fn reflection_lists_the_service() {
    let server = Server::start(Config::default(), backend::stuck()).await;
    let mut client =
        reflection::server_reflection_client::ServerReflectionClient::new(server.channel().await);
    let list = reflection::server_reflection_request::MessageRequest::ListServices(String::new());
    let request =
        reflection::ServerReflectionRequest { message_request: Some(list), ..Default::default() };
    let answers = client.server_reflection_info(futures::stream::iter([request])).await.unwrap();
    let listed = format!("{:?}", answers.into_inner().message().await.unwrap());
    assert!(listed.contains(SERVICE), "{listed}");
}

#[tokio::test]
async fn older_reflection_lists_the_service() {
    let server = Server::start(Config::default(), backend::stuck()).await;
    let mut client = reflection_alpha::server_reflection_client::ServerReflectionClient::new(
        server.channel().await,
    );
    let list =
        reflection_alpha::server_reflection_request::MessageRequest::ListServices(String::new());
    let request = reflection_alpha::ServerReflectionRequest {
        message_request: Some(list),
        ..Default::default()
    };
    let answers = client.server_reflection_info(futures::stream::iter([request])).await.unwrap();
    let listed = format!("{:?}", answers.into_inner().message().await.unwrap());
    assert!(listed.contains(SERVICE), "{listed}");
}

#[tokio::test]
async fn reflection_describes_the_details_of_a_status() {
    use reflection::server_reflection_request::MessageRequest;
    use reflection::server_reflection_response::MessageResponse;
    let server = Server::start(Config::default(), backend::stuck()).await;
    let mut client =
        reflection::server_reflection_client::ServerReflectionClient::new(server.channel().await);
    let asked = [
        MessageRequest::FileContainingSymbol("google.rpc.ErrorInfo".into()),
        MessageRequest::FileByFilename("google/rpc/error_details.proto".into()),
    ];
    let requests = asked.map(|asked| reflection::ServerReflectionRequest {
        message_request: Some(asked),
        ..Default::default()
    });
    let answers = client.server_reflection_info(futures::stream::iter(requests)).await.unwrap();
    let mut answers = answers.into_inner();
    for _ in 0..2 {
        let answer = answers.message().await.unwrap().unwrap();
        let Some(MessageResponse::FileDescriptorResponse(found)) = answer.message_response else {
            panic!("{answer:?}")
        };
        let file = FileDescriptorProto::decode(found.file_descriptor_proto[0].as_slice()).unwrap();
        assert_eq!(file.name(), "google/rpc/error_details.proto");
    }
}

#[tokio::test]
async fn server_ends_although_a_stream_is_open() {
    let server = Server::start(small_queue(), backend::stuck()).await;
    let _watched = server.client().await.submit(job()).await.unwrap();
    server.stop().await.unwrap();
}

#[tokio::test]
async fn waiting_run_is_interrupted_when_the_server_ends() {
    let server = Server::start(small_queue(), backend::stuck()).await;
    let client = server.client().await;
    let _first = client.submit(job()).await.unwrap();
    let second = client.submit(job()).await.unwrap();
    let (ended, _) = tokio::join!(second.wait(), server.stop());
    let Err(Error::Sandbox(ended)) = ended else { panic!("{ended:?}") };
    assert_eq!(ended.code(), ErrorCode::Interrupted);
}

#[tokio::test]
async fn socket_file_serves_as_well_and_is_removed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("profiler.socket");
    let address = Address::Unix(path.clone());
    let server = Server::listen(&address, small_queue(), backend::stuck()).await;
    server.client().await.capabilities().await.unwrap();
    server.stop().await.unwrap();
    assert!(!path.exists());
}

#[tokio::test]
async fn clients_run_timeout_ends_its_waiting() {
    let server = Server::start(small_queue(), backend::stuck()).await;
    let client = server.client().await.with_run_timeout(Duration::from_millis(20));
    let ended = match client.submit(job()).await {
        Ok(run) => run.wait().await.map(drop),
        Err(error) => Err(error),
    };
    assert!(matches!(ended, Err(Error::Deadline)), "{ended:?}");
}

/// Submits a run, and returns the number of runs ahead of it.
async fn submit(client: &Client) -> (Run, u32) {
    let mut run = client.submit(job()).await.unwrap();
    let accepted = run.next().await.unwrap().unwrap();
    let Kind::Accepted(accepted) = accepted.kind else { panic!("{accepted:?}") };
    (run, accepted.queue_position)
}

/// Waits until `count` runs would be ahead of a new one.
async fn until_live(client: &Client, count: u32) {
    let counted = async {
        loop {
            let (mut run, in_front) = submit(client).await;
            if in_front == count {
                return;
            }
            // Otherwise the next run would find it ahead.
            run.cancel().await.unwrap();
            while run.next().await.unwrap().is_some() {}
        }
    };
    timeout(PATIENCE, counted).await.expect("the line never changed");
}

#[tokio::test]
async fn call_whose_caller_goes_away_ends_its_run() {
    let server = Server::start(long_queue(), backend::stuck()).await;
    let client = server.client().await;
    let mut held = vec![submit(&client).await.0];
    let mut stub = ProfilerServiceClient::new(server.channel().await);
    let request = v1::ProfileRequest { job: Some(job()) };
    let call = tokio::spawn(async move { stub.profile(request).await.map(drop) });
    // The call's run is in the queue once a new run has more than the held ones ahead.
    loop {
        let (run, in_front) = submit(&client).await;
        let live = held.len();
        held.push(run);
        if in_front as usize > live {
            break;
        }
    }
    call.abort();
    until_live(&client, u32::try_from(held.len()).unwrap()).await;
}

#[tokio::test]
async fn stream_whose_caller_goes_away_ends_its_run() {
    let server = Server::start(Config::default(), backend::stuck()).await;
    let client = server.client().await;
    let _first = submit(&client).await;
    drop(submit(&client).await);
    until_live(&client, 1).await;
}
