//! Processor utilization of the machine, from `/proc/stat`.

use std::fs;

/// Positions of the idle time, and of the time spent waiting for a disk, in the line for all
/// processors; see `proc_stat(5)`.
const IDLE: [usize; 2] = [3, 4];
/// Number of times that add up to the whole. The guests' times, which follow, are part of the first
/// two.
const TIMES: usize = 8;

/// Ticks of all processors since boot.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Ticks {
    busy: u64,
    all: u64,
}

impl Ticks {
    /// Returns the ticks so far; all 0 if the kernel does not report them.
    pub(crate) fn now() -> Self {
        fs::read_to_string("/proc/stat").map(|text| Self::parse(&text)).unwrap_or_default()
    }

    fn parse(text: &str) -> Self {
        let line = text.lines().next().unwrap_or_default();
        let times = line.split_whitespace().skip(1).take(TIMES);
        let times: Vec<u64> = times.filter_map(|ticks| ticks.parse().ok()).collect();
        let all = times.iter().sum();
        let idle: u64 = IDLE.iter().filter_map(|&at| times.get(at)).sum();
        Self { busy: all - idle, all }
    }

    /// Percentage of the processors' time since these ticks that was busy.
    pub(crate) fn busy_percent(self) -> u64 {
        let now = Self::now();
        let all = now.all.saturating_sub(self.all).max(1);
        100 * now.busy.saturating_sub(self.busy) / all
    }
}

#[cfg(test)]
mod tests {
    use super::Ticks;

    #[test]
    fn ticks_are_read_without_those_of_guests() {
        let Ticks { busy, all } = Ticks::parse("cpu  10 1 5 70 4 0 2 8 9 9\ncpu0 1 2 3 4\n");
        assert_eq!((busy, all), (26, 100));
    }
}
