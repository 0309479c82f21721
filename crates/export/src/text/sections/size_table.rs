//! The table of sizes.

use crate::report::outcome_name;
use crate::report::{figure, readable};
use crate::text::palette::Palette;
use comfy_table::presets::UTF8_FULL_CONDENSED;
use comfy_table::{CellAlignment, ContentArrangement, Table};
use profiler_proto::v1::{Headline, Outcome, SizeResult, Statistics};

const HEADER: [&str; 9] =
    ["n", "outcome", "runtime ms", "±", "net ms", "peak MiB", "cpu ms", "delay ms", "runs"];
/// An extra column if there are several candidates.
const CANDIDATE: &str = "input";
/// An extra column if instructions were counted.
const INSTRUCTIONS: &str = "instructions";
/// Marks a net runtime that is too short to measure.
pub(in crate::text) const BELOW_FLOOR: &str = "~";
/// The lines before the first size: the border, the header and the line below it.
const LINES_ABOVE: usize = 3;
const TIME_DIGITS: usize = 3;
const MEMORY_DIGITS: usize = 2;

/// One line for each size and candidate. Lines that did not end OK are coloured.
pub(in crate::text) fn text(
    sizes: &[SizeResult],
    candidates: &[String],
    palette: &Palette,
) -> String {
    let counted = sizes.iter().any(|size| size.instructions.is_some());
    let several = candidates.len() > 1;
    let [n, others @ ..] = HEADER;
    let header = [n].into_iter().chain(several.then_some(CANDIDATE)).chain(others);
    let header = header.chain(counted.then_some(INSTRUCTIONS));
    let name = |size: &SizeResult| candidates.get(size.candidate as usize).filter(|_| several);
    let mut table = Table::new();
    table
        .load_style(UTF8_FULL_CONDENSED)
        .set_content_arrangement(ContentArrangement::Disabled)
        .set_header(header)
        .add_rows(sizes.iter().map(|size| row(size, name(size), counted)));
    let words = if several { 1..3 } else { 1..2 };
    for (at, column) in table.column_iter_mut().enumerate() {
        if !words.contains(&at) {
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

fn row(size: &SizeResult, candidate: Option<&String>, counted: bool) -> Vec<String> {
    let figures = size.figures.as_ref();
    let runs = figures.and_then(|f| f.wall_ms.as_ref()).map_or(0, |wall| wall.count);
    let median =
        |statistics: Option<&Statistics>| figure(statistics.map(|s| s.median), TIME_DIGITS);
    let instructions = size.instructions.map_or_else(|| figure(None, 0), |count| count.to_string());
    let cells = [
        outcome_name(size.outcome()).into(),
        figure(size.runtime_ms, TIME_DIGITS),
        figures.and_then(|f| f.headline.as_ref()).and_then(half_width).unwrap_or_default(),
        net(size),
        figure(size.peak_memory_mb, MEMORY_DIGITS),
        median(figures.and_then(|f| f.cpu_ms.as_ref())),
        median(figures.and_then(|f| f.run_delay_ms.as_ref())),
        runs.to_string(),
    ];
    let first = [Some(size.size.to_string()), candidate.map(|name| readable(name))];
    let last = counted.then_some(instructions);
    first.into_iter().flatten().chain(cells).chain(last).collect()
}

/// The net runtime, marked if it is below the noise floor.
fn net(size: &SizeResult) -> String {
    let net = figure(size.net_runtime_ms, TIME_DIGITS);
    if size.below_noise_floor() { format!("{BELOW_FLOOR} {net}") } else { net }
}

/// Half the headline's confidence interval, as a share of the headline.
fn half_width(headline: &Headline) -> Option<String> {
    let interval = headline.interval.as_ref()?;
    let share = (interval.high - interval.low) / 2.0 / headline.ms;
    share.is_finite().then(|| format!("{:.1} %", share * 100.0))
}
