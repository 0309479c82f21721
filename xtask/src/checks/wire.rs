//! Checks the wire contract: buf's rules, and no break against what has landed.

use crate::steps::failure::Failure;
use crate::steps::shell::{command, output, pipe, root, run, target};
use std::fs;
use std::path::Path;

/// Paths that make up the contract.
const CONTRACT: [&str; 2] = ["proto", "buf.yaml"];
/// Branch with the last landed version.
const LANDED: &str = "origin/main";
/// Words that declare a deliberate break in the newest section of the changelog. Case is ignored.
const DELIBERATE: &str = "breaks the wire";

/// `buf lint`, and `buf breaking` against the last landed commit.
pub(crate) fn check(buf: &Path) -> Result<(), Failure> {
    run(&mut command(buf, ["lint"]))?;
    let Some(landed) = landed() else {
        println!("skipped: there is no earlier commit with a contract to compare with");
        return Ok(());
    };
    println!("comparing with {landed}");
    let folder = target("xtask/landed")?;
    let _ = fs::remove_dir_all(&folder);
    let folder = target("xtask/landed")?;
    let archive = ["archive", &landed].into_iter().chain(CONTRACT);
    let into = folder.to_string_lossy();
    let unpack = &mut command("tar", ["-x", "-C", &into]);
    pipe(&mut command("git", archive), unpack)?;
    match run(&mut command(buf, ["breaking", "--against", &into])) {
        Err(Failure::Ended { .. }) if is_deliberate() => {
            println!("the changelog says so: a deliberate break");
            Ok(())
        }
        compared => compared,
    }
}

/// The newest commit before this one that has landed and has a contract.
fn landed() -> Option<String> {
    let commit = |words: &[&str]| {
        let found = output(&mut command("git", words)).ok()?;
        Some(found.trim().to_owned())
    };
    let head = commit(&["rev-parse", "HEAD"])?;
    let forked = commit(&["merge-base", "HEAD", LANDED]).filter(|fork| *fork != head);
    let before = || commit(&["rev-parse", "--verify", "--quiet", "HEAD^"]);
    let landed = forked.or_else(before)?;
    let contract = commit(&["ls-tree", "--name-only", &landed, "--", CONTRACT[0]])?;
    (!contract.is_empty()).then_some(landed)
}

fn is_deliberate() -> bool {
    let changelog = fs::read_to_string(root().join("CHANGELOG.md")).unwrap_or_default();
    let newest = changelog.split("\n## ").nth(1);
    newest.is_some_and(|section| section.to_lowercase().contains(DELIBERATE))
}
