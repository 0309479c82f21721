//! Call stacks: folded for flame graph tools, or drawn as a flame graph.

use crate::error::Error;
use crate::html::flame_graph_svg;
use crate::report::readable;
use profiler_proto::v1::ProfileReport;

/// Separates the frames of a stack.
const SEPARATOR: &str = ";";
/// Name that stands for a frame without a name.
const UNKNOWN: &str = "?";
const NO_STACKS: Error = Error::Lacks {
    what: "call stacks",
    field: Some("debug"),
    reason: ", and a program whose instructions can be counted",
};

/// Renders one line for each stack: its functions, the outermost first, and its instructions. Equal
/// reports give equal bytes.
pub(crate) fn folded(report: &ProfileReport) -> Result<String, Error> {
    let mut lines = lines(report)?.join("\n");
    lines.push('\n');
    Ok(lines)
}

/// Draws a flame graph of the instructions, as SVG. Equal reports give equal bytes.
pub(crate) fn flame_graph(report: &ProfileReport) -> Result<Vec<u8>, Error> {
    Ok(flame_graph_svg(report).ok_or(NO_STACKS)?.into_bytes())
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
        return Err(NO_STACKS);
    }
    lines.sort_unstable();
    Ok(lines)
}

/// A function's name on one line, without separators and without characters that XML forbids.
pub(crate) fn frame_name(text: &str) -> String {
    let named: String = readable(text)
        .chars()
        .map(|c| match c {
            ';' => char::REPLACEMENT_CHARACTER,
            c if c.is_whitespace() => ' ',
            c => c,
        })
        .collect();
    let named = named.trim();
    if named.is_empty() { UNKNOWN.into() } else { named.into() }
}
