//! `cargo xtask tidy`: rules for the house that the compiler does not know.
//!
//! No package depends on one of a floor above. In production code no files import each other in a
//! circle, no folder has more than a dozen names, no comment is wider than a page, every doc
//! comment opens with a noun or a verb, and no file is longer than a person reads at once.

mod figures;
mod floors;
mod graph;
mod imports;
mod rules;
pub(crate) mod sizes;
mod source;

use crate::steps::failure::Failure;
use crate::steps::shell::{command, output};
use figures::Figures;
use serde_json::Value;
use source::Crate;
use std::path::{Path, PathBuf};

/// Targets whose sources are production code.
const PRODUCTION: [&str; 3] = ["lib", "bin", "proc-macro"];

/// `cargo xtask tidy`: fails with every rule that is broken in the repository at `root`.
pub(crate) fn check(root: &Path) -> Result<(), Failure> {
    let packages = packages(root)?;
    let mut wrong = floors::upward(&packages, root);
    for (_, file) in roots(&packages) {
        wrong.extend(rules::check(&Crate::read(&file)?, root)?);
    }
    if wrong.is_empty() {
        println!("the house is tidy");
        return Ok(());
    }
    Err(Failure::Untidy(wrong.join("\n")))
}

/// `cargo xtask tidy --figures`: prints the import graph of every crate in figures.
pub(crate) fn print_figures(root: &Path) -> Result<(), Failure> {
    println!("{:32}{}", "", figures::HEADING);
    for (package, file) in roots(&packages(root)?) {
        println!("{package:32}{}", Figures::from_crate(&Crate::read(&file)?));
    }
    Ok(())
}

/// The packages of the workspace at `root`, as `cargo metadata` lists them.
fn packages(root: &Path) -> Result<Vec<Value>, Failure> {
    let words = ["metadata", "--no-deps", "--format-version", "1", "--offline"];
    let listed = output(command("cargo", words).current_dir(root))?;
    let mut listed: Value = serde_json::from_str(&listed)
        .map_err(|cause| Failure::Missing(format!("what cargo metadata says: {cause}")))?;
    match listed["packages"].take() {
        Value::Array(packages) => Ok(packages),
        _ => Err(Failure::Missing("the packages that cargo metadata lists".into())),
    }
}

/// The root files of the libraries and programs, each with its package.
fn roots(packages: &[Value]) -> Vec<(String, PathBuf)> {
    let mut roots = Vec::new();
    for package in packages {
        let name = package["name"].as_str().unwrap_or_default();
        for target in package["targets"].as_array().into_iter().flatten() {
            let mut kinds = target["kind"].as_array().into_iter().flatten();
            if kinds.any(|kind| kind.as_str().is_some_and(|kind| PRODUCTION.contains(&kind))) {
                roots.push((name.into(), target["src_path"].as_str().unwrap_or_default().into()));
            }
        }
    }
    roots
}

#[cfg(test)]
mod tests;
