//! Warnings of misspelt environment variables, which would otherwise have no effect in silence.

use profiler_server::config::misspelt_variables;
use profiler_server::telemetry::logging::{START, TARGET};
use std::env;
use std::path::Path;

/// Returns a sentence for each misspelt variable of this process.
pub(super) fn misspelt() -> Vec<String> {
    let names: Vec<_> = env::vars_os().filter_map(|(name, _)| name.into_string().ok()).collect();
    misspelt_variables(names.iter().map(String::as_str))
}

/// Logs the version, the file of settings, and a warning for each misspelt variable.
pub(super) fn tell_start(file: Option<&Path>) {
    let version = env!("CARGO_PKG_VERSION");
    let file = file.map_or_else(|| "no file of settings".into(), |file| file.display().to_string());
    tracing::info!(target: START, "swiftprof {version}, {file}");
    warn_of_misspelt();
}

/// Logs a warning for each misspelt variable of this process.
pub(super) fn warn_of_misspelt() {
    for hint in misspelt() {
        tracing::warn!(target: TARGET, "{hint}");
    }
}
