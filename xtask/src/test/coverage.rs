//! Counts which lines of the core its own tests execute, with the compiler's own instrumentation.
//!
//! Only workspace members are instrumented, so everything from the registry is built once for both
//! builds. The tools that read the counters come with the toolchain (component `llvm-tools`).

use super::binaries::{Binary, COVERED};
use super::suites::Suites;
use crate::install::engine;
use crate::steps::failure::Failure;
use crate::steps::shell::{command, output, root, run as sh, target};
use std::fs;
use std::path::Path;

/// Least share of the core's lines that its tests execute, in percent.
const LEAST_PERCENT: f64 = 90.0;
/// Whose lines count: tests and other crates do not.
const SOURCES: &str = "profiler-core/src";
/// Files of tests, which would raise the share.
const TESTS: &str = "/(tests|tests/.*)\\.rs$";
/// What only runs where a Docker daemon answers.
const DOCKER: &str = "/sandbox/docker/";

/// Runs the instrumented tests, and fails where they execute too few lines.
pub(crate) fn count(suites: &mut Suites, covered: &[Binary], tools: &Path) -> Result<(), Failure> {
    let _ = fs::remove_dir_all(target("coverage/run")?);
    let folder = target("coverage/run")?;
    let counters = folder.join("%p-%m.profraw").to_string_lossy().into_owned();
    suites.run(covered, &[("LLVM_PROFILE_FILE".into(), counters)])?;
    let share = lines_percent(&folder, covered, tools)?;
    println!("{share:.1} % of the lines of {COVERED} are covered; at least {LEAST_PERCENT} %");
    if share < LEAST_PERCENT {
        return Err(Failure::Missing(format!("only {share:.1} % of {COVERED} is covered")));
    }
    Ok(())
}

fn lines_percent(folder: &Path, covered: &[Binary], tools: &Path) -> Result<f64, Failure> {
    let merged = folder.join("merged.profdata");
    let entries = fs::read_dir(folder).map_err(Failure::file("list the counters"))?;
    let counters = entries.flatten().map(|entry| entry.path());
    let words = ["merge", "--sparse", "--failure-mode=all", "-o"];
    let mut merge = command(tools.join("llvm-profdata"), words);
    // `failure-mode`: a process that was killed leaves a file that is cut off.
    sh(merge.arg(&merged).args(counters))?;
    let profile = format!("--instr-profile={}", merged.display());
    let words = ["export", "--summary-only", "--format=text", &profile];
    let mut export = command(tools.join("llvm-cov"), words);
    export.arg(format!("--ignore-filename-regex={TESTS}"));
    if !engine::answers() {
        export.arg(format!("--ignore-filename-regex={DOCKER}"));
    }
    for binary in covered {
        export.arg("--object").arg(&binary.executable);
    }
    export.arg("--sources").arg(root().join(SOURCES));
    let summary: serde_json::Value = serde_json::from_str(&output(&mut export)?)
        .map_err(|cause| Failure::Missing(format!("what llvm-cov says: {cause}")))?;
    let share = summary["data"][0]["totals"]["lines"]["percent"].as_f64();
    share.ok_or_else(|| Failure::Missing("llvm-cov counts no lines".into()))
}
