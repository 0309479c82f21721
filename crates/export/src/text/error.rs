//! A run that ended early, as text.

use super::layout::joined;
use super::options::TextOptions;
use super::report;
use super::sections::compile;
use crate::report::{failed_step, readable};
use profiler_proto::Word;
use profiler_proto::v1::{ErrorCode, ProfileReport, SandboxError};

/// Renders the measurements before the error, then the error.
pub(super) fn text(error: &SandboxError, note: Option<&str>, options: &TextOptions) -> String {
    let partial =
        error.partial.as_ref().filter(|partial| had_sandbox(partial) || !partial.sizes.is_empty());
    let ending = format!(
        "{bad}{}{bad:#}: {}",
        error.code().word(),
        readable(&error.message),
        bad = options.palette.bad
    );
    let before = match partial {
        Some(partial) if error.code() == ErrorCode::Compile => {
            failed_step(partial).map(|step| compile::errors(step, options)).unwrap_or_default()
        }
        Some(partial) => report::text(partial, note, options),
        None => String::new(),
    };
    joined([before, ending])
}

/// Whether a sandbox was started. Without one, the report has only what the request says, unless a
/// server restored its sizes from the events of a run that it lost.
fn had_sandbox(report: &ProfileReport) -> bool {
    report.host.as_ref().is_some_and(|host| !host.kernel.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::sample_reports::{growing, report};

    /// A server that restarts restores the sizes of such a run, but not its host.
    #[test]
    fn run_of_a_killed_server_shows_its_sizes() {
        let partial = ProfileReport { host: None, ..report(growing()) };
        let error = SandboxError {
            code: ErrorCode::Interrupted.into(),
            message: "the server ended before the run did".into(),
            partial: Some(partial),
        };
        let text = text(&error, None, &TextOptions::default());
        assert!(text.starts_with("┌") && text.contains("│ 10000 ┆ OK "), "{text}");
        assert!(text.ends_with("\n\ninterrupted: the server ended before the run did"), "{text}");
    }
}
