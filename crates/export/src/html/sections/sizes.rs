//! The table of sizes: every measured figure. A column appears if any size has its figure.

use crate::html::definitions::{figure_term, term};
use crate::html::elements::{MAX_WORD_BYTES, at_least, evidence, truncation_note};
use crate::html::escape::escaped_up_to;
use crate::html::number::{self, ABSENT, figure};
use crate::text::why_not_run;
use profiler_proto::v1::{Headline, Outcome, ProfileReport, SizeResult};
use profiler_proto::{SIZE_FIGURES, SizeFigure, Value};

/// Maximum number of rows shown.
const MAX_ROWS: usize = 250;
/// Maximum number of stderr excerpts shown.
const MAX_STDERR: usize = 12;
/// Maximum length of a stderr excerpt, in bytes.
const MAX_STDERR_BYTES: usize = 2000;

/// Gets the text of a figure of a size.
type Cell = dyn Fn(&SizeResult) -> Option<String>;

/// Column: its title with a link to the definition, its unit, and its figure.
struct Column {
    title: String,
    unit: &'static str,
    cell: Box<Cell>,
}

impl Column {
    fn new(
        anchor: &str,
        title: &str,
        unit: &'static str,
        cell: fn(&SizeResult) -> Option<String>,
    ) -> Self {
        Self { title: term(anchor, title), unit, cell: Box::new(cell) }
    }
}

fn columns() -> Vec<Column> {
    let mut columns = vec![
        Column::new("runtime", "runtime", SizeResult::RUNTIME_MS.unit, |size| {
            size.runtime_ms.map(|ms| figure(ms, 3))
        }),
        Column::new("interval", "interval", Headline::INTERVAL.unit, interval),
        Column::new("net-runtime", "net", SizeResult::NET_RUNTIME_MS.unit, net),
    ];
    columns.extend(declared("Figures"));
    columns.push(Column::new("peak-memory", "peak memory", SizeResult::PEAK_MEMORY_MB.unit, peak));
    columns.extend(["MemoryFigures", "SizeResult", "Output"].into_iter().flat_map(declared));
    columns.push(Column::new("repetitions", "repetitions", "", |size| {
        Some(size.figures.as_ref()?.runtime_ms.as_ref()?.count.to_string())
    }));
    columns.extend(declared("InteractorResult"));
    columns
}

/// Returns a column for each figure of a message that has a title.
fn declared(message: &'static str) -> impl Iterator<Item = Column> {
    let own = SIZE_FIGURES.iter().filter(move |it| it.message == message);
    own.filter(|it| !it.figure.title.is_empty()).map(|it| Column {
        title: figure_term(&it.figure),
        unit: it.figure.unit,
        cell: Box::new(move |size| shown(it, size)),
    })
}

/// Value of a figure, if it was measured.
fn shown(of: &SizeFigure, size: &SizeResult) -> Option<String> {
    let digits = if of.figure.unit == "MiB" { 2 } else { 3 };
    match (of.of)(size) {
        Value::Number(value) => Some(figure(value?, digits)),
        Value::Statistics(statistics) => Some(figure(statistics?.median, digits)),
        Value::Count(count) => Some(number::count(count?)),
        Value::Flag(flag) => Some(if flag? { "yes" } else { "no" }.into()),
    }
}

/// Renders the table, and the end of stderr of programs that failed.
pub(in crate::html) fn sizes(report: &ProfileReport) -> String {
    let mut columns = columns();
    columns.retain(|column| report.sizes.iter().any(|size| (column.cell)(size).is_some()));
    if report.sizes.is_empty() {
        return String::new();
    }
    let several = report.candidates.len() > 1;
    let mut table = String::from(
        "<div class=\"wide\" tabindex=\"0\"><table class=\"figures\"><thead><tr><th scope=\"col\">n</th>",
    );
    if several {
        table += &format!("<th scope=\"col\">{}</th>", term("candidate", "candidate"));
    }
    table += &format!("<th scope=\"col\">{}</th>", term("outcome", "outcome"));
    for Column { title, unit, .. } in &columns {
        let unit = if unit.is_empty() { String::new() } else { format!("<small>{unit}</small>") };
        table += &format!("<th scope=\"col\">{title}{unit}</th>");
    }
    table += "</tr></thead><tbody>";
    for size in report.sizes.iter().take(MAX_ROWS) {
        table += &format!("<tr><th scope=\"row\">{}</th>", number::size(size.size));
        if several {
            let name = report
                .candidates
                .get(size.candidate as usize)
                .map_or(ABSENT.into(), |name| escaped_up_to(name, MAX_WORD_BYTES));
            table += &format!("<td class=\"words\">{name}</td>");
        }
        table += &format!("<td class=\"words\">{}</td>", outcome(report, size));
        for column in &columns {
            table += &format!("<td>{}</td>", (column.cell)(size).unwrap_or_else(|| ABSENT.into()));
        }
        table += "</tr>";
    }
    table += "</tbody></table></div>";
    table + &truncation_note(report.sizes.len(), MAX_ROWS, "results") + &stderr_excerpts(report)
}

fn stderr_excerpts(report: &ProfileReport) -> String {
    let with_stderr = report
        .sizes
        .iter()
        .filter(|size| size.outcome() != Outcome::Ok && !size.stderr_tail.trim().is_empty());
    let said = with_stderr.take(MAX_STDERR).map(|size| {
        let words = escaped_up_to(&size.stderr_tail, MAX_STDERR_BYTES);
        format!(
            "<details><summary>The end of stderr at n = {}</summary><pre>{words}</pre></details>",
            number::size(size.size)
        )
    });
    said.collect()
}

fn outcome(report: &ProfileReport, size: &SizeResult) -> String {
    let name = size.outcome().name();
    if size.outcome() == Outcome::Ok {
        return format!("<span class=\"good\">{name}</span>");
    }
    let evidence = match size.outcome() {
        Outcome::NotRun => why_not_run(report).into(),
        _ => size.evidence.as_ref().map(evidence).unwrap_or_default(),
    };
    format!("<span class=\"bad\">{name}</span> <small>{evidence}</small>")
}

fn interval(size: &SizeResult) -> Option<String> {
    let headline = size.figures.as_ref()?.headline.as_ref()?;
    let interval = headline.interval.as_ref()?;
    let doubt = if headline.known { "" } else { " <small>noisy</small>" };
    Some(format!("{} – {}{doubt}", figure(interval.low, 3), figure(interval.high, 3)))
}

/// The peak, marked if it is only that of the largest process.
fn peak(size: &SizeResult) -> Option<String> {
    size.peak_memory_mb.map(|mib| format!("{}{}", at_least(size), figure(mib, 2)))
}

fn net(size: &SizeResult) -> Option<String> {
    let net = figure(size.net_runtime_ms?, 3);
    let below = size.below_noise_floor == Some(true);
    let mark = if below {
        format!(" <small>{}</small>", term("noise-floor", "noise"))
    } else {
        String::new()
    };
    Some(net + &mark)
}
