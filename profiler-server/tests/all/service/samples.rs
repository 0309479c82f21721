//! Input specs proposed from samples.

use crate::service::support::{Server, backend, job};
use profiler_client::v1::infer_inputs_response::Answer;
use profiler_client::{Error, v1};
use profiler_infer::limits::{MAX_PROPOSALS, MAX_SAMPLE_BYTES, MAX_SAMPLES};
use profiler_proto::v1::profiler_service_client::ProfilerServiceClient;
use profiler_server::Config;

#[tokio::test]
async fn proposed_spec_is_accepted_in_a_job() {
    let server = Server::start(Config::default(), backend::stuck()).await;
    let client = server.client().await;
    let Answer::Proposal(proposed) = client.infer_inputs(["5\n3 1 4 1 5\n"]).await.unwrap() else {
        panic!("a refusal")
    };
    assert!(proposed.assumptions.iter().any(|said| said.contains("1 to 5")), "{proposed:?}");
    let described = v1::Job { input_specs: proposed.spec.into_iter().collect(), ..job() };
    assert_eq!(described.input_specs.len(), 1);
    client.submit(described).await.unwrap();
}

#[tokio::test]
async fn sample_without_a_reading_is_refused() {
    let server = Server::start(Config::default(), backend::stuck()).await;
    let answer = server.client().await.infer_inputs(["3\n1 2 x y z 4 5\n"]).await.unwrap();
    let Answer::Refusal(refusal) = answer else { panic!("{answer:?}") };
    assert!(refusal.reason.contains("fails at `x` on line 2"), "{refusal:?}");
    assert!(refusal.readings.is_empty(), "{refusal:?}");
}

#[tokio::test]
async fn other_readings_follow_the_likeliest() {
    let server = Server::start(Config::default(), backend::stuck()).await;
    let mut stub = ProfilerServiceClient::new(server.channel().await);
    let request = v1::InferInputsRequest { samples: vec!["3 3\n4 9 4\n".into()] };
    let answer = stub.infer_inputs(request).await.unwrap().into_inner();
    let Some(Answer::Proposal(first)) = answer.answer else { panic!("{answer:?}") };
    let others = answer.others;
    assert!(!others.is_empty() && others.len() < MAX_PROPOSALS, "{others:?}");
    assert!(others.iter().all(|other| other.spec.is_some() && other.spec != first.spec));
}

#[tokio::test]
async fn samples_are_few_and_short() {
    let server = Server::start(Config::default(), backend::stuck()).await;
    let client = server.client().await;
    let long = "1".repeat(MAX_SAMPLE_BYTES + 1);
    for (samples, fields) in [
        (Vec::new(), vec!["samples"]),
        (vec!["1\n".to_owned(); MAX_SAMPLES + 1], vec!["samples"]),
        (vec!["1\n".to_owned(), String::new(), long], vec!["samples[1]", "samples[2]"]),
    ] {
        let refused = client.infer_inputs(samples).await;
        let Err(Error::Invalid { violations, .. }) = refused else { panic!("{refused:?}") };
        let named: Vec<_> = violations.into_iter().map(|bad| bad.field).collect();
        assert_eq!(named, fields);
    }
}

#[test]
fn contract_names_the_limits_of_samples() {
    let contract = include_str!("../../../../proto/swiftsolve/profiler/v1/profiler.proto");
    let limits = format!("1 to {MAX_SAMPLES}, each of 1 to {MAX_SAMPLE_BYTES} bytes");
    assert!(contract.contains(&limits), "{limits}");
    let others = format!("Up to {} other readings", MAX_PROPOSALS - 1);
    assert!(contract.contains(&others), "{others}");
}
