//! Figures that do not depend on the program: the speed of the processor and the cost of starting.

use crate::error::SandboxFault;
use crate::figures::{RuntimeClock, headline};
use crate::job::RunLimits;
use crate::limits::{
    CALIBRATION_BUDGET, CALIBRATION_RUNS, LEAST_START_UPS, MAX_KNOWN_PACES, MOST_START_UPS,
    START_UP_BUDGET,
};
use crate::measure::session::MeasureSession;
use runner_protocol::{BatchResult, Sample, Subject, Variant};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// Figures of a processor and of an empty program on it.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Pace {
    /// The time of the runner's fixed piece of work, in milliseconds: wall clock less run delay, or
    /// wall clock if the kernel reports no run delay. `None` if a run did not end well.
    pub(crate) calibration_ms: Option<f64>,
    /// Runs of the empty program. Empty if there is no such program or a run did not end well.
    pub(crate) start_up: Vec<Sample>,
    /// Instructions of the empty program; `None` if no count was asked for or none can be made.
    pub(crate) instructions: Option<u64>,
}

impl Pace {
    /// Measures the figures. `starts_empty` tells whether the sandbox has an empty program, and
    /// `counts` whether its instructions are counted.
    pub(crate) async fn measure(
        runs: &mut MeasureSession<'_>,
        starts_empty: bool,
        counts: bool,
    ) -> Result<Self, SandboxFault> {
        let calibration_ms = calibrate(runs).await?;
        let start_up = if starts_empty { start_up(runs).await? } else { Vec::new() };
        let instructions = if starts_empty && counts { count(runs).await? } else { None };
        Ok(Self { calibration_ms, start_up, instructions })
    }

    /// Whether all runs ended well.
    pub(crate) fn is_whole(&self) -> bool {
        self.calibration_ms.is_some() && !self.start_up.is_empty()
    }
}

/// Everything that a pace depends on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PaceKey {
    /// The processor; `None` if nothing is pinned.
    pub(crate) core: Option<u32>,
    /// Identity of the toolchain.
    pub(crate) toolchain: String,
    /// Flags of the empty program.
    pub(crate) flags: Vec<String>,
    /// Limits of its runs.
    pub(crate) limits: RunLimits,
    /// Whether its instructions are counted.
    pub(crate) counts: bool,
}

/// The last paces. Jobs that take little time share a pace for
/// [`PACE_AGE`](crate::limits::PACE_AGE).
pub(crate) type KnownPaces = Known<PaceKey, Pace>;

/// The last instruction counts of empty programs, by all that they depend on: the identity of the
/// toolchain, and the flags.
pub(crate) type KnownEmpty = Known<(String, Vec<String>), u64>;

/// The last values of up to [`MAX_KNOWN_PACES`] keys, shared by the jobs of a profiler.
#[derive(Debug, Clone)]
pub(crate) struct Known<K, V>(Arc<Mutex<VecDeque<(K, Instant, V)>>>);

impl<K, V> Default for Known<K, V> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<K: PartialEq, V: Clone> Known<K, V> {
    /// Returns a value that was kept less than `age` ago.
    pub(crate) fn recent(&self, key: &K, age: Duration) -> Option<V> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = known.iter().find(|(of, at, _)| of == key && at.elapsed() < age);
        found.map(|(.., value)| value.clone())
    }

    /// Keeps a value, in place of an older one.
    pub(crate) fn keep(&self, key: K, value: V) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.retain(|(of, ..)| *of != key);
        known.truncate(MAX_KNOWN_PACES - 1);
        known.push_front((key, Instant::now(), value));
    }
}

async fn calibrate(runs: &mut MeasureSession<'_>) -> Result<Option<f64>, SandboxFault> {
    let times = (CALIBRATION_RUNS, CALIBRATION_RUNS);
    let ran = runs.time_subject(Subject::Calibration, times, CALIBRATION_BUDGET).await?;
    let samples = ended_well(&ran);
    let headline = [RuntimeClock::Unloaded, RuntimeClock::Wall]
        .into_iter()
        .find_map(|clock| headline(&samples, clock));
    Ok(headline.map(|headline| headline.ms))
}

/// Runs the empty program, and returns the samples without the first one, which may have found cold
/// caches.
async fn start_up(runs: &mut MeasureSession<'_>) -> Result<Vec<Sample>, SandboxFault> {
    let subject = Subject::Build(Variant::Empty);
    let ran =
        runs.time_subject(subject, (LEAST_START_UPS, MOST_START_UPS), START_UP_BUDGET).await?;
    Ok(ended_well(&ran).into_iter().skip(1).collect())
}

/// Counts the instructions of the empty program. No run of the job's program precedes this one in
/// the sandbox.
pub(crate) async fn count(runs: &mut MeasureSession<'_>) -> Result<Option<u64>, SandboxFault> {
    runs.place_counter().await?;
    let empty = Subject::Build(Variant::Empty);
    let counted = runs.count_subject(empty, START_UP_BUDGET).await?;
    Ok(counted.instructions.ok().filter(|_| counted.execution.ending.is_success()))
}

/// The samples of a batch; empty if a run did not end well.
fn ended_well(ran: &BatchResult) -> Vec<Sample> {
    let well = ran.repetitions.iter().all(|execution| execution.ending.is_success());
    ran.repetitions.iter().filter(|_| well).map(|execution| execution.sample).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::job::{Draft, Job};
    use crate::limits::PACE_AGE;

    fn key(core: u32) -> PaceKey {
        let job = Job::try_from(Draft::new("pace", "int main() {}")).unwrap();
        let (toolchain, flags, limits) = ("sha256:1".into(), job.flags, job.limits);
        PaceKey { core: Some(core), toolchain, flags, limits, counts: true }
    }

    #[tokio::test(start_paused = true)]
    async fn old_pace_is_not_shared() {
        let known = KnownPaces::default();
        known.keep(key(0), Pace::default());
        tokio::time::advance(PACE_AGE / 2).await;
        assert!(known.recent(&key(0), PACE_AGE).is_some());
        tokio::time::advance(PACE_AGE / 2).await;
        assert!(known.recent(&key(0), PACE_AGE).is_none());
    }

    #[test]
    fn job_that_counts_needs_a_pace_with_a_count() {
        let known = KnownPaces::default();
        known.keep(PaceKey { counts: false, ..key(0) }, Pace::default());
        assert_eq!(known.recent(&key(0), PACE_AGE), None);
    }

    #[test]
    fn pace_is_of_one_processor_and_the_last_one() {
        let (known, pace) =
            (KnownPaces::default(), |ms| Pace { calibration_ms: Some(ms), ..Pace::default() });
        assert_eq!(known.recent(&key(0), PACE_AGE), None);
        known.keep(key(0), pace(1.0));
        known.keep(key(0), pace(2.0));
        assert_eq!(
            (known.recent(&key(0), PACE_AGE), known.recent(&key(1), PACE_AGE)),
            (Some(pace(2.0)), None)
        );
        for core in 1..=u32::try_from(MAX_KNOWN_PACES).unwrap() {
            known.keep(key(core), pace(3.0));
        }
        assert_eq!(
            (known.recent(&key(0), PACE_AGE), known.recent(&key(1), PACE_AGE)),
            (None, Some(pace(3.0)))
        );
    }
}
