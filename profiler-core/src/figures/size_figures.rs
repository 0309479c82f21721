//! Figures of one size from raw samples, as messages of a report.

use super::units::{NS_PER_MS, mib, ms};
use profiler_proto::v1::{self, Figures};
use profiler_statistics::{Headline, Interval, KNOWN_SHARE, LEVEL, Statistics};
use runner_protocol::{Clock as RuntimeClock, Sample};

/// Maximum excess of a run's processor time plus run delay over its wall clock, as a share of the
/// wall clock. [`TOLERANCE_MS`] applies instead if it allows more. The clocks are read one after
/// the other, so small differences are normal.
const TOLERANCE_SHARE: f64 = 0.01;
/// Minimum tolerance, in milliseconds; see [`TOLERANCE_SHARE`].
const TOLERANCE_MS: f64 = 0.05;

/// Computes the figures of `samples` on `clock`; `None` without samples, or if the kernel does not
/// report what the clock needs. A figure is absent unless the kernel reported it for every
/// repetition.
pub(crate) fn size_figures(samples: &[Sample], clock: RuntimeClock) -> Option<Figures> {
    let all = |figure: &dyn Fn(&Sample) -> Option<f64>| {
        let values: Option<Vec<f64>> = samples.iter().map(figure).collect();
        values.and_then(|v| Statistics::from_values(&v)).map(Into::into)
    };
    Some(Figures {
        headline: Some(headline(samples, clock)?),
        runtime_ms: all(&|s| s.on(clock).map(ms)),
        wall_ms: all(&|s| Some(ms(s.wall_ns))),
        cpu_ms: all(&|s| s.cpu_ns.map(ms)),
        user_ms: all(&|s| Some(ms(s.user_ns))),
        sys_ms: all(&|s| Some(ms(s.sys_ns))),
        run_delay_ms: all(&|s| s.run_delay_ns.map(ms)),
        blocked_ms: all(&blocked_ms).filter(|_| contradiction(samples).is_none()),
        peak_memory_mb: all(&|s| Some(mib(s.peak_rss_bytes))),
    })
}

/// Computes the headline of `samples` on `clock`, by [`Headline`]; `None` without samples, or if
/// the kernel does not report what the clock needs. The runner stops repeating by the same rule.
pub(crate) fn headline(samples: &[Sample], clock: RuntimeClock) -> Option<v1::Headline> {
    let taken: Option<Vec<_>> = samples.iter().map(|sample| sample.on(clock)).collect();
    let mut sorted = taken?;
    sorted.sort_unstable();
    let headline = Headline::from_sorted(&sorted)?;
    let [low, high] = [headline.low_ns, headline.ns].map(|ns| ns / NS_PER_MS);
    Some(v1::Headline {
        ms: high,
        interval: Some(Interval { low, high, level: LEVEL }.into()),
        known: headline.is_known_to(KNOWN_SHARE),
    })
}

/// Returns the difference that cannot be told from noise, in milliseconds: the width of the
/// headline's interval, or the range of the runs if that is less. The interval of a few runs can
/// begin at 0, for example if two runs differ by 6 %. Then it is wider than any difference from a
/// shorter time. 0 for a single run.
pub(crate) fn noise_ms(figures: &Figures) -> Option<f64> {
    let (interval, runtime) = (figures.headline?.interval?, figures.runtime_ms?);
    Some(interval.width().min(runtime.max - runtime.min))
}

/// Returns the message of a sample.
pub(crate) fn published_sample(sample: &Sample) -> v1::Sample {
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

/// Finds the first sample whose processor time plus run delay clearly exceed its wall clock: by
/// more than 1 % and by more than 50 µs.
pub(crate) fn contradiction(samples: &[Sample]) -> Option<&Sample> {
    samples.iter().find(|sample| {
        let tolerated = (ms(sample.wall_ns) * TOLERANCE_SHARE).max(TOLERANCE_MS);
        blocked_ms(sample).is_some_and(|blocked| blocked < -tolerated)
    })
}

/// Computes the time in which the program slept or waited for I/O. It subtracts nanoseconds,
/// because a difference of milliseconds is seldom exactly 0.
fn blocked_ms(sample: &Sample) -> Option<f64> {
    let not_blocked = sample.cpu_ns?.saturating_add(sample.run_delay_ns?);
    let blocked = match sample.wall_ns.checked_sub(not_blocked) {
        Some(blocked) => ms(blocked),
        None => -ms(not_blocked - sample.wall_ns),
    };
    (!sample.concurrent).then_some(blocked)
}
