//! Measures one process: the interval, the limits, the evidence.
//!
//! The interval begins when the child, fully set up, calls exec. The interval ends when the child
//! is a zombie, before it is reaped. Clock, processor time and run delay are read at both ends (at
//! the beginning by the child itself), so every figure is a difference over the same interval.
//!
//! The end time is not the moment the runner wakes up, because that can be late under load, by 3 ms
//! at the 99th percentile: the runner has to be woken, and may wait for a processor itself.
//! - A process runs, waits for a processor, or sleeps. If its last voluntary context switch is its
//!   only one, it never slept. Then it ended when its processor time and its run delay had passed,
//!   exact to the nanosecond, whenever the runner woke. This includes programs that read and write
//!   files.
//! - Otherwise its end is the runner's wake-up, less the runner's own wait for a processor if that
//!   is known. The end is never before the leader's processor time and run delay had passed. The
//!   wake-up is later if a hypervisor took time from the leader's processor, which neither of the
//!   two counts, and in which another process can run on another processor.
//!
//! Processor time at the leader's end does not show whether other threads or processes ran. The
//! time of a child that nobody has waited for is added when everything is reaped (`sweep`), and a
//! leader that yields to such a child seems to wait for a processor. But each thread and each
//! process takes the next id. So if the last id that was given out is the leader's, the leader ran
//! alone.

use crate::confine::run_cgroup::Account;
use crate::process::context::{ProcessContext, Slept};
use crate::process::spawn::{self, Child, Started};
use crate::process::spec::{Place, Spec};
use crate::process::sweep;
use crate::sys::facts::{self, Reading, Schedule, nanoseconds, now, process_cpu};
use crate::sys::fault::{Fault, Result, Stage};
use crate::sys::process_set::{ProcessSet, children_cpu};
use crate::sys::wait::{Usage, open_pidfd, reap};
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{Signal, kill};
use nix::unistd::{Pid, getppid};
use runner_protocol::{Breach, Clock, Ending, Execution, Limits, OTHERS_NS, OTHERS_SHARE, Sample};
use std::cell::RefCell;
use std::fs::File;
use std::os::fd::{AsFd, OwnedFd};
use std::rc::Rc;
use std::time::Duration;

/// Interval at which the run's account is read, or memory is sampled if no cgroup limits it.
pub(crate) const POLL_MEMORY: Duration = Duration::from_millis(10);
/// A process that never slept has one voluntary context switch: its end.
const LAST_SWITCH: u64 = 1;

/// Starts `spec` at `place` and measures it until it ends. The child is reaped, and the processes
/// that it left behind are not. OOM kills are not counted here. Input on `channel` means that the
/// host cancels the run, and ends this process.
pub(crate) fn measure(
    context: &ProcessContext,
    spec: &Spec<'_>,
    place: &Place<'_>,
    limits: &Limits,
    channel: Option<&File>,
) -> Result<Execution> {
    match spawn::spawn(context, spec, place)? {
        Started::Running(child) => {
            let (account, all) = (place.account.as_ref(), ProcessSet::All);
            until_concluded(context, child, all, (limits, account), channel)
        }
        Started::Killed(signal) => Ok(killed(signal)),
    }
}

/// Measures a child until it ends, and reaps it. `all` are the processes of its run.
pub(crate) fn until_concluded(
    context: &ProcessContext,
    child: Child,
    all: ProcessSet,
    (limits, account): (&Limits, Option<&RefCell<Account>>),
    channel: Option<&File>,
) -> Result<Execution> {
    // If a memory cgroup limits the sandbox, samples of its processes' memory are needless.
    let is_sampled = context.oom.version().is_none();
    let begun_ns = child.begin.clock_ns;
    let mut watch = Watch::begin(context, child, limits, (all, is_sampled), account, begun_ns)?;
    let clock_ns = watch.until_ended(channel)?;
    let end = match facts::last_pid() {
        Some(last) if last == watch.child.pid => End::ByOwnTimes,
        _ => End::ByWakeUp,
    };
    let mut execution = conclude(&watch.child, watch.breach, clock_ns, end)?;
    execution.sample.concurrent |= end == End::ByWakeUp;
    Ok(execution)
}

/// Evidence of the time at which a child ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// The child's processor time and run delay, if it never slept. The child is known to have run
    /// alone.
    ByOwnTimes,
    /// The wake-up of the runner. It is valid even if other processes ran at the same time.
    ByWakeUp,
}

/// Reaps a child that has ended. The runner woke up at `clock_ns`. OOM kills are not counted yet.
pub(crate) fn conclude(
    child: &Child,
    breach: Option<Breach>,
    clock_ns: u64,
    end: End,
) -> Result<Execution> {
    let schedule = match &child.schedule {
        Some(file) => Schedule::read(file),
        None => Schedule::of_process(child.pid),
    };
    let delay_ns = schedule.map(|schedule| schedule.delay_ns);
    let seen = Reading { clock_ns, cpu_ns: process_cpu(child.pid), delay_ns };
    let (status, usage) = reap(child.pid).stage("reap the program")?;
    Ok(Execution {
        ending: breach.map_or(ending(status), Ending::Stopped),
        sample: sample(child, &seen, schedule, usage, end),
        oom_kills: 0,
        output_full: false,
    })
}

/// The result of a child that `signal` ended before its interval began.
pub(crate) fn killed(signal: i32) -> Execution {
    let ending = Ending::Signaled(signal);
    Execution { ending, sample: Sample::default(), oom_kills: 0, output_full: false }
}

/// A running child, and its limits.
pub(crate) struct Watch<'a> {
    context: &'a ProcessContext,
    limits: &'a Limits,
    pub(crate) child: Child,
    /// Readable once the child has ended.
    pub(crate) handle: OwnedFd,
    /// The processes of the child's run.
    all: ProcessSet,
    /// Whether their memory is sampled, because no cgroup limits it.
    is_sampled: bool,
    /// The account of the run's memory. It is read at every check, because it can miss memory that
    /// a run held only between two readings.
    account: Option<&'a RefCell<Account>>,
    /// The start of the child's wall clock.
    begun_ns: u64,
    /// Lag of the limit's clock behind the wall clock at the last reading. The time limit cannot be
    /// met until the wall clock shows the limit plus this lag, so nothing is read before.
    waited_ns: u64,
    /// The limit at which the runner ended the child.
    pub(crate) breach: Option<Breach>,
}

impl<'a> Watch<'a> {
    /// Watches a child whose wall clock began at `begun_ns`. `all` are the processes of its run.
    pub(crate) fn begin(
        context: &'a ProcessContext,
        mut child: Child,
        limits: &'a Limits,
        (all, is_sampled): (ProcessSet, bool),
        account: Option<&'a RefCell<Account>>,
        begun_ns: u64,
    ) -> Result<Self> {
        // The limit's clock may need the child's run delay. The file is opened and first read at
        // the start, because both take kernel memory. In a container that memory counts together
        // with the program's, so at the limit the OOM killer would end the runner. A child that
        // has opened the file itself has read it too.
        if limits.clock == Clock::Unloaded && child.schedule.is_none() {
            let opened = Schedule::file_of(child.pid).map(Rc::new);
            child.schedule = opened.filter(|file| Schedule::read(file).is_some());
        }
        Ok(Self {
            context,
            limits,
            handle: open_pidfd(child.pid)?,
            child,
            all,
            is_sampled,
            account,
            begun_ns,
            waited_ns: 0,
            breach: None,
        })
    }

    /// Sleeps until the child has ended, or ends the child at a limit. Returns the time at which
    /// the runner woke up after the child's end, in nanoseconds. The runner wakes only when a limit
    /// may have been met.
    fn until_ended(&mut self, channel: Option<&File>) -> Result<u64> {
        loop {
            let (has_ended, woken_ns) =
                sleep_until_ready(self.context, &self.handle, channel, self.patience())?;
            if has_ended {
                return Ok(woken_ns);
            }
            self.check(nanoseconds(now()));
        }
    }

    /// Returns the time until the next check; `None`, no timeout, if the child has been killed
    /// already.
    pub(crate) fn patience(&self) -> Option<Duration> {
        self.breach.is_none().then(|| self.until_check())
    }

    /// Ends the child if it has met a limit, and returns that limit. `now_ns` was read before
    /// everything else, so a wait between two readings favours the child.
    pub(crate) fn check(&mut self, now_ns: u64) -> Option<Breach> {
        if self.breach.is_none() {
            let wall_ns = now_ns.saturating_sub(self.begun_ns);
            self.waited_ns = self.waited_ns(wall_ns);
            self.breach = self.met(wall_ns);
            if let Some(account) = self.account {
                account.borrow_mut().peak();
            }
            if self.breach.is_some() {
                // The child may already have ended by itself.
                let _ = kill(self.child.pid, Signal::SIGKILL);
            }
        }
        self.breach
    }

    /// Returns the time in which no limit can be met. No clock runs faster than the wall clock,
    /// except the processor time of several threads; that breach is noticed only when the wall
    /// clock reaches the limit.
    fn until_check(&self) -> Duration {
        let wall_ns = nanoseconds(now()).saturating_sub(self.begun_ns);
        let hard_ns = self.limits.wall_ns.saturating_sub(wall_ns);
        let soft_ns = (self.limits.time_ns + self.waited_ns).saturating_sub(wall_ns);
        let next = Duration::from_nanos(hard_ns.min(soft_ns));
        let polls = self.is_sampled || self.account.is_some();
        let next = if polls { next.min(POLL_MEMORY) } else { next };
        // poll(2) counts whole milliseconds; rounding up never wakes too early.
        next + Duration::from_millis(1)
    }

    fn met(&self, wall_ns: u64) -> Option<Breach> {
        if wall_ns >= self.limits.wall_ns {
            return Some(Breach::Wall(wall_ns));
        }
        let time_ns = wall_ns.saturating_sub(self.waited_ns);
        if time_ns >= self.limits.time_ns {
            return Some(Breach::Time(time_ns));
        }
        let resident = if self.is_sampled { facts::resident_bytes(self.all, &ours()) } else { 0 };
        (resident > self.limits.resident_bytes).then_some(Breach::Resident(resident))
    }

    /// Returns the lag of the limit's clock behind the wall clock, which shows `wall_ns`.
    fn waited_ns(&self, wall_ns: u64) -> u64 {
        let Child { pid, begin, schedule, .. } = &self.child;
        match self.limits.clock {
            Clock::Wall => 0,
            Clock::Cpu => {
                let used_ns = difference(process_cpu(*pid), begin.cpu_ns);
                used_ns.map_or(0, |used_ns| wall_ns.saturating_sub(used_ns))
            }
            // The limit cannot be met yet.
            Clock::Unloaded if wall_ns < self.limits.time_ns => 0,
            Clock::Unloaded => {
                // A thread that calls exec becomes the leader, so the run delay can become smaller.
                let schedule = schedule.as_deref().and_then(Schedule::read);
                let delay_ns = schedule.map(|schedule| schedule.delay_ns);
                let delay_ns = difference(delay_ns, begin.delay_ns).unwrap_or(0);
                delay_ns.min(self.most_waited_ns())
            }
        }
    }

    /// Returns the wall clock less the processor time of all threads and processes of the run. If
    /// the leader waited longer, it waited for its own threads or children, and that is the
    /// program's own time, as in [`Sample::on`].
    fn most_waited_ns(&self) -> u64 {
        let Child { pid, begin, .. } = &self.child;
        if facts::last_pid() == Some(*pid) {
            return u64::MAX;
        }
        let own_ns = difference(process_cpu(*pid), begin.cpu_ns).unwrap_or(0);
        let others = self.all.pids().filter(|other| other != pid && !ours().contains(other));
        let others_ns = |it: Pid| process_cpu(it).unwrap_or(0) + children_cpu(it);
        let worked_ns = own_ns + children_cpu(*pid) + others.map(others_ns).sum::<u64>();
        // The clock is read last, so a wait between two readings favours the child.
        nanoseconds(now()).saturating_sub(self.begun_ns).saturating_sub(worked_ns)
    }
}

/// The runner's own processes, besides this one.
fn ours() -> [Pid; 2] {
    [getppid(), Pid::from_raw(1)]
}

fn difference(end: Option<u64>, begin: Option<u64>) -> Option<u64> {
    Some(end?.saturating_sub(begin?))
}

/// Sleeps until `awaited` is ready, or until the timeout. Returns whether it is ready, and the time
/// at which this process was woken, less the time that it then waited for a processor. Input on
/// `channel` means that the host cancels the run, and ends this process.
pub(crate) fn sleep_until_ready(
    context: &ProcessContext,
    awaited: &impl AsFd,
    channel: Option<&File>,
    most: Option<Duration>,
) -> Result<(bool, u64)> {
    let timeout = most.map_or(Ok(PollTimeout::NONE), PollTimeout::try_from).stage("timeout")?;
    let mut fds = vec![PollFd::new(awaited.as_fd(), PollFlags::POLLIN)];
    fds.extend(channel.map(|channel| PollFd::new(channel.as_fd(), PollFlags::POLLIN)));
    let asleep = context.slept();
    let polled = poll(&mut fds, timeout);
    let woken_ns = nanoseconds(now());
    match polled {
        Ok(_) | Err(Errno::EINTR) => {}
        Err(errno) => return Err(Fault::new("wait for the program", errno)),
    }
    let woken_ns = woken_ns.saturating_sub(own_wait_ns(asleep, context.slept()));
    let is_ready = |at: usize| fds.get(at).and_then(PollFd::any).unwrap_or(false);
    if !is_ready(0) && is_ready(1) {
        sweep::cancel()?;
    }
    Ok((is_ready(0), woken_ns))
}

/// Returns the time that this process waited for a processor after it was woken; 0 if it is
/// unknown. It is known only if this process gave up its processor once, to sleep, and received one
/// once. If it was preempted before it slept, part of the wait was before the child's end.
fn own_wait_ns(asleep: Option<Slept>, awake: Option<Slept>) -> u64 {
    match asleep.zip(awake) {
        Some((asleep, awake))
            if awake.schedule.slices == asleep.schedule.slices + 1
                && awake.voluntary_switches == asleep.voluntary_switches + 1 =>
        {
            awake.schedule.delay_ns.saturating_sub(asleep.schedule.delay_ns)
        }
        _ => 0,
    }
}

fn sample(
    child: &Child,
    seen: &Reading,
    leader: Option<Schedule>,
    usage: Usage,
    end: End,
) -> Sample {
    let Child { begin, used, .. } = child;
    let run = usage - *used;
    // The process's clock has nanoseconds. rusage has microseconds, but includes the children.
    let own = difference(seen.cpu_ns, begin.cpu_ns);
    let whole = usage.user_ns + usage.sys_ns;
    let children = whole.saturating_sub(seen.cpu_ns.unwrap_or(whole));
    let tree = own.map(|own| own + children);
    let at_begin = begin.cpu_ns.unwrap_or(0);
    let leader = leader.map(|schedule| schedule.cpu_ns.saturating_sub(at_begin));
    let others = tree.zip(leader).map_or(0, |(tree, leader)| tree.saturating_sub(leader));
    let run_delay_ns = difference(seen.delay_ns, begin.delay_ns);
    let seen_ns = seen.clock_ns.saturating_sub(begin.clock_ns);
    let slept = run.sleeps > LAST_SWITCH;
    let wall_ns = match leader.zip(run_delay_ns).map(|(ran, waited)| ran + waited) {
        Some(awake_ns) if end == End::ByOwnTimes && !slept => awake_ns,
        Some(awake_ns) => seen_ns.max(awake_ns),
        None => seen_ns,
    };
    let mut sample = Sample {
        wall_ns,
        cpu_ns: tree,
        run_delay_ns,
        concurrent: others > OTHERS_NS.max(tree.unwrap_or(0) / OTHERS_SHARE),
        ..Sample::default()
    };
    run.add_to(&mut sample);
    sample
}

pub(crate) fn ending(status: i32) -> Ending {
    if libc::WIFSIGNALED(status) {
        Ending::Signaled(libc::WTERMSIG(status))
    } else {
        Ending::Exited(libc::WEXITSTATUS(status))
    }
}
