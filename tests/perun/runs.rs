//! Profiles of real runs: the real Perun must accept them, and find the same models.

use super::accept::{TOLERANCE, accepted, check};
use super::python;
use profiler_core::sandbox::Choice;
use profiler_perun::Profile;
use profiler_test_support::require;
use profiler_tests::harness::Backend;
use profiler_tests::swiftprof::{file, run};
use tempfile::NamedTempFile;

/// A corner case without a logarithm, and sizes that take measurable time.
const SIZES: &str = "0,1,1000,5000,20000,50000";

/// The profile of a real run of the sort, and the Python with Perun, if this host has both.
async fn profiled(options: &[&str]) -> Option<(String, NamedTempFile)> {
    let python = python()?;
    require::or_skip("native", Backend::select(Choice::Native).await)?;
    let source = file("examples/sort.cpp");
    let args = ["run", &source, "--backend", "native", "--sizes", SIZES, "--format", "perun"];
    let output = run(&[&args[..], options].concat()).await;
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let profile = NamedTempFile::new().unwrap();
    std::fs::write(profile.path(), output.stdout).unwrap();
    Some((python, profile))
}

fn read(profile: &NamedTempFile) -> Profile {
    Profile::read(profile.reopen().unwrap()).unwrap()
}

#[tokio::test]
async fn perun_accepts_the_time_of_a_run() {
    let Some((python, profile)) = profiled(&["--perun-type", "time"]).await else { return };
    let read = read(&profile);
    assert_eq!(read.kind(), Some("time"));
    let sized =
        |it: &&profiler_perun::format::Resource| it.fields.contains_key("structure-unit-size");
    assert_eq!(read.resources().iter().filter(sized).count(), read.resources().len());
    accepted(&python, profile.path()).await;
}

#[tokio::test]
async fn perun_finds_the_models_of_a_mixed_profile() {
    let Some((python, profile)) = profiled(&["--perun-type", "mixed"]).await else { return };
    let read = read(&profile);
    assert_eq!((read.kind(), read.models().len()), (Some("mixed"), 6));
    check(&python, profile.path(), &["--compare-models", TOLERANCE]).await;
    accepted(&python, profile.path()).await;
}

#[tokio::test]
async fn perun_accepts_the_allocations_of_a_run() {
    let options = ["--perun-type", "memory", "--allocations"];
    let Some((python, profile)) = profiled(&options).await else { return };
    let read = read(&profile);
    assert_eq!(read.kind(), Some("memory"));
    assert!(read.resources().iter().all(|it| it.fields.contains_key("trace")));
    accepted(&python, profile.path()).await;
}
