//! What does not depend on the program: how fast this processor is, and what starting alone costs.

use crate::error::SandboxFault;
use crate::figures::{Headline, RuntimeClock};
use crate::limits::{
    CALIBRATION_BUDGET, CALIBRATION_RUNS, LEAST_START_UPS, MOST_START_UPS, START_UP_BUDGET,
};
use crate::measure::session::MeasureSession;
use runner_protocol::{BatchResult, Sample, Subject, Variant};

/// How long the runner's fixed piece of work takes here, in milliseconds: wall less run delay, or
/// wall where the kernel does not tell the delay. `None` if it did not end well.
pub(crate) async fn calibrate(runs: &mut MeasureSession<'_>) -> Result<Option<f64>, SandboxFault> {
    let times = (CALIBRATION_RUNS, CALIBRATION_RUNS);
    let ran = runs.beside(Subject::Calibration, times, CALIBRATION_BUDGET).await?;
    let samples = ended_well(&ran);
    let headline = [RuntimeClock::Unloaded, RuntimeClock::Wall]
        .into_iter()
        .find_map(|clock| Headline::of(&samples, clock));
    Ok(headline.map(|headline| headline.ms))
}

/// Runs of the empty program, but for the first, which finds the files cold; none if one did not
/// end well.
pub(crate) async fn measure(runs: &mut MeasureSession<'_>) -> Result<Vec<Sample>, SandboxFault> {
    let subject = Subject::Build(Variant::Empty);
    let ran = runs.beside(subject, (LEAST_START_UPS, MOST_START_UPS), START_UP_BUDGET).await?;
    Ok(ended_well(&ran).into_iter().skip(1).collect())
}

/// The samples of a batch, none if a run did not end well.
fn ended_well(ran: &BatchResult) -> Vec<Sample> {
    let well = ran.repetitions.iter().all(|execution| execution.ending.is_success());
    ran.repetitions.iter().filter(|_| well).map(|execution| execution.sample).collect()
}
