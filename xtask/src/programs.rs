//! Tasks that are programs of their own, so that nothing else compiles them.

use crate::steps::failure::Failure;
use crate::steps::shell::{command, run};
use crate::test::{PROFILE, lints};
use std::process::Stdio;

/// `cargo xtask bench WORDS...`. Some benchmarks start `swiftprof`, which is in the same folder.
pub(crate) fn bench(words: &[String]) -> Result<(), Failure> {
    let packages = ["--package", "profiler-bench", "--package", "profiler-cli"];
    run(command("cargo", ["build", "--release", "--quiet", "--bins"]).args(packages))?;
    // Figures of a debug build mean nothing.
    start(&["--release", "--package", "profiler-bench", "--"], words)
}

/// `cargo xtask chaos WORDS...`.
pub(crate) fn chaos(words: &[String]) -> Result<(), Failure> {
    start(&["--package", "profiler-chaos", "--", "chaos"], words)
}

/// `cargo xtask seeds`: the tests of simulated fleets, with more seeds. Fleets whose servers have
/// stores take longer, so they are fewer.
pub(crate) fn seeds(count: u64, first: u64) -> Result<(), Failure> {
    for (package, target, test, count) in [
        ("profiler-fleet", &["--test", "all"][..], "seeds::fleet_keeps_its_promises", count),
        ("profiler-server", &["--lib"], "seeds::servers_keep_their_promises", (count / 10).max(1)),
    ] {
        let words = ["test", "--quiet", "--profile", PROFILE, "--package", package];
        let numbers = [("PROFILER_SEEDS", count.to_string()), ("PROFILER_SEED", first.to_string())];
        let cargo = &mut command("cargo", words);
        let cargo = cargo.args(target).args(["--", test, "--nocapture"]);
        run(cargo.envs(numbers).envs(lints()))?;
    }
    Ok(())
}

/// `cargo xtask vm WORDS...`.
pub(crate) fn vm(words: &[String]) -> Result<(), Failure> {
    start(&["--package", "swiftprof-hosts", "--"], words)
}

/// Builds and starts a program of the workspace, which can ask the person at the terminal.
fn start(program: &[&str], words: &[String]) -> Result<(), Failure> {
    let mut cargo = command("cargo", ["run", "--quiet"]);
    run(cargo.args(program).args(words).stdin(Stdio::inherit()))
}
