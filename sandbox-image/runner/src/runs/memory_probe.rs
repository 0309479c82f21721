//! One run under the memory probe. The runner reads the program's memory before every system call
//! that can make the memory smaller, and before the program exits.
//!
//! The readings every [`TICK`] are for programs that a signal ends, because they make no last call.
//!
//! At the same moments the runner reads the memory cgroup's count for all of the program's
//! processes. It ends a run that holds too much memory, of whatever kind.

use crate::confine::run_cgroup::Account;
use crate::confine::seccomp_notify::{Listener, Notification, NotifyFilter};
use crate::process::measure::{self, End};
use crate::process::memory_reader::MemoryReader;
use crate::process::outputs;
use crate::process::run_program::run_measured;
use crate::process::runner::Runner;
use crate::process::spawn::{self, Started};
use crate::process::spec::{Place, Spec};
use crate::process::sweep;
use crate::runs::batch;
use crate::sys::facts::{self, now};
use crate::sys::fault::{Fault, Result, Stage};
use crate::sys::files::{self, Kept};
use crate::sys::process_set::ProcessSet;
use crate::sys::wait::open_pidfd;
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{Signal, kill};
use nix::unistd::{Pid, getppid};
use runner_protocol::{Breach, Ending, Execution, HELD_SLACK_BYTES, Limits, Memory, Probed, Run};
use std::fs::File;
use std::os::fd::{AsFd, OwnedFd};
use std::time::Duration;

/// Interval at which memory is read without a call. A limit may be noticed this late.
const TICK: Duration = Duration::from_millis(1);
/// Interval at which memory is sampled if no cgroup limits it, in ticks.
const TICKS_A_SAMPLE: u32 = 10;
/// Maximum number of readings because of calls. After that, calls go on at once. The largest sizes
/// then come from these readings, from every [`TICK`], and from the end.
const MAX_READS: u32 = 500_000;

/// Runs the program once and reads its memory.
pub(crate) fn probe(runner: &Runner, request: &Run) -> Result<Probed> {
    files::place(request.input)?;
    let Some(filter) = NotifyFilter::open(&runner.context.confinement.filter)? else {
        return Ok(Probed { execution: batch::repetition(runner, request)?, memory: None });
    };
    let cgroup = runner.context.run_cgroup.as_ref();
    cgroup.map_or(Ok(()), |cgroup| cgroup.limit(&request.limits))?;
    let stdio = files::stdio(request.input)?;
    let account = Account::open(cgroup, &Kept::get()?.outputs)?;
    let place = Place { stdio: Some(stdio), cgroup, ..Place::default() };
    let measure = || watched(runner, request, &place, filter, account);
    run_measured(runner, place.scratch, measure, |(mut execution, memory), aftermath| {
        aftermath.add_to(&mut execution, &request.limits);
        execution.output_full = outputs::any_is_full(request.limits.file_bytes)?;
        Ok(Probed { execution, memory })
    })
}

fn watched(
    runner: &Runner,
    request: &Run,
    place: &Place<'_>,
    filter: NotifyFilter,
    account: Option<Account>,
) -> Result<(Execution, Option<Memory>)> {
    let spec = Spec { notify: Some(&filter), ..runner.spec(request) };
    let child = match spawn::spawn(&runner.context, &spec, place)? {
        Started::Running(child) => child,
        Started::Killed(signal) => return Ok((measure::killed(signal), None)),
    };
    let pid = child.pid;
    let handle = open_pidfd(pid)?;
    let reader = MemoryReader::open(pid).stage("look at the program")?;
    let Some(listener) = filter.listener(&handle)? else {
        let execution = measure::conclude(&child, None, facts::nanoseconds(now()), End::ByWakeUp)?;
        // The OOM killer can kill the copy of this process before the copy becomes the program.
        return match execution.ending {
            Ending::Signaled(_) => Ok((execution, None)),
            _ => Err(Fault::new("start a program", "its set-up failed")),
        };
    };
    let mut watch = Watch {
        pid,
        limits: &request.limits,
        begun: now(),
        reader,
        account,
        polls_memory: runner.context.oom.version().is_none(),
        is_program: false,
        is_ending: false,
    };
    let breach = watch.until_ended(&handle, &runner.channel, &listener)?;
    let cgroup_peak_bytes = watch.account.as_mut().and_then(Account::peak);
    let memory = watch.reader.seen().map(|seen| Memory { cgroup_peak_bytes, ..seen });
    let ended_ns = facts::nanoseconds(now());
    let mut execution = measure::conclude(&child, breach, ended_ns, End::ByWakeUp)?;
    execution.sample.held_bytes = cgroup_peak_bytes.unwrap_or(0);
    Ok((execution, memory))
}

/// A child under the memory probe.
struct Watch<'a> {
    pid: Pid,
    limits: &'a Limits,
    begun: Duration,
    reader: MemoryReader,
    account: Option<Account>,
    polls_memory: bool,
    /// Whether the child is the program already, and no longer a copy of this process.
    is_program: bool,
    /// Whether the listener has hung up: no process can make a call any more.
    is_ending: bool,
}

impl Watch<'_> {
    /// Answers notifications until the child has ended, or ends the child at a limit. Returns that
    /// limit.
    fn until_ended(
        &mut self,
        handle: &OwnedFd,
        channel: &File,
        listener: &Listener,
    ) -> Result<Option<Breach>> {
        let mut breach = None;
        let (mut ticks, mut next_tick) = (0_u32, now() + TICK);
        let timeout = PollTimeout::try_from(TICK).stage("timeout")?;
        loop {
            let mut fds = [handle.as_fd(), channel.as_fd(), listener.as_fd()]
                .map(|fd| PollFd::new(fd, PollFlags::POLLIN));
            // Polling a listener that has hung up does not sleep, and takes the processor away from
            // a child that frees its memory.
            let polled = if self.is_ending { &mut fds[..2] } else { &mut fds[..] };
            match poll(polled, timeout) {
                Ok(_) | Err(Errno::EINTR) => {}
                Err(errno) => return Err(Fault::new("wait for the program", errno)),
            }
            let [ended, stop, _] = fds.each_ref().map(|fd| fd.any().unwrap_or(false));
            let heard = |flag| fds[2].revents().is_some_and(|events| events.contains(flag));
            let asked = heard(PollFlags::POLLIN);
            self.is_ending |= !asked && heard(PollFlags::POLLHUP);
            if ended {
                return Ok(breach);
            }
            if stop {
                sweep::cancel()?;
            }
            if asked && let Some(notification) = listener.receive()? {
                self.read_at(&notification);
                listener.let_go(&notification)?;
            }
            if now() >= next_tick && breach.is_none() {
                next_tick = now() + TICK;
                ticks = ticks.wrapping_add(1);
                breach = self.tick(ticks.is_multiple_of(TICKS_A_SAMPLE));
            }
        }
    }

    /// Reads the memory before a system call. If the call may end the program, this is the last
    /// reading, and it is always made. Before other calls, the memory is read only while there are
    /// fewer than [`MAX_READS`] readings. Other processes of the program are not read, except those
    /// made by vfork(2), which share the program's memory.
    fn read_at(&mut self, notification: &Notification) {
        if let Some(account) = &mut self.account {
            account.peak();
        }
        if !self.is_program {
            self.is_program = notification.call == libc::SYS_execve;
            return;
        }
        let ends = match notification.call {
            libc::SYS_exit => notification.thread == self.pid,
            libc::SYS_exit_group | libc::SYS_execve | libc::SYS_execveat | libc::SYS_tgkill => {
                self.reader.is_own(notification.thread)
            }
            _ => false,
        };
        if ends {
            self.reader.read_last(notification.thread);
        } else if self.reader.reads() < MAX_READS {
            self.reader.read(notification.thread);
        }
    }

    /// Reads the memory, and ends the child at the wall-clock limit or at a limit of memory. The
    /// other limits of time would count the cost of the readings.
    fn tick(&mut self, samples_memory: bool) -> Option<Breach> {
        let pid = self.pid;
        if self.is_program && !self.is_ending {
            self.reader.read(pid);
        }
        let sampled = if samples_memory && self.polls_memory {
            facts::resident_bytes(ProcessSet::All, &[getppid()])
        } else {
            0
        };
        let held = self.account.as_mut().and_then(Account::peak);
        let wall_ns = facts::nanoseconds(now().saturating_sub(self.begun));
        let breach = if wall_ns >= self.limits.wall_ns {
            Breach::Wall(wall_ns)
        } else if sampled > self.limits.resident_bytes {
            Breach::Resident(sampled)
        } else {
            let most = self.limits.resident_bytes.saturating_add(HELD_SLACK_BYTES);
            Breach::Resident(held.filter(|&held| held > most)?)
        };
        if self.is_program {
            self.reader.read_last(pid);
        }
        // The child may already have ended by itself.
        let _ = kill(pid, Signal::SIGKILL);
        Some(breach)
    }
}
