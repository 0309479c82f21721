//! The only way to run an untrusted program. It starts and measures the program, kills and reaps
//! all that is left, reads back the output, and empties scratch.

use crate::process::measure;
use crate::process::origin::Living;
use crate::process::outputs;
use crate::process::runner::Runner;
use crate::process::spec::{Place, Scratch, Spec};
use crate::process::sweep::{self, Leftovers};
use crate::sys::fault::Result;
use crate::sys::files;
use crate::sys::process_set::ProcessSet;
use runner_protocol::{Breach, Clock, Ending, Execution, Limits};

/// Facts about a run that are complete once nothing of it is alive.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Aftermath {
    /// Number of processes that the OOM killer killed during the run.
    pub(crate) oom_kills: u64,
    /// The processes that the run left behind, which were then killed.
    pub(crate) left: Leftovers,
}

impl Aftermath {
    /// Adds these figures to the program's own.
    pub(crate) fn add_to(self, execution: &mut Execution, limits: &Limits) {
        execution.oom_kills = self.oom_kills;
        self.add_left_to(execution, limits);
    }

    /// Adds the figures of the processes that were left. Their processor time can put a program
    /// that exited by itself over a limit of processor time.
    pub(crate) fn add_left_to(self, execution: &mut Execution, limits: &Limits) {
        self.left.add_to(&mut execution.sample);
        if let (Clock::Cpu, Ending::Exited(_), Some(used_ns)) =
            (limits.clock, execution.ending, execution.sample.cpu_ns)
            && used_ns >= limits.time_ns
        {
            execution.ending = Ending::Stopped(Breach::Time(used_ns));
        }
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
    run_and(runner, spec, place, limits, sweep::kill_everything, read_back)
}

/// Like [`run_program`], while an origin lives. The program must be one of our own, because scratch
/// is not emptied: the origin could write at the same time.
pub(crate) fn run_beside<T>(
    runner: &Runner,
    origin: &Living,
    spec: &Spec<'_>,
    place: &Place<'_>,
    limits: &Limits,
    read_back: impl FnOnce(&Execution) -> Result<T>,
) -> Result<(Execution, T)> {
    let sweep = || sweep::kill_left(ProcessSet::OutsideSession(origin.pid), None);
    run_and(runner, spec, place, limits, sweep, read_back)
}

fn run_and<T>(
    runner: &Runner,
    spec: &Spec<'_>,
    place: &Place<'_>,
    limits: &Limits,
    sweep: impl FnOnce() -> Result<Leftovers>,
    read_back: impl FnOnce(&Execution) -> Result<T>,
) -> Result<(Execution, T)> {
    let (context, channel) = (&runner.context, Some(&runner.channel));
    let measure = || measure::measure(context, spec, place, limits, channel);
    run_swept(
        runner,
        place.scratch,
        measure,
        |_| sweep(),
        |mut execution, aftermath| {
            aftermath.add_to(&mut execution, limits);
            execution.output_full = outputs::any_is_full(limits.file_bytes)?;
            let read = read_back(&execution)?;
            Ok((execution, read))
        },
    )
}

/// Runs `measure`, which starts and measures programs. `read_back` is called when nothing of the
/// run is alive.
pub(crate) fn run_measured<M, T>(
    runner: &Runner,
    scratch: Scratch,
    measure: impl FnOnce() -> Result<M>,
    read_back: impl FnOnce(M, Aftermath) -> Result<T>,
) -> Result<T> {
    run_swept(runner, scratch, measure, |_| sweep::kill_everything(), read_back)
}

/// Like [`run_measured`], but `sweep` kills and reaps what is left of the run.
pub(crate) fn run_swept<M, T>(
    runner: &Runner,
    scratch: Scratch,
    measure: impl FnOnce() -> Result<M>,
    sweep: impl FnOnce(&M) -> Result<Leftovers>,
    read_back: impl FnOnce(M, Aftermath) -> Result<T>,
) -> Result<T> {
    runner.pids.set_back(0)?;
    runner.context.access_times.forget();
    files::touch_folders()?;
    let oom = &runner.context.oom;
    let before = oom.count();
    let measured = measure()?;
    let after = oom.count();
    let left = sweep(&measured)?;
    let oom_kills = oom.kills_between(before, after)?;
    let read = read_back(measured, Aftermath { oom_kills, left })?;
    if scratch == Scratch::Emptied {
        sweep::wipe_scratch()?;
    }
    Ok(read)
}
