//! A client of a later version.

use crate::service::support::{Server, backend, job};
use profiler_client::v1::event::Kind;
use profiler_proto::v1;
use profiler_server::Config;
use prost::Message;
use tonic::Code;
use tonic::client::Grpc;
use tonic::codegen::http::uri::PathAndQuery;

const SERVICE: &str = "/swiftsolve.profiler.v1.ProfilerService";

/// A message of the contract with fields that only a later version has. On the wire, a message and
/// its fields are bytes one after the other.
#[derive(Clone, PartialEq, Message)]
struct Later {
    #[prost(bytes, tag = "1")]
    job: Vec<u8>,
    #[prost(string, tag = "1000")]
    text: String,
    #[prost(message, repeated, tag = "1001")]
    nested: Vec<Later>,
    #[prost(double, optional, tag = "1002")]
    number: Option<f64>,
}

fn later(job: Vec<u8>) -> Later {
    let inner = Later { text: "inner".into(), ..Later::default() };
    Later { job, text: "unknown".into(), nested: vec![inner], number: Some(0.5) }
}

#[tokio::test]
async fn later_client_is_served() {
    let server = Server::start(Config::default(), backend::stuck()).await;
    let mut stub = Grpc::new(server.channel().await);
    stub.ready().await.unwrap();
    let mut bytes = job().encode_to_vec();
    bytes.extend(later(Vec::new()).encode_to_vec());
    let request = tonic::Request::new(later(bytes));
    let codec = tonic_prost::ProstCodec::<_, v1::ProfileStreamResponse>::new();
    let path = PathAndQuery::try_from(format!("{SERVICE}/ProfileStream")).unwrap();
    let mut events = stub.server_streaming(request, path, codec).await.unwrap().into_inner();
    let first = events.message().await.unwrap().unwrap().event.unwrap();
    assert!(matches!(first.kind, Some(Kind::Accepted(_))), "{first:?}");
}

#[tokio::test]
async fn call_of_a_later_version_is_unimplemented() {
    let server = Server::start(Config::default(), backend::stuck()).await;
    let mut stub = Grpc::new(server.channel().await);
    stub.ready().await.unwrap();
    let codec = tonic_prost::ProstCodec::<Later, Later>::new();
    let path = PathAndQuery::try_from(format!("{SERVICE}/Later")).unwrap();
    let refused = stub.unary(tonic::Request::new(Later::default()), path, codec).await.unwrap_err();
    assert_eq!(refused.code(), Code::Unimplemented);
}
