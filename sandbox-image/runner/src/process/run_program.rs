//! The only way to run anything from outside, for every kind of run: start, measure, kill and reap
//! what is left, read back the output, and empty scratch.

use crate::process::measure;
use crate::process::runner::Runner;
use crate::process::spec::{Place, Scratch, Spec};
use crate::process::sweep::{self, Left};
use crate::sys::fault::Result;
use crate::sys::files;
use runner_protocol::{Execution, Limits};

/// What is known of a run when nothing of it is alive.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Aftermath {
    /// How many processes the OOM killer killed during the run.
    pub(crate) oom_kills: u64,
    /// The processes that the run left behind, and that were killed.
    pub(crate) left: Left,
}

impl Aftermath {
    /// Adds these figures to those of the program.
    pub(crate) fn add_to(self, execution: &mut Execution) {
        execution.oom_kills = self.oom_kills;
        self.left.add_to(&mut execution.sample);
    }
}

/// Runs one program at `place`. `read_back` is called when nothing of the run is alive, before
/// scratch is emptied.
pub(crate) fn run_program<T>(
    runner: &Runner,
    spec: &Spec<'_>,
    place: &Place<'_>,
    limits: &Limits,
    read_back: impl FnOnce(&Execution) -> Result<T>,
) -> Result<(Execution, T)> {
    let (context, channel) = (&runner.context, Some(&runner.channel));
    let measure = || measure::measure(context, spec, place, limits, channel);
    run_measured(runner, place.scratch, measure, |mut execution, aftermath| {
        aftermath.add_to(&mut execution);
        execution.output_full = files::output_full(limits.file_bytes)?;
        let read = read_back(&execution)?;
        Ok((execution, read))
    })
}

/// Runs what `measure` starts and measures. `read_back` is called when nothing of it is alive.
pub(crate) fn run_measured<M, T>(
    runner: &Runner,
    scratch: Scratch,
    measure: impl FnOnce() -> Result<M>,
    read_back: impl FnOnce(M, Aftermath) -> Result<T>,
) -> Result<T> {
    let oom = &runner.context.oom;
    let kills_before = oom.kills();
    let measured = measure()?;
    let oom_kills = oom.kills().saturating_sub(kills_before);
    let left = sweep::kill_everything()?;
    let read = read_back(measured, Aftermath { oom_kills, left })?;
    if scratch == Scratch::Emptied {
        sweep::wipe_scratch()?;
    }
    Ok(read)
}
