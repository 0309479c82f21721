//! Call stacks: folded for flame graph tools, or drawn as a flame graph.

use crate::error::Error;
use crate::report::readable;
use inferno::flamegraph::{self, Options};
use profiler_proto::v1::ProfileReport;

/// Separates the frames of a stack.
const SEPARATOR: &str = ";";
/// Replaces characters that would end a name.
const REPLACEMENT: char = '\u{fffd}';
/// The name of a frame without one.
const UNKNOWN: &str = "?";
/// The unit of the flame graph.
const UNIT: &str = "instructions";

/// One line for each stack: its functions, the outermost first, and its instructions. Equal reports
/// give equal bytes.
pub(crate) fn folded(report: &ProfileReport) -> Result<String, Error> {
    let mut lines = lines(report)?.join("\n");
    lines.push('\n');
    Ok(lines)
}

/// A flame graph of the instructions, as SVG. Equal reports give equal bytes.
pub(crate) fn flame_graph(report: &ProfileReport) -> Result<Vec<u8>, Error> {
    let lines = lines(report)?;
    let mut options = Options::default();
    options.title = format!("{}: where its instructions go", frame_name(&report.task_id));
    options.count_name = UNIT.into();
    options.deterministic = true;
    let mut svg = Vec::new();
    flamegraph::from_lines(&mut options, lines.iter().map(String::as_str), &mut svg)
        .map_err(Error::FlameGraph)?;
    Ok(svg)
}

/// The folded lines, sorted, each stack once.
fn lines(report: &ProfileReport) -> Result<Vec<String>, Error> {
    let mut lines: Vec<_> = report
        .call_stacks
        .iter()
        .filter(|stack| stack.instructions > 0 && !stack.frames.is_empty())
        .map(|stack| {
            let names: Vec<_> = stack.frames.iter().map(|frame| frame_name(frame)).collect();
            format!("{} {}", names.join(SEPARATOR), stack.instructions)
        })
        .collect();
    if lines.is_empty() {
        return Err(Error::Lacks {
            what: "call stacks",
            reason: "they need `debug`, and a program whose instructions can be counted",
        });
    }
    lines.sort_unstable();
    Ok(lines)
}

/// A function's name on one line, without separators and without characters that XML forbids.
pub(crate) fn frame_name(text: &str) -> String {
    let named: String = readable(text)
        .chars()
        .map(|c| match c {
            ';' | '\u{fffe}' | '\u{ffff}' => REPLACEMENT,
            c if c.is_whitespace() => ' ',
            c => c,
        })
        .collect();
    let named = named.trim();
    if named.is_empty() { UNKNOWN.into() } else { named.into() }
}
