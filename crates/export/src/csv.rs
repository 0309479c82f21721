//! One row for each size and candidate, and one column for each figure. A caller may choose the
//! columns. The long form has one row for each statistic of each figure.
//!
//! A column name has the figure and its unit, as the field declares them, and never changes; new
//! columns come last. A figure that was not measured is empty, and infinity is "Infinity".
//! Spreadsheets evaluate text that begins like a formula, so such text gets a leading apostrophe.

use crate::error::Error;
use crate::report::{harmless, has_largest_process_only};
use profiler_growth::Class;
use profiler_proto::v1::{
    GrowthClassification, Interval, ProfileReport, SizeResult, Statistics, TestCaseResult,
    TestVerdict,
};
use profiler_proto::{Figure, SIZE_FIGURES, SizeFigure, Value, Word, json};

/// The characters that begin a formula in spreadsheets.
const FORMULA: [char; 5] = ['=', '+', '-', '@', '\t'];

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

/// Writes every number of the report's sizes as a row of CSV, with a header row. A figure that was
/// not measured has no row.
pub(crate) fn long(report: &ProfileReport) -> Result<Vec<u8>, Error> {
    let mut writer = ::csv::Writer::from_writer(Vec::new());
    writer.write_record(LONG)?;
    for size in &report.sizes {
        let (n, candidate) = (size.size.to_string(), size.candidate.to_string());
        let is_known = |cell: &Cell| cell.is_number && !cell.value.is_empty();
        let all = figures(size).into_iter().chain(declared(size, |it| it.is_appended));
        let cells = all.filter(is_known);
        for Cell { figure, statistic, unit, value, .. } in cells {
            writer.write_record([n.as_str(), &candidate, figure, statistic, unit, &value])?;
        }
    }
    written(writer)
}

fn written(writer: ::csv::Writer<Vec<u8>>) -> Result<Vec<u8>, Error> {
    writer.into_inner().map_err(|error| ::csv::Error::from(error.into_error()).into())
}

/// Value with its figure, statistic and unit. A figure with one value has no statistic.
struct Cell {
    figure: &'static str,
    statistic: &'static str,
    unit: &'static str,
    value: String,
    /// Whether the value is a number. The long form lists only numbers.
    is_number: bool,
}

impl Cell {
    /// A value in the unit of the figure.
    fn of(figure: &Figure, statistic: &'static str, value: String) -> Self {
        // Names of columns are older than the symbols of units, and never change.
        let unit = match figure.unit {
            "MiB" => "mb",
            "B" => "bytes",
            unit => unit,
        };
        Self { figure: figure.column, statistic, unit, value, is_number: true }
    }

    /// A number without a unit.
    fn number(figure: &'static str, statistic: &'static str, value: String) -> Self {
        Self { figure, statistic, unit: "", value, is_number: true }
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
    row.extend(declared(size, |it| it.is_appended));
    row.push(Cell::word("tests_verdict", tests_verdict(report)));
    row
}

/// Returns the word of the first test case that is not accepted, or `AC`. Empty without test cases.
fn tests_verdict(report: &ProfileReport) -> String {
    let mut verdicts = report.test_cases.iter().map(TestCaseResult::judged);
    let accepted = report.test_cases.first().map(|_| TestVerdict::Accepted);
    let found = verdicts.find(|&verdict| verdict != TestVerdict::Accepted).or(accepted);
    found.map(Word::word).unwrap_or_default().into()
}

/// Columns of the figures that version 0.2 already had.
fn figures(size: &SizeResult) -> Vec<Cell> {
    let mut cells = headline(size);
    let named: Vec<_> = cells.iter().map(|cell| cell.figure).collect();
    let is_new = |it: &SizeFigure| !it.is_appended && !named.contains(&it.figure.column);
    for message in ["Figures", "MemoryFigures", "Statm", "GnuTime", "SizeResult", "Output"] {
        cells.extend(declared(size, |it| it.message == message && is_new(it)));
    }
    let sha256 = size.stdout.as_ref().map(|stdout| foreign(&stdout.sha256));
    cells.push(Cell::word("stdout_sha256", sha256.unwrap_or_default()));
    let outcome = size.interactor.as_ref().map(|it| it.outcome().name().into());
    cells.push(Cell::word("interactor_outcome", outcome.unwrap_or_default()));
    cells.extend(declared(size, |it| it.message == "InteractorResult" && is_new(it)));
    cells
}

/// The columns of the chosen figures of [`SIZE_FIGURES`].
fn declared(size: &SizeResult, is_chosen: impl Fn(&SizeFigure) -> bool) -> Vec<Cell> {
    let chosen = SIZE_FIGURES.iter().filter(|it| !it.figure.column.is_empty() && is_chosen(it));
    chosen.flat_map(|it| columns(&it.figure, (it.of)(size))).collect()
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
    let runtime = SizeResult::RUNTIME_MS;
    vec![
        Cell::of(&runtime, "", number(size.runtime_ms)),
        Cell::of(&runtime, "low", end(interval, |it| it.low)),
        Cell::of(&runtime, "high", end(interval, |it| it.high)),
        Cell::number(runtime.column, "level", end(interval, |it| it.level)),
        Cell::word("headline_known", shown(headline.map(|headline| headline.known))),
        Cell::of(&SizeResult::NET_RUNTIME_MS, "", number(size.net_runtime_ms)),
        Cell::word(SizeResult::BELOW_NOISE_FLOOR.column, shown(size.below_noise_floor)),
        Cell::number("repetitions", "", shown(repetitions.map(|wall| wall.count))),
        Cell::of(&SizeResult::PEAK_MEMORY_MB, "", number(size.peak_memory_mb)),
    ]
}

fn columns(figure: &'static Figure, value: Value<'_>) -> Vec<Cell> {
    let statistics = match value {
        Value::Number(value) => return vec![Cell::of(figure, "", number(value))],
        Value::Count(value) => return vec![Cell::of(figure, "", shown(value))],
        Value::Flag(value) => return vec![Cell::word(figure.column, shown(value))],
        Value::Statistics(statistics) => statistics,
    };
    let interval = statistics.and_then(|it| it.interval.as_ref());
    let of = |get: fn(&Statistics) -> f64| number(statistics.map(get));
    vec![
        Cell::of(figure, "min", of(|it| it.min)),
        Cell::of(figure, "median", of(|it| it.median)),
        Cell::of(figure, "mean", of(|it| it.mean)),
        Cell::of(figure, "max", of(|it| it.max)),
        Cell::of(figure, "stddev", number(statistics.and_then(|it| it.stddev))),
        Cell::of(figure, "mad", of(|it| it.mad)),
        Cell::of(figure, "low", end(interval, |it| it.low)),
        Cell::of(figure, "high", end(interval, |it| it.high)),
        Cell::number(figure.column, "level", end(interval, |it| it.level)),
        Cell::number(figure.column, "count", shown(statistics.map(|it| it.count))),
        Cell::number(figure.column, "outliers", shown(statistics.map(|it| it.outliers))),
    ]
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
            Cell::number(figure, "confidence", confidence),
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

/// Foreign text, made safe for spreadsheets and terminals.
fn foreign(text: &str) -> String {
    let text: String = text.chars().map(harmless).collect();
    if text.starts_with(FORMULA) { format!("'{text}") } else { text }
}
