//! The sizes as a table.

use super::number::figure;
use super::words::outcome_name;
use crate::palette::Palette;
use comfy_table::presets::UTF8_FULL_CONDENSED;
use comfy_table::{CellAlignment, ContentArrangement, Table};
use profiler_proto::v1::{Outcome, SizeResult, Statistics};

const HEADER: [&str; 8] =
    ["n", "outcome", "runtime ms", "±", "peak MiB", "cpu ms", "delay ms", "runs"];
/// The column of the outcome; all others hold figures.
const OUTCOME_COLUMN: usize = 1;
/// Lines in front of the first size: the border, the header and the line below it.
const LINES_ABOVE: usize = 3;
const TIME_DIGITS: usize = 3;
const MEMORY_DIGITS: usize = 2;

/// One line for each size. Sizes that did not end OK are in another colour.
pub(super) fn text(sizes: &[SizeResult], palette: &Palette) -> String {
    let mut table = Table::new();
    table
        .load_style(UTF8_FULL_CONDENSED)
        .set_content_arrangement(ContentArrangement::Disabled)
        .set_header(HEADER)
        .add_rows(sizes.iter().map(row));
    for (at, column) in table.column_iter_mut().enumerate() {
        if at != OUTCOME_COLUMN {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let lines = table.lines().enumerate().map(|(at, line)| {
        let size = at.checked_sub(LINES_ABOVE).and_then(|at| sizes.get(at));
        match size.map(SizeResult::outcome) {
            Some(Outcome::Ok) | None => line,
            Some(_) => format!("{bad}{line}{bad:#}", bad = palette.bad),
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn row(size: &SizeResult) -> [String; HEADER.len()] {
    let figures = size.figures.as_ref();
    let runtime = figures.and_then(|f| f.runtime_ms.as_ref());
    let median =
        |statistics: Option<&Statistics>| figure(statistics.map(|s| s.median), TIME_DIGITS);
    [
        size.size.to_string(),
        outcome_name(size.outcome()).into(),
        figure(size.runtime_ms, TIME_DIGITS),
        runtime.and_then(spread).unwrap_or_default(),
        figure(size.peak_memory_mb, MEMORY_DIGITS),
        median(figures.and_then(|f| f.cpu_ms.as_ref())),
        median(figures.and_then(|f| f.run_delay_ms.as_ref())),
        runtime.map_or(0, |r| r.count).to_string(),
    ]
}

/// Half the confidence interval, as a share of the median.
fn spread(statistics: &Statistics) -> Option<String> {
    let interval = statistics.interval.as_ref()?;
    let share = (interval.high - interval.low) / 2.0 / statistics.median;
    share.is_finite().then(|| format!("{:.1} %", share * 100.0))
}
