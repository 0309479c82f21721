//! The compile step as text.

use crate::report::{figure, readable};
use crate::text::layout::{QUOTE, prefixed};
use crate::text::options::TextOptions;
use crate::text::remedies::{explain_errors, flag};
use profiler_proto::v1::CompileStep;

/// Separators that g++ prints between the place and the message of an error. Their word is
/// coloured.
const ERROR: &str = ": error: ";
const FATAL_ERROR: &str = ": fatal error: ";
/// Beginnings of lines that stand for omitted lines.
const LEFT_OUT: [&str; 2] = ["  (… ", "… and "];

/// Renders the command and its cost in one line.
pub(in crate::text) fn line(step: &CompileStep) -> String {
    if step.command.is_empty()
        && let Some(bytes) = step.binary_bytes
    {
        return format!("compiled program ({bytes} bytes)");
    }
    let when = if step.cached { ", from the cache" } else { "" };
    format!(
        "{} (g++ {}, {} ms, peak {} MiB{when})",
        readable(&step.command),
        readable(&step.compiler),
        figure(Some(step.wall_ms), 0),
        figure(Some(step.peak_memory_mb), 0),
    )
}

/// Returns the reason for a missing binary: the errors, or all that the compiler said; may be
/// empty.
pub(crate) fn errors(step: &CompileStep, options: &TextOptions) -> String {
    if options.full_diagnostics || step.error_text.is_empty() {
        return output(step);
    }
    let text = explain_errors(step, flag);
    let mut lines: Vec<_> = text.lines().map(|line| coloured(line, options)).collect();
    if text.lines().any(|line| LEFT_OUT.iter().any(|start| line.starts_with(start))) {
        lines.push("--full-diagnostics prints all messages of g++".into());
    }
    lines.join("\n")
}

/// A line with its "error:" in colour. A line that begins with a space quotes the source.
fn coloured(line: &str, options: &TextOptions) -> String {
    let bad = options.palette.bad;
    for word in [ERROR, FATAL_ERROR].into_iter().filter(|_| !line.starts_with(' ')) {
        if let Some((place, message)) = line.split_once(word) {
            let word = word.trim_matches([':', ' ']);
            return format!("{place}: {bad}{word}:{bad:#} {message}");
        }
    }
    line.to_owned()
}

/// The compiler's output; may be empty.
pub(in crate::text) fn output(step: &CompileStep) -> String {
    let mut text = prefixed(QUOTE, &readable(&step.output));
    if step.truncated {
        text.push_str("\n  (the rest was cut off)");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compiled_program_has_no_command() {
        let step = CompileStep { binary_bytes: Some(16_000), ..CompileStep::default() };
        assert_eq!(line(&step), "compiled program (16000 bytes)");
        let command = "g++ main.cpp".into();
        assert!(line(&CompileStep { command, ..step }).starts_with("g++ main.cpp (g++ "));
    }
}
