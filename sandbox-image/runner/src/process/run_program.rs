//! The one way in which anything from outside runs, whatever the kind of run: start it, measure
//! it, kill and reap everything it left, read back what it wrote, and empty scratch.

use crate::process::measure;
use crate::process::runner::Runner;
use crate::process::spec::{Place, Scratch, Spec};
use crate::process::sweep::{self, Left};
use crate::sys::fault::Result;
use crate::sys::files;
use runner_protocol::{Execution, Limits};

/// What is known of a run once nothing of it is alive.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Aftermath {
    /// How often the kernel killed for want of memory meanwhile.
    pub(crate) oom_kills: u64,
    /// The processes that were killed because the run had left them behind.
    pub(crate) left: Left,
}

impl Aftermath {
    /// Adds it to what was measured of the program.
    pub(crate) fn add_to(self, execution: &mut Execution) {
        execution.oom_kills = self.oom_kills;
        self.left.add_to(&mut execution.sample);
    }
}

/// Runs one program at `place`. `read_back` is called when nothing of the run is alive, and before
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

/// Runs what `measure` starts and measures. Nothing of it is alive when `read_back` is called.
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
