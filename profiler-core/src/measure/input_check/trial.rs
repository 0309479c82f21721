//! Check of the input before the program is measured.
//!
//! The check has a sandbox of its own, so its runs leave nothing that timed runs could find.

use crate::error::EarlyEnd;
use crate::job::Job;
use crate::measure::session::MeasureSession;
use crate::measure::size::cold::Spare;
use crate::sandbox::Sandbox;
use profiler_proto::v1::InputCheck;

/// Checks the input of the program with this binary, in a sandbox that is `starting`. Returns the
/// result, and the sandbox with the program in it unless the program was fed the input of the
/// largest size there. Neither is there if the check fails, for example because the sandbox does
/// not start: a check never fails a job.
pub(crate) async fn run(
    starting: Spare,
    job: &Job,
    binary: &[u8],
) -> (Option<InputCheck>, Option<Sandbox>) {
    let checked = async {
        let mut sandbox = starting.with_bytes(job, binary).await?;
        let check = super::check(&mut MeasureSession::new(job, &mut sandbox.channel, None)).await;
        let largest = job.sizes.requested().last();
        if check.is_ok() && super::points(job).iter().all(|point| Some(&point.size) != largest) {
            return Ok((check?, Some(sandbox)));
        }
        sandbox.end().await;
        Ok((check?, None))
    };
    checked.await.unwrap_or_else(|EarlyEnd { message, .. }| {
        tracing::warn!(target: "Profiler", message, "the input was not checked");
        (None, None)
    })
}
