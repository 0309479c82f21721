//! State that the tasks of a worker share.

use crate::telemetry::metrics::Metrics;
use profiler_fleet::{Fleet, Peers, Settlement, WorkerState};
use profiler_proto::v1::{ProfileReport, SandboxError};
use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;
use tokio::sync::watch;

/// Number of calibrations that determine the speed of this host.
const CALIBRATIONS: usize = 9;

/// Settings of a worker.
#[derive(Debug, Clone)]
pub struct WorkerSettings {
    /// Its name in the fleet.
    pub name: String,
    /// The host's name.
    pub host: String,
    /// Number of runs that it measures at the same time, each on a core of its own.
    pub cores: usize,
    /// Time that runs may take to end after the worker takes no more jobs.
    pub drain: Duration,
    /// Address at which Prometheus reads metrics; `None` for no metrics.
    pub metrics: Option<SocketAddr>,
}

pub(super) struct Shared {
    pub(super) settings: WorkerSettings,
    pub(super) state: watch::Sender<WorkerState>,
    /// The pool, once the worker has joined its fleet.
    pub(super) peers: Peers,
    pub(super) calibrations: Mutex<VecDeque<f64>>,
    pub(super) metrics: Metrics,
    /// Set once the worker has joined its fleet.
    pub(super) fleet: OnceLock<Fleet>,
}

impl Shared {
    pub(super) fn begin(&self, run_id: &str) {
        self.state.send_modify(|state| state.runs.push(run_id.to_owned()));
    }

    pub(super) fn end(&self, run_id: &str, settlement: Settlement) {
        self.state.send_modify(|state| {
            state.runs.retain(|run| run != run_id);
            match settlement {
                Settlement::Done => state.ended += 1,
                Settlement::HandedBack => {}
                Settlement::Lost => state.fenced += 1,
            }
        });
    }

    /// Makes the worker take no more jobs, for the reason `why`. If `why` is empty, it takes jobs
    /// again.
    pub(super) fn leave(&self, why: &str) {
        self.state.send_if_modified(|state| {
            let changed = state.draining != why;
            why.clone_into(&mut state.draining);
            changed
        });
    }

    /// Learns from a report how fast the host is.
    pub(super) fn learn(&self, ended: &Result<ProfileReport, Box<SandboxError>>) {
        let report = match ended {
            Ok(report) => Some(report),
            Err(error) => error.partial.as_ref(),
        };
        if let Some(ms) = report.and_then(|report| report.host.as_ref()?.calibration_ms) {
            self.calibrated(ms);
        }
    }

    /// Notes a calibration: the time that the fixed piece of work took on this host.
    pub(super) fn calibrated(&self, ms: f64) {
        let mut calibrations = self.calibrations.lock().unwrap_or_else(PoisonError::into_inner);
        if calibrations.len() == CALIBRATIONS {
            calibrations.pop_front();
        }
        calibrations.push_back(ms);
        let median = median(calibrations.iter().copied());
        self.state.send_modify(|state| state.calibration_ms = median);
    }

    /// Returns the least and the greatest time of the middle half of the calibrations.
    pub(super) fn spread(&self) -> (f64, f64) {
        let calibrations = self.calibrations.lock().unwrap_or_else(PoisonError::into_inner);
        let mut sorted: Vec<_> = calibrations.iter().copied().collect();
        sorted.sort_unstable_by(f64::total_cmp);
        let quarter = sorted.len() / 4;
        (sorted[quarter], sorted[sorted.len() - 1 - quarter])
    }
}

/// Returns the median of at least one value.
fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<_> = values.collect();
    values.sort_unstable_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len() % 2 == 1 { values[middle] } else { values[middle - 1].midpoint(values[middle]) }
}
