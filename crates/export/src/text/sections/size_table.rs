//! The table of sizes.

use crate::report::outcome_name;
use crate::report::{figure, has_largest_process_only, readable};
use crate::text::options::TextOptions;
use comfy_table::presets::UTF8_FULL_CONDENSED;
use comfy_table::{CellAlignment, ContentArrangement, Table};
use profiler_proto::v1::{Figures, Outcome, SizeResult, Statistics};

/// Marks a net runtime that is too short to measure.
pub(in crate::text) const BELOW_FLOOR: &str = "~";
/// Marks the peak of the largest process.
pub(in crate::text) const AT_LEAST: &str = "≥";
/// The lines before the first size: the border, the header and the line below it.
const LINES_ABOVE: usize = 3;
/// What a column takes in addition to its text: two blanks and a border.
const FRAME: usize = 3;
/// The column of net runtimes.
pub(in crate::text) const NET: &str = "net ms";
const TIME_DIGITS: usize = 3;
const MEMORY_DIGITS: usize = 2;

/// A column of the table.
struct Column {
    title: &'static str,
    /// Words are aligned to the left, numbers to the right.
    words: bool,
    /// The place in the order in which columns give way to a narrow terminal; `None` if it stays.
    gives_way: Option<u8>,
    cell: fn(&SizeResult) -> String,
}

const fn number(title: &'static str, cell: fn(&SizeResult) -> String) -> Column {
    Column { title, words: false, gives_way: None, cell }
}

/// The columns after n and the candidate.
const COLUMNS: [Column; 9] = [
    Column { words: true, ..number("outcome", |size| outcome_name(size.outcome()).into()) },
    number("runtime ms", |size| figure(of_run(size, size.runtime_ms), TIME_DIGITS)),
    number("±", half_width),
    Column { gives_way: Some(3), ..number(NET, net) },
    number("peak MiB", peak),
    Column { gives_way: Some(1), ..number("cpu ms", |size| median(size, |it| it.cpu_ms.as_ref())) },
    Column {
        gives_way: Some(0),
        ..number("delay ms", |size| median(size, |it| it.run_delay_ms.as_ref()))
    },
    Column { gives_way: Some(2), ..number("runs", |size| runs(size).to_string()) },
    number("instructions", |size| {
        size.instructions.map_or_else(|| figure(None, 0), |count| count.to_string())
    }),
];
/// The column that is shown only if instructions were counted.
const INSTRUCTIONS: &str = "instructions";

/// A drawn table.
pub(in crate::text) struct SizeTable {
    pub(in crate::text) text: String,
    /// The titles of the columns that a narrow terminal has no room for.
    pub(in crate::text) left_out: Vec<&'static str>,
}

/// The cells of a column, from its title down.
struct Cells {
    column: Option<&'static Column>,
    texts: Vec<String>,
}

/// One line for each size and candidate. Lines that did not end OK are coloured. On a narrow
/// terminal the least important columns are left out.
pub(in crate::text) fn draw(
    sizes: &[SizeResult],
    candidates: &[String],
    options: &TextOptions,
) -> SizeTable {
    let counted = sizes.iter().any(|size| size.instructions.is_some());
    let name = |size: &SizeResult| {
        candidates.get(size.candidate as usize).map(|name| readable(name)).unwrap_or_default()
    };
    let first = Cells::of("n", sizes, |size| size.size.to_string());
    let second = (candidates.len() > 1).then(|| Cells::of("input", sizes, name));
    let others = COLUMNS.iter().filter(|column| counted || column.title != INSTRUCTIONS);
    let others = others.map(|column| Cells {
        column: Some(column),
        ..Cells::of(column.title, sizes, column.cell)
    });
    let mut columns: Vec<_> = [first].into_iter().chain(second).chain(others).collect();
    let left_out = fit(&mut columns, options.width);
    SizeTable { text: lines(&columns, sizes, options).join("\n"), left_out }
}

impl Cells {
    fn of(title: &str, sizes: &[SizeResult], cell: impl Fn(&SizeResult) -> String) -> Self {
        let texts = [title.to_owned()].into_iter().chain(sizes.iter().map(cell)).collect();
        Self { column: None, texts }
    }

    /// The columns of the terminal that this column takes.
    fn width(&self) -> usize {
        self.texts.iter().map(|text| text.chars().count()).max().unwrap_or(0) + FRAME
    }

    fn gives_way(&self) -> Option<u8> {
        self.column?.gives_way
    }
}

/// Leaves out columns until the table fits. Returns their titles.
fn fit(columns: &mut Vec<Cells>, width: Option<usize>) -> Vec<&'static str> {
    let mut left_out = Vec::new();
    let taken = |columns: &[Cells]| columns.iter().map(Cells::width).sum::<usize>() + 1;
    while width.is_some_and(|width| taken(columns) > width) {
        let candidates = columns.iter().enumerate();
        let next = candidates
            .filter_map(|(at, cells)| Some((cells.gives_way()?, at)))
            .min()
            .map(|(_, at)| columns.remove(at));
        match next.and_then(|cells| cells.column) {
            Some(column) => left_out.push(column.title),
            None => break,
        }
    }
    left_out
}

fn lines(columns: &[Cells], sizes: &[SizeResult], options: &TextOptions) -> Vec<String> {
    let row = |at: usize| columns.iter().map(move |cells| cells.texts[at].as_str());
    let mut table = Table::new();
    table
        .load_style(UTF8_FULL_CONDENSED)
        .set_content_arrangement(ContentArrangement::Disabled)
        .set_header(row(0))
        .add_rows((1..=sizes.len()).map(row));
    for (cells, column) in columns.iter().zip(table.column_iter_mut()) {
        let words = cells.column.map_or(cells.texts[0] == "input", |column| column.words);
        if !words {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let bad = options.palette.bad;
    let lines = table.lines().enumerate().map(|(at, line)| {
        let size = at.checked_sub(LINES_ABOVE).and_then(|at| sizes.get(at));
        match size.map(SizeResult::outcome) {
            Some(Outcome::Ok) | None => line,
            Some(_) => format!("{bad}{line}{bad:#}"),
        }
    });
    lines.collect()
}

/// A figure of a size, unless the size was left out.
fn of_run(size: &SizeResult, figure: Option<f64>) -> Option<f64> {
    figure.filter(|_| size.outcome() != Outcome::NotRun)
}

fn median(size: &SizeResult, get: fn(&Figures) -> Option<&Statistics>) -> String {
    let statistics = size.figures.as_ref().and_then(get);
    figure(statistics.map(|statistics| statistics.median), TIME_DIGITS)
}

/// The number of runs that the headline comes from.
fn runs(size: &SizeResult) -> u64 {
    let wall = size.figures.as_ref().and_then(|figures| figures.wall_ms.as_ref());
    wall.map_or(0, |wall| wall.count.into())
}

/// The net runtime, marked if it is below the noise floor.
fn net(size: &SizeResult) -> String {
    let net = figure(size.net_runtime_ms, TIME_DIGITS);
    if size.below_noise_floor() { format!("{BELOW_FLOOR} {net}") } else { net }
}

/// The peak, marked if it is only that of the largest process.
fn peak(size: &SizeResult) -> String {
    let peak = figure(of_run(size, size.peak_memory_mb), MEMORY_DIGITS);
    if has_largest_process_only(size) { format!("{AT_LEAST} {peak}") } else { peak }
}

/// Half the headline's confidence interval, as a share of the headline. A single run has none.
fn half_width(size: &SizeResult) -> String {
    let headline = size.figures.as_ref().and_then(|figures| figures.headline.as_ref());
    let share = headline.filter(|_| runs(size) > 1).and_then(|headline| {
        let interval = headline.interval.as_ref()?;
        let share = (interval.high - interval.low) / 2.0 / headline.ms;
        share.is_finite().then(|| format!("{:.1} %", share * 100.0))
    });
    share.unwrap_or_else(|| figure(None, 0))
}
