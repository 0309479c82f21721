//! Advice: changes to the program that a person would try next. Each change is tried alone against
//! the original, and becomes advice only if the program gets faster and writes the same output. It
//! must also gain more than a twin of the original that differs only in its layout. At the end, all
//! advised changes are tried together.

mod catalogue;
mod change;
mod joint;
mod speedup;
mod tokens;
mod trial;

use crate::build::Builder;
use crate::error::SandboxFault;
use crate::job::Job;
use crate::limits::{
    ADVICE_BUDGET, LEAST_SPEEDUP, MAX_ADVICE, MAX_ADVISED_BYTES, MAX_TRIED_CHANGES,
};
use crate::report::{MeasuredSize, largest_ok};
use crate::sandbox::Pool;
use change::Change;
use profiler_decode::is_submitted_source;
use profiler_proto::v1::{Advice, Hotspot, TriedChange};
use profiler_statistics::holm_correction;
use speedup::SIGNIFICANCE;
use std::time::Instant;
use trial::{Bench, NOT_FASTER, Tried};

/// Tries changes to the program at the largest size that ended OK, in a separate sandbox. A fault
/// during the trials becomes the `problem` of the advice, and does not fail the job.
pub(crate) async fn find(
    job: &Job,
    (pool, builder): (&Pool, &Builder),
    sizes: &[MeasuredSize],
    hotspots: &[Hotspot],
) -> Advice {
    let interrupted = |fault: SandboxFault| format!("the trials were interrupted: {fault}");
    let found = async {
        let size = tried_size(sizes)?;
        if job.source.len() > MAX_ADVISED_BYTES {
            return Err(format!("the source has more than {MAX_ADVISED_BYTES} bytes"));
        }
        let changes = catalogue::changes(job);
        let mut advice =
            Advice { size: Some(size.size), candidate: size.candidate, ..Advice::default() };
        if changes.is_empty() {
            return Ok(advice);
        }
        let end = Instant::now() + ADVICE_BUDGET;
        let sandbox = pool.acquire().await.map_err(interrupted)?;
        let mut bench = Bench { job, pool, builder, sandbox, size, sizes, end };
        let tried = try_all(&mut bench, &changes, hotspots, &mut advice).await;
        bench.sandbox.end().await;
        match tried {
            // What was found before a fault stays.
            Err(fault) if advice.given.is_empty() && advice.refused.is_empty() => {
                Err(interrupted(fault))
            }
            _ => Ok(advice),
        }
    };
    found.await.unwrap_or_else(|problem| untried(&problem))
}

/// Makes advice without any tried change. `problem` is the reason.
pub(crate) fn untried(problem: &str) -> Advice {
    Advice { problem: problem.into(), ..Advice::default() }
}

/// Returns the size at which changes are tried, or the reason why there is no such size.
fn tried_size(sizes: &[MeasuredSize]) -> Result<&MeasuredSize, &'static str> {
    let size = largest_ok(sizes).ok_or("no size ended OK")?;
    if size.outputs_differ {
        return Err("the program writes a different output in every run");
    }
    if size.below_noise_floor == Some(true) {
        return Err("the program takes no longer than an empty one; larger sizes are needed");
    }
    Ok(size)
}

/// Tries the changes one by one, then the twin, and then all advised changes together.
async fn try_all(
    bench: &mut Bench<'_>,
    changes: &[Change],
    hotspots: &[Hotspot],
    advice: &mut Advice,
) -> Result<(), SandboxFault> {
    let Some(original) = bench.compile(bench.job).await? else {
        // The job has compiled this program before, so the compiler must have died.
        return Err(SandboxFault::Lost("the program did not compile again".into()));
    };
    let mut tried = Vec::new();
    for change in changes.iter().take(MAX_TRIED_CHANGES) {
        if Instant::now() >= bench.end {
            break;
        }
        tried.push(bench.try_change(&original, change).await?);
    }
    advice.left_out = u32::try_from(changes.len() - tried.len()).unwrap_or(u32::MAX);
    judge(advice, changes, tried, hotspots);
    if advice.given.is_empty() {
        return Ok(());
    }
    let measured = |tried: Tried| {
        // A program that gains too little has no rounds.
        let (rounds, same_outputs) = tried.ok()?;
        Some(speedup::of_rounds(&rounds, same_outputs)?.0)
    };
    let twin = bench.try_change(&original, &joint::twin(bench.job)).await?;
    if let Some(twin) = measured(twin) {
        joint::judge_by_twin(advice, &twin);
    }
    let is_given = |change: &&Change| {
        let same = |it: &TriedChange| {
            let TriedChange { found, remedy, line, .. } = &change.described;
            (&it.found, &it.remedy, &it.line) == (found, remedy, line)
        };
        advice.given.iter().any(same)
    };
    let given: Vec<_> = changes.iter().filter(is_given).collect();
    if let Some(all) = joint::together(bench.job, &given) {
        advice.together = measured(bench.try_change(&original, &all).await?);
    }
    Ok(())
}

/// Divides the tried changes into advice and refused changes. The more changes are tried, the
/// likelier it is that one wins by chance, so the probabilities are corrected.
fn judge(advice: &mut Advice, changes: &[Change], tried: Vec<Tried>, hotspots: &[Hotspot]) {
    let measured: Vec<_> = tried
        .into_iter()
        .map(|tried| {
            let (rounds, same_outputs) = tried?;
            speedup::of_rounds(&rounds, same_outputs).ok_or("its time is unknown".to_owned())
        })
        .collect();
    let by_chance: Vec<_> =
        measured.iter().map(|it| it.as_ref().map_or(1.0, |(_, chance)| *chance)).collect();
    for ((change, measured), chance) in
        changes.iter().zip(measured).zip(holm_correction(&by_chance))
    {
        let (speedup, why_not) = match measured {
            Ok((speedup, _)) => {
                let won = speedup.times >= LEAST_SPEEDUP
                    && speedup.interval.is_some_and(|interval| interval.low > 1.0)
                    && chance < SIGNIFICANCE;
                (Some(speedup), if won { String::new() } else { NOT_FASTER.to_owned() })
            }
            Err(why) => (None, why),
        };
        let share = share(change, hotspots);
        let result = TriedChange { share, speedup, why_not, ..change.described.clone() };
        let list = if result.why_not.is_empty() { &mut advice.given } else { &mut advice.refused };
        list.push(result);
    }
    let times = |it: &TriedChange| it.speedup.map_or(0.0, |speedup| speedup.times);
    advice.given.sort_by(|a, b| times(b).total_cmp(&times(a)));
    for mut less in advice.given.split_off(advice.given.len().min(MAX_ADVICE)) {
        less.why_not = "other changes gain more".into();
        advice.refused.push(less);
    }
}

/// Returns the share of the hotspots that falls on the lines whose cost a change is meant to
/// reduce. `None` if there are no such lines, or no hotspots.
fn share(change: &Change, hotspots: &[Hotspot]) -> Option<f64> {
    let is_concerned =
        |it: &&Hotspot| is_submitted_source(&it.file) && change.lines.contains(&it.line);
    let concerned = hotspots.iter().filter(is_concerned);
    let is_known = !hotspots.is_empty() && !change.lines.is_empty();
    is_known.then(|| concerned.map(|it| it.self_share).sum())
}

#[cfg(test)]
mod tests;
