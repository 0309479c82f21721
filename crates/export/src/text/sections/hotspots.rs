//! Hotspots: the most expensive lines and functions.

use crate::report::{figure, hot_line, is_main, line_share, readable, slow_lines, slow_reading};
use crate::text::layout::{CUT, cut_to};
use crate::text::options::TextOptions;
use profiler_proto::v1::{HotspotFunction, ProfileReport};

/// Number of lines that are shown, and of functions by inclusive cost. Half as many functions are
/// shown by self cost.
const SHOWN: usize = 10;
/// Maximum length of a name or line of source, in characters, and its minimum on a narrow terminal.
pub(in crate::text) const WIDTH: usize = 60;
const NARROW: usize = 20;
/// Titles of the columns before the line of source, and before the name of a function.
const LINES: &str = "   line     self  cumulative   inclusive         count  ";
const FUNCTIONS: &str = "     self   inclusive         calls  ";

/// The lines, those that take more or less time than their instructions tell, and a hint if most of
/// the work is reading; empty without hotspots.
pub(in crate::text) fn lines(report: &ProfileReport, options: &TextOptions) -> String {
    if report.hotspot_lines.is_empty() {
        return String::new();
    }
    let rows = report.hotspot_lines.iter().take(SHOWN).map(|line| {
        let [own, sum] = [line.self_share, line.cumulative_share].map(|it| percent(Some(it)));
        let (all, times) = (percent(line.inclusive_share), count(line.count));
        let place = if is_main(&line.file) { String::new() } else { format!("{}: ", line.file) };
        let text = format!("{place}{}", hot_line(report, line));
        let text = clipped(&text, room(LINES, options));
        format!("  {:>5}  {own:>7}     {sum:>7}     {all:>7}  {times:>12}  {text}", line.line)
    });
    let header = format!("{LINES}source");
    let hint = slow_reading(report).map(|hint| format!("  {hint}"));
    let slow = slow_lines(report).into_iter().take(SHOWN / 2);
    let slow = slow.map(|line| format!("  {}", readable(&line_share(report, line))));
    [header].into_iter().chain(rows).chain(slow).chain(hint).collect::<Vec<_>>().join("\n")
}

/// The columns that the terminal has left after a prefix.
fn room(prefix: &str, options: &TextOptions) -> usize {
    let left = |width: usize| width.saturating_sub(prefix.len() + CUT.chars().count());
    options.width.map_or(WIDTH, left).clamp(NARROW, WIDTH)
}

/// The functions; empty without hotspots.
pub(in crate::text) fn functions(functions: &[HotspotFunction], options: &TextOptions) -> String {
    if functions.is_empty() {
        return String::new();
    }
    // Callers come first, and could hide the functions with the highest self cost.
    let mut own: Vec<usize> = (0..functions.len()).collect();
    own.sort_by(|&a, &b| functions[b].self_share.total_cmp(&functions[a].self_share));
    own.truncate(SHOWN / 2);
    let mut shown: Vec<usize> = (0..functions.len().min(SHOWN)).chain(own).collect();
    shown.sort_unstable();
    shown.dedup();
    let rows = shown.into_iter().map(|at| {
        let function = &functions[at];
        let [own, all] = [function.self_share, function.inclusive_share];
        let [own, all] = [own, all].map(|share| percent(Some(share)));
        let calls = count(function.calls);
        let name = clipped(&function.name, room(FUNCTIONS, options));
        format!("  {own:>7}     {all:>7}  {calls:>12}  {name}")
    });
    let header = format!("{FUNCTIONS}function");
    [header].into_iter().chain(rows).collect::<Vec<_>>().join("\n")
}

fn percent(share: Option<f64>) -> String {
    match share {
        Some(share) => format!("{} %", figure(Some(share * 100.0), 1)),
        None => figure(None, 1),
    }
}

fn count(count: Option<u64>) -> String {
    count.map_or_else(|| figure(None, 0), |count| count.to_string())
}

/// A text on one line, of this many characters at most.
pub(in crate::text) fn clipped(text: &str, width: usize) -> String {
    cut_to(&readable(text).replace(['\n', '\t'], " "), width)
}
