//! The metrics of the page for Prometheus, in its order. Each is declared once.

use super::process::Process;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge as IntegerGauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;
use std::sync::atomic::AtomicU64;

/// Upper bounds of the buckets for the times of calls, waits and runs, in seconds. The lower ones
/// are those of OpenTelemetry.
const SECONDS: [f64; 16] = [
    0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0, 3600.0,
];
/// Upper bounds of the buckets for the times of the store's work, in seconds.
const STORE_SECONDS: [f64; 9] = [0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1.0, 5.0];
/// Upper bounds of the buckets for the ratio of run delay to wall-clock time.
const RATIOS: [f64; 8] = [0.001, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0];

type Gauge = IntegerGauge<f64, AtomicU64>;
type Labels<const COUNT: usize> = [(&'static str, &'static str); COUNT];
type Histograms<const COUNT: usize> = Family<Labels<COUNT>, Histogram, fn() -> Histogram>;
type ByPool = [(&'static str, String); 1];
type ByPoolAndState = [(&'static str, String); 2];

fn seconds() -> Histogram {
    Histogram::new(SECONDS)
}

fn store_seconds() -> Histogram {
    Histogram::new(STORE_SECONDS)
}

/// Makes the struct of the instruments, and registers each under its name, with its help. The
/// registry adds the full stop to a help, and `_total` to the names of counters.
macro_rules! instruments {
    ($(
        $(#[$about:meta])* $field:ident: $type:ty $(= $new:expr)?, $name:literal, $help:literal;
    )*) => {
        #[derive(Debug)]
        pub(super) struct Instruments {
            pub(super) registry: Registry,
            $($(#[$about])* pub(super) $field: $type,)*
        }

        impl Instruments {
            pub(super) fn new() -> Self {
                let mut registry = Registry::default();
                $(
                    let $field: $type = instruments!(@new $($new)?);
                    registry.register($name, $help, $field.clone());
                )*
                registry.register_collector(Box::new(Process));
                Self { registry, $($field,)* }
            }
        }
    };
    (@new) => {
        Default::default()
    };
    (@new $new:expr) => {
        $new
    };
}

instruments! {
    calls: Histograms<3> = Family::new_with_constructor(seconds),
        "rpc_server_call_duration_seconds", "Duration of calls of ProfilerService";
    failed_calls: Counter,
        "profiler_failed_calls", "Calls that ended as INTERNAL, UNKNOWN or DATA_LOSS";
    refusals: Family<Labels<1>, Counter>,
        "profiler_refusals", "Submissions that were refused";
    first_event: Histogram = seconds(),
        "profiler_first_event_seconds", "Time from the start of a stream to its first event";
    events: Counter,
        "profiler_events_sent", "Events sent on streams, including heartbeats";
    streams: IntegerGauge,
        "profiler_open_streams", "Open streams";
    queue: Family<Labels<1>, IntegerGauge>,
        "profiler_queue_runs", "Runs that wait for their turn";
    oldest: Family<Labels<1>, Gauge>,
        "profiler_queue_oldest_seconds", "Waiting time of the run that waits longest";
    waited: Histograms<1> = Family::new_with_constructor(seconds),
        "profiler_queue_seconds", "Time that runs waited for their turn";
    live: IntegerGauge,
        "profiler_live_runs", "Runs that run or wait";
    busy: IntegerGauge,
        "profiler_busy_cores", "Cores on which this process measures";
    cores: IntegerGauge,
        "profiler_cores", "Cores on which this process can measure";
    runs: Family<Labels<1>, Counter>,
        "profiler_runs", "Ended runs";
    run_seconds: Histograms<1> = Family::new_with_constructor(seconds),
        "profiler_run_seconds", "Duration of ended runs from their turn on";
    core_wait: Histogram = seconds(),
        "profiler_core_wait_seconds", "Time that runs waited for a core to measure on";
    compile_seconds: Histograms<1> = Family::new_with_constructor(seconds),
        "profiler_compile_seconds", "Time to compile a program, or that the cache saved";
    delay_ratio: Histogram = Histogram::new(RATIOS),
        "profiler_run_delay_ratio", "Share of a size's time that its program waited for a core";
    calibration: Gauge,
        "profiler_calibration_seconds", "Time of the fixed piece of work in the last run";
    sandbox_starts: Counter,
        "profiler_sandbox_starts", "Sandboxes that were started";
    sandbox_failures: Counter,
        "profiler_sandbox_failures", "Sandboxes that could not be started";
    swept: Counter,
        "profiler_swept", "Sandboxes of dead servers that were removed";
    store: Histograms<1> = Family::new_with_constructor(store_seconds),
        "profiler_store_seconds", "Duration of the store's work, including waiting";
    state_bytes: Family<Labels<1>, IntegerGauge>,
        "profiler_state_bytes", "Bytes of the files of the state folder";
    serving: IntegerGauge,
        "profiler_serving", "1 while sandboxes can be started and runs can be stored";
    build: Family<Labels<2>, IntegerGauge>,
        "profiler_build_info", "1, labelled with the version and the backend";
    uptime: Gauge,
        "profiler_uptime_seconds", "Time since the server started";
    certificate_expiry: Family<Labels<0>, IntegerGauge>,
        "profiler_certificate_expiry_seconds", "Time at which the TLS certificate expires";
    fenced: Counter,
        "profiler_fenced_runs", "Runs that this worker of a fleet lost to another one";
    fleet_engine: Family<Labels<0>, IntegerGauge>,
        "profiler_fleet_engine", "1 while the engine of the fleet stores messages";
    fleet_log: Family<Labels<0>, Gauge>,
        "profiler_fleet_log_ratio", "Size of the logs in the engine, as a share of their limit";
    fleet_broken: Counter,
        "profiler_broken_messages", "Messages that this process of a fleet could not read";
    fleet_workers: Family<ByPoolAndState, IntegerGauge>,
        "profiler_fleet_workers", "Workers that this gateway of a fleet sees";
    fleet_cores: Family<ByPool, IntegerGauge>,
        "profiler_fleet_cores", "Cores of the workers that take jobs";
    fleet_runs: Family<ByPoolAndState, IntegerGauge>,
        "profiler_fleet_runs", "Live runs of the fleet";
    fleet_oldest: Family<ByPool, Gauge>,
        "profiler_fleet_oldest_seconds", "Waiting time of the run of a pool that waits longest";
    fleet_restarts: Family<ByPool, Counter>,
        "profiler_fleet_restarts", "Runs that began again, lost or handed back by a worker";
}

/// Converts a number to the value of an integer gauge.
pub(super) fn integer(number: impl TryInto<i64>) -> i64 {
    number.try_into().unwrap_or(i64::MAX)
}
