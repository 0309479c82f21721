//! The table of sizes.

use super::table::{Column, Frame, Table};
use crate::report::{figure, has_largest_process_only, peak_figure, readable};
use crate::text::options::TextOptions;
use profiler_proto::v1::{Figures, Outcome, ProfileReport, SignalKind, SizeResult, Statistics};
use std::collections::BTreeSet;

/// Marks a net runtime that is too short to measure.
pub(in crate::text) const BELOW_FLOOR: &str = "~";
/// The lines before the first size: the border, the header and the line below it.
const LINES_ABOVE: usize = 3;
/// Title of the column of net runtimes.
pub(in crate::text) const NET: &str = "net ms";
const TIME_DIGITS: usize = 3;

/// Column of the table, with its cell for a size.
struct Shown {
    title: &'static str,
    words: bool,
    /// See [`Column::gives_way`].
    gives_way: Option<u8>,
    /// Whether the column is shown only if columns are explained.
    needs_explaining: bool,
    cell: fn(&SizeResult) -> String,
}

/// Column of numbers that is shown if columns are explained, and gives way in this place.
const fn explained(title: &'static str, place: u8, cell: fn(&SizeResult) -> String) -> Shown {
    Shown { gives_way: Some(place), needs_explaining: true, ..number(title, cell) }
}

const fn number(title: &'static str, cell: fn(&SizeResult) -> String) -> Shown {
    Shown { title, words: false, gives_way: None, needs_explaining: false, cell }
}

/// The columns after n and the candidate.
const COLUMNS: [Shown; 10] = [
    Shown { words: true, ..number("outcome", |size| size.outcome().name().into()) },
    number("runtime ms", |size| figure(of_run(size, size.runtime_ms), TIME_DIGITS)),
    number("±", half_width),
    explained(NET, 3, net),
    number("peak MiB", peak),
    explained("cpu ms", 1, |size| median(size, |it| it.cpu_ms)),
    explained("delay ms", 0, |size| median(size, |it| it.run_delay_ms)),
    Shown { gives_way: Some(2), ..number("runs", |size| runs(size).to_string()) },
    number(INSTRUCTIONS, |size| count(size.instructions)),
    number(QUESTIONS, |size| count(size.questions)),
];
/// Titles of the columns that are shown only if a size has the count.
const INSTRUCTIONS: &str = "instructions";
const QUESTIONS: &str = "questions";

/// A row for each size and candidate.
pub(in crate::text) fn table(
    sizes: &[SizeResult],
    candidates: &[String],
    options: &TextOptions,
) -> Table {
    let counted = sizes.iter().any(|size| size.instructions.is_some());
    let asked = sizes.iter().any(|size| size.questions.is_some());
    let name = |size: &SizeResult| {
        candidates.get(size.candidate as usize).map(|name| readable(name)).unwrap_or_default()
    };
    let first = Column::numbers("n", sizes.iter().map(|size| size.size.to_string()));
    let second = (candidates.len() > 1).then(|| Column::words("input", sizes.iter().map(name)));
    let others = COLUMNS.iter().filter(|shown| match shown.title {
        INSTRUCTIONS => counted,
        QUESTIONS => asked,
        _ => true,
    });
    let others = others.filter(|shown| options.explain || !shown.needs_explaining);
    let others = others.map(|&Shown { title, words, gives_way, cell, .. }| Column {
        words,
        gives_way,
        ..Column::numbers(title, sizes.iter().map(cell))
    });
    let columns = [first].into_iter().chain(second).chain(others).collect();
    Table::fitted(Frame::Lines, columns, options.width)
}

/// Names the sizes at which instructions were counted for growth alone.
pub(in crate::text) fn also_counted(report: &ProfileReport) -> Option<String> {
    use SignalKind::{Instructions, Line, OwnInstructions};
    let time = report.growth.as_ref()?.time.as_ref()?;
    let is_count = |kind: SignalKind| matches!(kind, Instructions | Line | OwnInstructions);
    let counts = time.signals.iter().filter(|signal| is_count(signal.kind()));
    let counted: BTreeSet<u64> = counts.flat_map(|it| &it.points).map(|it| it.size).collect();
    let is_new = |n: &&u64| report.sizes.iter().all(|size| size.size != **n);
    let new: Vec<_> = counted.iter().filter(is_new).map(u64::to_string).collect();
    (!new.is_empty()).then(|| format!("also counted at n = {}", new.join(", ")))
}

/// The table as text. Rows of sizes that did not end OK are coloured.
pub(in crate::text) fn text(table: &Table, sizes: &[SizeResult], options: &TextOptions) -> String {
    let bad = options.palette.bad;
    let lines = table.lines().into_iter().enumerate().map(|(at, line)| {
        let size = at.checked_sub(LINES_ABOVE).and_then(|at| sizes.get(at));
        match size.map(SizeResult::outcome) {
            Some(Outcome::Ok) | None => line,
            Some(_) => format!("{bad}{line}{bad:#}"),
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// A figure of a size, unless the size was left out.
fn of_run(size: &SizeResult, figure: Option<f64>) -> Option<f64> {
    figure.filter(|_| size.outcome() != Outcome::NotRun)
}

fn count(count: Option<u64>) -> String {
    count.map_or_else(|| figure(None, 0), |count| count.to_string())
}

fn median(size: &SizeResult, get: fn(&Figures) -> Option<Statistics>) -> String {
    let statistics = size.figures.as_ref().and_then(get);
    figure(statistics.map(|statistics| statistics.median), TIME_DIGITS)
}

/// The number of runs that the headline comes from.
fn runs(size: &SizeResult) -> u64 {
    let wall = size.figures.and_then(|figures| figures.wall_ms);
    wall.map_or(0, |wall| wall.count.into())
}

/// The net runtime, marked if it is below the noise floor.
fn net(size: &SizeResult) -> String {
    let net = figure(size.net_runtime_ms, TIME_DIGITS);
    if size.below_noise_floor() { format!("{BELOW_FLOOR} {net}") } else { net }
}

/// The peak, marked if it is only that of the largest process.
fn peak(size: &SizeResult) -> String {
    peak_figure(of_run(size, size.peak_memory_mb), has_largest_process_only(size))
}

/// Formats [`half_share`], which a single run does not have.
fn half_width(size: &SizeResult) -> String {
    half_share(size).map_or_else(|| figure(None, 0), |share| format!("{:.1} %", share * 100.0))
}

/// Returns half the width of the headline's confidence interval, as a share of the headline.
pub(super) fn half_share(size: &SizeResult) -> Option<f64> {
    let headline = size.figures?.headline.filter(|_| runs(size) > 1)?;
    let share = headline.interval?.width() / 2.0 / headline.ms;
    share.is_finite().then_some(share)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::sample_reports::whole;
    use profiler_proto::v1::{GrowthPoint, GrowthSignal};

    #[test]
    fn questions_have_a_column_if_they_were_counted() {
        let mut report = whole();
        let shown = |report: &ProfileReport| {
            let options = TextOptions::default();
            text(&table(&report.sizes, &[], &options), &report.sizes, &options)
        };
        assert!(!shown(&report).contains(QUESTIONS));
        report.sizes[3].questions = Some(17);
        let text = shown(&report);
        let mut last = text.lines().filter_map(|line| line.split('┆').next_back());
        assert!(last.any(|cell| cell.contains(QUESTIONS)), "{text}");
        assert!(last.any(|cell| cell.contains("17")), "{text}");
    }

    #[test]
    fn sizes_counted_for_growth_alone_are_named() {
        let mut report = whole();
        let point = |size| GrowthPoint { size, value: 1.0 };
        let signal = |kind: SignalKind, sizes: &[u64]| GrowthSignal {
            kind: kind.into(),
            points: sizes.iter().copied().map(point).collect(),
            ..GrowthSignal::default()
        };
        assert_eq!(also_counted(&report), None);
        let time = report.growth.as_mut().and_then(|growth| growth.time.as_mut()).unwrap();
        time.signals = vec![
            signal(SignalKind::Runtime, &[1, 7]),
            signal(SignalKind::Instructions, &[1, 8, 2, 1000]),
            signal(SignalKind::Line, &[4, 8]),
        ];
        assert_eq!(also_counted(&report).unwrap(), "also counted at n = 2, 4, 8");
    }
}
