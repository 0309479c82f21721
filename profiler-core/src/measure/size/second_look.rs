//! Measures a size again, in a new sandbox, if its runs lie in two groups.
//!
//! A busy neighbour on the host can make some runs take over 1.5 times as long and leave the others
//! alone. A new sandbox holds nothing of earlier runs. If all runs in it, the first one included,
//! are as fast as the faster group and write the same output, then the work takes no longer than in
//! that group, and something else slowed the slower runs.
//!
//! A program could still remember earlier runs by what the host counts for all sandboxes, such as
//! the inode numbers of pipes. So a second look excuses only differences that a neighbour can
//! cause.

use super::cold::Spare;
use super::slowing::a_host_slows_so;
use super::{Measurement, SizeBudget, measure};
use crate::error::EarlyEnd;
use crate::figures::units::ms;
use crate::figures::{Runs, TwoWays};
use crate::measure::session::MeasureSession;
use crate::report::MeasuredSize;
use crate::sandbox::Pool;
use profiler_proto::v1::WarningCode;
use runner_protocol::{Binary, Sample};

/// Maximum number of times that a size is measured again, each time in another sandbox. The
/// neighbour may still be busy the first time.
const LOOKS: u32 = 2;

/// Measures the size of `first` again in sandboxes of `pool`. Returns the new result if its runs
/// all did the same work, which is no more than that of the faster way of `first`. `None` if the
/// program still seems to behave in two ways, or if there is no second sandbox.
pub(crate) async fn look(
    pool: &Pool,
    session: &mut MeasureSession<'_>,
    binary: Binary,
    first: &MeasuredSize,
    budget: SizeBudget,
    start_up: &[Sample],
) -> Option<Measurement> {
    let ways = first.two_ways()?;
    if first.outputs_differ || first.interactor.is_some() || !a_host_slows_so(&ways) {
        return None;
    }
    for _ in 0..LOOKS {
        let elsewhere = async {
            let mut sandbox = Spare::start(pool).with(binary, session).await?;
            let mut again = session.elsewhere(&mut sandbox.channel);
            let measured = measure(&mut again, binary, first.point(), budget, start_up).await;
            sandbox.end().await;
            measured
        };
        match elsewhere.await {
            Ok(second) if is_faster_way(first, &ways, &second.result) => {
                return Some(with_warning(second, &ways));
            }
            Ok(_) => {}
            Err(EarlyEnd { message, .. }) => {
                let size = first.size;
                tracing::warn!(target: "Profiler", size, message, "not measured again");
                return None;
            }
        }
    }
    None
}

/// Whether all runs of `second` did the same work, and no more than the faster way of `first`.
fn is_faster_way(first: &MeasuredSize, ways: &TwoWays, second: &MeasuredSize) -> bool {
    let hash = |size: &MeasuredSize| size.stdout.as_ref().map(|stdout| stdout.sha256.clone());
    let is_alike = second.is_ok() && !second.outputs_differ && hash(first) == hash(second);
    if !is_alike || second.two_ways().is_some() {
        return false;
    }
    let repetitions = [&second.samples[..], &ways.faster].concat();
    let (warm_up, repetitions) = (second.warm_up.as_ref(), &repetitions[..]);
    let together =
        TwoWays::find(Runs { warm_up, repetitions, interactive: false, every_run_counts: false });
    // If there are still two groups, the host slowed all runs of `first`, some of them more than
    // others. Then all new runs must be faster than the slower group.
    let slower = together.and_then(|together| together.slower.first().copied());
    let mut runs = second.samples.iter().chain(&second.warm_up);
    slower.is_none_or(|slower| runs.all(|run| run.cpu_ns < slower.cpu_ns))
}

fn with_warning(mut second: Measurement, ways: &TwoWays) -> Measurement {
    let cpu_ms = |sample: Option<&Sample>| ms(sample.and_then(|s| s.cpu_ns).unwrap_or(0));
    let (slower, all) = (ways.slower.len(), ways.faster.len() + ways.slower.len());
    let problem = format!(
        "{slower} of {all} runs took at least {:.1} ms of processor time, the others at most \
         {:.1} ms; in a new sandbox no run was slower than these, so the host was busy; the \
         figures are those of the new runs",
        cpu_ms(ways.slower.first()),
        cpu_ms(ways.faster.last()),
    );
    second.warnings.push(second.result.point().warning(WarningCode::SlowSpell, problem));
    second
}
