//! A hash of the sources of programs, for build scripts.
//!
//! The hash covers the code of some crates of a workspace, the part of their manifests that a
//! compiler sees, and the locked versions of the packages that they need. Comments, documentation
//! and tests do not change the hash.

#![forbid(unsafe_code)]

mod error;
mod modules;
mod packages;
mod tokens;

pub use error::Error;

use error::read;
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};

/// Sources that programs are compiled from. All paths are relative to the workspace.
#[derive(Debug, Clone, Copy)]
pub struct Sources<'a> {
    /// The folder of `Cargo.lock` and of the workspace's own `Cargo.toml`.
    pub workspace: &'a Path,
    /// The folders of all crates of the workspace that are compiled into the programs.
    pub crates: &'a [&'a str],
    /// Files that the crates include as they are, with `include!` or `include_str!`.
    pub included: &'a [&'a str],
}

/// All crates of the workspace that the runner, the counter and the generator are compiled from.
const CRATES: [&str; 7] = [
    "sandbox-image/runner",
    "sandbox-image/counter",
    "sandbox-image/generator",
    "libs/protocol",
    "libs/decode",
    "libs/input",
    "libs/statistics",
];
/// Files that these crates include: the hook, which the runner links to programs whose allocations
/// are traced, and the bindings of the spec.
const INCLUDED: [&str; 3] = [
    "sandbox-image/hook/allocations.cpp",
    "sandbox-image/hook/left.hpp",
    "libs/input/src/gen/spec.rs",
];

impl<'a> Sources<'a> {
    /// The sources of the programs that live in a sandbox.
    pub fn of_sandbox_programs(workspace: &'a Path) -> Self {
        Self { workspace, crates: &CRATES, included: &INCLUDED }
    }

    /// The hash, in hexadecimal.
    pub fn hash(&self) -> Result<String, Error> {
        let mut hash = Sha256::new();
        for folder in self.crates {
            hash.update(modules::compiled(&self.workspace.join(folder).join("src"))?);
        }
        hash.update(packages::needed(self.workspace, self.crates)?);
        for file in self.included {
            hash.update(read(&self.workspace.join(file))?);
        }
        Ok(format!("{:x}", hash.finalize()))
    }

    /// The files and folders whose changes can alter the hash.
    pub fn paths(&self) -> impl Iterator<Item = PathBuf> {
        let of_crates = self
            .crates
            .iter()
            .flat_map(|folder| [format!("{folder}/src"), format!("{folder}/Cargo.toml")]);
        let included = self.included.iter().copied().map(String::from);
        let of_workspace = ["Cargo.toml", "Cargo.lock"].map(String::from);
        of_crates.chain(included).chain(of_workspace).map(|path| self.workspace.join(path))
    }
}

#[cfg(test)]
mod tests;
