//! One row for each size and candidate, and one column for each figure. A caller may choose the
//! columns. The long form has one row for each statistic of each figure.
//!
//! A column name has the figure and its unit, and never changes; new columns come last. A figure
//! that was not measured is empty, and infinity is "Infinity". Spreadsheets evaluate text that
//! begins like a formula, so such text gets a leading apostrophe.

use crate::error::Error;
use crate::report::has_largest_process_only;
use profiler_growth::Class;
use profiler_proto::v1::{
    Figures, GrowthClassification, Interval, MemoryFigures, ProfileReport, SizeResult, Statistics,
};
use profiler_proto::{Word, json};

/// The characters that begin a formula in spreadsheets.
const FORMULA: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

/// The columns of the long form.
const LONG: [&str; 6] = ["size", "candidate", "figure", "statistic", "unit", "value"];

/// The names of all columns, in order.
pub fn csv_columns() -> Vec<String> {
    let row = row(&ProfileReport::default(), &SizeResult::default());
    row.iter().map(Cell::column).collect()
}

/// Writes the report's sizes as CSV, with a header row. The columns are the `chosen` ones of
/// [`csv_columns`], or all if none is chosen.
pub(crate) fn table(report: &ProfileReport, chosen: &[String]) -> Result<Vec<u8>, Error> {
    let names = csv_columns();
    let chosen = if chosen.is_empty() { &names } else { chosen };
    let place = |name: &String| {
        names.iter().position(|it| it == name).ok_or_else(|| Error::NoColumn(name.clone()))
    };
    let at = chosen.iter().map(place).collect::<Result<Vec<_>, _>>()?;
    let mut writer = ::csv::Writer::from_writer(Vec::new());
    writer.write_record(at.iter().map(|&at| &names[at]))?;
    for size in &report.sizes {
        let row = row(report, size);
        writer.write_record(at.iter().map(|&at| &row[at].value))?;
    }
    written(writer)
}

/// Writes every number of the report's sizes as a row of CSV, with a header row. What was not
/// measured has no row.
pub(crate) fn long(report: &ProfileReport) -> Result<Vec<u8>, Error> {
    let mut writer = ::csv::Writer::from_writer(Vec::new());
    writer.write_record(LONG)?;
    for size in &report.sizes {
        let (n, candidate) = (size.size.to_string(), size.candidate.to_string());
        let is_known = |cell: &Cell| cell.is_number && !cell.value.is_empty();
        let cells = figures(size).into_iter().filter(is_known);
        for Cell { figure, statistic, unit, value, .. } in cells {
            writer.write_record([n.as_str(), &candidate, figure, statistic, unit, &value])?;
        }
    }
    written(writer)
}

fn written(writer: ::csv::Writer<Vec<u8>>) -> Result<Vec<u8>, Error> {
    writer.into_inner().map_err(|error| ::csv::Error::from(error.into_error()).into())
}

/// A value, and what it is. A figure with one value has no statistic.
struct Cell {
    figure: &'static str,
    statistic: &'static str,
    unit: &'static str,
    value: String,
    /// The long form lacks what is no number.
    is_number: bool,
}

impl Cell {
    fn number(
        figure: &'static str,
        statistic: &'static str,
        unit: &'static str,
        value: String,
    ) -> Self {
        Self { figure, statistic, unit, value, is_number: true }
    }

    fn word(figure: &'static str, value: String) -> Self {
        Self { figure, statistic: "", unit: "", value, is_number: false }
    }

    /// The name of its column.
    fn column(&self) -> String {
        let parts = [self.figure, self.statistic, self.unit];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("_")
    }
}

fn row(report: &ProfileReport, size: &SizeResult) -> Vec<Cell> {
    let mut row = place(report, size);
    row.extend(figures(size));
    row.extend(growth(report));
    // Columns that came later are last.
    row.push(Cell::word("peak_is_lower_bound", has_largest_process_only(size).to_string()));
    row
}

fn figures(size: &SizeResult) -> Vec<Cell> {
    let mut cells = headline(size);
    for (name, unit, statistics) in statistics(size.figures.as_ref()) {
        cells.extend(columns(name, unit, statistics));
    }
    cells.extend(memory(size.memory.as_ref()));
    cells.extend(extras(size));
    cells
}

/// The columns that identify the row, and its outcome.
fn place(report: &ProfileReport, size: &SizeResult) -> Vec<Cell> {
    let candidate = report.candidates.get(size.candidate as usize);
    let evidence = size.evidence.as_ref();
    let said = |text: Option<&String>| text.map(|text| foreign(text)).unwrap_or_default();
    let columns = [
        ("task_id", foreign(&report.task_id)),
        ("iteration", report.iteration.to_string()),
        ("run_id", foreign(&report.run_id)),
        ("size", size.size.to_string()),
        ("candidate", size.candidate.to_string()),
        ("candidate_name", said(candidate)),
        ("outcome", size.outcome().name().into()),
        ("signal", said(evidence.and_then(|it| it.signal.as_ref()))),
        ("exit_code", shown(evidence.and_then(|it| it.exit_code))),
        ("limit", evidence.map(|it| it.limit().word().into()).unwrap_or_default()),
        ("limit_value", number(evidence.and_then(|it| it.limit_value))),
        ("met_value", number(evidence.and_then(|it| it.met_value))),
        ("limit_unit", evidence.map(|it| it.unit().word().into()).unwrap_or_default()),
        ("killed_by", evidence.map(|it| it.killed_by().word().into()).unwrap_or_default()),
        ("runtime_clock", report.runtime_clock().as_str_name().into()),
    ];
    columns.map(|(name, value)| Cell::word(name, value)).into()
}

fn headline(size: &SizeResult) -> Vec<Cell> {
    let headline = size.figures.as_ref().and_then(|figures| figures.headline.as_ref());
    let interval = headline.and_then(|headline| headline.interval.as_ref());
    let repetitions = size.figures.as_ref().and_then(|figures| figures.wall_ms.as_ref());
    vec![
        Cell::number("headline", "", "ms", number(size.runtime_ms)),
        Cell::number("headline", "low", "ms", end(interval, |it| it.low)),
        Cell::number("headline", "high", "ms", end(interval, |it| it.high)),
        Cell::number("headline", "level", "", end(interval, |it| it.level)),
        Cell::word("headline_known", shown(headline.map(|headline| headline.known))),
        Cell::number("net_runtime", "", "ms", number(size.net_runtime_ms)),
        Cell::word("below_noise_floor", shown(size.below_noise_floor)),
        Cell::number("repetitions", "", "", shown(repetitions.map(|wall| wall.count))),
        Cell::number("largest_peak_memory", "", "mb", number(size.peak_memory_mb)),
    ]
}

/// The figures with their names and units, in column order.
fn statistics(figures: Option<&Figures>) -> [(&'static str, &'static str, Option<&Statistics>); 8] {
    let of = |get: fn(&Figures) -> Option<&Statistics>| figures.and_then(get);
    [
        ("runtime", "ms", of(|it| it.runtime_ms.as_ref())),
        ("wall", "ms", of(|it| it.wall_ms.as_ref())),
        ("cpu", "ms", of(|it| it.cpu_ms.as_ref())),
        ("user", "ms", of(|it| it.user_ms.as_ref())),
        ("sys", "ms", of(|it| it.sys_ms.as_ref())),
        ("run_delay", "ms", of(|it| it.run_delay_ms.as_ref())),
        ("blocked", "ms", of(|it| it.blocked_ms.as_ref())),
        ("peak_memory", "mb", of(|it| it.peak_memory_mb.as_ref())),
    ]
}

fn columns(
    name: &'static str,
    unit: &'static str,
    statistics: Option<&Statistics>,
) -> impl Iterator<Item = Cell> {
    let interval = statistics.and_then(|it| it.interval.as_ref());
    let of = |get: fn(&Statistics) -> f64| number(statistics.map(get));
    let columns = [
        ("min", unit, of(|it| it.min)),
        ("median", unit, of(|it| it.median)),
        ("mean", unit, of(|it| it.mean)),
        ("max", unit, of(|it| it.max)),
        ("stddev", unit, number(statistics.and_then(|it| it.stddev))),
        ("mad", unit, of(|it| it.mad)),
        ("low", unit, end(interval, |it| it.low)),
        ("high", unit, end(interval, |it| it.high)),
        ("level", "", end(interval, |it| it.level)),
        ("count", "", shown(statistics.map(|it| it.count))),
        ("outliers", "", shown(statistics.map(|it| it.outliers))),
    ];
    columns.into_iter().map(move |(kind, unit, value)| Cell::number(name, kind, unit, value))
}

fn memory(memory: Option<&MemoryFigures>) -> Vec<Cell> {
    let of = |get: fn(&MemoryFigures) -> Option<f64>| number(memory.and_then(get));
    let columns = [
        ("data_stack", of(|it| it.data_stack_mb)),
        ("address_space", of(|it| it.size_mb)),
        ("text", of(|it| it.text_mb)),
        ("swap", of(|it| it.swap_mb)),
        ("resident_at_end", of(|it| it.resident_mb)),
        ("heap", of(|it| it.heap_mb)),
        ("stack", of(|it| it.stack_mb)),
        ("cgroup_peak", of(|it| it.cgroup_peak_mb)),
        ("statm_size", of(|it| Some(it.statm.as_ref()?.size_mb))),
        ("statm_resident", of(|it| Some(it.statm.as_ref()?.resident_mb))),
        ("statm_shared", of(|it| Some(it.statm.as_ref()?.shared_mb))),
        ("statm_text", of(|it| Some(it.statm.as_ref()?.text_mb))),
        ("statm_data", of(|it| Some(it.statm.as_ref()?.data_mb))),
    ];
    columns.map(|(name, value)| Cell::number(name, "", "mb", value)).into()
}

/// The columns of everything other than time and memory.
fn extras(size: &SizeResult) -> Vec<Cell> {
    let (time, stdout) = (size.gnu_time.as_ref(), size.stdout.as_ref());
    let interactor = size.interactor.as_ref();
    let resident = number(time.map(|time| time.max_resident_mb));
    let sha256 = stdout.map(|stdout| foreign(&stdout.sha256)).unwrap_or_default();
    let outcome = interactor.map(|it| it.outcome().name().into()).unwrap_or_default();
    let mut columns = vec![
        Cell::number("gnu_time_elapsed", "", "ms", number(time.map(|time| time.elapsed_ms))),
        Cell::number("gnu_time_max_resident", "", "mb", resident),
        Cell::number("instructions", "", "", shown(size.instructions)),
        Cell::number("instructions_slow_down", "", "", number(size.instructions_slow_down)),
        Cell::number("input", "", "bytes", shown(size.input_bytes)),
        Cell::number("stdout", "", "bytes", shown(stdout.map(|stdout| stdout.bytes))),
        Cell::word("stdout_sha256", sha256),
        Cell::word("interactor_outcome", outcome),
    ];
    let wall = interactor.and_then(|it| it.total_wall_ms.as_ref());
    columns.extend(self::columns("interactive_wall", "ms", wall));
    columns
}

/// The classes of growth, which all rows of a report share. A class that is undecided is empty.
fn growth(report: &ProfileReport) -> Vec<Cell> {
    let known = |it: &&GrowthClassification| it.class().is_some();
    let growth = report.growth.as_ref();
    let figures = [
        ("time_growth", growth.and_then(|it| it.time.as_ref()).filter(known)),
        ("memory_growth", growth.and_then(|it| it.memory.as_ref()).filter(known)),
    ];
    let cells = |(figure, known): (&'static str, Option<&GrowthClassification>)| {
        let class = known.and_then(GrowthClassification::class);
        let confidence = number(known.and_then(|it| it.confidence));
        [
            Cell::word(figure, class.map(Class::name).unwrap_or_default()),
            Cell::number(figure, "confidence", "", confidence),
        ]
    };
    figures.into_iter().flat_map(cells).collect()
}

fn end(interval: Option<&Interval>, get: fn(&Interval) -> f64) -> String {
    number(interval.map(get))
}

fn number(value: Option<f64>) -> String {
    match value {
        Some(f64::INFINITY) => "Infinity".into(),
        Some(value) if value.is_finite() => json::rounded(value).to_string(),
        _ => String::new(),
    }
}

fn shown(value: Option<impl ToString>) -> String {
    value.map(|value| value.to_string()).unwrap_or_default()
}

/// Foreign text, made safe for spreadsheets.
fn foreign(text: &str) -> String {
    if text.starts_with(FORMULA) { format!("'{text}") } else { text.into() }
}
