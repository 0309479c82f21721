//! A gateway on a real NATS server, its workers, and the events of a run.

use futures::StreamExt;
use profiler_fleet::{
    Credentials, Fleet, Followed, Gateway, NewRun, Origin, Submitted, Taken, Worker,
};
use profiler_proto::v1;
use profiler_proto::v1::event::Kind;
use profiler_test_support::nats::NatsServer;
use profiler_test_support::wait::until;
use std::time::Duration;
use tokio::time::timeout;

pub(crate) const POOL: &str = "a2e4758ef19427fe";
/// Maximum number of jobs that the engine accepts from one caller.
pub(crate) const MAX_JOBS_PER_CALLER: u32 = 2048;
/// Number of submissions that wait for their answers at the same time.
const AT_A_TIME: usize = 16;
/// Time limit of each wait. A wait that succeeds is much shorter.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) struct Scene {
    pub(crate) server: NatsServer,
    pub(crate) gateway: Gateway,
}

impl Scene {
    pub(crate) async fn set() -> Option<Self> {
        let server = NatsServer::start().await?;
        let fleet = Fleet::prepare(&server.url(), &Credentials::default()).await;
        Some(Self { gateway: Gateway::new(fleet.expect("prepared")), server })
    }

    pub(crate) async fn another_gateway(&self) -> Gateway {
        let fleet = Fleet::prepare(&self.server.url(), &Credentials::default()).await;
        Gateway::new(fleet.expect("prepared"))
    }

    pub(crate) async fn worker(&self, name: &str) -> Worker {
        let fleet = Fleet::join(&self.server.url(), &Credentials::default()).await;
        Worker::new(fleet.expect("joined"), name.into(), POOL.into())
    }

    /// Submits as many runs of a caller as the engine accepts.
    pub(crate) async fn fill(&self, caller: &str) {
        let submitted = futures::stream::iter(0..MAX_JOBS_PER_CALLER)
            .map(|number| self.accepted(run(&format!("run-{number}"), caller, "")));
        submitted.buffer_unordered(AT_A_TIME).for_each(async |_| {}).await;
    }

    /// Submits a run until the engine answers in time, and returns its ID.
    pub(crate) async fn accepted(&self, run: NewRun) -> String {
        let submitted = async || self.gateway.submit(run.clone()).await.ok();
        let submitted = until("it is submitted", PATIENCE, submitted).await;
        let Submitted::Run(origin) = submitted else { panic!("{submitted:?}") };
        origin.run.expect("a row").run_id
    }

    /// The kinds of a run's events, in words.
    pub(crate) async fn story(&self, run_id: &str) -> Vec<String> {
        let events = self.gateway.fleet().events_of(run_id).await.expect("read");
        let numbers: Vec<_> = events.iter().map(|followed| followed.event.sequence).collect();
        assert_eq!(numbers, (1..=events.len() as u64).collect::<Vec<_>>());
        events.iter().map(word).collect()
    }
}

pub(crate) fn word(followed: &Followed) -> String {
    match followed.event.kind.as_ref().expect("a kind") {
        Kind::Accepted(_) => "accepted".into(),
        Kind::Started(started) => format!("started {}", started.attempt),
        Kind::Restarted(restarted) => format!("restarted {}", restarted.attempt),
        Kind::SizeMeasured(result) => format!("size {}", result.size),
        Kind::Finished(_) => "finished".into(),
        Kind::Failed(error) => format!("failed {}", error.code().as_str_name()),
        other => panic!("{other:?}"),
    }
}

pub(crate) fn run(run_id: &str, caller: &str, request_id: &str) -> NewRun {
    let row = v1::Run {
        run_id: run_id.into(),
        caller: caller.into(),
        request_id: request_id.into(),
        ..v1::Run::default()
    };
    let origin = Origin {
        run: Some(row),
        owner: caller.into(),
        digest: vec![7; 32],
        pool: POOL.into(),
        ..Origin::default()
    };
    NewRun { origin, job: Vec::new(), defaults: Vec::new(), queue_position: 0 }
}

pub(crate) async fn take(worker: &Worker) -> Taken {
    let taken = worker.take(|_, _| failed(v1::ErrorCode::Interrupted), std::future::pending());
    timeout(PATIENCE, taken).await.expect("in time").expect("taken").expect("a job")
}

pub(crate) fn failed(code: v1::ErrorCode) -> v1::SandboxError {
    v1::SandboxError { code: code.into(), ..v1::SandboxError::default() }
}

pub(crate) fn size(size: u64) -> Kind {
    Kind::SizeMeasured(v1::SizeResult { size, ..v1::SizeResult::default() })
}

pub(crate) fn report() -> Kind {
    Kind::Finished(v1::ProfileReport::default())
}
