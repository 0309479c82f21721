//! Follows a traced run to its end.

use crate::process::measure::{self, POLL_MEMORY};
use crate::process::runner::Runner;
use crate::process::spawn::{self, Started};
use crate::process::spec::{Place, Spec};
use crate::process::sweep;
use crate::process::tracer::{Event, Samples, Tracee};
use crate::sys::facts::{self, nanoseconds, now, process_cpu};
use crate::sys::fault::Result;
use crate::sys::process_set::ProcessSet;
use nix::sys::signal::{Signal, kill};
use nix::unistd::{Pid, getppid};
use runner_protocol::{Breach, Ending, Execution, Limits};
use std::cell::Cell;
use std::hint;
use std::time::Duration;

/// Interval at which the limits are checked.
const TICK: Duration = Duration::from_millis(1);
/// Time after the limit in which a process must stop for a look at its stack.
const STOP_TIME: Duration = Duration::from_millis(200);
/// Time for which a stop is awaited without sleep: it takes a few microseconds.
const SPIN: Duration = Duration::from_micros(200);

/// Limits of a traced run, and the stops in it.
#[derive(Clone, Copy)]
pub(super) struct Plan<'a> {
    pub(super) limits: &'a Limits,
    pub(super) stop: StopFor,
}

/// Reason to stop a traced program.
#[derive(Clone, Copy)]
pub(super) enum StopFor {
    /// A look at its stack at the limit of time, which ends the run.
    Fault,
    /// A sample after each interval of processor time, in nanoseconds.
    Samples { interval_ns: u64 },
}

/// Starts the program and follows it to its end. Its figures are not measured. The tracee is `None`
/// if the program could not be started.
pub(super) fn follow<'p>(
    runner: &Runner,
    spec: &Spec<'_>,
    place: &Place<'_>,
    plan: Plan<'_>,
    tracee: impl FnOnce(Pid) -> Tracee<'p>,
) -> Result<(Execution, Option<Tracee<'p>>)> {
    let context = &runner.context;
    let child = match spawn::spawn(context, spec, place)? {
        Started::Running(child) => child,
        Started::Killed(signal) => return Ok((measure::killed(signal), None)),
    };
    let limits = plan.limits;
    let samples_memory = context.oom.version().is_none();
    let (begun, limit) = (now(), Duration::from_nanos(limits.wall_ns));
    let last = if let StopFor::Fault = plan.stop { limit + STOP_TIME } else { limit };
    let mut tracee = tracee(child.pid);
    let checked = Cell::new(begun);
    let excess = || {
        let at = now();
        if !samples_memory || at.saturating_sub(checked.get()) < POLL_MEMORY {
            return None;
        }
        checked.set(at);
        let resident = facts::resident_bytes(ProcessSet::All, &[getppid()]);
        (resident > limits.resident_bytes).then_some(resident)
    };
    let is_late = || now().saturating_sub(begun) >= last || excess().is_some();
    let (mut breach, mut sampler) = (None, Sampler::default());
    loop {
        let wall = now().saturating_sub(begun);
        let is_over = match tracee.next(&is_late) {
            Event::Ended(status) => {
                let ending = breach.map_or(measure::ending(status), Ending::Stopped);
                return Ok((Execution { ending, ..measure::killed(0) }, Some(tracee)));
            }
            Event::Passed(signal) => {
                let is_look = matches!(plan.stop, StopFor::Fault) && signal == libc::SIGSTOP;
                is_look && tracee.is_stopping
            }
            Event::Nothing if tracee.is_stopping && sampler.awaits_stop() => {
                hint::spin_loop();
                false
            }
            Event::Nothing => {
                let channel = &runner.channel;
                if measure::sleep_until_ready(context, channel, None, Some(TICK))?.0 {
                    sweep::cancel()?;
                }
                false
            }
        };
        if breach.is_some() {
            continue;
        }
        breach = excess().map(Breach::Resident);
        if is_over || wall >= last {
            breach = Some(Breach::Wall(nanoseconds(wall)));
        } else {
            match plan.stop {
                StopFor::Samples { interval_ns } => sampler.stop(&mut tracee, interval_ns),
                StopFor::Fault if wall >= limit && !tracee.is_stopping => tracee.stop(),
                StopFor::Fault => {}
            }
        }
        if breach.is_some() {
            // Everything but the runner, which is pid 1. All may already have ended.
            let _ = kill(Pid::from_raw(-1), Signal::SIGKILL);
        }
    }
}

/// Stops a program for samples.
#[derive(Default)]
struct Sampler {
    /// Processor time of the program at its last stop, in nanoseconds.
    cpu_ns: u64,
    stopped_at: Option<Duration>,
}

impl Sampler {
    /// Whether the program was told to stop just now. A runner that slept would leave it stopped
    /// for a whole [`TICK`].
    fn awaits_stop(&self) -> bool {
        self.stopped_at.is_some_and(|at| now().saturating_sub(at) < SPIN)
    }

    /// Stops the program if it has used `interval_ns` of processor time since the last stop.
    fn stop(&mut self, tracee: &mut Tracee<'_>, interval_ns: u64) {
        let has_room = tracee.samples.as_ref().is_some_and(Samples::has_room);
        if tracee.is_stopping || !has_room {
            return;
        }
        let Some(cpu_ns) = process_cpu(tracee.pid) else { return };
        if cpu_ns.saturating_sub(self.cpu_ns) >= interval_ns {
            self.cpu_ns = cpu_ns;
            self.stopped_at = Some(now());
            tracee.stop();
        }
    }
}
