//! Shares of the time that lines take, sampled in a run of its own.
//!
//! The run has a new sandbox, because the program can tell that it is stopped. It can only forge
//! its own shares, so no failure here is an error of the job.

use crate::analyse::instructions::wrote_otherwise;
use crate::error::EarlyEnd;
use crate::job::{Job, Point};
use crate::measure::session::MeasureSession;
use crate::measure::size::cold::Spare;
use crate::report::MeasuredSize;
use crate::sandbox::{Channel, Pool};
use profiler_decode::SOURCE_FILE;
use runner_protocol::{Binary, LineSamples, MAX_SAMPLES, SampledLines};
use std::collections::HashMap;
use std::time::Duration;

/// Minimum user time of a run that is sampled, in milliseconds.
const MIN_USER_MS: f64 = 50.0;
/// Minimum interval between samples. A look at a stack takes about a twentieth of it.
const MIN_INTERVAL: Duration = Duration::from_millis(1);
/// Number of samples of a longer run. The error of a share is then at most 1.6 %.
const SAMPLES: f64 = 1000.0;
/// Minimum number of samples on lines of the source.
const MIN_CHARGED: u32 = 20;
/// Minimum part of the samples that must be on lines of the source. A static program has no tables
/// to unwind the stacks of its library.
const MIN_CHARGED_SHARE: f64 = 0.75;
/// Minimum share that matters.
pub(super) const MATTERS: f64 = 0.05;
/// Factor by which the two shares of a line must differ.
const FACTOR: f64 = 2.0;
/// Number of standard errors by which the two shares of a line must differ.
const STANDARD_ERRORS: f64 = 3.0;

/// Shares of the time by line.
#[derive(Debug, PartialEq)]
pub(super) struct TimeShares {
    /// Number of samples by file and line. Together there are [`Self::charged`].
    samples: HashMap<(String, u32), u32>,
    charged: u32,
}

impl TimeShares {
    /// The shares in an answer of the runner. `None` if too few of its samples belong to lines, or
    /// if it is forged.
    fn new(sampled: SampledLines) -> Option<Self> {
        let charged: u64 = sampled.lines.iter().map(|line| u64::from(line.samples)).sum();
        let charged = u32::try_from(charged).ok().filter(|charged| *charged <= sampled.samples)?;
        let is_enough = charged >= MIN_CHARGED
            && sampled.samples <= MAX_SAMPLES
            && f64::from(charged) >= MIN_CHARGED_SHARE * f64::from(sampled.samples);
        let place = |LineSamples { file, line, samples }| {
            let file = if file.is_empty() { SOURCE_FILE.to_owned() } else { file };
            ((file, line), samples)
        };
        let lines = sampled.lines.into_iter().map(place);
        is_enough.then(|| Self { samples: lines.collect(), charged })
    }

    /// The share of the time that a line takes.
    pub(super) fn of(&self, file: &str, line: u32) -> f64 {
        let samples = self.samples.get(&(file.to_owned(), line)).copied().unwrap_or(0);
        f64::from(samples) / f64::from(self.charged)
    }

    /// Whether a line's share of the instructions and its share of the time differ by more than
    /// [`FACTOR`], and by more than the samples can be off.
    pub(super) fn differ(&self, instructions: f64, time: f64) -> bool {
        let (low, high) = (instructions.min(time), instructions.max(time));
        let error = (high * (1.0 - high) / f64::from(self.charged)).sqrt();
        high >= MATTERS && high > FACTOR * low && high - low > STANDARD_ERRORS * error
    }

    #[cfg(test)]
    pub(super) fn of_lines<const N: usize>(charged: u32, lines: [(&str, u32, u32); N]) -> Self {
        let line = |(file, line, samples): (&str, u32, u32)| ((file.to_owned(), line), samples);
        Self { samples: lines.map(line).into(), charged }
    }
}

/// Samples the program at `size`, in a new sandbox. `None` if the job does not ask for it, if the
/// run is brief, or if the samples do not tell.
pub(super) async fn find(
    job: &Job,
    place: (&Pool, &mut Channel, Binary),
    size: &MeasuredSize,
) -> Option<TimeShares> {
    let is_asked = job.options.time_shares && job.interactor.is_none();
    if !is_asked || size.user_ms() < MIN_USER_MS {
        return None;
    }
    let interval = Duration::from_secs_f64(size.user_ms() / 1e3 / SAMPLES).max(MIN_INTERVAL);
    let sampled = run(job, place, size.point(), interval).await;
    let sampled = sampled.inspect_err(|EarlyEnd { message, .. }| {
        tracing::warn!(target: "Profiler", message, "the time of lines is not known");
    });
    let sampled = sampled.ok()?;
    let is_usual =
        sampled.execution.ending.is_success() && !wrote_otherwise(&sampled.written, size);
    if is_usual { TimeShares::new(sampled) } else { None }
}

async fn run(
    job: &Job,
    (pool, channel, binary): (&Pool, &mut Channel, Binary),
    point: Point,
    interval: Duration,
) -> Result<SampledLines, EarlyEnd> {
    let mut session = MeasureSession::new(job, channel, None);
    let mut sandbox = Spare::start(pool).with(binary, &mut session).await?;
    let mut apart = session.elsewhere(&mut sandbox.channel);
    let sampled = apart.sample_lines(point, interval, job.limits.wall_stop()).await;
    sandbox.end().await;
    Ok(sampled?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sandbox::fake::{BASE_NS, BASE_RSS, ok};
    use runner_protocol::Written;

    fn sampled(samples: u32, lines: &[(u32, u32)]) -> SampledLines {
        let line =
            |&(line, samples): &(u32, u32)| LineSamples { file: String::new(), line, samples };
        SampledLines {
            execution: ok(BASE_NS, BASE_RSS),
            written: Written::default(),
            samples,
            lines: lines.iter().map(line).collect(),
        }
    }

    #[test]
    fn shares_are_those_of_the_samples_on_lines() {
        let found = TimeShares::new(sampled(100, &[(7, 60), (9, 20)])).unwrap();
        let places = [(SOURCE_FILE, 7), (SOURCE_FILE, 9), (SOURCE_FILE, 8), ("lib/a.h", 7)];
        let percent = places.map(|(file, line)| format!("{:.0}", 100.0 * found.of(file, line)));
        assert_eq!(percent, ["75", "25", "0", "0"]);
    }

    #[test]
    fn few_or_forged_samples_tell_nothing() {
        let lines = |samples, lines: &[(u32, u32)]| TimeShares::new(sampled(samples, lines));
        assert_eq!(lines(19, &[(7, 19)]), None);
        assert_eq!(lines(100, &[(7, 74)]), None);
        assert!(lines(100, &[(7, 75)]).is_some());
        assert_eq!(lines(100, &[(7, 60), (8, 60)]), None);
        assert_eq!(lines(100, &[(7, u32::MAX), (8, u32::MAX)]), None);
        assert_eq!(lines(MAX_SAMPLES + 1, &[(7, MAX_SAMPLES + 1)]), None);
        assert_eq!(lines(0, &[]), None);
    }

    #[test]
    fn shares_differ_if_they_are_far_apart_for_so_few_samples() {
        let of = |charged| TimeShares::of_lines(charged, []);
        assert!(of(100).differ(0.61, 0.12));
        assert!(of(100).differ(0.01, 0.75));
        assert!(!of(1000).differ(0.61, 0.35), "not twice");
        assert!(!of(20).differ(0.20, 0.05), "one sample");
        assert!(of(1000).differ(0.20, 0.05));
        assert!(!of(4000).differ(0.04, 0.001), "too small to matter");
    }
}
