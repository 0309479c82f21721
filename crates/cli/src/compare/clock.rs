//! The clock that both sides are compared on, and what a run took on it.
//!
//! It is that of the headlines where all of them have one. Else it is the wall clock: a program of one thread is
//! reported on another clock than one of several, and what a user waits for is the wall clock of both. Every
//! report has it, and its headline is found as on any clock. A part of it may be waiting for a processor, which is
//! the host's doing and not the program's: of a headline on another clock that part is known, so what is known
//! of the wall clock is less by as much, and nothing where it is much.

use profiler_proto::v1::{Outcome, RuntimeClock, SizeResult, Statistics};
use profiler_statistics::Headline;
use serde::Serialize;

/// A headline lies above what it estimates by an exponential variable: 95 % are within three of its standard
/// deviations.
const DEVIATIONS_IN_INTERVAL: f64 = 3.0;
/// A wall clock of which waiting for a processor is a larger share says nothing of the program.
const MOST_WAITING: f64 = 0.05;
/// The interval of a headline rests on so many of the smallest repetitions.
const SMALLEST: u32 = 5;
/// From so many repetitions on, their median is no less than the fifth smallest.
const MEDIAN_IS_ABOVE: u32 = 2 * SMALLEST - 1;
const NS_PER_MS: f64 = 1e6;

/// What times are of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Clock {
    Unloaded,
    Wall,
    Cpu,
}

impl From<RuntimeClock> for Clock {
    fn from(clock: RuntimeClock) -> Self {
        match clock {
            RuntimeClock::Unloaded | RuntimeClock::Unspecified => Self::Unloaded,
            RuntimeClock::Wall => Self::Wall,
            RuntimeClock::Cpu => Self::Cpu,
        }
    }
}

impl Clock {
    /// What it is called.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Unloaded => "wall clock less run delay",
            Self::Wall => "wall clock",
            Self::Cpu => "processor time",
        }
    }
}

/// Why a run that ended OK has no time to compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Obstacle {
    /// Its headline is absent.
    NoTime,
    /// On another clock than the other side, and without the wall clock or the run delay.
    NoWallClock,
    /// Others had its processor for too much of its wall clock.
    Waited,
    /// Its wall clock has the interactor's turns in it.
    Interactive,
}

impl Obstacle {
    /// What is in the way, and what helps.
    pub(super) fn help(self) -> &'static str {
        match self {
            Self::NoTime => "a report has no runtime",
            Self::NoWallClock => {
                "the clocks differ, and a report lacks its wall clock or its run delay: profile both with \
                 `--clock wall`"
            }
            Self::Waited => {
                "the clocks differ, and the wall clock of one is for more than 5 % waiting for a \
                 processor: profile both again while the host is idle, with `--clock wall`"
            }
            Self::Interactive => {
                "the clocks differ, and the wall clock of an interactive task has the interactor's \
                 turns in it: profile both with `--clock cpu`"
            }
        }
    }

    /// The same in short.
    pub(super) fn word(self) -> &'static str {
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
pub(super) struct Run<'a> {
    pub(super) size: &'a SizeResult,
    pub(super) clock: Clock,
}

/// What a run took.
#[derive(Debug, Clone, Copy)]
pub(super) struct Taken {
    /// In milliseconds.
    pub(super) ms: f64,
    /// What it was at least, in milliseconds. Nothing of a single repetition, and then the scatter from run to
    /// run has to do.
    low_ms: Option<f64>,
}

impl Taken {
    /// How well it is known by itself: its relative variance.
    pub(super) fn variance(&self) -> f64 {
        let width = self.low_ms.map_or(0.0, |low_ms| self.ms - low_ms);
        (width / self.ms / DEVIATIONS_IN_INTERVAL).powi(2)
    }
}

impl Run<'_> {
    pub(super) fn is_ok(&self) -> bool {
        self.size.outcome() == Outcome::Ok
    }

    /// What it took; `None` of one that did not end OK.
    pub(super) fn taken(&self, on: Clock) -> Option<Result<Taken, Obstacle>> {
        self.is_ok().then(|| if on == self.clock { self.headline() } else { self.wall() })
    }

    fn headline(&self) -> Result<Taken, Obstacle> {
        let ms = self.size.runtime_ms.filter(|&ms| ms.is_finite() && ms > 0.0);
        let ms = ms.ok_or(Obstacle::NoTime)?;
        let figures = self.size.figures.as_ref();
        let single = figures
            .and_then(|figures| figures.runtime_ms.as_ref())
            .is_some_and(|repetitions| repetitions.count == 1);
        let interval =
            figures.and_then(|it| it.headline.as_ref()).and_then(|it| it.interval.as_ref());
        Ok(Taken { ms, low_ms: interval.filter(|_| !single).map(|it| it.low.min(ms)) })
    }

    /// The wall clock, of a headline that is on another.
    fn wall(&self) -> Result<Taken, Obstacle> {
        if self.size.interactor.is_some() {
            return Err(Obstacle::Interactive);
        }
        let figures = self.size.figures.as_ref().ok_or(Obstacle::NoWallClock)?;
        let (wall, delay) = figures
            .wall_ms
            .as_ref()
            .zip(figures.run_delay_ms.as_ref())
            .ok_or(Obstacle::NoWallClock)?;
        let known = least(wall).ok_or(Obstacle::NoWallClock)?;
        if delay.median > known.ms * MOST_WAITING {
            return Err(Obstacle::Waited);
        }
        let low_ms = known.low_ms.map(|low_ms| low_ms.min(known.ms - delay.median));
        Ok(Taken { low_ms, ..known })
    }
}

/// The headline of repetitions of which their statistics are known. Where the fifth smallest is not, a larger one
/// stands for it, which makes the interval wider.
fn least(repetitions: &Statistics) -> Option<Taken> {
    let fifth =
        if repetitions.count >= MEDIAN_IS_ABOVE { repetitions.median } else { repetitions.max };
    let rest = repetitions.count.min(SMALLEST).checked_sub(1)?;
    let smallest = [ns(repetitions.min)].into_iter().chain((0..rest).map(|_| ns(fifth)));
    let headline = Headline::from_sorted(&smallest.collect::<Vec<_>>())?;
    let low_ms = (rest > 0).then_some(headline.low_ns / NS_PER_MS);
    (headline.ns > 0.0).then_some(Taken { ms: headline.ns / NS_PER_MS, low_ms })
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "`as` keeps within the bounds, and what is not a number becomes 0"
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

    /// A size with these wall clocks and run delay.
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

    fn on_wall(size: &SizeResult) -> Result<Taken, Obstacle> {
        Run { size, clock: Clock::Unloaded }.taken(Clock::Wall).unwrap()
    }

    #[test]
    fn up_to_five_repetitions_have_the_headline_that_a_report_on_that_clock_has() {
        let taken = on_wall(&size(&[10.0, 10.1, 10.2, 10.3, 10.4], 0.0)).unwrap();
        let exact = [10.0, 10.1, 10.2, 10.3, 10.4].map(ns);
        let exact = Headline::from_sorted(&exact).unwrap();
        assert!((taken.ms - 10.0).abs() < 1e-9);
        assert!((taken.low_ms.unwrap() - exact.low_ns / NS_PER_MS).abs() < 1e-9, "{taken:?}");
    }

    #[test]
    fn more_repetitions_never_make_it_seem_better_known_than_it_is() {
        for count in 6_u32..30 {
            let wall: Vec<f64> = (0..count).map(|at| 10.0 + 0.01 * f64::from(at)).collect();
            let exact =
                Headline::from_sorted(&wall.iter().map(|&ms| ns(ms)).collect::<Vec<_>>()).unwrap();
            let low_ms = on_wall(&size(&wall, 0.0)).unwrap().low_ms.unwrap();
            assert!(low_ms <= exact.low_ns / NS_PER_MS + 1e-9, "{count}");
        }
    }

    #[test]
    fn waiting_for_a_processor_makes_it_less_known_and_much_of_it_unknown() {
        let wall = [10.0, 10.01, 10.01, 10.01, 10.01];
        let [idle, busy] = [0.0, 0.4].map(|delay| on_wall(&size(&wall, delay)).unwrap());
        assert!(busy.variance() > 10.0 * idle.variance(), "{busy:?} {idle:?}");
        assert_eq!(on_wall(&size(&wall, 0.6)).unwrap_err(), Obstacle::Waited);
    }

    #[test]
    fn an_interactive_task_has_no_wall_clock_of_its_own() {
        let mut size = size(&[10.0], 0.0);
        size.interactor = Some(v1::InteractorResult::default());
        assert_eq!(on_wall(&size).unwrap_err(), Obstacle::Interactive);
    }

    /// Its interval begins at 0, as that of a single repetition does, which says nothing.
    #[test]
    fn repetitions_that_scatter_widely_are_not_well_known() {
        let mut size = size(&[1.0, 2.5], 0.0);
        let figures = size.figures.as_mut().unwrap();
        let interval = Some(v1::Interval { low: 0.0, high: 1.0, level: 0.95 });
        figures.headline = Some(v1::Headline { ms: 1.0, interval, known: false });
        figures.runtime_ms = Some(statistics(&[1.0, 2.5]));
        let variance = |size: &SizeResult| {
            Run { size, clock: Clock::Wall }.taken(Clock::Wall).unwrap().unwrap().variance()
        };
        assert!(variance(&size) > 0.1);
        size.figures.as_mut().unwrap().runtime_ms = Some(statistics(&[1.0]));
        assert!(variance(&size).abs() < 1e-12);
    }
}
