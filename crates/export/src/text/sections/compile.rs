//! The compile step as text.

use crate::report::{figure, readable};
use crate::text::layout::prefixed;
use profiler_proto::v1::CompileStep;

/// The prefix of the compiler's lines.
const QUOTE: &str = "  | ";

/// One line: the command and its cost.
pub(in crate::text) fn line(step: &CompileStep) -> String {
    let when = if step.cached { ", from the cache" } else { "" };
    format!(
        "{} (g++ {}, {} ms, peak {} MiB{when})",
        readable(&step.command),
        readable(&step.compiler),
        figure(Some(step.wall_ms), 0),
        figure(Some(step.peak_memory_mb), 0),
    )
}

/// The compiler's output; may be empty.
pub(in crate::text) fn output(step: &CompileStep) -> String {
    let mut text = prefixed(QUOTE, &readable(&step.output));
    if step.truncated {
        text.push_str("\n  (the rest was cut off)");
    }
    text
}
