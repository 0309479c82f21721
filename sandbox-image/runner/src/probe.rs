//! One run that is looked into: its memory before every call that can make it smaller, and at its end.
//!
//! A look in between, every [`TICK`], is for programs that a signal ends: they make no last call.

use crate::child::{self, Spec, Started};
use crate::facts::{self, now};
use crate::fault::{At, Fault, Result};
use crate::look::Looker;
use crate::measure;
use crate::notice::{Listener, Notice, Post};
use crate::run_cgroup::RunCgroup;
use crate::runner::Runner;
use crate::whose::Whose;
use crate::{batch, files, once, sweep};
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{Signal, kill};
use nix::unistd::{Pid, getppid};
use runner_protocol::{Breach, Ending, Execution, Limits, Memory, Probed, Run};
use std::fs::File;
use std::os::fd::{AsFd, OwnedFd};
use std::time::Duration;

/// How often is looked where no call is made, and how late a limit is seen.
const TICK: Duration = Duration::from_millis(1);
/// How often memory is sampled where no cgroup limits it, in ticks.
const TICKS_A_SAMPLE: u32 = 10;
/// Most looks because of calls. Past them a call is let go at once, and the largest sizes are those
/// seen by then, every [`TICK`], and at the end.
const MAX_LOOKS: u32 = 500_000;

/// Runs once and looks.
pub(crate) fn probe(runner: &Runner, request: &Run) -> Result<Probed> {
    files::place(request.input)?;
    let Some(post) = Post::open()? else {
        return Ok(Probed { execution: batch::repetition(runner, request)?, memory: None });
    };
    let (mut execution, memory) = watched(runner, request, post)?;
    sweep::kill_everything()?.add_to(&mut execution.sample);
    execution.output_full = files::output_full(request.limits.file_bytes)?;
    sweep::wipe_scratch()?;
    Ok(Probed { execution, memory })
}

fn watched(runner: &Runner, request: &Run, post: Post) -> Result<(Execution, Option<Memory>)> {
    let (path, argument) = runner.program(request.subject);
    let spec = Spec {
        path: &path,
        argv: [once::ARGV0].into_iter().chain(argument).map(String::from).collect(),
        stdio: Some(files::stdio(request.input)?),
        limits: Some(&request.limits),
        core: request.core,
        notices: Some(&post),
        ..Spec::default()
    };
    let cgroup = runner.kit.run_cgroup.as_ref();
    cgroup.map_or(Ok(()), RunCgroup::reset)?;
    let oom_before = runner.kit.oom.kills();
    let child = match child::start(&runner.kit, &spec)? {
        Started::Running(child) => child,
        Started::Killed(signal) => return Ok((measure::killed(signal), None)),
    };
    let pid = child.pid;
    let handle = measure::open_pidfd(pid)?;
    let looker = Looker::at(pid).at("look at the program")?;
    let Some(listener) = post.listener(&handle)? else {
        let mut execution = measure::conclude(&child, None, facts::nanoseconds(now()))?;
        execution.oom_kills = runner.kit.oom.kills().saturating_sub(oom_before);
        // A copy of this process can be killed for want of memory before it is the program.
        return match execution.ending {
            Ending::Signaled(_) => Ok((execution, None)),
            _ => Err(Fault::new("start a program", "its set-up failed")),
        };
    };
    let mut watch = Watch {
        pid,
        limits: &request.limits,
        begun: now(),
        looker,
        polls_memory: runner.kit.oom.version().is_none(),
        is_program: false,
    };
    let breach = watch.until_ended(&handle, &runner.channel, &listener)?;
    let cgroup_peak_bytes = cgroup.and_then(RunCgroup::peak);
    let memory = watch.looker.seen().map(|seen| Memory { cgroup_peak_bytes, ..seen });
    let mut execution = measure::conclude(&child, breach, facts::nanoseconds(now()))?;
    execution.oom_kills = runner.kit.oom.kills().saturating_sub(oom_before);
    Ok((execution, memory))
}

/// A child that is looked at.
struct Watch<'a> {
    pid: Pid,
    limits: &'a Limits,
    begun: Duration,
    looker: Looker,
    polls_memory: bool,
    /// Whether the child is the program, and not a copy of this process any more.
    is_program: bool,
}

impl Watch<'_> {
    /// Answers calls until the child has ended, or ends it at a limit, and returns which.
    fn until_ended(
        &mut self,
        handle: &OwnedFd,
        channel: &File,
        listener: &Listener,
    ) -> Result<Option<Breach>> {
        let mut breach = None;
        let (mut ticks, mut next_tick) = (0_u32, now() + TICK);
        let timeout = PollTimeout::try_from(TICK).at("timeout")?;
        loop {
            let mut fds = [handle.as_fd(), channel.as_fd(), listener.as_fd()]
                .map(|fd| PollFd::new(fd, PollFlags::POLLIN));
            match poll(&mut fds, timeout) {
                Ok(_) | Err(Errno::EINTR) => {}
                Err(errno) => return Err(Fault::new("wait for the program", errno)),
            }
            let [ended, stop, _] = fds.each_ref().map(|fd| fd.any().unwrap_or(false));
            // Once nobody is left to ask, the listener hangs up, and that is no news.
            let asked = fds[2].revents().is_some_and(|events| events.contains(PollFlags::POLLIN));
            if ended {
                return Ok(breach);
            }
            if stop {
                sweep::kill_everything()?;
                std::process::exit(0);
            }
            if asked && let Some(notice) = listener.hear()? {
                self.heed(&notice);
                listener.let_go(&notice)?;
            }
            if now() >= next_tick && breach.is_none() {
                next_tick = now() + TICK;
                ticks = ticks.wrapping_add(1);
                breach = self.tick(ticks.is_multiple_of(TICKS_A_SAMPLE));
            }
        }
    }

    /// Looks, as closely as the call asks for. Other processes of the program are not looked at, but
    /// one made by vfork(2) has the program's own memory.
    fn heed(&mut self, notice: &Notice) {
        if !self.is_program {
            self.is_program = notice.call == libc::SYS_execve;
            return;
        }
        let ends = match notice.call {
            libc::SYS_exit => notice.thread == self.pid,
            libc::SYS_exit_group | libc::SYS_execve | libc::SYS_execveat | libc::SYS_tgkill => {
                self.looker.is_own(notice.thread)
            }
            _ => false,
        };
        if ends {
            self.looker.look_last(notice.thread);
        } else if self.looker.looks() < MAX_LOOKS {
            self.looker.look(notice.thread);
        }
    }

    /// Looks, and ends the child at a limit: of the wall clock alone, for the others count what
    /// looking costs.
    fn tick(&mut self, samples_memory: bool) -> Option<Breach> {
        let pid = self.pid;
        if self.is_program {
            self.looker.look(pid);
        }
        let sampled = if samples_memory && self.polls_memory {
            facts::resident_bytes(Whose::Anybody, &[getppid()])
        } else {
            0
        };
        let wall_ns = facts::nanoseconds(now().saturating_sub(self.begun));
        let breach = if wall_ns >= self.limits.wall_ns {
            Breach::Wall(wall_ns)
        } else if sampled > self.limits.resident_bytes {
            Breach::Resident(sampled)
        } else {
            return None;
        };
        if self.is_program {
            self.looker.look_last(pid);
        }
        // It may have ended by itself in this very moment.
        let _ = kill(pid, Signal::SIGKILL);
        Some(breach)
    }
}
