//! The load of the host and the times of its processors, from `/proc`.

use crate::failure::Failure;
use std::array;
use std::fs;
use std::time::Duration;

/// The unit of times in `/proc/stat`: `USER_HZ` is 100 on every architecture that we run on.
const TICK_MS: u64 = 10;
/// Positions in a line; see `proc_stat(5)`. Times of guests follow, and are
/// part of the first two.
const IDLE: [usize; 2] = [3, 4];
const STEAL: usize = 7;
const TIMES: usize = 8;

/// Times since boot: of all processors together, then of each.
#[derive(Debug, Clone)]
pub(crate) struct HostLoad(Vec<[u64; TIMES]>);

impl HostLoad {
    /// Reads the times so far.
    pub(crate) fn now() -> Result<Self, Failure> {
        let text = fs::read_to_string("/proc/stat")?;
        let lines = text.lines().take_while(|line| line.starts_with("cpu"));
        lines.map(times).collect::<Result<_, _>>().map(Self)
    }

    /// Processor time since then, of everything on this host.
    pub(crate) fn processor_time(&self) -> Result<Duration, Failure> {
        Ok(Duration::from_millis(TICK_MS * self.passed()?.first().map_or(0, busy)))
    }

    /// The share of the time since then that the hypervisor gave to others.
    pub(crate) fn steal(&self) -> Result<f64, Failure> {
        Ok(self.passed()?.first().map_or(0.0, |passed| share(passed[STEAL], passed)))
    }

    /// The share of the time since then that each processor was busy.
    pub(crate) fn busy(&self) -> Result<Vec<f64>, Failure> {
        Ok(self.passed()?.iter().skip(1).map(|passed| share(busy(passed), passed)).collect())
    }

    fn passed(&self) -> Result<Vec<[u64; TIMES]>, Failure> {
        let now = Self::now()?;
        let pairs = now.0.iter().zip(&self.0);
        Ok(pairs.map(|(now, then)| array::from_fn(|at| now[at].saturating_sub(then[at]))).collect())
    }
}

fn times(line: &str) -> Result<[u64; TIMES], Failure> {
    let times = line.split_whitespace().skip(1).take(TIMES);
    let times: Vec<u64> = times.map(str::parse).collect::<Result<_, _>>()?;
    Ok(times.try_into().map_err(|_| "/proc/stat has fewer times")?)
}

/// Ticks that were not idle and not stolen.
fn busy(passed: &[u64; TIMES]) -> u64 {
    let not_ours = IDLE.iter().chain([&STEAL]).map(|&at| passed[at]).sum::<u64>();
    passed.iter().sum::<u64>() - not_ours
}

fn share(part: u64, passed: &[u64; TIMES]) -> f64 {
    part as f64 / passed.iter().sum::<u64>().max(1) as f64
}

/// The load average of the last minute.
pub(crate) fn load() -> Result<f64, Failure> {
    let text = fs::read_to_string("/proc/loadavg")?;
    Ok(text.split_whitespace().next().unwrap_or_default().parse()?)
}
