//! Clocks, statistics and samples on the wire.

use profiler_core::figures::{Figures, Headline, Memory, RuntimeClock, Sample, Statm};
use profiler_proto::v1;
use profiler_statistics::{Interval, Statistics};

pub(crate) fn clock(clock: RuntimeClock) -> v1::RuntimeClock {
    match clock {
        RuntimeClock::Unloaded => v1::RuntimeClock::Unloaded,
        RuntimeClock::Wall => v1::RuntimeClock::Wall,
        RuntimeClock::Cpu => v1::RuntimeClock::Cpu,
    }
}

pub(crate) fn figures(figures: &Figures) -> v1::Figures {
    let all = |s: Statistics| Some(statistics(s));
    v1::Figures {
        runtime_ms: all(figures.runtime_ms),
        wall_ms: all(figures.wall_ms),
        cpu_ms: figures.cpu_ms.map(statistics),
        user_ms: all(figures.user_ms),
        sys_ms: all(figures.sys_ms),
        run_delay_ms: figures.run_delay_ms.map(statistics),
        blocked_ms: figures.blocked_ms.map(statistics),
        peak_memory_mb: all(figures.peak_memory_mb),
        headline: Some(headline(&figures.headline)),
    }
}

pub(crate) fn memory(memory: &Memory) -> v1::MemoryFigures {
    v1::MemoryFigures {
        data_stack_mb: memory.data_stack_mb,
        size_mb: memory.size_mb,
        text_mb: memory.text_mb,
        swap_mb: memory.swap_mb,
        resident_mb: memory.resident_mb,
        statm: memory.statm.as_ref().map(statm),
        heap_mb: memory.heap_mb,
        stack_mb: memory.stack_mb,
        cgroup_peak_mb: memory.cgroup_peak_mb,
    }
}

fn statm(statm: &Statm) -> v1::Statm {
    v1::Statm {
        size_mb: statm.size_mb,
        resident_mb: statm.resident_mb,
        shared_mb: statm.shared_mb,
        text_mb: statm.text_mb,
        lib_mb: statm.lib_mb,
        data_mb: statm.data_mb,
        dirty_mb: statm.dirty_mb,
    }
}

fn headline(of: &Headline) -> v1::Headline {
    v1::Headline { ms: of.ms, interval: Some(interval(of.interval)), known: of.known }
}

pub(crate) fn interval(of: Interval) -> v1::Interval {
    v1::Interval { low: of.low, high: of.high, level: of.level }
}

pub(crate) fn statistics(of: Statistics) -> v1::Statistics {
    v1::Statistics {
        min: of.min,
        max: of.max,
        median: of.median,
        mean: of.mean,
        stddev: of.stddev,
        count: of.count,
        interval: of.interval.map(interval),
        mad: of.mad,
        outliers: of.outliers,
    }
}

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
