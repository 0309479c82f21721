//! The table of sizes: every measured figure. A column appears if any size has its figure.

use crate::html::definitions::term;
use crate::html::elements::{MAX_WORD_BYTES, at_least, evidence, truncation_note};
use crate::html::escape::escaped_up_to;
use crate::html::number::{self, ABSENT, figure};
use crate::text::why_not_run;
use profiler_proto::v1::{
    Figures, Headline, InteractorResult, MemoryFigures, Outcome, Output, ProfileReport, SizeResult,
    Statistics,
};

/// The number of rows that are shown.
const MAX_ROWS: usize = 250;
/// The number of stderr excerpts that are shown.
const MAX_STDERR: usize = 12;
/// The length of a stderr excerpt, in bytes.
const MAX_STDERR_BYTES: usize = 2000;

/// A column: the anchor of its definition, its title, its unit, and its figure.
type Column = (&'static str, &'static str, &'static str, fn(&SizeResult) -> Option<String>);

const COLUMNS: [Column; 19] = [
    ("runtime", "runtime", SizeResult::RUNTIME_MS.unit, |size| {
        size.runtime_ms.map(|ms| figure(ms, 3))
    }),
    ("interval", "interval", Headline::INTERVAL.unit, interval),
    ("net-runtime", "net", SizeResult::NET_RUNTIME_MS.unit, net),
    ("wall", "wall", Figures::WALL_MS.unit, |size| median(figures(size)?.wall_ms)),
    ("cpu", "cpu", Figures::CPU_MS.unit, |size| median(figures(size)?.cpu_ms)),
    ("user-sys", "user", Figures::USER_MS.unit, |size| median(figures(size)?.user_ms)),
    ("user-sys", "sys", Figures::SYS_MS.unit, |size| median(figures(size)?.sys_ms)),
    ("run-delay", "run delay", Figures::RUN_DELAY_MS.unit, |size| {
        median(figures(size)?.run_delay_ms)
    }),
    ("blocked", "blocked", Figures::BLOCKED_MS.unit, |size| median(figures(size)?.blocked_ms)),
    ("peak-memory", "peak memory", SizeResult::PEAK_MEMORY_MB.unit, peak),
    ("data-stack", "data + stack", MemoryFigures::DATA_STACK_MB.unit, |size| {
        mib(memory(size)?.data_stack_mb)
    }),
    ("heap-stack", "heap", MemoryFigures::HEAP_MB.unit, |size| mib(memory(size)?.heap_mb)),
    ("heap-stack", "stack", MemoryFigures::STACK_MB.unit, |size| mib(memory(size)?.stack_mb)),
    ("address-space", "address space", MemoryFigures::SIZE_MB.unit, |size| {
        mib(memory(size)?.size_mb)
    }),
    ("instructions", "instructions", SizeResult::INSTRUCTIONS.unit, |size| {
        size.instructions.map(number::count)
    }),
    ("input", "input", SizeResult::INPUT_BYTES.unit, |size| size.input_bytes.map(number::count)),
    ("input", "output", Output::BYTES.unit, |size| {
        size.stdout.as_ref().map(|output| number::count(output.bytes))
    }),
    ("repetitions", "repetitions", "", |size| {
        Some(figures(size)?.runtime_ms.as_ref()?.count.to_string())
    }),
    ("wall", "wall with interactor", InteractorResult::TOTAL_WALL_MS.unit, |size| {
        median(size.interactor.as_ref()?.total_wall_ms)
    }),
];

/// The table, and the last stderr of programs that failed.
pub(in crate::html) fn sizes(report: &ProfileReport) -> String {
    let columns: Vec<_> = COLUMNS
        .iter()
        .filter(|column| report.sizes.iter().any(|size| column.3(size).is_some()))
        .collect();
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
    for (anchor, title, unit, _) in &columns {
        let unit = if unit.is_empty() { String::new() } else { format!("<small>{unit}</small>") };
        table += &format!("<th scope=\"col\">{}{unit}</th>", term(anchor, title));
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
            table += &format!("<td>{}</td>", column.3(size).unwrap_or_else(|| ABSENT.into()));
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

fn figures(size: &SizeResult) -> Option<&Figures> {
    size.figures.as_ref()
}

fn memory(size: &SizeResult) -> Option<&MemoryFigures> {
    size.memory.as_ref()
}

fn median(statistics: Option<Statistics>) -> Option<String> {
    statistics.map(|statistics| figure(statistics.median, 3))
}

fn mib(value: Option<f64>) -> Option<String> {
    value.map(|mib| figure(mib, 2))
}

fn interval(size: &SizeResult) -> Option<String> {
    let headline = figures(size)?.headline.as_ref()?;
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
