//! The checker of Perun profiles checks itself, with the real Perun in a process of its own.

use profiler_tests::require;
use std::process::Command;

/// The Python that has Perun.
const PYTHON: &str = "PROFILER_TEST_PERUN_PYTHON";

#[test]
fn good_profiles_pass_and_bad_ones_fail() {
    let Some(python) = require::tool("perun", PYTHON) else {
        return;
    };
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/perun/selftest.sh");
    let status = Command::new("sh").args([script, &python]).status().unwrap();
    assert!(status.success(), "{script} {python}: {status}");
}
