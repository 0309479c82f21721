//! One interactive run: two programs, each reading on stdin what the other writes to stdout.
//!
//! ```text
//!              input, open as descriptor 3
//!                  |
//!   program <-- interactor      each side: a session, limits and a stderr of its own,
//!   program --> interactor      and where the sandbox has ids to give, a user of its own
//! ```
//!
//! The interactor starts first, on the program's core. The wall clock of both begins when the
//! program calls exec. When one side ends, everything that it left is killed. This closes all its
//! ends of the pipes, so the other side finds end-of-file and goes on within its limits.
//!
//! The runner's wake-up does not show which side left first, because the runner may wake up late
//! and find both ended. But epoll lists descriptors in the order in which they became ready. The
//! order in which the processes end is not enough: a process that exits closes its pipes before it
//! is a zombie, and the other side can be quicker than that. So each side holds a line: a pipe
//! whose other end the runner has. When a process exits, the kernel closes its files from the
//! highest number down (since 4.4), so it closes the line before the pipes between the sides.
//! (Before 4.4 the lines show no more than the order in which the processes end.) A side that
//! closes its line and goes on has not left. Epoll watches the lines before either side starts,
//! because descriptors that are ready when they are added are listed in the order of adding.
//!
//! A run whose lines are counted has a [`relay`] between the program's stdout and the interactor.
//! Its times are no figures.
//!
//! Both sides are silent if, at the hard stop of the wall clock, neither has used processor time
//! for [`QUIET`], and no process of either is at work.
//!
//! There is no warm-up under `/usr/bin/time`, which would time the pipes as well. There is no
//! memory probe, because each reading would make the other side wait.

mod relay;

use crate::confine::landlock::Role;
use crate::process::context::ProcessContext;
use crate::process::measure::{self, End, Watch};
use crate::process::outputs;
use crate::process::run_program::run_measured;
use crate::process::runner::Runner;
use crate::process::spawn::{self, Started, above_result};
use crate::process::spec::{Place, Scratch, Spec};
use crate::process::sweep;
use crate::sys::facts::{self, nanoseconds, now, process_cpu};
use crate::sys::fault::{Fault, Result, Stage};
use crate::sys::files::{self, WorkFile, pipe};
use crate::sys::process_set::{self, ProcessSet};
use nix::fcntl::OFlag;
use nix::sys::epoll::{Epoll, EpollCreateFlags, EpollEvent, EpollFlags, EpollTimeout};
use nix::unistd::{Pid, pipe2};
use relay::{RELAY, Relay};
use runner_protocol::{Breach, Ending, Execution, InteractorRun, Limits, Run};
use std::fs::File;
use std::os::fd::{AsRawFd, OwnedFd};
use std::time::Duration;

/// The `argv[0]` of an interactor.
const INTERACTOR_NAME: &str = "./interactor.out";
/// The interactor's first argument: the path of its input.
const INPUT: &str = "/proc/self/fd/3";
/// Time for which neither side may have used processor time if both are to count as silent.
const QUIET: Duration = Duration::from_millis(100);
/// Offset from a side's index to the number of its line in epoll.
const LINE: usize = 2;
/// Interval at which the limits of a relayed run are checked. A check for each block that the relay
/// moves would take longer than to move it.
const CHECK_RELAYED: Duration = Duration::from_millis(10);
/// The index of the program.
const PROGRAM: usize = 0;
/// The index of the interactor.
const INTERACTOR: usize = 1;

/// Makes one measured run of both programs. Afterwards nothing of them is left except their stderr.
pub(crate) fn repetition(
    runner: &Runner,
    request: &Run,
    limits: &Limits,
) -> Result<(Execution, InteractorRun)> {
    let measure = || {
        let (lines, theirs) = Lines::new()?;
        let (started, mut relay) = start(runner, request, limits, theirs)?;
        if let Some(relay) = &mut relay {
            let home = runner.context.cores.get();
            relay.begin(&lines.order, request.core.map(|core| (home, core)))?;
        }
        let both = [&request.limits, limits];
        let mut pair = Pair::begin(&runner.context, &started, &lines, both, relay)?;
        pair.until_ended(&runner.channel)?;
        pair.concluded()
    };
    run_measured(
        runner,
        Scratch::Emptied,
        measure,
        |(mut execution, mut interactor_run), aftermath| {
            aftermath.add_left_to(&mut execution, &request.limits);
            let killed = Ending::Signaled(libc::SIGKILL);
            // If only the interactor was killed, it was out of memory; otherwise the program or one
            // of its children was.
            if interactor_run.execution.ending == killed && execution.ending != killed {
                interactor_run.execution.oom_kills = aftermath.oom_kills;
            } else {
                execution.oom_kills = aftermath.oom_kills;
            }
            execution.output_full = outputs::is_full(WorkFile::STDERR, request.limits.file_bytes)?;
            interactor_run.execution.output_full =
                outputs::is_full(WorkFile::INTERACTOR_STDERR, limits.file_bytes)?;
            Ok((execution, interactor_run))
        },
    )
}

/// Starts both programs, the interactor first. Afterwards this process holds neither the pipes
/// between them nor their ends of the lines, except for the ends of a relay.
fn start(
    runner: &Runner,
    request: &Run,
    limits: &Limits,
    [line, other_line]: [OwnedFd; 2],
) -> Result<([Started; 2], Option<Relay>)> {
    let (answers, to_program) = pipe()?;
    let (relay, questions, to_interactor) = if request.counts_lines {
        let (relay, questions, to_relay) = Relay::new()?;
        (Some(relay), questions, to_relay)
    } else {
        let (questions, to_interactor) = pipe()?;
        (None, questions, to_interactor)
    };
    let binary = above_result(WorkFile::INTERACTOR_BINARY.open()?)?;
    let spec = Spec {
        path: format!("/proc/self/fd/{}", binary.as_raw_fd()).into(),
        argv: [INTERACTOR_NAME, INPUT].map(String::from).into(),
        limits: Some(limits),
        role: Role::Interactor,
        // The program's core: waking another core would cost the program several times its own
        // work.
        core: request.core,
        ..Spec::default()
    };
    let place = Place {
        stdio: Some([questions, to_program, files::output(WorkFile::INTERACTOR_STDERR)?]),
        result: Some(files::input(request.input)?),
        kept: vec![other_line],
        ..Place::default()
    };
    let interactor = spawn::spawn(&runner.context, &spec, &place)?;
    // The runner's copies would keep the pipes open.
    drop(place);
    // Nothing writes to this file now, and an earlier run's output must not look like this run's.
    files::output(WorkFile::STDOUT)?;
    let spec = Spec { role: Role::InteractiveProgram, ..runner.spec(request) };
    let place = Place {
        stdio: Some([answers, to_interactor, files::output(WorkFile::STDERR)?]),
        kept: vec![line],
        ..Place::default()
    };
    let program = match (spawn::spawn(&runner.context, &spec, &place), interactor.pid()) {
        // The interactor may have started as many processes as allowed. Then the program runs
        // alone.
        (Err(_), Some(leader)) => {
            sweep::kill_left(ProcessSet::All, Some(leader))?;
            spawn::spawn(&runner.context, &spec, &place)?
        }
        (started, _) => started?,
    };
    // A program that has exited by now leaves when the runner's copy of its line is closed. If the
    // pipes were closed before, the interactor could leave first.
    drop(place.kept);
    Ok(([program, interactor], relay))
}

/// Pipes that hang up when a side exits.
struct Lines {
    ends: [OwnedFd; 2],
    /// Reports which line hangs up, by its index in `ends` plus [`LINE`].
    order: Epoll,
}

impl Lines {
    /// Creates both lines. Returns them, and the ends that the two sides hold.
    fn new() -> Result<(Self, [OwnedFd; 2])> {
        let order = Epoll::new(EpollCreateFlags::EPOLL_CLOEXEC).stage("epoll")?;
        let line = |at: usize| {
            let (ours, theirs) = pipe2(OFlag::O_CLOEXEC).stage("pipe")?;
            // Even without requested events, epoll reports a hang-up.
            let event = EpollEvent::new(EpollFlags::empty(), (LINE + at) as u64);
            order.add(&ours, event).stage("epoll")?;
            Ok((ours, above_result(&theirs)?))
        };
        let [(of_program, line), (of_interactor, other_line)] = [line(PROGRAM)?, line(INTERACTOR)?];
        Ok((Self { ends: [of_program, of_interactor], order }, [line, other_line]))
    }
}

/// Both sides, the program first.
struct Pair<'a> {
    context: &'a ProcessContext,
    /// The sides that have not ended, each with its limits.
    watches: [Option<Watch<'a>>; 2],
    /// The sides that have ended.
    ended: [Option<Execution>; 2],
    /// The process ids of the sides.
    pids: [Option<Pid>; 2],
    /// The lines, whose epoll also reports which side has ended, by its index in `watches`.
    lines: &'a Lines,
    /// The relay of a run whose lines are counted; its epoll is that of the lines.
    relay: Option<Relay>,
    begun_ns: u64,
    ended_ns: u64,
    rest: [Rest; 2],
    /// The side that left first.
    left_first: Option<usize>,
    silent: bool,
}

impl<'a> Pair<'a> {
    fn begin(
        context: &'a ProcessContext,
        started: &[Started; 2],
        lines: &'a Lines,
        limits: [&'a Limits; 2],
        relay: Option<Relay>,
    ) -> Result<Self> {
        let pids = started.each_ref().map(Started::pid);
        let begun_ns = match &started[PROGRAM] {
            Started::Running(child) => child.begin.clock_ns,
            Started::Killed(_) => nanoseconds(now()),
        };
        let watch = |at: usize| match &started[at] {
            Started::Running(child) => {
                let all = (processes(at, pids), true);
                let watch = Watch::begin(context, child.clone(), limits[at], all, None, begun_ns)?;
                let event = EpollEvent::new(EpollFlags::EPOLLIN, at as u64);
                lines.order.add(&watch.handle, event).stage("epoll")?;
                Ok(Some(watch))
            }
            Started::Killed(_) => Ok(None),
        };
        let watches = [watch(PROGRAM)?, watch(INTERACTOR)?];
        let ended = started.each_ref().map(|started| match started {
            Started::Running(_) => None,
            Started::Killed(signal) => Some(measure::killed(*signal)),
        });
        let rest = [Rest { used_ns: 0, since_ns: begun_ns }; 2];
        let left_first = [INTERACTOR, PROGRAM].into_iter().find(|&at| watches[at].is_none());
        Ok(Self {
            context,
            watches,
            ended,
            pids,
            lines,
            relay,
            begun_ns,
            ended_ns: begun_ns,
            rest,
            left_first,
            silent: false,
        })
    }

    /// Sleeps until both have ended, or ends them at their limits.
    fn until_ended(&mut self, channel: &File) -> Result<()> {
        let (lines, mut next_check_ns) = (self.lines, 0);
        while self.watches.iter().any(Option::is_some) {
            let patience = self.watches.iter().flatten().filter_map(Watch::patience).min();
            let order = &lines.order.0;
            let (_, woken_ns) =
                measure::sleep_until_ready(self.context, order, Some(channel), patience)?;
            let mut events = [EpollEvent::empty(); RELAY + 1];
            let count = lines.order.wait(&mut events, EpollTimeout::ZERO).stage("epoll")?;
            for event in &events[..count] {
                match (usize::try_from(event.data()).stage("epoll")?, &mut self.relay) {
                    (at @ (PROGRAM | INTERACTOR), _) => self.conclude(at, woken_ns)?,
                    (RELAY, Some(relay)) => relay.advance(&lines.order)?,
                    (line, _) => self.hung_up(line - LINE)?,
                }
            }
            if self.relay.is_none() || woken_ns >= next_check_ns {
                next_check_ns = woken_ns + nanoseconds(CHECK_RELAYED);
                self.check();
            }
        }
        Ok(())
    }

    /// Handles a side that has closed its line, as it does when it exits.
    fn hung_up(&mut self, at: usize) -> Result<()> {
        self.lines.order.delete(&self.lines.ends[at]).stage("epoll")?;
        if self.left_first.is_none() && self.pids[at].is_none_or(process_set::is_leaving) {
            self.left_first = Some(at);
        }
        Ok(())
    }

    /// Reaps a side that has ended, so that the other side finds end-of-file.
    fn conclude(&mut self, at: usize, woken_ns: u64) -> Result<()> {
        let Some(watch) = self.watches[at].take() else { return Ok(()) };
        self.lines.order.delete(&watch.handle).stage("epoll")?;
        let mut execution = measure::conclude(&watch.child, watch.breach, woken_ns, End::ByWakeUp)?;
        sweep::kill_left(processes(at, self.pids), None)?.add_to(&mut execution.sample);
        self.ended[at] = Some(execution);
        self.left_first.get_or_insert(at);
        self.ended_ns = woken_ns;
        Ok(())
    }

    /// Ends the sides that have met a limit. Both meet the hard stop together. In that case the
    /// side that was working counts as the first to leave. If both were working, it is the one with
    /// more processor time, because it kept the other waiting. If neither was, it is the program.
    fn check(&mut self) {
        let rests = [PROGRAM, INTERACTOR].map(|at| self.rests(at));
        // Read the clock only once, or the side that is checked second might be stopped alone:
        // reading the memory of many processes takes milliseconds.
        let now_ns = nanoseconds(now());
        let breaches = [INTERACTOR, PROGRAM].map(|at| {
            let watch = self.watches[at].as_mut()?;
            Some((at, watch.check(now_ns)?))
        });
        if self.left_first.is_none() {
            let stopped = |breach: &Option<_>| matches!(breach, Some((_, Breach::Wall(_))));
            self.left_first = match breaches.iter().flatten().next() {
                Some(_) if breaches.iter().all(stopped) => Some(match rests {
                    [true, false] => INTERACTOR,
                    [false, false] if self.used_ns(INTERACTOR) > self.used_ns(PROGRAM) => {
                        INTERACTOR
                    }
                    _ => PROGRAM,
                }),
                breach => breach.map(|&(at, _)| at),
            };
            self.silent = breaches.iter().all(stopped) && rests == [true, true];
        }
    }

    /// The processor time of a side's living processes.
    fn used_ns(&self, at: usize) -> u64 {
        processes(at, self.pids).pids().filter_map(process_cpu).sum()
    }

    /// Whether a side is alive and has done nothing for [`QUIET`].
    fn rests(&mut self, at: usize) -> bool {
        let Some(watch) = &self.watches[at] else { return false };
        self.rest[at].lasts(watch.child.pid)
            && processes(at, self.pids).pids().all(process_set::is_asleep)
    }

    fn concluded(self) -> Result<(Execution, InteractorRun)> {
        let alone = self.pids[PROGRAM].is_some() && facts::last_pid() == self.pids[PROGRAM];
        let [Some(mut program), Some(mut interactor)] = self.ended else {
            return Err(Fault::new("end an interactive run", "a side goes on"));
        };
        for execution in [&mut program, &mut interactor] {
            execution.sample.concurrent |= !alone;
        }
        let interactor_run = InteractorRun {
            execution: interactor,
            left_first: self.left_first == Some(INTERACTOR),
            silent: self.silent,
            wall_ns: self.ended_ns.saturating_sub(self.begun_ns),
            lines: self.relay.map(Relay::finish),
        };
        Ok((program, interactor_run))
    }
}

/// The processes of a side: the interactor's are those in its session, the program's all others.
fn processes(at: usize, pids: [Option<Pid>; 2]) -> ProcessSet {
    match pids[INTERACTOR] {
        Some(leader) if at == INTERACTOR => ProcessSet::Session(leader),
        Some(leader) => ProcessSet::OutsideSession(leader),
        None => ProcessSet::All,
    }
}

/// Period in which a process has used no processor time.
#[derive(Debug, Clone, Copy)]
struct Rest {
    used_ns: u64,
    since_ns: u64,
}

impl Rest {
    /// Whether the rest has lasted for [`QUIET`]. Time used between two checks counts as used at
    /// the second check.
    fn lasts(&mut self, pid: Pid) -> bool {
        let (used_ns, now_ns) = (process_cpu(pid).unwrap_or(0), nanoseconds(now()));
        if used_ns != self.used_ns {
            *self = Self { used_ns, since_ns: now_ns };
        }
        now_ns.saturating_sub(self.since_ns) >= nanoseconds(QUIET)
    }
}
