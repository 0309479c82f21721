//! Measures the sizes of a job, one after the other. If few default sizes end OK because the next
//! one exceeds a limit, smaller sizes follow.
//!
//! A program could do its work in an early run, leave the answers somewhere, and only look them up
//! later. So the last size of a list runs in a sandbox in which nothing else has run: its first run
//! can know nothing, and the other runs must not be faster. If that size does not end OK, or if the
//! schedule grows, the largest size that ended OK is run once more in a new sandbox.
//!
//! The candidates of a size share its sandbox, and only the first one finds nothing there. So if
//! another one is the slowest, it is run once more in a new sandbox.
//!
//! One slow run in ten counts as noise, but could be the one that does the work of all later sizes.
//! So if there is such a run before the last size, the largest size before the last one is run once
//! more as well. It had the most to gain.
//!
//! The runs that are not timed come after all of these, and after the sizes that only growth needs.

use super::context::{Context, Profiler};
use crate::error::EarlyEnd;
use crate::job::{Inputs, Job, Point};
use crate::limits::{BRIEF_PROBING, ENOUGH_SIZES};
use crate::measure::schedule::Schedule;
use crate::measure::session::MeasureSession;
use crate::measure::size::cold::{self, Spare};
use crate::measure::size::{self, SizeBudget, second_look, untimed};
use crate::report::{Events, MeasuredSize, ReportBuilder, largest_ok};
use crate::sandbox::{CoreReservation, Sandbox};
use profiler_proto::v1::event::Kind;
use profiler_proto::v1::{OnMemoryLimit, Outcome, WarningCode};
use runner_protocol::Binary;
use std::time::{Duration, Instant};

/// Progress of measuring the sizes.
struct Sizes<'a> {
    binary: Binary,
    reservation: Option<&'a CoreReservation>,
    schedule: Schedule<'a>,
    /// Time that is left for all sizes.
    unspent: Duration,
    behaves_in_two_ways: bool,
    /// Whether a size is left out if the two before it exceeded a limit.
    skips: bool,
}

/// Measures the sizes of the schedule, up to one that ends the run.
pub(super) async fn measure_sizes(
    context: &mut Context<'_>,
    session: &mut MeasureSession<'_>,
    binary: Binary,
    reservation: Option<&CoreReservation>,
) -> Result<(), EarlyEnd> {
    let schedule = Schedule::for_job(context.job);
    let unspent = schedule.budget();
    let skips = context.job.options.skip_after_limits;
    let behaves_in_two_ways = false;
    let mut sizes = Sizes { binary, reservation, schedule, unspent, behaves_in_two_ways, skips };
    let mut measured_cold = None;
    while let Some(size) = sizes.schedule.next(context.report.sizes(), sizes.unspent) {
        let spare = context.spare.take_if(|_| sizes.schedule.is_last(size));
        let ends_run = match new_sandbox(spare, session, binary).await {
            Some(mut sandbox) => {
                let mut cold = session.elsewhere(&mut sandbox.channel);
                let ends_run = sizes.measure(context, &mut cold, size).await;
                sandbox.end().await;
                measured_cold = ran_first(context.report.sizes(), size);
                ends_run?
            }
            None => sizes.measure(context, session, size).await?,
        };
        if ends_run {
            return Ok(());
        }
    }
    sizes.add_smaller(context, session).await?;
    context.report.set_schedule_end(sizes.schedule.end());
    confirm(context, session, binary, measured_cold).await;
    Ok(())
}

/// Makes the runs of each size that are not timed, from the largest size on. No timed run may
/// follow in the sandbox. A brief job begins no probe after [`BRIEF_PROBING`].
pub(super) async fn look_into_sizes(
    context: &mut Context<'_>,
    session: &mut MeasureSession<'_>,
) -> Result<(), EarlyEnd> {
    let Context { job, report, .. } = context;
    let begun = Instant::now();
    for index in (0..report.sizes().len()).rev() {
        let size = &report.sizes()[index];
        let is_late = job.brief_precision().is_some() && begun.elapsed() >= BRIEF_PROBING;
        if is_late && size.probe.is_some() {
            continue;
        }
        if let Some(found) = untimed::probe(session, size).await? {
            report.set_probe(index, found);
        } else if job.options.count_questions && job.interactor.is_some() && size.is_ok() {
            let questions = session.count_questions(size).await?;
            report.set_questions(index, questions);
        }
    }
    Ok(())
}

/// Returns the first size that ends the run by exceeding the memory limit, if there is one. Its run
/// in a new sandbox or its memory probe can also exceed it.
pub(super) fn over_limit(job: &Job, sizes: &[MeasuredSize]) -> Option<u64> {
    sizes.iter().find(|size| ends_run(job, size)).map(|size| size.size)
}

/// Waits for the spare sandbox, if there is one. Without a second sandbox, the job goes on in its
/// own, and the size is doubtful.
async fn new_sandbox(
    spare: Option<Spare>,
    session: &mut MeasureSession<'_>,
    binary: Binary,
) -> Option<Sandbox> {
    let sandbox = spare?.with(binary, session).await;
    let sandbox = sandbox.inspect_err(|EarlyEnd { message, .. }| {
        tracing::warn!(target: "Profiler", message, "the last size has no new sandbox");
    });
    sandbox.ok()
}

/// Returns the candidate of `size` that ran before the others.
fn ran_first(sizes: &[MeasuredSize], size: u64) -> Option<Point> {
    let ran = |it: &&MeasuredSize| it.size == size && it.verdict.outcome != Outcome::NotRun;
    sizes.iter().find(ran).map(MeasuredSize::point)
}

/// Runs the [doubtful size](doubtful_size) in a new sandbox, unless it is the only one, or is known
/// to behave in two ways.
async fn confirm(
    context: &mut Context<'_>,
    session: &mut MeasureSession<'_>,
    binary: Binary,
    measured_cold: Option<Point>,
) {
    let Context { job, profiler: Profiler { pool, .. }, report, .. } = context;
    if job.interactor.is_some() || report.sizes().len() == 1 {
        return;
    }
    let Some(doubtful) = doubtful_size(report.sizes(), measured_cold).cloned() else { return };
    if doubtful.two_ways().is_some() {
        return;
    }
    match cold::run(pool, session, binary, &doubtful).await {
        Ok(cold) => report.add_cold_run(doubtful.point(), cold),
        Err(EarlyEnd { message, .. }) => {
            let size = doubtful.size;
            tracing::warn!(target: "Profiler", size, message, "not run in a new sandbox");
            let problem = "no new sandbox could be started for this size, so earlier runs of the \
                           program may have made it faster";
            report.warn([doubtful.point().warning(WarningCode::NoNewSandbox, problem)]);
        }
    }
}

/// Returns the largest size that ended OK, with its slowest candidate. If that was `measured_cold`,
/// returns the largest one before it, but only if a slow run counts as noise there or at a smaller
/// size.
fn doubtful_size(sizes: &[MeasuredSize], measured_cold: Option<Point>) -> Option<&MeasuredSize> {
    let largest = largest_ok(sizes)?;
    if measured_cold != Some(largest.point()) {
        return Some(largest);
    }
    let before = &sizes[..sizes.partition_point(|size| size.size < largest.size)];
    let is_doubtful = before.iter().any(MeasuredSize::forgives_a_slow_run);
    largest_ok(before).filter(|_| is_doubtful)
}

/// Returns the size that exceeded a limit before [`ENOUGH_SIZES`] sizes of at least 1 ended OK.
fn early_limit(sizes: &[MeasuredSize]) -> Option<u64> {
    let bad = sizes.iter().find(|it| it.size > 1 && !it.is_ok())?;
    let mut good: Vec<_> = sizes.iter().filter(|it| it.is_ok()).map(|it| it.size).collect();
    good.retain(|size| (1..bad.size).contains(size));
    good.dedup();
    (bad.verdict.outcome.is_limit() && good.len() < ENOUGH_SIZES).then_some(bad.size)
}

impl Sizes<'_> {
    /// Measures sizes that grow up to the first one that exceeded a limit, if the sizes are default
    /// ones and too few of them ended OK. A job that sets the number of repetitions has no time for
    /// more sizes.
    async fn add_smaller(
        &self,
        context: &mut Context<'_>,
        session: &mut MeasureSession<'_>,
    ) -> Result<(), EarlyEnd> {
        let job = context.job;
        let is_asked = job.sizes.are_fitted() && job.options.repetitions.is_none();
        let limit = early_limit(context.report.sizes()).filter(|_| is_asked);
        let Some(limit) = limit else { return Ok(()) };
        let mut growing = job.sizes.growing_from_corner_cases(limit - 1);
        if let Inputs::Described(candidates) = &job.inputs {
            growing.keep(|size| candidates.reach(size), false);
        }
        let mut smaller = Sizes {
            binary: self.binary,
            reservation: self.reservation,
            schedule: Schedule::of_sizes(job, &growing),
            unspent: self.unspent,
            behaves_in_two_ways: self.behaves_in_two_ways,
            skips: false,
        };
        let is_corner_case = |it: &&MeasuredSize| growing.certain().contains(&it.size);
        let corner_cases = context.report.sizes().iter().filter(is_corner_case);
        let mut results: Vec<MeasuredSize> = corner_cases.cloned().collect();
        while let Some(size) = smaller.schedule.next(&results, smaller.unspent) {
            let is_known = context.report.sizes().iter().any(|it| it.size == size);
            if !is_known && smaller.measure(context, session, size).await? {
                break;
            }
            let of_size = context.report.sizes().iter().filter(|it| it.size == size);
            results.extend(of_size.cloned());
        }
        Ok(())
    }

    /// Measures a size with each candidate. Returns whether the size ends the run.
    async fn measure(
        &mut self,
        context: &mut Context<'_>,
        session: &mut MeasureSession<'_>,
        size: u64,
    ) -> Result<bool, EarlyEnd> {
        let Context { job, profiler: Profiler { pool, .. }, report, events, .. } = context;
        for candidate in 0..job.candidates() {
            if self.skips && Schedule::is_hopeless(report.sizes(), candidate) {
                let result = MeasuredSize::not_run(Point { size, candidate });
                add_size(report, events, MeasuredSize { candidates: job.candidates(), ..result })
                    .await;
                continue;
            }
            let begun = Instant::now();
            let share = self.schedule.share(report.sizes().len(), self.unspent);
            let budget = SizeBudget { share, unspent: self.unspent };
            let (point, start_up) = (Point { size, candidate }, report.start_up_samples());
            let mut measured = size::measure(session, self.binary, point, budget, start_up).await?;
            if !self.behaves_in_two_ways && measured.result.two_ways().is_some() {
                let first = &measured.result;
                match second_look::look(pool, session, self.binary, first, budget, start_up).await {
                    Some(second) => measured = second,
                    None => self.behaves_in_two_ways = true,
                }
            }
            let result = MeasuredSize { candidates: job.candidates(), ..measured.result };
            report.warn(measured.warnings);
            if let Some(reservation) = self.reservation {
                report.add_neighbours(reservation.neighbours());
            }
            let for_probe = result.probe.map_or(Duration::ZERO, |probe| probe.takes);
            self.unspent = self.unspent.saturating_sub(begun.elapsed() + for_probe);
            self.schedule.spend(&result);
            let ends_run = ends_run(job, &result);
            add_size(report, events, result).await;
            if ends_run {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Adds a result to the report, and emits its event.
pub(super) async fn add_size(
    report: &mut ReportBuilder,
    events: &mut Events,
    result: MeasuredSize,
) {
    result.log();
    events.emit(Kind::SizeMeasured(report.published(&result))).await;
    report.add_size(result);
}

/// Whether a size over the memory limit ends the run. If the schedule chose the size, the limit
/// ends only the schedule, as every limit does.
fn ends_run(job: &Job, result: &MeasuredSize) -> bool {
    result.verdict.outcome == Outcome::MemoryLimit
        && job.options.on_memory_limit == OnMemoryLimit::Abort
        && job.sizes.certain().contains(&result.size)
}
