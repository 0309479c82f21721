//! Warnings of misspelt environment variables, which would otherwise have no effect in silence.

use profiler_server::config::misspelt_variables;
use profiler_server::telemetry::logging::TARGET;
use std::env;

/// Returns a sentence for each misspelt variable of this process.
pub(super) fn misspelt() -> Vec<String> {
    let names: Vec<_> = env::vars_os().filter_map(|(name, _)| name.into_string().ok()).collect();
    misspelt_variables(names.iter().map(String::as_str))
}

/// Logs a warning for each misspelt variable of this process.
pub(super) fn warn_of_misspelt() {
    for hint in misspelt() {
        tracing::warn!(target: TARGET, "{hint}");
    }
}
