//! Advice: changes to the program that a person would try next, those of the hottest lines first.
//! Each change is tried alone against the original, and becomes advice only if the program gets
//! faster and writes the same output. It must also gain more than twins of the original that differ
//! only in their layout. At the end, all advised changes are tried together.

mod catalogue;
mod change;
mod joint;
mod plan;
mod speedup;
mod syntax;
mod tokens;
mod trial;

use crate::build::Builder;
use crate::error::SandboxFault;
use crate::job::Job;
use crate::limits::{ADVICE_BUDGET, LEAST_SPEEDUP, MAX_ADVICE, MAX_ADVISED_BYTES, TWIN_BUDGET};
use crate::report::{MeasuredSize, largest_ok};
use crate::sandbox::Pool;
use change::Change;
use plan::Plan;
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
        let mut plan = Plan::new(catalogue::changes(job), hotspots);
        let mut advice =
            Advice { size: Some(size.size), candidate: size.candidate, ..Advice::default() };
        if plan.changes.is_empty() {
            plan.tell(0, &mut advice);
            return Ok(advice);
        }
        let end = Instant::now() + ADVICE_BUDGET;
        let sandbox = pool.acquire().await.map_err(interrupted)?;
        let mut bench = Bench { job, pool, builder, sandbox, size, sizes, end };
        let tried = try_all(&mut bench, &mut plan, &mut advice).await;
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

/// Tries the changes one by one, then the twins, and then all advised changes together.
async fn try_all(
    bench: &mut Bench<'_>,
    plan: &mut Plan,
    advice: &mut Advice,
) -> Result<(), SandboxFault> {
    let Some(original) = bench.compile(bench.job).await? else {
        // The job has compiled this program before, so the compiler must have died.
        return Err(SandboxFault::Lost("the program did not compile again".into()));
    };
    let mut tried = Vec::new();
    for change in &plan.changes {
        if Instant::now() >= bench.end {
            break;
        }
        tried.push(bench.try_change(&original, change).await?);
    }
    plan.tell(tried.len(), advice);
    let changes = &plan.changes;
    judge(advice, changes, tried);
    let measured = |tried: Tried| {
        // A program that gains too little has no rounds.
        let (rounds, same_outputs) = tried.ok()?;
        Some(speedup::of_rounds(&rounds, same_outputs)?.0)
    };
    bench.end += TWIN_BUDGET;
    for shift in joint::SHIFTS {
        if advice.given.is_empty() {
            return Ok(());
        }
        let twin = bench.try_change(&original, &joint::twin(bench.job, shift)).await?;
        if let Some(twin) = measured(twin) {
            joint::judge_by_twin(advice, &twin);
        }
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
fn judge(advice: &mut Advice, changes: &[Change], tried: Vec<Tried>) {
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
        let result = TriedChange { speedup, why_not, ..change.described.clone() };
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

#[cfg(test)]
mod tests;
