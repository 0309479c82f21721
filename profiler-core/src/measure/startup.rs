//! Figures that do not depend on the program: the speed of the processor and the cost of starting.

use crate::error::SandboxFault;
use crate::figures::{RuntimeClock, headline};
use crate::limits::{
    CALIBRATION_BUDGET, CALIBRATION_RUNS, LEAST_START_UPS, MOST_START_UPS, START_UP_BUDGET,
};
use crate::measure::session::MeasureSession;
use runner_protocol::{BatchResult, Sample, Subject, Variant};

/// Measures the time of the runner's fixed piece of work, in milliseconds: wall clock less run
/// delay, or wall clock if the kernel reports no run delay. `None` if a run did not end well.
pub(crate) async fn calibrate(runs: &mut MeasureSession<'_>) -> Result<Option<f64>, SandboxFault> {
    let times = (CALIBRATION_RUNS, CALIBRATION_RUNS);
    let ran = runs.time_subject(Subject::Calibration, times, CALIBRATION_BUDGET).await?;
    let samples = ended_well(&ran);
    let headline = [RuntimeClock::Unloaded, RuntimeClock::Wall]
        .into_iter()
        .find_map(|clock| headline(&samples, clock));
    Ok(headline.map(|headline| headline.ms))
}

/// Runs the empty program, and returns the samples without the first one, which may have found cold
/// caches. Empty if a run did not end well.
pub(crate) async fn measure(runs: &mut MeasureSession<'_>) -> Result<Vec<Sample>, SandboxFault> {
    let subject = Subject::Build(Variant::Empty);
    let ran =
        runs.time_subject(subject, (LEAST_START_UPS, MOST_START_UPS), START_UP_BUDGET).await?;
    Ok(ended_well(&ran).into_iter().skip(1).collect())
}

/// The samples of a batch; empty if a run did not end well.
fn ended_well(ran: &BatchResult) -> Vec<Sample> {
    let well = ran.repetitions.iter().all(|execution| execution.ending.is_success());
    ran.repetitions.iter().filter(|_| well).map(|execution| execution.sample).collect()
}
