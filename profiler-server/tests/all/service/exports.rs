//! Documents of ended runs.

use crate::service::support::{Server, backend, job};
use profiler_client::{Client, Error, v1};
use profiler_core::Profiler;
use profiler_core::sandbox::Pool;
use profiler_core::sandbox::fake::Fake;
use profiler_server::Config;
use std::sync::Arc;

/// A server whose runs end, a client, and the id of an ended run.
async fn ended() -> (Server, Client, String) {
    let pool = Pool::new(Arc::new(Fake::costing(20, 8)), 1);
    let profiler = Profiler::new(pool, None);
    let server = Server::start(Config::default(), profiler).await;
    let client = server.client().await;
    let run = client.submit(job()).await.unwrap();
    let id = run.id().to_owned();
    run.wait().await.unwrap();
    (server, client, id)
}

/// The code and the text of a refused export.
async fn refused(client: &Client, run_id: &str, format: v1::ExportFormat) -> (tonic::Code, String) {
    match client.export(run_id, format).await {
        Err(Error::Status(status)) => (status.code(), status.message().to_owned()),
        Err(Error::Invalid { message, .. }) => (tonic::Code::InvalidArgument, message),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn ended_run_is_a_document() {
    use v1::ExportFormat::{Json, Junit, PerunMixed, Sarif, Text};
    let (_server, client, id) = ended().await;
    let csv = client.export(&id, v1::ExportFormat::Csv).await.unwrap();
    assert_eq!(
        (csv.file_name.as_str(), csv.media_type.as_str()),
        ("hello.csv", "text/csv; charset=utf-8")
    );
    let rows = String::from_utf8(csv.content).unwrap().lines().count();
    let Some(v1::get_run_response::Ending::Report(report)) = client.run(&id).await.unwrap().ending
    else {
        panic!()
    };
    assert_eq!(rows, report.sizes.len() + 1);
    for format in [Json, Text, PerunMixed, Junit, Sarif] {
        assert!(!client.export(&id, format).await.unwrap().content.is_empty(), "{format:?}");
    }
}

#[tokio::test]
async fn export_that_cannot_be_made_says_why() {
    let (_server, client, id) = ended().await;
    let (code, text) = refused(&client, &id, v1::ExportFormat::FlameGraph).await;
    assert_eq!(code, tonic::Code::FailedPrecondition);
    assert!(text.contains("`debug`"), "{text}");
    let (code, _) = refused(&client, "nobody", v1::ExportFormat::Csv).await;
    assert_eq!(code, tonic::Code::NotFound);
    let (code, _) = refused(&client, &id, v1::ExportFormat::Unspecified).await;
    assert_eq!(code, tonic::Code::InvalidArgument);
}

#[tokio::test]
async fn run_under_way_has_no_document() {
    let server = Server::start(Config::default(), backend::stuck()).await;
    let client = server.client().await;
    let run = client.submit(job()).await.unwrap();
    let (code, text) = refused(&client, run.id(), v1::ExportFormat::Json).await;
    assert_eq!(code, tonic::Code::FailedPrecondition);
    assert!(text.contains("has not ended"), "{text}");
}
