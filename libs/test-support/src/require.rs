//! Skips a test whose tools are missing, or fails it if the tools are required.
//!
//! On a developer's machine such a test is skipped and prints why. If `PROFILER_TEST_REQUIRE` names
//! the tool, as in CI, the test fails.

use std::env;
use std::fmt::Display;
use std::io::{self, Write};

/// Names of the required tools, separated by commas:
/// `docker,native,grpcurl,nats,perun,prometheus,qemu,testlib`.
pub const VARIABLE: &str = "PROFILER_TEST_REQUIRE";

/// Whether `tool` is required.
pub fn is_required(tool: &str) -> bool {
    env::var(VARIABLE).is_ok_and(|names| names.split(',').any(|name| name.trim() == tool))
}

/// Returns `found`, or the reason why tests that need `tool` cannot run here.
///
/// # Panics
/// If `tool` is required and was not found.
pub fn or_reason<T, E: Display>(tool: &str, found: Result<T, E>) -> Result<T, String> {
    found.map_err(|why| {
        assert!(!is_required(tool), "{tool} is required by {VARIABLE}: {why}");
        format!("for want of {tool}: {why}")
    })
}

/// Returns `found`. `None` means that the calling test has nothing to do and counts as skipped.
///
/// # Panics
/// If `tool` is required and was not found.
pub fn or_skip<T, E: Display>(tool: &str, found: Result<T, E>) -> Option<T> {
    let reason = match or_reason(tool, found) {
        Ok(found) => return Some(found),
        Err(reason) => reason,
    };
    // The test harness hides what passing tests print with `println!`, but not what they write to
    // stderr directly. A skip must be seen, and `cargo xtask test` counts these lines.
    let _ = writeln!(io::stderr(), "skipped {reason}");
    None
}

/// Returns the path of a tool that `cargo xtask test` passes in an environment variable. Prints the
/// reason and returns `None` if the variable is not set.
///
/// # Panics
/// If `tool` is required and the variable is not set.
pub fn tool(tool: &str, variable: &str) -> Option<String> {
    let found = env::var(variable);
    or_skip(tool, found.map_err(|_| format!("{variable} is not set; `cargo xtask test` sets it")))
}
