//! Sets of the sandbox's processes. A process that the runner starts begins a session
//! (`spawn.rs`). Its children are in that session unless they begin their own; no process can join
//! another's session.

use crate::sys::proc_view;
use nix::unistd::{Pid, getpid};
use std::fs;

/// Length of a clock tick in `/proc`, in nanoseconds: `USER_HZ` is 100 on x86-64 and on ARM.
const TICK_NS: u64 = 10_000_000;

/// Some of the processes in the sandbox, without this one.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ProcessSet {
    /// All processes.
    All,
    /// Processes in the session that the process with this id began.
    Session(Pid),
    /// All processes outside that session.
    OutsideSession(Pid),
}

/// A process as `/proc/PID/stat` shows it.
#[derive(Debug, PartialEq, Eq)]
struct Stat {
    state: char,
    session: i32,
    flags: u32,
    /// Processor time of the children that it waited for, in clock ticks.
    children_ticks: u64,
    threads: u32,
}

impl Stat {
    fn read(pid: Pid) -> Option<Self> {
        let line = fs::read(proc_view::path(format_args!("{pid}/stat"))).ok()?;
        Self::parse(&String::from_utf8_lossy(&line))
    }

    /// Parses the line. The name is in parentheses, may contain parentheses and any other bytes,
    /// and is chosen by the program.
    fn parse(text: &str) -> Option<Self> {
        let mut fields = text.rsplit_once(')')?.1.split_ascii_whitespace();
        let state = fields.next()?.chars().next()?;
        let mut number = |beyond: usize| fields.nth(beyond);
        let session = number(2)?.parse().ok()?;
        let flags = number(2)?.parse().ok()?;
        let children_ticks = number(6)?.parse::<u64>().ok()? + number(0)?.parse::<u64>().ok()?;
        let threads = number(2)?.parse().ok()?;
        Some(Self { state, session, flags, children_ticks, threads })
    }

    fn is_dead(&self) -> bool {
        matches!(self.state, 'Z' | 'X')
    }

    fn is_at_work(&self) -> bool {
        matches!(self.state, 'R' | 'D')
    }
}

impl ProcessSet {
    /// The processes in the order of their ids, zombies included. Each is looked up during the
    /// iteration.
    pub(crate) fn pids(self) -> impl Iterator<Item = Pid> {
        let number = |entry: fs::DirEntry| entry.file_name().to_str()?.parse().ok();
        let pids =
            fs::read_dir(proc_view::path("")).into_iter().flatten().flatten().filter_map(number);
        pids.map(Pid::from_raw).filter(move |&pid| pid != getpid() && self.contains(pid))
    }

    fn contains(self, pid: Pid) -> bool {
        let is_in = |of: Pid| Stat::read(pid).map(|stat| stat.session == of.as_raw());
        match self {
            Self::All => true,
            Self::Session(leader) => is_in(leader) == Some(true),
            Self::OutsideSession(leader) => is_in(leader) == Some(false),
        }
    }
}

/// Processor time of the children that a process waited for, in nanoseconds. The kernel reports it
/// in ticks.
pub(crate) fn children_cpu(pid: Pid) -> u64 {
    Stat::read(pid).map_or(0, |stat| stat.children_ticks.saturating_mul(TICK_NS))
}

/// Whether a process is gone, or dead and not yet reaped. A process whose first thread alone has
/// ended is not dead.
pub(crate) fn is_dead(pid: Pid) -> bool {
    Stat::read(pid).is_none_or(|stat| stat.is_dead() && stat.threads <= 1)
}

/// Whether a process is neither running nor about to run.
pub(crate) fn is_asleep(pid: Pid) -> bool {
    Stat::read(pid).is_none_or(|stat| !stat.is_at_work())
}

/// Whether a process has begun to exit, or is gone.
pub(crate) fn is_leaving(pid: Pid) -> bool {
    Stat::read(pid)
        .is_none_or(|stat| stat.is_dead() || stat.flags & libc::PF_EXITING.cast_unsigned() != 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use nix::unistd::getsid;

    #[test]
    fn process_name_is_not_parsed_as_fields() {
        let stat = Stat::parse("7 (a) S 1 2 3 (b) ) R 1 4 5 0 -1 64 9 0 0 0 1 2 4 6 20 0 3 0 77\n");
        let expected = Stat { state: 'R', session: 5, flags: 64, children_ticks: 10, threads: 3 };
        assert_eq!(stat, Some(expected));
        assert_eq!(Stat::parse("7 (a) R 1\n"), None);
    }

    #[test]
    fn state_shows_whether_a_process_works() {
        for (state, dead, at_work) in [
            ('R', false, true),
            ('D', false, true),
            ('S', false, false),
            ('T', false, false),
            ('Z', true, false),
        ] {
            let stat = Stat { state, session: 1, flags: 0, children_ticks: 0, threads: 1 };
            assert_eq!((stat.is_dead(), stat.is_at_work()), (dead, at_work), "{state}");
        }
    }

    #[test]
    fn session_contains_its_processes_except_this_one() {
        let own = getsid(None).unwrap();
        let mut child = std::process::Command::new("sleep").arg("60").spawn().unwrap();
        let pid = Pid::from_raw(child.id().try_into().unwrap());
        let [of, not_of] = [ProcessSet::Session(own), ProcessSet::OutsideSession(own)].map(|set| {
            let pids: Vec<_> = set.pids().collect();
            (pids.contains(&pid), pids.contains(&getpid()))
        });
        let dead = is_dead(pid) || is_leaving(pid);
        child.kill().and_then(|()| child.wait()).unwrap();
        assert_eq!((of, not_of, dead), ((true, false), (false, false), false));
        assert!(is_dead(pid) && is_leaving(pid) && is_asleep(pid));
    }
}
