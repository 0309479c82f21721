//! The checker of Perun profiles, tested on good and bad profiles.

use super::{path, python};
use std::process::Command;

#[test]
fn good_profiles_pass_and_bad_ones_fail() {
    let Some(python) = python() else { return };
    let script = path("selftest.sh");
    let status = Command::new("sh").arg(&script).arg(&python).status().unwrap();
    assert!(status.success(), "{} {python}: {status}", script.display());
}
