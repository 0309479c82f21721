//! `cargo xtask fuzz`: cargo-fuzz over the targets in `fuzz/`, and what `cargo xtask test` does
//! with them.
//!
//! It needs no nightly toolchain: the code generator's option for coverage feedback is stable. The
//! sanitizers are not stable, but they look for errors that safe Rust cannot make. Overflows and
//! debug assertions are caught.

use crate::install::tools;
use crate::steps::failure::Failure;
use crate::steps::shell::{command, root, run as sh, target, watch};
use crate::steps::step::Steps;
use crate::test::PROFILE;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

/// Folder of the targets and their seeds.
const FOLDER: &str = "fuzz";
/// Folder of the instrumented build, and of what the fuzzer finds worth keeping.
const TARGET: &str = "target/fuzz";
/// Maximum length of an input, in bytes: longer inputs find nothing that shorter ones do not.
const MAX_INPUT_BYTES: &str = "-max_len=16384";
/// Changes to the release profile. What a target finds in a minute depends more on how soon it is
/// built than on how fast it runs.
const BUILD: [(&str, &str); 3] = [
    ("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16"),
    ("CARGO_PROFILE_RELEASE_LTO", "off"),
    ("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1"),
];
/// Time limit of an input, in seconds. An input that exceeds it is a finding.
const INPUT_SECONDS: &str = "-timeout=10";
/// Limit of a target's resident set, in MiB. An input that exceeds it is a finding.
const MEMORY_MB: &str = "-rss_limit_mb=1024";

/// Result of one target.
#[derive(Debug, Default, PartialEq, Eq)]
struct Found {
    /// Inputs that were tried.
    executions: u64,
    /// Inputs that reached something new.
    added: u64,
    /// Edges of the code that the seeds reached, and that were reached at the end.
    edges: (u64, u64),
}

/// `cargo xtask fuzz [TARGET] [--seconds N]`.
pub(crate) fn run(only: Option<&str>, seconds: u32) -> Result<(), Failure> {
    let all = targets()?;
    let chosen: Vec<_> = all.iter().filter(|name| only.is_none_or(|only| only == *name)).collect();
    if chosen.is_empty() {
        return Err(Failure::Missing(format!("there is no such target, but {}", all.join(", "))));
    }
    let mut steps = Steps::default();
    let cargo_fuzz = steps.take("cargo-fuzz", tools::cargo_fuzz)?;
    let mut crashed = Vec::new();
    let mut summary = Vec::new();
    for name in chosen {
        let mut found = Found::default();
        let ended = fuzz(&cargo_fuzz, name, seconds, &mut found);
        let crash = if ended.is_ok() { "no crash" } else { "CRASHED" };
        summary.push(format!("{name:14} {found}, {crash}"));
        match ended {
            Ok(()) => {}
            Err(Failure::Ended { .. }) => crashed.push(name.as_str()),
            Err(other) => return Err(other),
        }
    }
    println!("\n{}", summary.join("\n"));
    if crashed.is_empty() {
        return Ok(());
    }
    let crashed = crashed.join(", ");
    Err(Failure::Missing(format!("crashed: {crashed}; the inputs are in {FOLDER}/artifacts")))
}

/// Runs every target once over its seeds. The build of all tests has compiled the targets.
pub(crate) fn seeds() -> Result<(), Failure> {
    for name in targets()? {
        let seeds = files(&root().join(FOLDER).join("seeds").join(&name))?;
        if seeds.is_empty() {
            return Err(Failure::Missing(format!("the fuzz target {name} has no seeds")));
        }
        sh(&mut command(target(PROFILE)?.join(&name), seeds))?;
    }
    Ok(())
}

/// Fuzzes one target from its seeds and what earlier runs found.
fn fuzz(cargo_fuzz: &Path, name: &str, seconds: u32, found: &mut Found) -> Result<(), Failure> {
    let corpus = target("fuzz/corpus")?.join(name);
    fs::create_dir_all(&corpus).map_err(Failure::file(format!("make {}", corpus.display())))?;
    let words =
        ["fuzz", "run", "--fuzz-dir", FOLDER, "--target-dir", TARGET, "--sanitizer", "none"];
    let mut cargo = command(cargo_fuzz, words);
    cargo.arg(name).arg(corpus).arg(root().join(FOLDER).join("seeds").join(name)).arg("--");
    cargo.args([MAX_INPUT_BYTES, INPUT_SECONDS, MEMORY_MB, "-print_final_stats=1"]);
    cargo.arg(format!("-max_total_time={seconds}")).envs(BUILD);
    watch(cargo, |line| found.see(line))
}

/// The names of all targets.
fn targets() -> Result<Vec<String>, Failure> {
    let files = files(&root().join(FOLDER).join("targets"))?;
    let names = files.iter().filter_map(|file| file.file_stem()?.to_str());
    Ok(names.map(String::from).collect())
}

/// Lists the entries of a folder, in order.
fn files(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let entries =
        fs::read_dir(folder).map_err(Failure::file(format!("list {}", folder.display())))?;
    let mut files: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    files.sort_unstable();
    Ok(files)
}

impl Found {
    /// Reads one line of libFuzzer's output.
    fn see(&mut self, line: &str) {
        let number = |name: &str| {
            let behind = line.split_once(name)?.1.trim_start();
            behind.split(' ').next()?.parse().ok()
        };
        self.executions = number("stat::number_of_executed_units:").unwrap_or(self.executions);
        self.added = number("stat::new_units_added:").unwrap_or(self.added);
        if let Some(edges) = number(" cov: ") {
            self.edges.1 = edges;
            if line.contains("INITED") {
                self.edges.0 = edges;
            }
        }
    }
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { executions, added, edges: (before, after) } = self;
        write!(f, "{executions:>10} executions, edges {before} → {after}, {added} new inputs")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libfuzzer_output_is_read() {
        let mut found = Found::default();
        for line in [
            "#4\tINITED cov: 120 ft: 130 corp: 3/1b exec/s: 0 rss: 30Mb",
            "#77\tNEW    cov: 125 ft: 140 corp: 4/5b lim: 4 exec/s: 0 rss: 30Mb L: 2/2 MS: 1 CrossOver-",
            "#9000\tDONE   cov: 131 ft: 150 corp: 4/5b lim: 4 exec/s: 900 rss: 30Mb",
            "stat::number_of_executed_units: 9000",
            "stat::new_units_added:          7",
        ] {
            found.see(line);
        }
        assert_eq!(found, Found { executions: 9000, added: 7, edges: (120, 131) });
    }

    /// A target that is not a binary of the manifest would be neither compiled nor run.
    #[test]
    fn every_target_is_in_the_manifest_and_has_seeds() {
        let manifest = fs::read_to_string(root().join(FOLDER).join("Cargo.toml")).unwrap();
        let targets = targets().unwrap();
        assert!(!targets.is_empty());
        for name in &targets {
            assert!(manifest.contains(&format!("path = \"targets/{name}.rs\"")), "{name}");
            assert!(!files(&root().join(FOLDER).join("seeds").join(name)).unwrap().is_empty());
        }
        assert_eq!(manifest.matches("[[bin]]").count(), targets.len());
    }
}
