//! `cargo xtask undefended`: takes one defence out at a time, in a copy of the repository, and
//! expects the rows of the hostile table that attack this defence to fail.
//!
//! A row that passes with and without a defence shows nothing about it. The patches are in
//! `tests/undefended`. Each has a sentence on what is taken out, and a line with the rows. A patch
//! that has the line of a benchmark or of another test instead is tried by hand, because that needs
//! an engine.

use crate::steps::failure::Failure;
use crate::steps::shell::{command, output, pipe, root, run as sh, target};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// Folder of the patches.
const FOLDER: &str = "tests/undefended";
/// Prefix of the line with the rows.
const ROWS_LINE: &str = "Rows: ";
/// Prefix of the line with the benchmark, or another test.
const BENCH: &str = "Bench: ";
/// The suite that has the rows.
const SUITE: &str = "conformance";
/// Address at which no container engine answers. The suite would look for one, but only native
/// sandboxes are built from the copy.
const NO_ENGINE: &str = "unix:///nonexistent";

/// A defence, as the patch that takes it out.
struct Patch {
    name: String,
    file: PathBuf,
    says: String,
    rows: Vec<String>,
    /// Benchmark or test that fails without the defence, if no row does.
    bench: Option<String>,
}

/// `cargo xtask undefended [NAME]...`. Without a name, all defences.
pub(crate) fn run(names: &[String]) -> Result<(), Failure> {
    let all = patches()?;
    if let Some(unknown) = names.iter().find(|name| all.iter().all(|patch| patch.name != **name)) {
        let known: Vec<_> = all.iter().map(|patch| patch.name.as_str()).collect();
        let known = known.join(", ");
        return Err(Failure::Missing(format!("there is no {unknown}, but {known}")));
    }
    let chosen: Vec<_> = all
        .iter()
        .filter(|patch| names.is_empty() || names.contains(&patch.name))
        .filter(|patch| !patch.is_tried_by_hand())
        .collect();
    let tree = target("undefended")?;
    let tree = tree.to_string_lossy();
    // Files get new times, so that cargo does not take a file of an earlier call for unchanged.
    pipe(&mut command("git", ["archive", "HEAD"]), &mut command("tar", ["-xmC", &tree]))?;
    let suite = build(&tree)?;
    let mut wrong = Vec::new();
    for row in chosen.iter().flat_map(|patch| &patch.rows) {
        if !has_ended(row, "ok", &suite, &tree)? {
            wrong.push(format!("{row} does not pass with all defences"));
        }
    }
    for patch in &chosen {
        println!("\n{}: {}", patch.name, patch.says);
        apply(patch, &tree, &[])?;
        let suite = build(&tree)?;
        for row in &patch.rows {
            if !has_ended(row, "FAILED", &suite, &tree)? {
                wrong.push(format!("{row} does not fail without {}", patch.name));
            }
        }
        apply(patch, &tree, &["--reverse"])?;
    }
    let rows: usize = chosen.iter().map(|patch| patch.rows.len()).sum();
    println!("\n{} defences, {rows} rows; {} are not as they must be", chosen.len(), wrong.len());
    if wrong.is_empty() { Ok(()) } else { Err(Failure::Missing(wrong.join("\n"))) }
}

/// All patches, by name.
fn patches() -> Result<Vec<Patch>, Failure> {
    let entries = fs::read_dir(root().join(FOLDER)).map_err(Failure::file(FOLDER))?;
    let mut files: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    files.sort();
    files.into_iter().map(Patch::read).collect()
}

impl Patch {
    fn read(file: PathBuf) -> Result<Self, Failure> {
        let text = fs::read_to_string(&file).map_err(Failure::file("read a patch"))?;
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let head = || text.lines().take_while(|line| !line.is_empty());
        let is_said = |line: &&str| !line.starts_with(ROWS_LINE) && !line.starts_with(BENCH);
        let says: Vec<_> = head().filter(is_said).collect();
        let bench = head().find_map(|line| line.strip_prefix(BENCH)).map(String::from);
        let rows =
            head().filter_map(|line| line.strip_prefix(ROWS_LINE)).flat_map(str::split_whitespace);
        let rows = rows.map(String::from).collect();
        Ok(Self { name, says: says.join(" "), rows, bench, file })
    }

    /// Whether the patch is tried by hand. If so, prints how.
    fn is_tried_by_hand(&self) -> bool {
        if let Some(bench) = &self.bench {
            println!("{}: apply it to a copy, and see `{bench}` fail", self.name);
        }
        self.bench.is_some()
    }
}

/// Applies a patch to the copy. It changes the times of files, so cargo notices.
fn apply(patch: &Patch, tree: &str, how: &[&str]) -> Result<(), Failure> {
    let mut git = command("git", ["apply"]);
    git.args(how).arg(&patch.file).current_dir(tree);
    // Git must not find this repository around the copy: it would skip the copy's files.
    sh(git.env("GIT_CEILING_DIRECTORIES", root().join("target")))
}

/// Builds the copy's suite, in a target folder of the copy's own. In this repository's target
/// folder, cargo would take what was built without a defence for up to date.
fn build(tree: &str) -> Result<PathBuf, Failure> {
    let words = ["build", "--workspace", "--test", SUITE];
    let mut cargo = command("cargo", words);
    cargo.args(["--message-format", "json", "--quiet"]).current_dir(tree);
    cargo.env_remove("CARGO_TARGET_DIR");
    let messages = output(&mut cargo)?;
    let messages = messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let mut built = messages.filter_map(|message| Some(message["executable"].as_str()?.into()));
    built.next().ok_or_else(|| Failure::Missing(format!("cargo built no {SUITE}")))
}

/// Runs a row, and returns whether it ended with this word. A row that is left out has not ended.
fn has_ended(row: &str, how: &str, suite: &Path, tree: &str) -> Result<bool, Failure> {
    let (backend, program) = row.split_once("::").unwrap_or_default();
    let backend = format!("{backend}::");
    let mut suite = command(suite, [&backend]);
    suite.current_dir(tree).env("DOCKER_HOST", NO_ENGINE).env(super::ROWS, program);
    let ran = suite.output().map_err(Failure::file("run the suite"))?;
    let printed = String::from_utf8_lossy(&ran.stdout);
    let is_of_table = |line: &&str| {
        let mut words = line.split_whitespace();
        words.next() == backend.strip_suffix("::") && words.nth(1) == Some(program)
    };
    println!("{row}: {}", printed.lines().find(is_of_table).unwrap_or("not in the table"));
    let is_test = |line: &&str| {
        let name = line.strip_prefix("test ").and_then(|line| line.split_whitespace().next());
        name.is_some_and(|name| {
            name.starts_with(&backend) && name.ends_with(&format!("::{program}"))
        })
    };
    Ok(printed.lines().find(is_test).is_some_and(|line| line.ends_with(how)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::steps::shell::succeeds;

    #[test]
    fn every_defence_can_be_taken_out_and_has_rows() {
        let patches = patches().unwrap();
        assert!(!patches.is_empty());
        for Patch { name, file, says, rows, bench } in &patches {
            let mut applied = command("git", ["apply", "--check"]);
            assert!(succeeds(applied.arg(file)), "{name} does not apply");
            assert!(!says.is_empty(), "{name} says nothing");
            assert!(rows.is_empty() == bench.is_some(), "{name} has no rows and no benchmark");
            let is_tried = rows.iter().all(|row| row.starts_with("native"));
            assert!(is_tried, "{name}: only native sandboxes are of the copy");
        }
    }
}
