//! What a test does where its tools are missing: on a person's machine it is skipped and says why;
//! where `PROFILER_TEST_REQUIRE` names the tool, as CI does, it fails.

use std::env;
use std::fmt::Display;
use std::io::{self, Write};

/// Names, separated by commas, of what must be there: `docker,native,grpcurl,perun,faketime`.
pub const VARIABLE: &str = "PROFILER_TEST_REQUIRE";

/// Whether `tool` must be there.
pub fn is_required(tool: &str) -> bool {
    env::var(VARIABLE).is_ok_and(|names| names.split(',').any(|name| name.trim() == tool))
}

/// `found`, or the reason why what needs `tool` cannot be tested here.
///
/// # Panics
/// If `tool` is required and was not found.
pub fn or_reason<T, E: Display>(tool: &str, found: Result<T, E>) -> Result<T, String> {
    found.map_err(|why| {
        assert!(!is_required(tool), "{tool} is required by {VARIABLE}: {why}");
        format!("for want of {tool}: {why}")
    })
}

/// `found`, or `None`: the test that asks has nothing to do and counts as skipped.
///
/// # Panics
/// If `tool` is required and was not found.
pub fn or_skip<T, E: Display>(tool: &str, found: Result<T, E>) -> Option<T> {
    let reason = match or_reason(tool, found) {
        Ok(found) => return Some(found),
        Err(reason) => reason,
    };
    // Written past the capture of passing tests: a skip that nobody sees is a lie. `cargo xtask
    // test` counts these lines.
    let _ = writeln!(io::stderr(), "skipped {reason}");
    None
}

/// The path of a tool that `cargo xtask test` hands over in an environment variable, or a printed
/// reason and `None`.
///
/// # Panics
/// If `tool` is required and the variable is not set.
pub fn tool(tool: &str, variable: &str) -> Option<String> {
    let found = env::var(variable);
    or_skip(tool, found.map_err(|_| format!("{variable} is not set; `cargo xtask test` sets it")))
}
