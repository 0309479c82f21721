//! Compares a profile with the real Perun.

use super::{CONFIGURATION, path};
use profiler_perun::Profile;
use profiler_tests::swiftprof::swiftprof;
use std::fs::File;
use std::path::Path;
use tempfile::{NamedTempFile, TempDir};
use tokio::process::Command;

/// Maximum relative difference from Perun's models.
pub(crate) const TOLERANCE: &str = "1e-9";
/// The key of sizes; without sizes there is nothing to model.
const SIZE: &str = "structure-unit-size";

/// Fails unless the real Perun loads, converts and queries the profile, and finds the same models
/// in it as `swiftprof perun regression`.
pub(crate) async fn accepted(python: &str, profile: &Path) {
    check(python, profile, &[]).await;
    let read = Profile::read(File::open(profile).unwrap()).unwrap();
    if !read.resources().iter().any(|resource| resource.fields.contains_key(SIZE)) {
        return;
    }
    let mut modelled = NamedTempFile::new().unwrap();
    regression(profile, &[], modelled.as_file_mut()).await;
    check(python, modelled.path(), &["--compare-models", TOLERANCE]).await;
}

/// Writes the output of `swiftprof perun regression` for a profile.
pub(crate) async fn regression(profile: &Path, options: &[&str], out: &mut File) {
    let status = swiftprof(&["perun", "regression"])
        .arg(profile)
        .args(options)
        .stdout(out.try_clone().unwrap())
        .status()
        .await;
    assert!(status.unwrap().success(), "{}", profile.display());
}

/// Fails unless the checker accepts the profile.
pub(crate) async fn check(python: &str, profile: &Path, options: &[&str]) {
    let configuration = TempDir::new().unwrap();
    let output = Command::new(python)
        .env(CONFIGURATION, configuration.path())
        .arg(path("check_profile.py"))
        .arg("--quiet")
        .args(options)
        .arg(profile)
        .output()
        .await
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {said}", profile.display());
}
