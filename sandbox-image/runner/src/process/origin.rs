//! The process that counted runs are forked from.

use crate::confine::control_message::Control;
use crate::process::context::ProcessContext;
use crate::process::measure;
use crate::process::spawn::Child;
use crate::process::sweep;
use crate::sys::facts::{Reading, nanoseconds, now};
use crate::sys::fault::Result;
use crate::sys::wait::{Usage, is_child};
use nix::unistd::Pid;
use runner_protocol::{Limits, Run, Subject};
use std::fs::File;
use std::io::Read;
use std::os::fd::AsRawFd;
use std::os::unix::net::UnixStream;
use std::time::Duration;

/// Length of an origin's answer, a process id, in bytes.
const ANSWER_BYTES: usize = 4;

/// The process that runs of a program are forked from, if there is one.
#[derive(Default)]
pub(crate) enum Origin {
    #[default]
    None,
    Living(Living),
    /// The program has none, or lost it.
    Refused,
}

/// A living origin.
pub(crate) struct Living {
    pub(crate) pid: Pid,
    pub(crate) socket: UnixStream,
    pub(crate) serves: Inherited,
}

/// Properties of a run that a forked process has from its origin.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Inherited {
    subject: Subject,
    core: Option<u32>,
    limits: Limits,
    /// Whether the counter reports where instructions were executed.
    is_profiled: bool,
}

impl Inherited {
    /// The properties of a requested run. The runner enforces the other limits itself.
    pub(crate) fn of(request: &Run, is_profiled: bool) -> Self {
        let Run { subject, core, limits, .. } = *request;
        Self { subject, core, limits: Limits { time_ns: 0, wall_ns: 0, ..limits }, is_profiled }
    }
}

impl Origin {
    /// Kills the origin, if it lives, and empties scratch. `next` takes its place.
    pub(crate) fn end(&mut self, next: Self) -> Result<()> {
        match std::mem::replace(self, next) {
            Self::Living(_) => {
                sweep::kill_everything()?;
                sweep::wipe_scratch()
            }
            Self::None | Self::Refused => Ok(()),
        }
    }
}

impl Living {
    /// Forks a process with these files. `None` if the origin does not do it in time.
    pub(crate) fn fork(
        &self,
        context: &ProcessContext,
        channel: Option<&File>,
        files: &[File; 4],
        limits: &Limits,
    ) -> Result<Option<Child>> {
        let begin = Reading { clock_ns: nanoseconds(now()), cpu_ns: Some(0), delay_ns: Some(0) };
        if Control::with(files.each_ref().map(AsRawFd::as_raw_fd)).send(&self.socket).is_err() {
            return Ok(None);
        }
        let within = Some(Duration::from_nanos(limits.wall_ns));
        let (is_ready, _) = measure::sleep_until_ready(context, &self.socket, channel, within)?;
        let mut answer = [0; ANSWER_BYTES];
        if !is_ready || !matches!((&self.socket).read(&mut answer), Ok(ANSWER_BYTES)) {
            return Ok(None);
        }
        let pid = Pid::from_raw(i32::from_le_bytes(answer));
        // The origin has the program's memory, so it can answer anything.
        let is_forked = pid != self.pid && is_child(pid);
        Ok(is_forked.then_some(Child { pid, begin, used: Usage::default(), schedule: None }))
    }
}
