//! A server without logic: it hands each incoming call to the test, which answers.

use profiler_client::v1;
use profiler_client::v1::profiler_service_server::{ProfilerService, ProfilerServiceServer};
use std::net::SocketAddr;
use std::pin::Pin;
use tokio::net::TcpListener;
use tokio::sync::{mpsc, oneshot};
use tokio_stream::wrappers::{ReceiverStream, TcpListenerStream};
use tokio_stream::{Stream, StreamExt};
use tonic::{Request, Response, Status};

/// More calls and events than any test has at a time.
const ROOM: usize = 64;

/// An incoming call.
#[derive(Debug)]
pub(crate) enum Call {
    Submission(Box<Submission>),
    Watch(v1::WatchRunRequest, Answer),
    Cancel(String),
    Get,
}

/// An incoming job.
#[derive(Debug)]
pub(crate) struct Submission {
    pub(crate) job: v1::Job,
    pub(crate) caller: Option<String>,
    pub(crate) answer: Answer,
}

/// The answer to a call that opens a stream. Without an answer the caller waits for ever.
#[derive(Debug)]
pub(crate) struct Answer(oneshot::Sender<Result<Feed, Status>>);

type Feed = mpsc::Receiver<Result<v1::Event, Status>>;
/// The sender of a stream. Dropping it ends the stream with the status OK.
pub(crate) type Events = mpsc::Sender<Result<v1::Event, Status>>;

impl Answer {
    pub(crate) fn refuse(self, status: Status) {
        self.0.send(Err(status)).unwrap();
    }

    /// Opens the stream, sends these events on it, and ends it.
    pub(crate) async fn all(self, events: Vec<v1::Event>) {
        drop(self.stream(events).await);
    }

    /// Opens the stream, and sends these events on it.
    pub(crate) async fn stream(self, events: Vec<v1::Event>) -> Events {
        let (feeder, feed) = mpsc::channel(ROOM);
        self.0.send(Ok(feed)).unwrap();
        for event in events {
            feeder.send(Ok(event)).await.unwrap();
        }
        feeder
    }
}

/// Serves on a free port.
pub(crate) async fn serve() -> (SocketAddr, mpsc::Receiver<Call>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (calls, called) = mpsc::channel(ROOM);
    let service = ProfilerServiceServer::new(Service(calls));
    let server = tonic::transport::Server::builder().add_service(service);
    tokio::spawn(server.serve_with_incoming(TcpListenerStream::new(listener)));
    (address, called)
}

struct Service(mpsc::Sender<Call>);

type Answers<T> = Pin<Box<dyn Stream<Item = Result<T, Status>> + Send>>;

impl Service {
    async fn ask(&self, call: Call) {
        self.0.send(call).await.unwrap();
    }
}

/// The test's answers. Without an answer, the caller waits.
async fn answered(answer: oneshot::Receiver<Result<Feed, Status>>) -> Result<Feed, Status> {
    match answer.await {
        Ok(answer) => answer,
        Err(_) => std::future::pending().await,
    }
}

#[tonic::async_trait]
impl ProfilerService for Service {
    type ProfileStreamStream = Answers<v1::ProfileStreamResponse>;
    type WatchRunStream = Answers<v1::WatchRunResponse>;

    async fn profile_stream(
        &self,
        request: Request<v1::ProfileStreamRequest>,
    ) -> Result<Response<Self::ProfileStreamStream>, Status> {
        let (answer, events) = oneshot::channel();
        let caller = request.metadata().get("x-caller");
        let caller = caller.map(|name| name.to_str().unwrap().to_owned());
        let job = request.into_inner().job.unwrap();
        let submission = Submission { job, caller, answer: Answer(answer) };
        self.ask(Call::Submission(Box::new(submission))).await;
        let events = ReceiverStream::new(answered(events).await?);
        let answer = |event| v1::ProfileStreamResponse { event: Some(event) };
        Ok(Response::new(Box::pin(events.map(move |event| event.map(answer)))))
    }

    async fn watch_run(
        &self,
        request: Request<v1::WatchRunRequest>,
    ) -> Result<Response<Self::WatchRunStream>, Status> {
        let (answer, events) = oneshot::channel();
        self.ask(Call::Watch(request.into_inner(), Answer(answer))).await;
        let events = ReceiverStream::new(answered(events).await?);
        let answer = |event| v1::WatchRunResponse { event: Some(event) };
        Ok(Response::new(Box::pin(events.map(move |event| event.map(answer)))))
    }

    async fn cancel_run(
        &self,
        request: Request<v1::CancelRunRequest>,
    ) -> Result<Response<v1::CancelRunResponse>, Status> {
        self.ask(Call::Cancel(request.into_inner().run_id)).await;
        Ok(Response::new(v1::CancelRunResponse {}))
    }

    async fn get_run(
        &self,
        request: Request<v1::GetRunRequest>,
    ) -> Result<Response<v1::GetRunResponse>, Status> {
        let run_id = request.into_inner().run_id;
        self.ask(Call::Get).await;
        let run = v1::Run { run_id, ..v1::Run::default() };
        Ok(Response::new(v1::GetRunResponse { run: Some(run), ending: None }))
    }

    async fn list_runs(
        &self,
        request: Request<v1::ListRunsRequest>,
    ) -> Result<Response<v1::ListRunsResponse>, Status> {
        let run_id = format!("behind {:?}", request.into_inner().page_token);
        let runs = vec![v1::Run { run_id, ..v1::Run::default() }];
        Ok(Response::new(v1::ListRunsResponse { runs, next_page_token: "next".into() }))
    }

    async fn profile(
        &self,
        _: Request<v1::ProfileRequest>,
    ) -> Result<Response<v1::ProfileResponse>, Status> {
        Err(Status::unimplemented("the client streams"))
    }

    async fn delete_run(
        &self,
        _: Request<v1::DeleteRunRequest>,
    ) -> Result<Response<v1::DeleteRunResponse>, Status> {
        Err(Status::unimplemented("no test asks"))
    }

    async fn export_run(
        &self,
        _: Request<v1::ExportRunRequest>,
    ) -> Result<Response<v1::ExportRunResponse>, Status> {
        Err(Status::unimplemented("no test asks"))
    }

    async fn infer_inputs(
        &self,
        _: Request<v1::InferInputsRequest>,
    ) -> Result<Response<v1::InferInputsResponse>, Status> {
        Err(Status::unimplemented("no test asks"))
    }

    async fn get_capabilities(
        &self,
        _: Request<v1::GetCapabilitiesRequest>,
    ) -> Result<Response<v1::GetCapabilitiesResponse>, Status> {
        Err(Status::unimplemented("no test asks"))
    }
}
