//! Metrics of the server. The labels of a metric have a fixed set of values, or one for each pool
//! of a fleet, so that memory and pages stay small however many callers there are. docs/service.md
//! has the table; a test compares it with the page.

mod fleet;
mod instruments;
mod process;

pub(crate) use fleet::PoolReading;

use crate::runs::Refusal;
use instruments::{Instruments, integer};
use profiler_core::sandbox::Starts;
use profiler_proto::Word;
use profiler_proto::v1::{ErrorCode, ProfileReport};
use prometheus_client::encoding::prometheus_text;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;
use tokio::time::Instant;
use tonic::Code;

/// Means by which a caller can be identified.
pub(crate) const CLASSES: [&str; 4] = ["address", "certificate", "token", "uid"];
/// Label of the ending of a run that has a report.
pub(super) const FINISHED: &str = "finished";
fn endings() -> impl Iterator<Item = &'static str> {
    let codes = (1..).map_while(|number| ErrorCode::try_from(number).ok());
    codes.map(ErrorCode::word).chain([FINISHED])
}

/// Returns the class that another process named; the first class if no class has this name.
pub(crate) fn class_named(name: &str) -> &'static str {
    CLASSES.into_iter().find(|class| *class == name).unwrap_or(CLASSES[0])
}

/// The metrics. Clones share them.
#[derive(Debug, Clone)]
pub(crate) struct Metrics(Arc<Instruments>);

/// Figures that are read when a page is made.
#[derive(Debug, Clone, Default)]
pub(crate) struct Reading {
    /// The class of the caller of each waiting run, and the time that the run has waited.
    pub(crate) waiting: Vec<(&'static str, Duration)>,
    /// Runs whose turn it is.
    pub(crate) running: usize,
    pub(crate) sandboxes: Starts,
    /// Number of removed sandboxes that dead servers had left behind.
    pub(crate) swept: u64,
    /// The files of the state, and their sizes in bytes.
    pub(crate) state_bytes: [(&'static str, u64); 2],
    /// Whether new runs are accepted.
    pub(crate) serving: bool,
    pub(crate) uptime: Duration,
    /// Number of runs that a worker of a fleet lost to another one.
    pub(crate) fenced: u64,
    /// Number of cores on which this process measures; 0 for a gateway.
    pub(crate) cores: usize,
    /// Whether the engine of a gateway's fleet stores messages; `None` for other processes.
    pub(crate) engine: Option<bool>,
    /// Share of their limit that the logs of a gateway's fleet have.
    pub(crate) log_share: f64,
    /// Number of messages of a fleet that this process could not read.
    pub(crate) broken: u64,
    /// The pools of a fleet, as a gateway sees them.
    pub(crate) pools: Vec<PoolReading>,
    /// Time at which the TLS certificate expires, in seconds since 1970; `None` without TLS.
    pub(crate) certificate_expiry: Option<i64>,
}

/// Meter of a stream of events, which is open until the meter is dropped.
pub(crate) struct StreamMeter {
    metrics: Metrics,
    begun: Instant,
    has_sent: bool,
}

impl Metrics {
    /// Creates the metrics of a server whose sandboxes come from `backend`.
    pub(crate) fn new(backend: &'static str) -> Self {
        let instruments = Instruments::new();
        let version = env!("CARGO_PKG_VERSION");
        instruments.build.get_or_create(&[("version", version), ("backend", backend)]).set(1);
        // Alerts need these zeros before the first run has ended or was refused.
        for ending in endings() {
            drop(instruments.runs.get_or_create(&[("ending", ending)]));
        }
        for cached in ["false", "true"] {
            drop(instruments.compile_seconds.get_or_create(&[("cached", cached)]));
        }
        for reason in Refusal::REASONS {
            drop(instruments.refusals.get_or_create(&[("reason", reason)]));
        }
        Self(Arc::new(instruments))
    }

    /// Notes a call that has ended.
    pub(crate) fn call(&self, method: &'static str, code: Code, took: Duration) {
        let labels = [
            ("rpc_system_name", "grpc"),
            ("rpc_method", method),
            ("rpc_response_status_code", status_name(code)),
        ];
        self.0.calls.get_or_create(&labels).observe(took.as_secs_f64());
        if matches!(code, Code::Internal | Code::Unknown | Code::DataLoss) {
            self.0.failed_calls.inc();
        }
    }

    /// Notes a submission that is refused.
    pub(crate) fn refused(&self, refusal: &Refusal) {
        self.0.refusals.get_or_create(&[("reason", refusal.reason())]).inc();
    }

    /// Returns the meter of a stream of events, whose call begins now.
    pub(crate) fn stream(&self) -> StreamMeter {
        self.0.streams.inc();
        StreamMeter { metrics: self.clone(), begun: Instant::now(), has_sent: false }
    }

    /// Notes the time that a run waited for its turn.
    pub(crate) fn run_waited(&self, class: &'static str, waited: Duration) {
        self.0.waited.get_or_create(&[("caller_class", class)]).observe(waited.as_secs_f64());
    }

    /// Notes that a run of a fleet has begun again.
    #[cfg(feature = "fleet")]
    pub(crate) fn run_restarted(&self, pool: &str) {
        self.0.fleet_restarts.get_or_create(&[("pool", pool.to_owned())]).inc();
    }

    /// Notes a run that has ended.
    pub(crate) fn run_ended(&self, ending: &'static str, took: Duration) {
        let labels = [("ending", ending)];
        self.0.runs.get_or_create(&labels).inc();
        self.0.run_seconds.get_or_create(&labels).observe(took.as_secs_f64());
    }

    /// Notes runs that the start of the server ended, because the last server had begun them.
    pub(crate) fn runs_interrupted(&self, count: u64) {
        let ending = ErrorCode::Interrupted.word();
        self.0.runs.get_or_create(&[("ending", ending)]).inc_by(count);
    }

    /// Notes the figures of a report that describe the host.
    pub(crate) fn report(&self, report: &ProfileReport) {
        if let Some(ms) = report.host.as_ref().and_then(|host| host.calibration_ms) {
            self.0.calibration.set(ms / 1e3);
        }
        let hosts = [report].into_iter().chain(&report.turns).filter_map(|it| it.host.as_ref());
        for ms in hosts.filter_map(|host| host.core_wait_ms) {
            self.0.core_wait.observe(ms / 1e3);
        }
        // A program that the caller compiled has no command.
        for step in report.compile.iter().filter(|step| !step.command.is_empty()) {
            let labels = [("cached", if step.cached { "true" } else { "false" })];
            self.0.compile_seconds.get_or_create(&labels).observe(step.wall_ms / 1e3);
        }
        for figures in report.sizes.iter().filter_map(|size| size.figures.as_ref()) {
            if let Some((delay, wall)) = figures.run_delay_ms.zip(figures.wall_ms)
                && wall.median > 0.0
            {
                self.0.delay_ratio.observe(delay.median / wall.median);
            }
        }
    }

    /// Notes the time that an operation of the store took, waiting included.
    pub(crate) fn store(&self, operation: &'static str, took: Duration) {
        self.0.store.get_or_create(&[("operation", operation)]).observe(took.as_secs_f64());
    }

    /// Renders the page for Prometheus.
    ///
    /// # Errors
    /// No error is known: writing to a string succeeds.
    pub(crate) fn page(&self, reading: &Reading) -> Result<String, fmt::Error> {
        let Instruments { queue, oldest, state_bytes, .. } = &*self.0;
        for class in CLASSES {
            let waits = reading.waiting.iter().filter(|(of, _)| *of == class).map(|(_, time)| time);
            let labels = [("caller_class", class)];
            queue.get_or_create(&labels).set(integer(waits.clone().count()));
            oldest.get_or_create(&labels).set(waits.max().map_or(0.0, Duration::as_secs_f64));
        }
        // A worker has no state.
        for (file, bytes) in reading.state_bytes.iter().filter(|(file, _)| !file.is_empty()) {
            state_bytes.get_or_create(&[("file", *file)]).set(integer(*bytes));
        }
        self.0.live.set(integer(reading.running + reading.waiting.len()));
        self.0.busy.set(integer(reading.running.min(reading.cores)));
        self.0.cores.set(integer(reading.cores));
        if let Some(is_up) = reading.engine {
            self.0.fleet_engine.get_or_create(&[]).set(is_up.into());
            self.0.fleet_log.get_or_create(&[]).set(reading.log_share);
        }
        if let Some(expiry) = reading.certificate_expiry {
            self.0.certificate_expiry.get_or_create(&[]).set(expiry);
        }
        self.0.sandbox_starts.inner().store(reading.sandboxes.succeeded, Relaxed);
        self.0.sandbox_failures.inner().store(reading.sandboxes.failed, Relaxed);
        self.0.swept.inner().store(reading.swept, Relaxed);
        self.0.serving.set(reading.serving.into());
        self.0.uptime.set(reading.uptime.as_secs_f64());
        self.0.fenced.inner().store(reading.fenced, Relaxed);
        self.0.fleet_broken.inner().store(reading.broken, Relaxed);
        fleet::set(&self.0, &reading.pools);
        let mut text = String::new();
        prometheus_text::encode(&mut text, &self.0.registry)?;
        Ok(text)
    }
}

impl StreamMeter {
    /// Counts an event that is sent now.
    pub(crate) fn sent<Event>(&mut self, event: Event) -> Event {
        let Instruments { first_event, events, .. } = &*self.metrics.0;
        if !std::mem::replace(&mut self.has_sent, true) {
            first_event.observe(self.begun.elapsed().as_secs_f64());
        }
        events.inc();
        event
    }
}

impl Drop for StreamMeter {
    fn drop(&mut self) {
        self.metrics.0.streams.dec();
    }
}

/// Returns the name of a status by the conventions of OpenTelemetry.
fn status_name(code: Code) -> &'static str {
    match code {
        Code::Ok => "OK",
        Code::Cancelled => "CANCELLED",
        Code::Unknown => "UNKNOWN",
        Code::InvalidArgument => "INVALID_ARGUMENT",
        Code::DeadlineExceeded => "DEADLINE_EXCEEDED",
        Code::NotFound => "NOT_FOUND",
        Code::AlreadyExists => "ALREADY_EXISTS",
        Code::PermissionDenied => "PERMISSION_DENIED",
        Code::ResourceExhausted => "RESOURCE_EXHAUSTED",
        Code::FailedPrecondition => "FAILED_PRECONDITION",
        Code::Aborted => "ABORTED",
        Code::OutOfRange => "OUT_OF_RANGE",
        Code::Unimplemented => "UNIMPLEMENTED",
        Code::Internal => "INTERNAL",
        Code::Unavailable => "UNAVAILABLE",
        Code::DataLoss => "DATA_LOSS",
        Code::Unauthenticated => "UNAUTHENTICATED",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use profiler_proto::v1::{CompileStep, Host};

    #[test]
    fn oldest_of_a_class_is_shown() {
        let metrics = Metrics::new("fake");
        let seconds = Duration::from_secs;
        let waiting = vec![("token", seconds(3)), ("uid", seconds(9)), ("token", seconds(7))];
        let page = metrics.page(&Reading { waiting, running: 1, ..Reading::default() }).unwrap();
        for line in [
            "profiler_queue_runs{caller_class=\"token\"} 2",
            "profiler_queue_oldest_seconds{caller_class=\"token\"} 7.0",
            "profiler_queue_oldest_seconds{caller_class=\"address\"} 0.0",
            "profiler_live_runs 4",
        ] {
            assert!(page.contains(line), "{line}: {page}");
        }
    }

    /// An alert on an increase sees the first event only if there was a zero before.
    #[test]
    fn counters_of_alerts_are_there_before_the_first_event() {
        let metrics = Metrics::new("fake");
        let page = metrics.page(&Reading { cores: 2, running: 1, ..Reading::default() }).unwrap();
        for line in [
            "profiler_failed_calls_total 0",
            "profiler_refusals_total{reason=\"QUOTA\"} 0",
            "profiler_busy_cores 1",
            "profiler_cores 2",
        ] {
            assert!(page.contains(line), "{line}: {page}");
        }
        assert!(!page.contains("file=\"\""), "a worker has no state: {page}");
        metrics.call("a method", Code::Internal, Duration::ZERO);
        metrics.call("a method", Code::NotFound, Duration::ZERO);
        metrics.refused(&Refusal::ShuttingDown);
        let page = metrics.page(&Reading::default()).unwrap();
        assert!(page.contains("profiler_failed_calls_total 1\n"), "{page}");
        assert!(page.contains("profiler_refusals_total{reason=\"SHUTTING_DOWN\"} 1\n"), "{page}");
    }

    #[test]
    fn stream_is_open_until_it_is_dropped() {
        let metrics = Metrics::new("fake");
        let page = || metrics.page(&Reading::default()).unwrap();
        let mut stream = metrics.stream();
        stream.sent(());
        stream.sent(());
        assert!(page().contains("profiler_open_streams 1\n"), "{}", page());
        drop(stream);
        for line in [
            "profiler_open_streams 0\n",
            "profiler_events_sent_total 2\n",
            "profiler_first_event_seconds_count 1\n",
        ] {
            assert!(page().contains(line), "{line}: {}", page());
        }
    }

    #[test]
    fn wait_for_a_core_is_counted_in_every_turn() {
        let waited = |ms| {
            let host = Some(Host { core_wait_ms: ms, ..Host::default() });
            ProfileReport { host, ..ProfileReport::default() }
        };
        let turns = vec![waited(Some(500.0)), waited(None)];
        let metrics = Metrics::new("fake");
        metrics.report(&ProfileReport { turns, ..waited(Some(0.0)) });
        let page = metrics.page(&Reading::default()).unwrap();
        for line in ["profiler_core_wait_seconds_sum 0.5\n", "profiler_core_wait_seconds_count 2\n"]
        {
            assert!(page.contains(line), "{line}: {page}");
        }
    }

    #[test]
    fn compilations_are_told_from_hits_of_the_cache() {
        let compiled = |cached, wall_ms, command: &str| {
            let step =
                CompileStep { cached, wall_ms, command: command.into(), ..Default::default() };
            ProfileReport { compile: Some(step), ..ProfileReport::default() }
        };
        let metrics = Metrics::new("fake");
        metrics.report(&compiled(false, 1500.0, "g++"));
        metrics.report(&compiled(true, 250.0, "g++"));
        metrics.report(&compiled(true, 250.0, "g++"));
        metrics.report(&compiled(false, 0.0, ""));
        let page = metrics.page(&Reading::default()).unwrap();
        for line in [
            "profiler_compile_seconds_sum{cached=\"false\"} 1.5\n",
            "profiler_compile_seconds_count{cached=\"false\"} 1\n",
            "profiler_compile_seconds_sum{cached=\"true\"} 0.5\n",
            "profiler_compile_seconds_count{cached=\"true\"} 2\n",
        ] {
            assert!(page.contains(line), "{line}: {page}");
        }
    }

    #[test]
    fn certificate_has_an_expiry_only_with_tls() {
        let metrics = Metrics::new("fake");
        let page = metrics.page(&Reading::default()).unwrap();
        assert!(!page.contains("\nprofiler_certificate_expiry_seconds "), "{page}");
        let reading = Reading { certificate_expiry: Some(1_800_000_000), ..Reading::default() };
        let page = metrics.page(&reading).unwrap();
        assert!(page.contains("\nprofiler_certificate_expiry_seconds 1800000000\n"), "{page}");
    }

    #[test]
    fn every_metric_says_what_it_is() {
        let page = Metrics::new("fake").page(&Reading::default()).unwrap();
        let help = page.lines().filter_map(|line| line.strip_prefix("# HELP "));
        let unsaid = help.filter(|line| line.ends_with(" .") || !line.contains(' '));
        assert_eq!(unsaid.collect::<Vec<_>>(), Vec::<&str>::new());
    }
}
