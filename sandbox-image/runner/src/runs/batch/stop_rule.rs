//! Stop rule of the repetitions of a size.

use profiler_statistics::Headline;
use runner_protocol::{Clock, Run, Sample};

const MILLION: f64 = 1e6;

/// The repetitions of one size so far.
pub(super) struct StopRule<'a> {
    request: &'a Run,
    sorted_ns: Vec<u64>,
}

impl<'a> StopRule<'a> {
    pub(super) fn new(request: &'a Run) -> Self {
        Self { request, sorted_ns: Vec::with_capacity(request.stop.most as usize) }
    }

    pub(super) fn add(&mut self, sample: &Sample) {
        let ns = headline_ns(sample, self.request.limits.clock);
        let at = self.sorted_ns.partition_point(|&earlier| earlier <= ns);
        self.sorted_ns.insert(at, ns);
    }

    /// Whether there are enough repetitions: the requested least number, and a headline whose
    /// interval is narrow enough.
    pub(super) fn is_met(&self) -> bool {
        self.sorted_ns.len() >= self.request.stop.least as usize
            && Headline::from_sorted(&self.sorted_ns).is_some_and(|headline| {
                headline.is_known_to(f64::from(self.request.stop.precision_ppm) / MILLION)
            })
    }
}

/// A sample on the clock that its report will most likely use. The wall clock replaces the
/// requested one if a reading is missing, or if several threads or processes ran, because their run
/// delays cannot be subtracted. The host's `figures/clock.rs` chooses the clock of the whole
/// report.
fn headline_ns(sample: &Sample, clock: Clock) -> u64 {
    let on_wall = clock == Clock::Unloaded && sample.concurrent;
    sample.on(clock).filter(|_| !on_wall).unwrap_or(sample.wall_ns)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_threads_stop_by_the_wall_clock() {
        let alone =
            Sample { wall_ns: 10, run_delay_ns: Some(4), cpu_ns: Some(5), ..Sample::default() };
        let several = Sample { concurrent: true, ..alone };
        let of = |clock| [alone, several].map(|sample| headline_ns(&sample, clock));
        assert_eq!([Clock::Unloaded, Clock::Wall, Clock::Cpu].map(of), [[6, 10], [10, 10], [5, 5]]);
        let unknown = Sample { run_delay_ns: None, ..alone };
        assert_eq!(headline_ns(&unknown, Clock::Unloaded), 10);
    }
}
