//! The load of the host and the times of its processors, from `/proc`.

use crate::failure::Failure;
use std::fs;
use std::time::Duration;

/// The unit of times in `/proc/stat`: `USER_HZ` is 100 on every architecture that we run on.
const TICK_MS: u64 = 10;
/// Positions in the line for all processors; see `proc_stat(5)`. Times of guests follow, and are
/// part of the first two.
const IDLE: [usize; 2] = [3, 4];
const STEAL: usize = 7;
const TIMES: usize = 8;

/// Times of all processors since boot.
#[derive(Debug, Clone, Copy)]
pub(crate) struct HostLoad([u64; TIMES]);

impl HostLoad {
    /// Reads the times so far.
    pub(crate) fn now() -> Result<Self, Failure> {
        let text = fs::read_to_string("/proc/stat")?;
        let line = text.lines().next().unwrap_or_default();
        let times = line.split_whitespace().skip(1).take(TIMES);
        let times: Vec<u64> = times.map(str::parse).collect::<Result<_, _>>()?;
        Ok(Self(times.try_into().map_err(|_| "/proc/stat has fewer times")?))
    }

    /// Processor time since then, of everything on this host.
    pub(crate) fn processor_time(self) -> Result<Duration, Failure> {
        let passed = self.passed()?;
        let not_ours = IDLE.iter().chain([&STEAL]).map(|&at| passed[at]).sum::<u64>();
        Ok(Duration::from_millis(TICK_MS * (passed.iter().sum::<u64>() - not_ours)))
    }

    /// The share of the time since then that the hypervisor gave to others.
    pub(crate) fn steal(self) -> Result<f64, Failure> {
        let passed = self.passed()?;
        Ok(passed[STEAL] as f64 / passed.iter().sum::<u64>().max(1) as f64)
    }

    fn passed(self) -> Result<[u64; TIMES], Failure> {
        let now = Self::now()?;
        Ok(std::array::from_fn(|at| now.0[at].saturating_sub(self.0[at])))
    }
}

/// The load average of the last minute.
pub(crate) fn load() -> Result<f64, Failure> {
    let text = fs::read_to_string("/proc/loadavg")?;
    Ok(text.split_whitespace().next().unwrap_or_default().parse()?)
}
