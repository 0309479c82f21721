//! A run that ended early, as text.

use super::layout::joined;
use super::options::TextOptions;
use super::report;
use super::sections::compile;
use crate::report::readable;
use profiler_proto::v1::SandboxError;

/// The code of the error of a program that does not compile.
const COMPILE: &str = "compile";

/// What was measured before the error, then the error.
pub(super) fn text(error: &SandboxError, options: &TextOptions) -> String {
    let partial = error.partial.as_ref();
    let ending = format!(
        "{bad}{}{bad:#}: {}",
        readable(&error.code),
        readable(&error.message),
        bad = options.palette.bad
    );
    let before = match partial {
        Some(partial) if error.code == COMPILE => {
            partial.compile.as_ref().map(compile::output).unwrap_or_default()
        }
        Some(partial) => report::text(partial, options),
        None => String::new(),
    };
    joined([before, ending])
}
