//! A gateway on an engine, its workers, and the events of a run.

use async_nats::jetstream::Context;
use async_nats::jetstream::stream::Config;
use futures::StreamExt;
use profiler_fleet::simulated::{Link, SimulatedEngine};
use profiler_fleet::{
    Credentials, Fleet, Followed, Gateway, LogLimits, NewRun, Origin, Submitted, Taken, Worker,
};
use profiler_proto::v1;
use profiler_proto::v1::event::Kind;
use profiler_test_support::nats::NatsServer;
use profiler_test_support::wait::until;
use profiler_test_support::wire::Wire;
use sha2::{Digest, Sha256};
use std::sync::Mutex;
use std::time::Duration;
use tokio::time::timeout;

pub(crate) const POOL: &str = "a2e4758ef19427fe";
/// Maximum number of jobs that the engine accepts from one caller.
pub(crate) const MAX_JOBS_PER_CALLER: u32 = 2048;
/// Number of submissions that wait for their answers at the same time.
const AT_A_TIME: usize = 16;
/// Time limit of each wait. A wait that succeeds is much shorter.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// The engine of a scene.
enum Server {
    Real(Box<NatsServer>),
    Simulated(SimulatedEngine),
}

pub(crate) struct Scene {
    server: Server,
    pub(crate) gateway: Gateway,
}

impl Scene {
    /// A scene on a real NATS server; `None` if there is no such program.
    pub(crate) async fn real() -> Option<Self> {
        let server = NatsServer::start().await?;
        let gateway = Gateway::new(prepare(&server.url()).await);
        Some(Self { gateway, server: Server::Real(Box::new(server)) })
    }

    pub(crate) fn simulated() -> Self {
        let engine = SimulatedEngine::new(1);
        let gateway = Gateway::new(engine.prepare().0);
        Self { gateway, server: Server::Simulated(engine) }
    }

    pub(crate) fn is_simulated(&self) -> bool {
        matches!(self.server, Server::Simulated(_))
    }

    /// The URL of the real server.
    pub(crate) fn url(&self) -> String {
        match &self.server {
            Server::Real(server) => server.url(),
            Server::Simulated(_) => panic!("a simulated engine has no URL"),
        }
    }

    pub(crate) async fn kill(&mut self) {
        match &mut self.server {
            Server::Real(server) => server.kill().await,
            Server::Simulated(engine) => engine.kill(),
        }
    }

    pub(crate) async fn restart(&mut self) {
        match &mut self.server {
            Server::Real(server) => server.restart().await,
            Server::Simulated(engine) => engine.restart(),
        }
    }

    /// Lets the engine store no log, or gives it room. A real one has room for one message, which
    /// its gateway soon takes.
    pub(crate) async fn fill_disk(&self, is_full: bool) {
        match &self.server {
            Server::Real(server) => {
                let context = context(server).await;
                let found = context.get_stream("SP_LOGS").await.expect("it is there");
                let config = found.cached_info().config.clone();
                let config = Config { max_messages: if is_full { 1 } else { -1 }, ..config };
                context.update_stream(config).await.expect("updated");
            }
            Server::Simulated(engine) => engine.fill(is_full),
        }
    }

    /// Bounds the size of the logs, in bytes.
    pub(crate) async fn limit_logs(&self, bytes: u32) {
        match &self.server {
            Server::Real(server) => {
                let limits = LogLimits { bytes: Some(bytes.into()), ..LogLimits::default() };
                let prepared = Fleet::prepare(&server.url(), &Credentials::default(), limits).await;
                prepared.expect("prepared");
            }
            Server::Simulated(engine) => engine.limit_logs(bytes.into()),
        }
    }

    /// Stores a message that no process of a fleet writes.
    pub(crate) async fn put(&self, subject: &str, payload: &'static [u8]) {
        match &self.server {
            Server::Real(server) => {
                let context = context(server).await;
                let sent = context.publish(subject.to_owned(), payload.into()).await;
                sent.expect("sent").await.expect("stored");
            }
            Server::Simulated(engine) => engine.put(subject, payload),
        }
    }

    pub(crate) async fn log_length(&self) -> usize {
        match &self.server {
            Server::Real(server) => {
                let found = context(server).await.get_stream("SP_LOGS").await;
                let found = found.expect("it is there").cached_info().state.messages;
                usize::try_from(found).expect("few")
            }
            Server::Simulated(engine) => engine.log_length(),
        }
    }

    /// A counter of an operation, which the wire calls `word`, over the connections that it makes.
    /// If it `loses`, the first request is lost.
    pub(crate) async fn counter(
        &self,
        word: &'static str,
        operation: &'static str,
        loses: bool,
    ) -> Counter {
        match &self.server {
            Server::Real(server) => {
                Counter::Real(Wire::start(&server.address(), word, loses).await)
            }
            Server::Simulated(engine) => Counter::Simulated {
                engine: engine.clone(),
                operation,
                loses,
                links: Mutex::default(),
            },
        }
    }

    pub(crate) async fn another_gateway(&self) -> Gateway {
        Gateway::new(match &self.server {
            Server::Real(server) => prepare(&server.url()).await,
            Server::Simulated(engine) => engine.prepare().0,
        })
    }

    pub(crate) async fn join(&self) -> Fleet {
        match &self.server {
            Server::Real(server) => {
                Fleet::join(&server.url(), &Credentials::default()).await.expect("joined")
            }
            Server::Simulated(engine) => engine.join().0,
        }
    }

    pub(crate) async fn worker(&self, name: &str) -> Worker {
        Worker::new(self.join().await, name.into(), POOL.into())
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

async fn prepare(url: &str) -> Fleet {
    let prepared = Fleet::prepare(url, &Credentials::default(), LogLimits::default()).await;
    prepared.expect("prepared")
}

async fn context(server: &NatsServer) -> Context {
    async_nats::jetstream::new(async_nats::connect(server.url()).await.expect("connected"))
}

/// Number of the requests of an operation.
pub(crate) enum Counter {
    Real(Wire),
    Simulated {
        engine: SimulatedEngine,
        operation: &'static str,
        loses: bool,
        links: Mutex<Vec<Link>>,
    },
}

impl Counter {
    pub(crate) async fn prepare(&self) -> Fleet {
        match self {
            Self::Real(wire) => prepare(&wire.url()).await,
            Self::Simulated { engine, .. } => self.counted(engine.prepare()),
        }
    }

    pub(crate) async fn join(&self) -> Fleet {
        match self {
            Self::Real(wire) => {
                Fleet::join(&wire.url(), &Credentials::default()).await.expect("joined")
            }
            Self::Simulated { engine, .. } => self.counted(engine.join()),
        }
    }

    fn counted(&self, (fleet, link): (Fleet, Link)) -> Fleet {
        if let Self::Simulated { operation, loses, links, .. } = self {
            if *loses {
                link.lose_next(operation);
            }
            links.lock().expect("no panic").push(link);
        }
        fleet
    }

    pub(crate) fn count(&self) -> usize {
        match self {
            Self::Real(wire) => wire.count(),
            Self::Simulated { operation, links, .. } => {
                links.lock().expect("no panic").iter().map(|link| link.count(operation)).sum()
            }
        }
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

/// The hash that stands for texts in subjects.
pub(crate) fn digest(texts: &[&str]) -> String {
    let mut hash = Sha256::new();
    for text in texts {
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text);
    }
    format!("{:x}", hash.finalize())
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
