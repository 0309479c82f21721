//! The table of sizes.

use super::table::{Column, Frame, Table};
use crate::report::{figure, has_largest_process_only, peak_figure, readable};
use crate::text::options::TextOptions;
use profiler_proto::v1::{Figures, Outcome, SizeResult, Statistics};

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
    cell: fn(&SizeResult) -> String,
}

const fn number(title: &'static str, cell: fn(&SizeResult) -> String) -> Shown {
    Shown { title, words: false, gives_way: None, cell }
}

/// The columns after n and the candidate.
const COLUMNS: [Shown; 9] = [
    Shown { words: true, ..number("outcome", |size| size.outcome().name().into()) },
    number("runtime ms", |size| figure(of_run(size, size.runtime_ms), TIME_DIGITS)),
    number("±", half_width),
    Shown { gives_way: Some(3), ..number(NET, net) },
    number("peak MiB", peak),
    Shown { gives_way: Some(1), ..number("cpu ms", |size| median(size, |it| it.cpu_ms)) },
    Shown { gives_way: Some(0), ..number("delay ms", |size| median(size, |it| it.run_delay_ms)) },
    Shown { gives_way: Some(2), ..number("runs", |size| runs(size).to_string()) },
    number("instructions", |size| {
        size.instructions.map_or_else(|| figure(None, 0), |count| count.to_string())
    }),
];
/// Title of the column that is shown only if instructions were counted.
const INSTRUCTIONS: &str = "instructions";

/// A row for each size and candidate.
pub(in crate::text) fn table(
    sizes: &[SizeResult],
    candidates: &[String],
    options: &TextOptions,
) -> Table {
    let counted = sizes.iter().any(|size| size.instructions.is_some());
    let name = |size: &SizeResult| {
        candidates.get(size.candidate as usize).map(|name| readable(name)).unwrap_or_default()
    };
    let first = Column::numbers("n", sizes.iter().map(|size| size.size.to_string()));
    let second = (candidates.len() > 1).then(|| Column::words("input", sizes.iter().map(name)));
    let others = COLUMNS.iter().filter(|shown| counted || shown.title != INSTRUCTIONS);
    let others = others.map(|&Shown { title, words, gives_way, cell }| Column {
        words,
        gives_way,
        ..Column::numbers(title, sizes.iter().map(cell))
    });
    let columns = [first].into_iter().chain(second).chain(others).collect();
    Table::fitted(Frame::Lines, columns, options.width)
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
