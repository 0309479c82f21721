//! Metrics of the process, under the names that Prometheus's client libraries give them. What the
//! kernel does not tell is left out.

use nix::sys::resource::{Resource, UsageWho, getrlimit, getrusage};
use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::gauge::ConstGauge;
use std::fmt;
use std::fs;

/// Units per second of the times in /proc, on every architecture that Rust supports.
const TICKS: f64 = 100.0;
/// Place of the start time after the name of the program in `/proc/self/stat`.
const START_TIME: usize = 19;

/// The process that makes the page.
#[derive(Debug)]
pub(super) struct Process;

impl Collector for Process {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        if let Some(seconds) = cpu_seconds() {
            let (name, help) = ("process_cpu_seconds", "Processor time of the process.");
            let counter = encoder.encode_descriptor(name, help, None, MetricType::Counter)?;
            ConstCounter::new(seconds).encode(counter)?;
        }
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let limit = getrlimit(Resource::RLIMIT_NOFILE).ok();
        for (name, help, value) in [
            ("process_open_fds", "Open file descriptors.", open_fds()),
            (
                "process_max_fds",
                "Maximum number of open file descriptors.",
                limit.map(|(soft, _)| soft as f64),
            ),
            ("process_virtual_memory_bytes", "Virtual memory.", bytes(&status, "VmSize:")),
            ("process_resident_memory_bytes", "Resident memory.", bytes(&status, "VmRSS:")),
            (
                "process_start_time_seconds",
                "Start of the process, in seconds since 1970.",
                start_time(),
            ),
        ] {
            if let Some(value) = value {
                let gauge = encoder.encode_descriptor(name, help, None, MetricType::Gauge)?;
                ConstGauge::new(value).encode(gauge)?;
            }
        }
        Ok(())
    }
}

/// Returns the processor time of the process, without that of sandboxes.
fn cpu_seconds() -> Option<f64> {
    let usage = getrusage(UsageWho::RUSAGE_SELF).ok()?;
    let times = [usage.user_time(), usage.system_time()];
    Some(times.iter().map(|time| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6).sum())
}

/// Returns the number of open file descriptors, without that of the folder which is read for it.
fn open_fds() -> Option<f64> {
    let open = fs::read_dir("/proc/self/fd").ok()?.count();
    Some(open.saturating_sub(1) as f64)
}

/// Returns a size of `/proc/self/status`.
fn bytes(status: &str, name: &str) -> Option<f64> {
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    let kib: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1024.0)
}

fn start_time() -> Option<f64> {
    let own = fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program can contain spaces.
    let ticks: f64 = own.rsplit(')').next()?.split_whitespace().nth(START_TIME)?.parse().ok()?;
    let host = fs::read_to_string("/proc/stat").ok()?;
    let boot: f64 = host.lines().find_map(|line| line.strip_prefix("btime "))?.parse().ok()?;
    Some(boot + ticks / TICKS)
}

#[cfg(test)]
mod tests {
    use super::super::{Metrics, Reading};
    use std::time::{Duration, Instant, SystemTime};

    /// Reads a value from the page.
    fn read(name: &str) -> f64 {
        let page = Metrics::new("fake").page(&Reading::default()).unwrap();
        let line = page.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        line.unwrap_or_else(|| panic!("{name}: {page}")).parse().expect("a number")
    }

    #[test]
    fn process_is_described() {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs_f64();
        let started = now - read("process_start_time_seconds");
        assert!((-2.0..3600.0).contains(&started), "{started} s ago");
        let (resident, size) =
            (read("process_resident_memory_bytes"), read("process_virtual_memory_bytes"));
        assert!(resident > 1e6 && size >= resident, "{resident} of {size}");
        let (open, limit) = (read("process_open_fds"), read("process_max_fds"));
        assert!(open >= 3.0 && open <= limit, "{open} of {limit}");
    }

    #[test]
    fn processor_time_is_counted() {
        let (before, begin) = (read("process_cpu_seconds_total"), Instant::now());
        while begin.elapsed() < Duration::from_secs(5)
            && read("process_cpu_seconds_total") - before < 0.02
        {}
        let spent = read("process_cpu_seconds_total") - before;
        assert!((0.02..10.0).contains(&spent), "{spent} s");
    }
}
