//! A comparison as text.

use crate::comparison::{Basis, Comparison, Figures, Memory, Ratio, Size, Verdict};
use crate::difference::SIGNIFICANCE;
use crate::pair::LEAST_SHARE;
use profiler_export::{
    AT_LEAST_NOTE, Column, Frame, Palette, Table, TextOptions, figure, peak_figure, readable,
    wrapped,
};

/// Title of the column of A's peaks. The column of B's peaks is left out together with it.
const PEAK_OF_A: &str = "A MiB";
/// The decimal places of ratios of times, and of exact counts.
const RATIO_DIGITS: usize = 3;
const COUNT_RATIO_DIGITS: usize = 4;

/// Renders the sizes, notes about them, the warnings, the method, and the verdict last. If the
/// programs write different words, or one is wrong on a test case, the verdict comes first.
pub fn text(comparison: &Comparison, options: &TextOptions) -> String {
    let Palette { heading, caution, .. } = options.palette;
    let [a, b] = [&comparison.a, &comparison.b].map(|name| readable(name));
    let table = table(comparison, options);
    let mut notes = vec![String::new()];
    notes.extend(table.note("--format json"));
    let mut figures = comparison.sizes.iter().flat_map(|size| [&size.a, &size.b]);
    let is_marked = figures.any(|it| it.peak_is_lower_bound);
    let is_marked = is_marked && !table.left_out().contains(&PEAK_OF_A);
    notes.extend(is_marked.then(|| AT_LEAST_NOTE.into()));
    if comparison.basis == Basis::Time {
        notes.extend(comparison.sizes.iter().filter_map(obstacle));
    }
    notes.extend(
        comparison.warnings.iter().map(|it| format!("{caution}{}{caution:#}", readable(it))),
    );
    notes.push(method(comparison));
    let names = [("A", a), ("B", b)].map(|(it, name)| format!("{heading}{it}{heading:#}  {name}"));
    let mut begin: Vec<_> = names.into_iter().chain([String::new()]).collect();
    if comparison.other_output_at.is_some() || comparison.wrong_answer {
        begin.splice(..0, [sentence(comparison), String::new()]);
    } else {
        notes.push(sentence(comparison));
    }
    let fitted = |text: String| wrapped(&text, 0, options.width);
    let rows = rows(&table, &comparison.sizes, &options.palette);
    begin
        .into_iter()
        .map(fitted)
        .chain(rows)
        .chain(notes.into_iter().map(fitted))
        .collect::<Vec<_>>()
        .join("\n")
}

/// Makes a row for each size. On a narrow terminal, the verdicts and their evidence stay.
fn table(comparison: &Comparison, options: &TextOptions) -> Table {
    let Comparison { sizes, basis, .. } = comparison;
    let numbers = |title, gives_way, cell: &dyn Fn(&Size) -> String| Column {
        gives_way,
        ..Column::numbers(title, sizes.iter().map(cell))
    };
    let ratio = |get: fn(&Ratio) -> f64| {
        move |size: &Size| figure(size.time.as_ref().map(get), RATIO_DIGITS)
    };
    let mb = |of: &Figures| peak_figure(of.peak_memory_mb, of.peak_is_lower_bound);
    let [ratio_gives_way, count_gives_way] = match basis {
        Basis::Time => [None, Some(4)],
        Basis::Instructions => [Some(4), None],
    };
    let mut columns = vec![
        numbers("n", None, &|size| size.size.to_string()),
        numbers("A ms", None, &|size| time(&size.a)),
        numbers("B ms", None, &|size| time(&size.b)),
        numbers("B / A", ratio_gives_way, &ratio(|it| it.ratio)),
        numbers("95 % interval", Some(2), &interval),
        numbers("p", Some(0), &ratio(|it| it.p)),
        numbers(PEAK_OF_A, Some(1), &|size| mb(&size.a)),
        numbers("B MiB", Some(1), &|size| mb(&size.b)),
        Column::words("B is", sizes.iter().map(|size| word(size, *basis).to_owned())),
        Column {
            gives_way: Some(3),
            ..Column::words("memory", sizes.iter().map(|size| memory(size.memory_verdict)))
        },
    ];
    if sizes.iter().any(|size| size.instructions_ratio.is_some()) {
        let count = |size: &Size| figure(size.instructions_ratio, COUNT_RATIO_DIGITS);
        columns.push(numbers("instr. B / A", count_gives_way, &count));
    }
    Table::fitted(Frame::Blanks, columns, options.width)
}

/// The lines of the table, in the colours of the verdicts.
fn rows(table: &Table, sizes: &[Size], palette: &Palette) -> impl Iterator<Item = String> {
    let style = |size: &Size| match size.verdict {
        Verdict::Slower | Verdict::OtherOutput => palette.bad,
        Verdict::Faster => palette.good,
        Verdict::Same | Verdict::Unknown => anstyle::Style::new(),
    };
    let styles = [palette.heading].into_iter().chain(sizes.iter().map(style));
    table.lines().into_iter().zip(styles).map(|(line, style)| format!("{style}{line}{style:#}"))
}

/// Returns the time of a program, or its outcome if it did not end OK.
fn time(figures: &Figures) -> String {
    if figures.has_failed() { figures.outcome.into() } else { figure(figures.runtime_ms, 3) }
}

fn interval(size: &Size) -> String {
    let interval = size.time.map(|it| format!("{:.3} … {:.3}", it.low, it.high));
    interval.unwrap_or_else(|| figure(None, 0))
}

/// Explains why a size has no ratio of the times.
fn obstacle(size: &Size) -> Option<String> {
    Some(format!("n = {}: not comparable ({})", size.size, size.obstacle?.word()))
}

fn word(size: &Size, basis: Basis) -> &'static str {
    match size.verdict {
        Verdict::Slower => "slower",
        Verdict::Faster => "faster",
        Verdict::Same => "not different",
        Verdict::OtherOutput => "other output",
        Verdict::Unknown if size.too_short && basis == Basis::Time => "too short to compare",
        Verdict::Unknown => "not comparable",
    }
}

fn memory(verdict: Memory) -> String {
    match verdict {
        Memory::More => "more".into(),
        Memory::Less => "less".into(),
        Memory::Same => "same".into(),
        Memory::Unknown => figure(None, 0),
    }
}

/// Describes how the verdict was decided.
fn method(comparison: &Comparison) -> String {
    let least = LEAST_SHARE * 100.0;
    match comparison.basis {
        Basis::Instructions => {
            format!(
                "method: instruction counts, which are exact; a difference of {least:.0} % or more counts"
            )
        }
        Basis::Time if comparison.runs == 1 => format!(
            "method: Student's test of two headlines with an assumed scatter of {:.0} % from run to run; a difference \
             of {least:.0} % or more counts if p is below {SIGNIFICANCE} after Holm's correction",
            comparison.assumed_scatter * 100.0,
        ),
        Basis::Time => format!(
            "method: Student's test of the headlines of {} runs each; a difference of {least:.0} % or \
             more counts if p is below {SIGNIFICANCE} after Holm's correction",
            comparison.runs,
        ),
    }
}

/// Returns the verdict in a sentence, with the mean ratio over the sizes.
pub fn sentence(comparison: &Comparison) -> String {
    let overall = comparison.geometric_mean.filter(|_| comparison.basis == Basis::Time);
    let compared = comparison.sizes.iter().filter(|it| it.time.is_some()).count();
    let over = if compared == comparison.sizes.len() {
        "all sizes".to_owned()
    } else {
        format!("{compared} of {} sizes", comparison.sizes.len())
    };
    let overall = overall.map(|mean| format!("; over {over} B / A is {}", spread(&mean)));
    let overall = overall.unwrap_or_default();
    let largest = comparison
        .sizes
        .iter()
        .filter(|it| it.verdict != Verdict::Unknown)
        .max_by_key(|it| it.size);
    let at = largest.map(|it| format!(" at n = {}{}", it.size, failure(it))).unwrap_or_default();
    match comparison.verdict {
        Verdict::OtherOutput => {
            let n = comparison.other_output_at.unwrap_or_default();
            format!("B writes a different output than A at n = {n}, so neither is called faster")
        }
        Verdict::Slower => format!("B is slower{at}{overall}"),
        Verdict::Faster => format!("B is faster{at}{overall}"),
        Verdict::Same => format!("no difference beyond chance{at}{overall}"),
        Verdict::Unknown => {
            let why = comparison.unknown_because.as_deref().unwrap_or_default();
            format!("no verdict: {}", readable(why))
        }
    }
}

/// Names the program that failed at this size, if one did.
fn failure(at: &Size) -> String {
    let failed = [("A", &at.a), ("B", &at.b)].into_iter().find(|(_, it)| it.has_failed());
    failed.map(|(name, it)| format!(", where {name} ended {}", it.outcome)).unwrap_or_default()
}

fn spread(mean: &Ratio) -> String {
    format!("{:.3} ({:.3} to {:.3})", mean.ratio, mean.low, mean.high)
}
