//! Raw samples of repetitions.

use profiler_proto::v1::{RuntimeClock, Sample};

/// The time of a repetition on a clock, in nanoseconds. `None` if that clock was not measured.
pub fn headline_ns(sample: &Sample, clock: RuntimeClock) -> Option<u64> {
    match clock {
        RuntimeClock::Wall => Some(sample.wall_ns),
        RuntimeClock::Cpu => sample.cpu_ns,
        RuntimeClock::Unloaded | RuntimeClock::Unspecified => {
            Some(sample.wall_ns.saturating_sub(sample.run_delay_ns?))
        }
    }
}
