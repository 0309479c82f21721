//! The raw figures of repetitions.

use profiler_proto::v1::{RuntimeClock, Sample};

/// What a repetition took on the clock, in nanoseconds; none where that was not measured.
pub fn headline_ns(sample: &Sample, clock: RuntimeClock) -> Option<u64> {
    match clock {
        RuntimeClock::Wall => Some(sample.wall_ns),
        RuntimeClock::Cpu => sample.cpu_ns,
        RuntimeClock::Unloaded | RuntimeClock::Unspecified => {
            Some(sample.wall_ns.saturating_sub(sample.run_delay_ns?))
        }
    }
}
