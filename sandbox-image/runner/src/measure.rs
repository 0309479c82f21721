//! One process, measured: the interval, the limits, the evidence.
//!
//! The interval begins when the child, set up and asleep at the gate, is let go into exec, and ends
//! when it is a zombie that is not yet reaped. Clock, processor time and run delay are read at both
//! ends in the same order, so every figure is a difference over the same interval.
//!
//! Under load the runner itself waits for a processor before it sees that the child has ended. That
//! wait is no time of the child's. It is the growth of the runner's own run delay since just before
//! it went to sleep, if it was given a processor exactly once in between; else it is not known and
//! nothing is subtracted.

use crate::child::{self, Child, Spec};
use crate::facts::{self, OomCounter, Schedule, now};
use crate::fault::{At, Fault, Result};
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{Signal, kill};
use nix::unistd::{Pid, getpid, getppid};
use runner_protocol::{Breach, Clock, Ending, Execution, Limits, Sample};
use std::fs::File;
use std::os::fd::{AsFd, FromRawFd, OwnedFd};
use std::time::Duration;

/// How often memory is sampled where no cgroup limits it.
const POLL_MEMORY: Duration = Duration::from_millis(10);
/// A tree's processor time above its leader's by more than this share, or more than [`OTHERS_NS`],
/// means that others ran.
const OTHERS_SHARE: u64 = 100;
/// See [`OTHERS_SHARE`].
const OTHERS_NS: u64 = 50_000;

/// What was read at one end of the interval.
pub(crate) struct Reading {
    pub(crate) clock: Duration,
    cpu: Option<Duration>,
    schedule: Option<Schedule>,
}

impl Reading {
    pub(crate) fn of(pid: Pid, clock: Duration) -> Self {
        Self { clock, cpu: facts::process_cpu(pid), schedule: Schedule::of(pid) }
    }
}

/// Starts `spec` under `limits` and measures it to its end. The child is reaped; what it left behind
/// is not. Input on `channel` meanwhile is the host's wish to stop, and ends this process.
pub(crate) fn run(
    spec: Spec<'_>,
    limits: &Limits,
    oom: OomCounter,
    channel: Option<&File>,
) -> Result<Execution> {
    let oom_before = oom.kills();
    let mut child = child::fork(spec)?;
    let pid = child.pid;
    let handle = open_pidfd(pid)?;
    let mut begin = Reading::of(pid, Duration::ZERO);
    begin.clock = now();
    child.open_gate()?;
    let watch = Watch { pid, limits, begin: &begin, polls_memory: oom.version().is_none() };
    let (breach, ended_at) = watch.until_ended(&handle, channel)?;
    let end = Reading::of(pid, ended_at);
    let (status, usage) = reap(pid)?;
    if let Some(fault) = child.exec_failure() {
        return Err(fault);
    }
    Ok(Execution {
        ending: breach.map_or(ending(status), Ending::Stopped),
        sample: sample(&child, &begin, &end, &usage),
        oom_kills: oom.kills().saturating_sub(oom_before),
        output_full: false,
    })
}

/// A child under its limits.
struct Watch<'a> {
    pid: Pid,
    limits: &'a Limits,
    begin: &'a Reading,
    polls_memory: bool,
}

impl Watch<'_> {
    /// Sleeps until the child has ended, or ends it at a limit. Returns which limit, and when the
    /// child ended. It wakes only where a limit may have been met.
    fn until_ended(
        &self,
        handle: &OwnedFd,
        channel: Option<&File>,
    ) -> Result<(Option<Breach>, Duration)> {
        let mut breach = None;
        loop {
            let timeout = match breach {
                None => PollTimeout::try_from(self.until_check()).at("timeout")?,
                Some(_) => PollTimeout::NONE,
            };
            let mut fds = vec![PollFd::new(handle.as_fd(), PollFlags::POLLIN)];
            fds.extend(channel.map(|c| PollFd::new(c.as_fd(), PollFlags::POLLIN)));
            let asleep = Schedule::of_self();
            let polled = poll(&mut fds, timeout);
            let woken_at = now();
            if let Err(errno) =
                polled.or_else(|errno| (errno == Errno::EINTR).then_some(0).ok_or(errno))
            {
                return Err(Fault::new("wait for the program", errno));
            }
            let ready = |at: usize| fds.get(at).and_then(PollFd::any).unwrap_or(false);
            if ready(0) {
                let own_wait = own_wait(asleep, Schedule::of_self());
                return Ok((breach, woken_at.saturating_sub(own_wait)));
            }
            if ready(1) {
                crate::sweep::kill_everything()?;
                std::process::exit(0);
            }
            if breach.is_none() {
                breach = self.breach();
                if breach.is_some() {
                    // It may have ended by itself in this very moment.
                    let _ = kill(self.pid, Signal::SIGKILL);
                }
            }
        }
    }

    /// How long no limit can be met: no clock runs faster than the wall clock, but the processor time
    /// of several threads, whose breach is then seen late, at the limit of wall time.
    fn until_check(&self) -> Duration {
        let wall = now().saturating_sub(self.begin.clock);
        let hard = Duration::from_nanos(self.limits.wall_ns).saturating_sub(wall);
        let soft = Duration::from_nanos(self.limits.time_ns).saturating_sub(self.elapsed(wall));
        let next = if self.polls_memory { hard.min(soft).min(POLL_MEMORY) } else { hard.min(soft) };
        // poll(2) counts whole milliseconds; rounding up never wakes too early.
        next + Duration::from_millis(1)
    }

    fn breach(&self) -> Option<Breach> {
        let wall = now().saturating_sub(self.begin.clock);
        if wall >= Duration::from_nanos(self.limits.wall_ns) {
            return Some(Breach::Wall);
        }
        if self.elapsed(wall) >= Duration::from_nanos(self.limits.time_ns) {
            return Some(Breach::Time);
        }
        let ours = [getpid(), getppid(), Pid::from_raw(1)];
        let resident = if self.polls_memory { facts::resident_bytes(&ours) } else { 0 };
        (resident > self.limits.resident_bytes).then_some(Breach::Resident(resident))
    }

    /// What the limit's clock shows.
    fn elapsed(&self, wall: Duration) -> Duration {
        let now = || Reading::of(self.pid, Duration::ZERO);
        match self.limits.clock {
            Clock::Wall => wall,
            Clock::Cpu => difference(now().cpu, self.begin.cpu).unwrap_or(wall),
            Clock::Unloaded => {
                // A thread that calls exec becomes the leader, and its delay is a smaller one.
                let delay = |reading: &Reading| reading.schedule.map(|s| s.delay_ns);
                let waited =
                    delay(&now()).zip(delay(self.begin)).map_or(0, |(n, b)| n.saturating_sub(b));
                wall.saturating_sub(Duration::from_nanos(waited))
            }
        }
    }
}

fn difference(end: Option<Duration>, begin: Option<Duration>) -> Option<Duration> {
    Some(end?.saturating_sub(begin?))
}

/// How long this process waited for a processor when it was woken, where that can be known.
fn own_wait(asleep: Option<Schedule>, awake: Option<Schedule>) -> Duration {
    match asleep.zip(awake) {
        Some((asleep, awake)) if awake.slices == asleep.slices + 1 => {
            Duration::from_nanos(awake.delay_ns.saturating_sub(asleep.delay_ns))
        }
        _ => Duration::ZERO,
    }
}

pub(crate) fn sample(
    child: &Child,
    begin: &Reading,
    end: &Reading,
    usage: &libc::rusage,
) -> Sample {
    let [user, sys] = [usage.ru_utime, usage.ru_stime].map(nanoseconds);
    let [user_before, sys_before] = child.used_ns;
    let (user_ns, sys_ns) = (user.saturating_sub(user_before), sys.saturating_sub(sys_before));
    // The process's clock has nanoseconds; rusage has microseconds, and the children as well.
    let own = difference(end.cpu, begin.cpu).map(ns);
    let at_gate = begin.cpu.map_or(0, ns);
    let children = (user + sys).saturating_sub(end.cpu.map_or(user + sys, ns));
    let tree = own.map(|own| own + children);
    let schedule = end.schedule.zip(begin.schedule);
    let leader = end.schedule.map(|schedule| schedule.cpu_ns.saturating_sub(at_gate));
    let others = tree.zip(leader).map_or(0, |(tree, leader)| tree.saturating_sub(leader));
    Sample {
        wall_ns: ns(end.clock.saturating_sub(begin.clock)),
        cpu_ns: tree,
        user_ns,
        sys_ns,
        run_delay_ns: schedule.map(|(end, begin)| end.delay_ns.saturating_sub(begin.delay_ns)),
        peak_rss_bytes: u64::try_from(usage.ru_maxrss).unwrap_or(0) * 1024,
        cgroup_peak_bytes: None,
        concurrent: others > OTHERS_NS || others > tree.unwrap_or(0) / OTHERS_SHARE,
    }
}

fn ns(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

fn nanoseconds(time: libc::timeval) -> u64 {
    u64::try_from(time.tv_sec * 1_000_000_000 + time.tv_usec * 1_000).unwrap_or(0)
}

pub(crate) fn open_pidfd(pid: Pid) -> Result<OwnedFd> {
    // SAFETY: takes plain integers; the kernel has had it since 5.3, and sets O_CLOEXEC.
    let fd = unsafe { libc::syscall(libc::SYS_pidfd_open, pid.as_raw(), 0) };
    let fd = i32::try_from(Errno::result(fd).at("pidfd_open")?).at("pidfd_open")?;
    // SAFETY: the kernel has just given this descriptor to us alone.
    Ok(unsafe { OwnedFd::from_raw_fd(fd) })
}

/// Reaps the child: its wait status, and its usage with that of the children it waited for.
pub(crate) fn reap(pid: Pid) -> Result<(i32, libc::rusage)> {
    let mut status = 0;
    // SAFETY: `rusage` is plain integers, for which all zeroes is a value.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: both pointers are to live, writable values of the right types.
    let reaped = unsafe { libc::wait4(pid.as_raw(), &raw mut status, 0, &raw mut usage) };
    Errno::result(reaped).at("reap the program")?;
    Ok((status, usage))
}

pub(crate) fn ending(status: i32) -> Ending {
    if libc::WIFSIGNALED(status) {
        Ending::Signaled(libc::WTERMSIG(status))
    } else {
        Ending::Exited(libc::WEXITSTATUS(status))
    }
}
