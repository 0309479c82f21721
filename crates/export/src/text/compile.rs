//! The compile step as text.

use super::number::{behind, figure, readable};
use profiler_proto::v1::CompileStep;

/// What stands in front of the compiler's own lines.
const QUOTE: &str = "  | ";

/// One line: what was run and what it cost.
pub(super) fn line(step: &CompileStep) -> String {
    let when = if step.cached { ", compiled before" } else { "" };
    format!(
        "{} (g++ {}, {} ms, peak {} MiB{when})",
        readable(&step.command),
        readable(&step.compiler),
        figure(Some(step.wall_ms), 0),
        figure(Some(step.peak_memory_mb), 0),
    )
}

/// What the compiler said; empty if nothing.
pub(super) fn output(step: &CompileStep) -> String {
    let mut text = behind(QUOTE, &readable(&step.output));
    if step.truncated {
        text.push_str("\n  (the rest was cut off)");
    }
    text
}
