//! The metrics of a page, and what each of them says.

use prometheus_client::metrics::gauge::Gauge as IntegerGauge;
use prometheus_client::registry::{Metric, Registry};
use std::sync::atomic::AtomicU64;

pub(super) type Gauge = IntegerGauge<f64, AtomicU64>;

/// The metrics of a page, in its order.
pub(super) struct Page(pub(super) Registry);

impl Page {
    /// Adds a metric, described as in [`help`].
    pub(super) fn add<M: Metric + Clone>(&mut self, name: &'static str, metric: M) -> M {
        self.0.register(name, help(name), metric.clone());
        metric
    }
}

/// Returns the help text of a metric. The registry adds the full stop, and `_total` to the names of
/// counters.
pub(super) fn help(name: &str) -> &'static str {
    match name {
        "rpc_server_call_duration_seconds" => "Duration of calls of ProfilerService",
        "profiler_first_event_seconds" => "Time from the start of a stream to its first event",
        "profiler_events_sent" => "Events sent on streams, heartbeats included",
        "profiler_open_streams" => "Streams that are open",
        "profiler_queue_runs" => "Runs that wait for their turn",
        "profiler_queue_oldest_seconds" => "How long the run waits that waits longest",
        "profiler_queue_seconds" => "How long runs waited for their turn",
        "profiler_live_runs" => "Runs that run or wait",
        "profiler_runs" => "Ended runs",
        "profiler_run_seconds" => "Duration of ended runs from their turn on",
        "profiler_core_wait_seconds" => "How long runs waited for a core to measure on",
        "profiler_run_delay_ratio" => "Share of a size's time that its program waited for a core",
        "profiler_calibration_seconds" => "Time of the fixed piece of work in the last run",
        "profiler_sandbox_starts" => "Sandboxes that were started",
        "profiler_sandbox_failures" => "Sandboxes that could not be started",
        "profiler_swept" => "Sandboxes of dead servers that were removed",
        "profiler_store_seconds" => "Duration of the store's work, waiting included",
        "profiler_state_bytes" => "Bytes of the files of the state folder",
        "profiler_serving" => "1 while sandboxes can be started and runs can be stored",
        "profiler_build_info" => "1, labelled with the version and the backend",
        "profiler_uptime_seconds" => "Time since the server started",
        "profiler_fenced_runs" => "Runs that this worker of a fleet lost to another one",
        "profiler_fleet_workers" => "Workers that this gateway of a fleet sees",
        "profiler_fleet_cores" => "Cores of the workers that take jobs",
        "profiler_fleet_runs" => "Live runs of the fleet",
        "profiler_fleet_oldest_seconds" => "How long the run of a pool waits that waits longest",
        "profiler_fleet_restarts" => "Runs that began again, lost or handed back by a worker",
        _ => "",
    }
}

/// A number for a gauge of integers.
pub(super) fn integer(number: impl TryInto<i64>) -> i64 {
    number.try_into().unwrap_or(i64::MAX)
}
