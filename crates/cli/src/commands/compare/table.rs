//! A comparison as text.

use super::comparison::{Basis, Comparison, Memory, Ratio, Size, Verdict};
use super::difference::SIGNIFICANCE;
use super::pair::LEAST_SHARE;
use profiler_export::{Palette, figure, readable};

/// The outcome of a program that has figures.
const OK: &str = "OK";
const HEADER: &str =
    "         n       A ms       B ms   B / A   95 % interval       p    A MiB    B MiB  B is";

/// The sizes, the warnings, the method, and the verdict last.
pub(super) fn text(comparison: &Comparison, palette: &Palette) -> String {
    let Palette { heading, caution, .. } = palette;
    let [a, b] = [&comparison.a, &comparison.b].map(|name| readable(name));
    let mut lines = vec![
        format!("{heading}A{heading:#}  {a}"),
        format!("{heading}B{heading:#}  {b}"),
        String::new(),
        format!("{heading}{HEADER}{heading:#}"),
    ];
    lines.extend(comparison.sizes.iter().map(|size| row(size, comparison.basis, palette)));
    lines.push(String::new());
    lines.extend(comparison.warnings.iter().map(|it| format!("{caution}{it}{caution:#}")));
    lines.push(method(comparison));
    lines.push(verdict(comparison));
    lines.join("\n")
}

fn row(size: &Size, basis: Basis, palette: &Palette) -> String {
    let ms = |value| figure(value, 3);
    let mb = |value| figure(value, 2);
    let [ratio, low, high, p] = match &size.time {
        Some(it) => [it.ratio, it.low, it.high, it.p].map(|value| figure(Some(value), 3)),
        None => [(); 4].map(|()| figure(None, 0)),
    };
    let mut said = word(size.verdict).to_owned();
    match size.obstacle.filter(|_| basis == Basis::Time) {
        Some(obstacle) => said = format!("{said} ({})", obstacle.word()),
        None if size.too_short && basis == Basis::Time => said = "too short to compare".into(),
        None => {}
    }
    for (name, figures) in [("A", &size.a), ("B", &size.b)] {
        if figures.outcome != OK {
            said = format!("{said} ({name}: {})", figures.outcome);
        }
    }
    if let Some(ratio) = size.instructions_ratio {
        said = format!("{said}; instructions B / A {ratio:.4}");
    }
    match size.memory_verdict {
        Memory::More => said.push_str("; takes more memory"),
        Memory::Less => said.push_str("; takes less memory"),
        Memory::Same | Memory::Unknown => {}
    }
    let style = match size.verdict {
        Verdict::Slower => palette.bad,
        Verdict::Faster => palette.good,
        Verdict::Same | Verdict::Unknown => anstyle::Style::new(),
    };
    format!(
        "{:>10} {:>10} {:>10} {ratio:>7} {low:>7} … {high:<7} {p:>5} {:>8} {:>8}  {style}{said}{style:#}",
        size.size,
        ms(size.a.runtime_ms),
        ms(size.b.runtime_ms),
        mb(size.a.peak_memory_mb),
        mb(size.b.peak_memory_mb),
    )
}

fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Slower => "slower",
        Verdict::Faster => "faster",
        Verdict::Same => "not different",
        Verdict::Unknown => "not comparable",
    }
}

/// How the verdict was decided.
fn method(comparison: &Comparison) -> String {
    let least = LEAST_SHARE * 100.0;
    match comparison.basis {
        Basis::Instructions => {
            format!(
                "method: instruction counts, which are exact; a difference counts from {least:.0} % on"
            )
        }
        Basis::Time if comparison.runs == 1 => format!(
            "method: Student's test of two headlines with an assumed scatter of 1 % from run to run; a difference \
             counts with p below {SIGNIFICANCE} after Holm's correction, and from {least:.0} % on"
        ),
        Basis::Time => format!(
            "method: Student's test of the headlines of {} runs each; a difference counts with p below \
             {SIGNIFICANCE} after Holm's correction, and from {least:.0} % on",
            comparison.runs,
        ),
    }
}

fn verdict(comparison: &Comparison) -> String {
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
        Verdict::Slower => format!("B is slower{at}{overall}"),
        Verdict::Faster => format!("B is faster{at}{overall}"),
        Verdict::Same => format!("no difference beyond chance{at}{overall}"),
        Verdict::Unknown => {
            format!("no verdict: {}", comparison.unknown_because.as_deref().unwrap_or_default())
        }
    }
}

/// The program that failed at this size, if one did.
fn failure(at: &Size) -> String {
    let failed = [("A", &at.a), ("B", &at.b)].into_iter().find(|(_, it)| it.outcome != OK);
    failed.map(|(name, it)| format!(", where {name} ended {}", it.outcome)).unwrap_or_default()
}

fn spread(mean: &Ratio) -> String {
    format!("{:.3} ({:.3} to {:.3})", mean.ratio, mean.low, mean.high)
}
