//! Conversion of figures to messages of the protocol.

use super::units::mib;
use super::{Figures, Headline, RuntimeClock, Sample};
use profiler_proto::v1;
use runner_protocol::Memory;

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

/// Returns the message of the memory that a probe saw.
pub(crate) fn memory(seen: &Memory) -> v1::MemoryFigures {
    let [size_mb, resident_mb, shared_mb, text_mb, lib_mb, data_mb, dirty_mb] =
        seen.statm_bytes.map(mib);
    v1::MemoryFigures {
        data_stack_mb: Some(mib(seen.data_stack_bytes)),
        size_mb: Some(mib(seen.size_bytes)),
        text_mb: Some(mib(seen.text_bytes)),
        swap_mb: Some(mib(seen.swap_bytes)),
        resident_mb: Some(mib(seen.resident_bytes)),
        statm: Some(v1::Statm {
            size_mb,
            resident_mb,
            shared_mb,
            text_mb,
            lib_mb,
            data_mb,
            dirty_mb,
        }),
        heap_mb: seen.heap_bytes.map(mib),
        stack_mb: seen.stack_bytes.map(mib),
        cgroup_peak_mb: seen.cgroup_peak_bytes.map(mib),
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
