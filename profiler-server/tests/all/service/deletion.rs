//! Deleted runs.

use crate::service::support::{Server, backend, job};
use profiler_client::{Client, Error, v1};
use profiler_server::Config;
use tonic::Code;

/// Submits a job under this request id, and cancels it.
async fn ended(client: &Client, request_id: &str) -> String {
    let named = v1::Job { request_id: request_id.into(), ..job() };
    let run = client.submit(named).await.unwrap();
    let run_id = run.id().to_owned();
    client.cancel(&run_id).await.unwrap();
    run.wait().await.unwrap_err();
    run_id
}

fn code(refused: Result<(), Error>) -> Code {
    match refused {
        Err(Error::Status(status)) => status.code(),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn deleted_run_is_gone_and_its_request_id_is_free() {
    let server = Server::start(Config::default(), backend::stuck()).await;
    let client = server.client().await;
    let (first, other) = (ended(&client, "again").await, ended(&client, "other").await);
    client.delete(&first).await.unwrap();
    assert_eq!(code(client.run(&first).await.map(drop)), Code::NotFound);
    assert_eq!(code(client.delete(&first).await), Code::NotFound);
    let listed = client.runs("").await.unwrap().runs;
    assert_eq!(listed.iter().map(|run| run.run_id.as_str()).collect::<Vec<_>>(), [&other]);
    assert_ne!(ended(&client, "again").await, first, "a new run, not the deleted one");
}

#[tokio::test]
async fn live_run_is_not_deleted() {
    let server = Server::start(Config::default(), backend::stuck()).await;
    let client = server.client().await;
    let (running, waiting) =
        (client.submit(job()).await.unwrap(), client.submit(job()).await.unwrap());
    for run in [&running, &waiting] {
        assert_eq!(code(client.delete(run.id()).await), Code::FailedPrecondition);
    }
    assert_eq!(client.runs("").await.unwrap().runs.len(), 2);
}
