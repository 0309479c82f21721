//! The checker of Perun profiles, tested on good and bad profiles.

use super::{CONFIGURATION, path, python};
use std::process::Command;
use tempfile::TempDir;

#[test]
fn good_profiles_pass_and_bad_ones_fail() {
    let Some(python) = python() else { return };
    let script = path("selftest.sh");
    let configuration = TempDir::new().unwrap();
    let mut selftest = Command::new("sh");
    selftest.arg(&script).arg(&python).env(CONFIGURATION, configuration.path());
    let status = selftest.status().unwrap();
    assert!(status.success(), "{} {python}: {status}", script.display());
}
