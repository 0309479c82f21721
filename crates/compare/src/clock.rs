//! The clock on which two programs are compared, and the time of a run on that clock.
//!
//! If all headlines use one clock, that clock is compared. Otherwise the wall clock is compared:
//! programs with one thread and programs with several are reported on different clocks, but for
//! both a user waits as long as the wall clock says. Every report has wall-clock statistics, and
//! their headline is estimated as on any other clock. Part of a wall clock can be waiting for a
//! processor, which is the host's doing. That part is known (the run delay), so it widens the
//! interval, and too much of it makes the wall clock useless.

use profiler_export::{Change, Wording};
use profiler_proto::v1::{Outcome, ProfileReport, RuntimeClock, SizeResult, Statistics};
use profiler_statistics::Headline;
use serde::Serialize;

/// A headline exceeds the undisturbed time by an exponential variable: 95 % of it lies within three
/// standard deviations.
const DEVIATIONS_IN_INTERVAL: f64 = 3.0;
/// Maximum share of a wall clock spent waiting for a processor. Above it, the wall clock says
/// nothing about the program.
const MAX_WAITING_SHARE: f64 = 0.05;
/// The number of smallest repetitions that the interval of a headline uses.
const SMALLEST: u32 = 5;
/// Number of repetitions from which on the median is no less than the fifth smallest.
const MEDIAN_IS_ABOVE: u32 = 2 * SMALLEST - 1;
const NS_PER_MS: f64 = 1e6;

/// Returns the clock of a report's headlines. An older report does not name the default.
pub(crate) fn clock_of(report: &ProfileReport) -> RuntimeClock {
    match report.runtime_clock() {
        RuntimeClock::Unspecified => RuntimeClock::Unloaded,
        clock => clock,
    }
}

/// Reason why a run that ended OK has no comparable time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Obstacle {
    /// The report has no headline.
    NoTime,
    /// The clocks differ, and the report has no wall clock or no run delay.
    NoWallClock,
    /// The run waited for a processor during too much of its wall clock.
    Waited,
    /// The wall clock includes the interactor's turns.
    Interactive,
}

impl Obstacle {
    /// Describes the obstacle and its remedy in a sentence.
    pub(crate) fn help(self, wording: Wording) -> String {
        let (obstacle, lead, clock) = match self {
            Self::NoTime => return "a report has no runtime".into(),
            Self::NoWallClock => {
                ("a report has no wall clock or no run delay", ". Profile both with ", "wall")
            }
            Self::Waited => (
                "more than 5 % of one wall clock is waiting for a processor. Profile both again \
                 while the host is idle",
                ", with ",
                "wall",
            ),
            Self::Interactive => (
                "the wall clock of an interactive task includes the interactor",
                ". Profile both with ",
                "cpu",
            ),
        };
        let clock = wording(Change::Clock(clock));
        let lead = if clock.is_empty() { "" } else { lead };
        format!("the clocks differ, and {obstacle}{lead}{clock}")
    }

    /// The obstacle in a few words.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::NoTime => "no time",
            Self::NoWallClock => "no wall clock",
            Self::Waited => "waited for a processor",
            Self::Interactive => "interactive",
        }
    }
}

/// The result of one run at a size, and the clock of its headline.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Run<'a> {
    pub(crate) size: &'a SizeResult,
    pub(crate) clock: RuntimeClock,
}

/// The time of a run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RunTime {
    /// In milliseconds.
    pub(crate) ms: f64,
    /// Lower end of the time's interval, in milliseconds. A single repetition has no interval; the
    /// scatter from run to run is used instead.
    low_ms: Option<f64>,
}

impl RunTime {
    /// Its relative variance, from its own interval.
    pub(crate) fn variance(&self) -> f64 {
        let width = self.low_ms.map_or(0.0, |low_ms| self.ms - low_ms);
        (width / self.ms / DEVIATIONS_IN_INTERVAL).powi(2)
    }
}

impl Run<'_> {
    /// The time on a clock; `None` if the run did not end OK.
    pub(crate) fn time_on(&self, clock: RuntimeClock) -> Option<Result<RunTime, Obstacle>> {
        let is_ok = self.size.outcome() == Outcome::Ok;
        is_ok.then(|| if clock == self.clock { self.headline() } else { self.wall() })
    }

    fn headline(&self) -> Result<RunTime, Obstacle> {
        let ms = self.size.runtime_ms.filter(|&ms| ms.is_finite() && ms > 0.0);
        let ms = ms.ok_or(Obstacle::NoTime)?;
        let figures = self.size.figures.as_ref();
        let single = figures
            .and_then(|figures| figures.runtime_ms.as_ref())
            .is_some_and(|repetitions| repetitions.count == 1);
        let interval =
            figures.and_then(|it| it.headline.as_ref()).and_then(|it| it.interval.as_ref());
        Ok(RunTime { ms, low_ms: interval.filter(|_| !single).map(|it| it.low.min(ms)) })
    }

    /// The wall clock of a run whose headline uses another clock.
    fn wall(&self) -> Result<RunTime, Obstacle> {
        if self.size.interactor.is_some() {
            return Err(Obstacle::Interactive);
        }
        let figures = self.size.figures.as_ref().ok_or(Obstacle::NoWallClock)?;
        let (wall, delay) = figures
            .wall_ms
            .as_ref()
            .zip(figures.run_delay_ms.as_ref())
            .ok_or(Obstacle::NoWallClock)?;
        let known = headline_of(wall).ok_or(Obstacle::NoWallClock)?;
        if delay.median > known.ms * MAX_WAITING_SHARE {
            return Err(Obstacle::Waited);
        }
        let low_ms = known.low_ms.map(|low_ms| low_ms.min(known.ms - delay.median));
        Ok(RunTime { low_ms, ..known })
    }
}

/// Estimates the headline of repetitions from their statistics. The fifth smallest, if it is
/// unknown, is replaced by a larger value, which widens the interval.
fn headline_of(repetitions: &Statistics) -> Option<RunTime> {
    let fifth =
        if repetitions.count >= MEDIAN_IS_ABOVE { repetitions.median } else { repetitions.max };
    let rest = repetitions.count.min(SMALLEST).checked_sub(1)?;
    let smallest = [ns(repetitions.min)].into_iter().chain((0..rest).map(|_| ns(fifth)));
    let headline = Headline::from_sorted(&smallest.collect::<Vec<_>>())?;
    let low_ms = (rest > 0).then_some(headline.low_ns / NS_PER_MS);
    (headline.ns > 0.0).then_some(RunTime { ms: headline.ns / NS_PER_MS, low_ms })
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "`as` saturates, and NaN becomes 0"
)]
fn ns(ms: f64) -> u64 {
    (ms * NS_PER_MS).round() as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use profiler_proto::v1;

    fn statistics(values: &[f64]) -> Statistics {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        Statistics {
            min: sorted[0],
            max: sorted[sorted.len() - 1],
            median: sorted[sorted.len() / 2],
            count: u32::try_from(sorted.len()).unwrap(),
            ..Statistics::default()
        }
    }

    /// A size with these wall clocks and this run delay, in milliseconds.
    fn size(wall: &[f64], delay: f64) -> SizeResult {
        let figures = v1::Figures {
            wall_ms: Some(statistics(wall)),
            run_delay_ms: Some(statistics(&[delay])),
            ..v1::Figures::default()
        };
        SizeResult {
            outcome: Outcome::Ok.into(),
            runtime_ms: Some(wall[0] - delay),
            figures: Some(figures),
            ..SizeResult::default()
        }
    }

    fn on_wall(size: &SizeResult) -> Result<RunTime, Obstacle> {
        Run { size, clock: RuntimeClock::Unloaded }.time_on(RuntimeClock::Wall).unwrap()
    }

    #[test]
    fn headline_of_up_to_five_repetitions_is_exact() {
        let time = on_wall(&size(&[10.0, 10.1, 10.2, 10.3, 10.4], 0.0)).unwrap();
        let exact = [10.0, 10.1, 10.2, 10.3, 10.4].map(ns);
        let exact = Headline::from_sorted(&exact).unwrap();
        assert!((time.ms - 10.0).abs() < 1e-9);
        assert!((time.low_ms.unwrap() - exact.low_ns / NS_PER_MS).abs() < 1e-9, "{time:?}");
    }

    #[test]
    fn interval_of_more_repetitions_is_never_too_narrow() {
        for count in 6_u32..30 {
            let wall: Vec<f64> = (0..count).map(|at| 10.0 + 0.01 * f64::from(at)).collect();
            let exact =
                Headline::from_sorted(&wall.iter().map(|&ms| ns(ms)).collect::<Vec<_>>()).unwrap();
            let low_ms = on_wall(&size(&wall, 0.0)).unwrap().low_ms.unwrap();
            assert!(low_ms <= exact.low_ns / NS_PER_MS + 1e-9, "{count}");
        }
    }

    #[test]
    fn run_delay_widens_the_interval_and_much_of_it_is_an_obstacle() {
        let wall = [10.0, 10.01, 10.01, 10.01, 10.01];
        let [idle, busy] = [0.0, 0.4].map(|delay| on_wall(&size(&wall, delay)).unwrap());
        assert!(busy.variance() > 10.0 * idle.variance(), "{busy:?} {idle:?}");
        assert_eq!(on_wall(&size(&wall, 0.6)).unwrap_err(), Obstacle::Waited);
    }

    #[test]
    fn interactive_task_has_no_wall_clock_of_its_own() {
        let mut size = size(&[10.0], 0.0);
        size.interactor = Some(v1::InteractorResult::default());
        assert_eq!(on_wall(&size).unwrap_err(), Obstacle::Interactive);
    }

    /// The interval begins at 0, as for a single repetition, where it means nothing.
    #[test]
    fn repetitions_that_scatter_widely_are_not_well_known() {
        let mut size = size(&[1.0, 2.5], 0.0);
        let figures = size.figures.as_mut().unwrap();
        let interval = Some(v1::Interval { low: 0.0, high: 1.0, level: 0.95 });
        figures.headline = Some(v1::Headline { ms: 1.0, interval, known: false });
        figures.runtime_ms = Some(statistics(&[1.0, 2.5]));
        let variance = |size: &SizeResult| {
            Run { size, clock: RuntimeClock::Wall }
                .time_on(RuntimeClock::Wall)
                .unwrap()
                .unwrap()
                .variance()
        };
        assert!(variance(&size) > 0.1);
        size.figures.as_mut().unwrap().runtime_ms = Some(statistics(&[1.0]));
        assert!(variance(&size).abs() < 1e-12);
    }
}
