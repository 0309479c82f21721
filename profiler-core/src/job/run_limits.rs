//! The limits of one run, which a request may set, and the limits of the input generator.

use crate::figures::RuntimeClock;
use crate::figures::units::nanoseconds;
use crate::limits::{
    ADDRESS_SPACE_MARGIN_BYTES, FILE_BYTES, GENERATE_BYTES, GENERATE_TIMEOUT, MAX_GENERATED_BYTES,
    OPEN_FILES, PROCESSES, STACK_BYTES, WALL_MARGIN,
};
use nix::unistd::{SysconfVar, sysconf};
use std::time::Duration;

/// The default clock of an interactive task's headline, and always the clock of the interactor's
/// time limit. Time that one side spends waiting for the other does not count.
pub(crate) const INTERACTIVE_CLOCK: RuntimeClock = RuntimeClock::Cpu;

/// Limits of one run of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunLimits {
    /// The time limit, on the headline clock.
    pub timeout: Duration,
    /// The part of `timeout` that is above the task's own limit.
    pub grace: Duration,
    /// The limit of the resident set, in bytes.
    pub memory_bytes: u64,
    /// The limit of the address space (`ulimit -v`), if the caller asked for one, in bytes.
    pub address_space_bytes: Option<u64>,
    /// The headline clock, if the caller chose one.
    pub clock: Option<RuntimeClock>,
}

impl RunLimits {
    /// Returns the wall-clock time after which a run is stopped, whatever the headline clock shows.
    /// On a loaded machine, a correct program can take twice its time.
    pub fn wall_stop(&self) -> Duration {
        2 * self.timeout + WALL_MARGIN
    }

    /// The limit of processor time, after which the kernel ends the program. On several processors,
    /// processor time passes faster than the wall clock.
    pub fn cpu(&self) -> Duration {
        // All processors of the machine count, because this process keeps off some that the program
        // can use.
        let online = sysconf(SysconfVar::_NPROCESSORS_ONLN).ok().flatten();
        let processors = online.and_then(|count| u64::try_from(count).ok()).unwrap_or(1);
        let whole_seconds = self.wall_stop().as_secs() + 1;
        Duration::from_secs(whole_seconds * processors)
    }

    /// The same limits in the form that the runner takes.
    pub fn for_runner(&self) -> runner_protocol::Limits {
        runner_protocol::Limits {
            time_ns: nanoseconds(self.timeout),
            clock: self.clock.unwrap_or(RuntimeClock::Unloaded),
            wall_ns: nanoseconds(self.wall_stop()),
            cpu_s: self.cpu().as_secs(),
            resident_bytes: self.memory_bytes,
            address_space_bytes: self
                .address_space_bytes
                .unwrap_or(self.memory_bytes + ADDRESS_SPACE_MARGIN_BYTES),
            stack_bytes: STACK_BYTES,
            file_bytes: FILE_BYTES,
            processes: PROCESSES,
            open_files: OPEN_FILES,
        }
    }
}

/// Limits of the process that generates an input.
pub(crate) fn generator_limits() -> runner_protocol::Limits {
    let wall_ns = nanoseconds(GENERATE_TIMEOUT);
    runner_protocol::Limits {
        time_ns: wall_ns,
        clock: runner_protocol::Clock::Wall,
        wall_ns,
        cpu_s: GENERATE_TIMEOUT.as_secs() + 1,
        resident_bytes: GENERATE_BYTES,
        address_space_bytes: GENERATE_BYTES,
        stack_bytes: GENERATE_BYTES / 2,
        file_bytes: MAX_GENERATED_BYTES,
        processes: PROCESSES,
        open_files: OPEN_FILES,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::RUNTIME_LIMIT_MARGIN;

    #[test]
    fn page_of_figures_says_when_a_run_ends() {
        let limits = RunLimits {
            timeout: Duration::from_secs(2),
            grace: Duration::ZERO,
            memory_bytes: 1,
            address_space_bytes: None,
            clock: None,
        };
        let page = include_str!("../../../docs/figures.md");
        let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
        for (promise, time) in [
            ("twice its time limit plus {} ms of wall clock", WALL_MARGIN),
            ("That is {} ms for a limit of 2000 ms.", limits.wall_stop()),
            ("is widened by {} ms", RUNTIME_LIMIT_MARGIN),
        ] {
            let promise = promise.replace("{}", &time.as_millis().to_string());
            assert!(page.contains(&promise), "{promise}");
        }
    }
}
