//! The compile step as text.

use crate::report::{figure, readable};
use crate::text::layout::prefixed;
use profiler_proto::v1::CompileStep;

/// What stands in front of the compiler's own lines.
const QUOTE: &str = "  | ";

/// One line: what was run and what it cost.
pub(in crate::text) fn line(step: &CompileStep) -> String {
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
pub(in crate::text) fn output(step: &CompileStep) -> String {
    let mut text = prefixed(QUOTE, &readable(&step.output));
    if step.truncated {
        text.push_str("\n  (the rest was cut off)");
    }
    text
}
