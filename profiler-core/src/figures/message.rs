//! The figures as messages.

use super::{Figures, Headline, Memory, RuntimeClock, Sample, Statm};
use profiler_proto::v1;

/// Returns the message of a clock.
pub(crate) fn clock(clock: RuntimeClock) -> v1::RuntimeClock {
    match clock {
        RuntimeClock::Unloaded => v1::RuntimeClock::Unloaded,
        RuntimeClock::Wall => v1::RuntimeClock::Wall,
        RuntimeClock::Cpu => v1::RuntimeClock::Cpu,
    }
}

impl From<&Figures> for v1::Figures {
    fn from(figures: &Figures) -> Self {
        Self {
            runtime_ms: Some(figures.runtime_ms.into()),
            wall_ms: Some(figures.wall_ms.into()),
            cpu_ms: figures.cpu_ms.map(Into::into),
            user_ms: Some(figures.user_ms.into()),
            sys_ms: Some(figures.sys_ms.into()),
            run_delay_ms: figures.run_delay_ms.map(Into::into),
            blocked_ms: figures.blocked_ms.map(Into::into),
            peak_memory_mb: Some(figures.peak_memory_mb.into()),
            headline: Some(figures.headline.into()),
        }
    }
}

impl From<Headline> for v1::Headline {
    fn from(headline: Headline) -> Self {
        let Headline { ms, interval, known } = headline;
        Self { ms, interval: Some(interval.into()), known }
    }
}

impl From<&Memory> for v1::MemoryFigures {
    fn from(memory: &Memory) -> Self {
        Self {
            data_stack_mb: memory.data_stack_mb,
            size_mb: memory.size_mb,
            text_mb: memory.text_mb,
            swap_mb: memory.swap_mb,
            resident_mb: memory.resident_mb,
            statm: memory.statm.map(Into::into),
            heap_mb: memory.heap_mb,
            stack_mb: memory.stack_mb,
            cgroup_peak_mb: memory.cgroup_peak_mb,
        }
    }
}

impl From<Statm> for v1::Statm {
    fn from(statm: Statm) -> Self {
        Self {
            size_mb: statm.size_mb,
            resident_mb: statm.resident_mb,
            shared_mb: statm.shared_mb,
            text_mb: statm.text_mb,
            lib_mb: statm.lib_mb,
            data_mb: statm.data_mb,
            dirty_mb: statm.dirty_mb,
        }
    }
}

/// Returns the message of a sample.
pub(crate) fn sample(sample: &Sample) -> v1::Sample {
    v1::Sample {
        wall_ns: sample.wall_ns,
        cpu_ns: sample.cpu_ns,
        user_ns: Some(sample.user_ns),
        sys_ns: Some(sample.sys_ns),
        run_delay_ns: sample.run_delay_ns,
        peak_rss_bytes: sample.peak_rss_bytes,
        concurrent: sample.concurrent,
    }
}
