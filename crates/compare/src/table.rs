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
const PERCENT: f64 = 100.0;
/// Factor from which one decimal place is enough in a sentence.
const SMALL: f64 = 2.0;
/// Factor, or peak in MiB, from which a sentence has no decimal places.
const LARGE: f64 = 10.0;

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
    notes.extend(mean(comparison));
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
    if sizes.iter().any(|size| size.a.questions.or(size.b.questions).is_some()) {
        let count = |of: &Figures| figure(of.questions.map(|count| count as f64), 0);
        columns.push(numbers("A questions", Some(3), &|size| count(&size.a)));
        columns.push(numbers("B questions", Some(3), &|size| count(&size.b)));
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
    let least = LEAST_SHARE * PERCENT;
    match comparison.basis {
        Basis::Instructions => {
            format!(
                "method: instruction counts, which are exact; a difference of {least:.0} % or more counts"
            )
        }
        Basis::Time if comparison.runs == 1 => format!(
            "method: Student's test of two headlines with an assumed scatter of {:.0} % from run to run; a difference \
             of {least:.0} % or more counts if p is below {SIGNIFICANCE} after Holm's correction",
            comparison.assumed_scatter * PERCENT,
        ),
        Basis::Time => format!(
            "method: Student's test of the headlines of {} runs each; a difference of {least:.0} % or \
             more counts if p is below {SIGNIFICANCE} after Holm's correction",
            comparison.runs,
        ),
    }
}

/// Returns the mean ratio over the sizes, if times decide.
fn mean(comparison: &Comparison) -> Option<String> {
    let is_decided = comparison.basis == Basis::Time && comparison.verdict != Verdict::Unknown;
    let mean = comparison.geometric_mean.filter(|_| is_decided)?;
    let compared = comparison.sizes.iter().filter(|it| it.time.is_some()).count();
    let over = if compared == comparison.sizes.len() {
        "all sizes".to_owned()
    } else {
        format!("{compared} of {} sizes", comparison.sizes.len())
    };
    let Ratio { ratio, low, high, .. } = mean;
    Some(format!("over {over} B / A is {ratio:.3} ({low:.3} to {high:.3})"))
}

/// Returns the verdict in a sentence, such as "B is 43 times faster at n = 20000; n² → n log n;
/// memory 247 → 3.5 MiB".
pub fn sentence(comparison: &Comparison) -> String {
    let word = match comparison.verdict {
        Verdict::OtherOutput => {
            let n = comparison.other_output_at.unwrap_or_default();
            return format!(
                "B writes a different output than A at n = {n}, so neither is called faster"
            );
        }
        Verdict::Unknown => {
            let why = comparison.unknown_because.as_deref().unwrap_or_default();
            let asked = questions(comparison).unwrap_or_default();
            return format!("no verdict: {}{asked}", readable(why));
        }
        Verdict::Slower => "slower",
        Verdict::Faster => "faster",
        Verdict::Same => "as fast",
    };
    let Some(at) = decisive(comparison) else { return format!("B is {word}") };
    let n = at.size;
    let compared = if at.a.has_failed() || at.b.has_failed() {
        format!("B is {word} at n = {n}{}", failure(at))
    } else if comparison.basis == Basis::Instructions {
        match at.instructions_ratio.filter(|_| comparison.verdict != Verdict::Same) {
            Some(ratio) => {
                format!("B executes {ratio:.RATIO_DIGITS$} times as many instructions at n = {n}")
            }
            None => format!("B executes as many instructions at n = {n}{}", bound(LEAST_SHARE)),
        }
    } else if comparison.verdict == Verdict::Same {
        format!("B is as fast at n = {n}{}", at.time.as_ref().map(within).unwrap_or_default())
    } else {
        format!("B is {}{word} at n = {n}", at.time.as_ref().map(times).unwrap_or_default())
    };
    compared + &changes(comparison)
}

/// Returns what else differs: the growth class of the time, the memory at the size that decides,
/// and the questions to the interactor. Each part follows a semicolon.
pub fn changes(comparison: &Comparison) -> String {
    let classes = comparison.a_growth.zip(comparison.b_growth).filter(|(a, b)| !a.is_near(*b));
    let classes = classes.map(|(a, b)| format!("; {} → {}", a.name(), b.name()));
    let at = decisive(comparison).filter(|at| !at.a.has_failed() && !at.b.has_failed());
    let at = at.filter(|at| matches!(at.memory_verdict, Memory::More | Memory::Less));
    let memory = at.map(|at| format!("; memory {} → {} MiB", peak(&at.a), peak(&at.b)));
    classes.into_iter().chain(memory).chain(questions(comparison)).collect()
}

/// Returns the numbers of questions to the interactor, after a semicolon, if they differ. Of the
/// largest size at which both were counted, the candidate for which B asks most decides. `None` if
/// the figures say nothing about the task.
pub fn questions(comparison: &Comparison) -> Option<String> {
    let both = |it: &Size| Some((it.size, it.b.questions?, it.a.questions?));
    let known = comparison.sizes.iter().filter(|it| it.memory_verdict != Memory::Unknown);
    let (n, b, a) = known.filter_map(both).max()?;
    (a != b).then(|| format!("; questions {a} → {b} at n = {n}"))
}

/// The size that decides: the largest one that has a verdict. Of several candidates there, the one
/// that decides, and of those the one for which B takes longest.
fn decisive(comparison: &Comparison) -> Option<&Size> {
    let known = || comparison.sizes.iter().filter(|it| it.verdict != Verdict::Unknown);
    let largest = known().map(|it| it.size).max()?;
    let decides = |it: &&Size| it.size == largest && it.verdict == comparison.verdict;
    let ratio = |it: &Size| it.time.map(|time| time.ratio).or(it.instructions_ratio);
    let longest = |it: &Size| ratio(it).unwrap_or(f64::INFINITY);
    known().filter(decides).max_by(|one, other| longest(one).total_cmp(&longest(other)))
}

/// Renders the factor between two times that differ: "43 times ".
fn times(time: &Ratio) -> String {
    let factor = time.ratio.max(1.0 / time.ratio);
    let digits = if factor < SMALL { 2 } else { usize::from(factor < LARGE) };
    format!("{factor:.digits$} times ")
}

/// Returns the bound on the difference of two times that do not differ.
fn within(time: &Ratio) -> String {
    bound((time.high - 1.0).max(1.0 - time.low).max(LEAST_SHARE))
}

/// Renders a bound on a difference: " (within 3 %)".
fn bound(share: f64) -> String {
    format!(" (within {:.0} %)", (share * PERCENT).ceil())
}

/// A peak for a sentence.
fn peak(figures: &Figures) -> String {
    let Some(mib) = figures.peak_memory_mb else { return figure(None, 0) };
    let at_least = if figures.peak_is_lower_bound { "≥ " } else { "" };
    format!("{at_least}{mib:.*}", usize::from(mib < LARGE))
}

/// Names the program that failed at this size, if one did.
fn failure(at: &Size) -> String {
    let failed = [("A", &at.a), ("B", &at.b)].into_iter().find(|(_, it)| it.has_failed());
    failed.map(|(name, it)| format!(", where {name} ended {}", it.outcome)).unwrap_or_default()
}
