//! An engine, gateways, workers, and what is told of a run.

use futures::StreamExt;
use profiler_client::v1::event::Kind;
use profiler_client::v1::{
    Event, Growth, Host, InputExperiment, Job, OnDisconnect, ProfileReport, RunLimits,
    WatchRunRequest,
};
use profiler_client::{Client, Run};
use profiler_core::Profiler;
use profiler_core::sandbox::fake::Fake;
use profiler_core::sandbox::{Choice, Instance, Pool};
use profiler_fleet::{Credentials, Fleet};
use profiler_proto::v1::profiler_service_client::ProfilerServiceClient;
use profiler_server::{WorkerSettings, work};
use profiler_test_support::nats::NatsServer;
use profiler_test_support::require::or_skip;
use profiler_test_support::wait::until;
use profiler_tests::jobs;
use profiler_tests::swiftprof::{Signal, run, signal, swiftprof};
use serde_json::Value;
use std::future::{pending, ready};
use std::process::Stdio;
use std::sync::Arc;
use std::sync::Mutex as Shared;
use std::time::Duration;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use tokio::sync::{Mutex, MutexGuard};
use tonic::transport::{Channel, Endpoint};

/// Longer than anything here takes unless it hangs.
pub(crate) const PATIENCE: Duration = Duration::from_secs(120);
/// The sizes of a run that takes some seconds.
pub(crate) const SIZES: [u64; 8] = [1, 2, 3, 4, 5, 6, 7, 8];
/// Duration of the calibration of a fake.
pub(crate) const FAKE_CALIBRATION_MS: f64 = 1.25;
/// Time after which the engine gives out the job of a killed worker, if a test asks for it.
const SOON: Duration = Duration::from_secs(1);
/// The time of one run of its program.
const RUN_MS: u32 = 50;
/// Timed runs of a size. A precise figure would take the measured core, for which all tests of a
/// host wait, several times as long.
const REPETITIONS: u32 = 3;
/// Time limit of one run. The limits of all runs of a job must allow at most an hour.
const TIMEOUT_MS: f64 = 10_000.0;

/// One test at a time: the workers of a host share its measured cores, and a stopped one holds its
/// core.
static ONE: Mutex<()> = Mutex::const_new(());

/// A fleet without gateways and workers.
pub(crate) struct Scene {
    pub(crate) engines: Vec<NatsServer>,
    _alone: MutexGuard<'static, ()>,
    folder: TempDir,
}

/// A process of the fleet, and what it has logged.
pub(crate) struct Member {
    child: Child,
    log: Arc<Shared<Vec<String>>>,
    url: String,
}

impl Scene {
    /// `None` where native sandboxes or an engine cannot be had.
    pub(crate) async fn set() -> Option<Self> {
        Self::over(async || Some(vec![NatsServer::start().await?])).await
    }

    /// The same with a cluster of three servers.
    pub(crate) async fn set_with_three_servers() -> Option<Self> {
        Self::over(NatsServer::three).await
    }

    async fn over(engines: impl AsyncFnOnce() -> Option<Vec<NatsServer>>) -> Option<Self> {
        let native = Choice::Native.select("", Instance::fresh(), |_| {}).await;
        or_skip("native", native.map(drop))?;
        let alone = ONE.lock().await;
        let engines = engines().await?;
        Some(Self { engines, _alone: alone, folder: tempfile::tempdir().expect("a folder") })
    }

    /// Returns the addresses of the engine's servers, separated by commas.
    pub(crate) fn url(&self) -> String {
        self.engines.iter().map(NatsServer::url).collect::<Vec<_>>().join(",")
    }

    /// Starts a gateway, or starts it again with what it had stored.
    pub(crate) async fn gateway(&self, name: &str, settings: &[(&str, &str)]) -> Member {
        let socket = self.folder.path().join(name);
        let listen = format!("unix:{}", socket.display());
        let state = self.folder.path().join(format!("{name}.state"));
        let mut command = swiftprof(&["serve", "--listen", &listen, "--fleet", &self.url()]);
        command.env("PROFILER_STATE_DIR", state).envs(settings.iter().copied());
        let member = Member::start(command, listen);
        member.until_logged("listening on").await;
        member
    }

    /// Starts a worker, and waits until it takes jobs.
    pub(crate) async fn worker(&self, words: &[&str]) -> Member {
        let url = self.url();
        let own = ["worker", "--fleet", &url, "--backend", "native"];
        let member = Member::start(swiftprof(&[&own[..], words].concat()), String::new());
        member.until_logged("in pool").await;
        member
    }

    /// Starts a worker in this process, whose host is stated and whose sandboxes are fakes.
    pub(crate) async fn stated_worker(&self, name: &str, calibration_ms: f64) {
        let fleet = Fleet::join(&self.url(), &Credentials::default()).await;
        let profiler = Profiler::new(Pool::new(Arc::new(Fake::costing(0, 0)), 0), None);
        let place = Host {
            fingerprint: Some("stated".into()),
            cpu_model: "stated".into(),
            kernel: "stated".into(),
            calibration_ms: Some(calibration_ms),
            ..Host::default()
        };
        let settings = WorkerSettings {
            name: name.into(),
            host: name.into(),
            cores: 1,
            drain: Duration::ZERO,
            metrics: None,
        };
        tokio::spawn(work(ready(fleet), profiler, place, settings, pending()));
    }

    /// Makes the engine give out the jobs of a lost worker after a second, rather than when its
    /// lease has ended. No worker may be suspended: it would still believe in its lease.
    pub(crate) async fn give_out_soon(&self) {
        let client = async_nats::connect(self.url()).await.expect("connected");
        let jobs = async_nats::jetstream::new(client).get_stream("SP_JOBS").await;
        let jobs = jobs.expect("a gateway made it");
        let mut consumers = jobs.consumers();
        while let Some(consumer) = consumers.next().await {
            let found = consumer.expect("read").config;
            let config = async_nats::jetstream::consumer::Config { ack_wait: SOON, ..found };
            jobs.update_consumer(config).await.expect("updated");
        }
    }

    /// Returns what `swiftprof fleet` says of the workers of the only pool. A slow worker answers
    /// too late for it, so this asks again until it names `count` workers.
    pub(crate) async fn workers(&self, count: usize) -> Vec<Value> {
        let heard = async || {
            let said = run(&["fleet", "--fleet", &self.url(), "--format", "json"]).await.stdout;
            let view: Value = serde_json::from_slice(&said).ok()?;
            let workers = view["pools"][0]["workers"].as_array()?;
            (workers.len() == count).then(|| workers.clone())
        };
        until("the workers are heard", PATIENCE, heard).await
    }
}

impl Member {
    fn start(mut command: Command, url: String) -> Self {
        let mut child = command.stderr(Stdio::piped()).spawn().expect("swiftprof starts");
        let mut lines = BufReader::new(child.stderr.take().expect("stderr is piped")).lines();
        let log = Arc::new(Shared::new(Vec::new()));
        let kept = log.clone();
        tokio::spawn(async move {
            while let Ok(Some(line)) = lines.next_line().await {
                println!("    {line}");
                kept.lock().expect("nobody panics with it").push(line);
            }
        });
        Self { child, log, url }
    }

    /// Waits until some sizes of a run are measured here.
    pub(crate) async fn until_measured(&self, run_id: &str) {
        let measured = async || {
            let log = self.log.lock().expect("nobody panics with it");
            let is_its =
                |line: &&String| line.contains(run_id) && line.contains("measured size=2 ");
            log.iter().find(is_its).map(drop)
        };
        until("it measures the run", PATIENCE, measured).await;
    }

    pub(crate) async fn until_logged(&self, text: &str) {
        let found = async || {
            let log = self.log.lock().expect("nobody panics with it");
            log.iter().any(|line| line.contains(text)).then_some(())
        };
        until(&format!("the log says {text:?}"), PATIENCE, found).await;
    }

    /// Returns a client of this gateway, once it serves.
    pub(crate) async fn client(&self) -> Client {
        let client = Client::connect(&self.url).await.expect("the gateway answers");
        let serves = async || client.capabilities().await.ok()?.serving.then_some(());
        until("the gateway serves", PATIENCE, serves).await;
        client
    }

    /// Returns the address of a gateway.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// Sends a signal.
    pub(crate) fn signal(&self, sent: Signal) {
        signal(&self.child, sent);
    }

    pub(crate) async fn kill(mut self) {
        self.child.kill().await.expect("it lives");
    }

    /// Waits until it has ended.
    pub(crate) async fn ended(mut self) {
        let ended = tokio::time::timeout(PATIENCE, self.child.wait()).await;
        ended.expect("it ends").expect("it was waited for");
    }

    /// The calls of this gateway, each made once.
    pub(crate) async fn stub(&self) -> ProfilerServiceClient<Channel> {
        let endpoint = Endpoint::from_shared(self.url.clone()).expect("an endpoint");
        let channel = endpoint.connect().await.expect("the gateway answers");
        ProfilerServiceClient::new(channel)
    }

    /// Every event of a run as this gateway tells it, to the last.
    pub(crate) async fn story(&self, run_id: &str) -> Vec<Event> {
        let request = WatchRunRequest { run_id: run_id.into(), after_sequence: 0 };
        let watch = self.stub().await.watch_run(request).await;
        let mut watch = watch.expect("it can be watched").into_inner();
        let mut events = Vec::new();
        while let Some(answer) = watch.message().await.expect("it goes on") {
            let event = answer.event.expect("an event");
            if !matches!(event.kind, Some(Kind::Heartbeat(_))) {
                events.push(event);
            }
        }
        events
    }

    /// Whether a run is measured here now: its log says so.
    pub(crate) fn has_measured(&self) -> bool {
        self.has_logged("measured size=1 ")
    }

    /// Waits until a run is compiled here.
    pub(crate) async fn until_compiled(&self) {
        let compiled = async || self.has_logged(": compiled ").then_some(());
        until("it compiles a run", PATIENCE, compiled).await;
    }

    /// Whether the log says this of a run.
    fn has_logged(&self, text: &str) -> bool {
        let log = self.log.lock().expect("nobody panics with it");
        log.iter().any(|line| line.contains(text) && !line.contains("calibration"))
    }
}

/// A run of some seconds that nobody has to hold.
pub(crate) async fn detached(client: &Client) -> Run {
    client.submit(job()).await.expect("accepted")
}

/// A job of some seconds. Nothing here is about its growth or its input, which would take longer
/// than its sizes.
pub(crate) fn job() -> Job {
    let (job, _) = jobs::computing_ms(RUN_MS);
    Job {
        input_sizes: SIZES.into(),
        limits: Some(RunLimits { timeout_ms: Some(TIMEOUT_MS), ..RunLimits::default() }),
        on_disconnect: OnDisconnect::Detach.into(),
        repetitions: Some(REPETITIONS),
        growth: Growth::Timed.into(),
        input_experiment: InputExperiment::Off.into(),
        ..job
    }
}

/// The events in words. Whether a run waits for a core depends on the other workers of this host.
pub(crate) fn words(events: &[Event]) -> Vec<String> {
    let numbers: Vec<_> = events.iter().map(|event| event.sequence).collect();
    assert_eq!(numbers, (1..=events.len() as u64).collect::<Vec<_>>(), "numbers without gaps");
    let word = |event: &Event| {
        Some(match event.kind.as_ref().expect("a kind") {
            Kind::Accepted(_) => "accepted".into(),
            Kind::Started(started) => format!("started {}", started.attempt),
            Kind::CoreAwaited(_) => return None,
            Kind::Restarted(restarted) => format!("restarted {}", restarted.attempt),
            Kind::Compiled(_) => "compiled".into(),
            Kind::SizeMeasured(size) => format!("size {}", size.size),
            Kind::Finished(_) => "finished".into(),
            Kind::Failed(error) => format!("failed {}", error.code().as_str_name()),
            Kind::Heartbeat(_) => "heartbeat".into(),
        })
    };
    events.iter().filter_map(word).collect()
}

/// The report of a finished run.
pub(crate) fn report(events: &[Event]) -> &ProfileReport {
    match events.last().and_then(|event| event.kind.as_ref()) {
        Some(Kind::Finished(report)) => report,
        other => panic!("no report: {other:?}"),
    }
}

/// Waits until one of two workers measures a run. Returns it first, then the other.
pub(crate) async fn split(one: Member, other: Member) -> (Member, Member) {
    let measures = async || {
        if one.has_measured() { Some(true) } else { other.has_measured().then_some(false) }
    };
    let first = until("a worker measures", PATIENCE, measures).await;
    if first { (one, other) } else { (other, one) }
}
