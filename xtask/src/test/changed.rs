//! Packages in which the working copy differs from what has landed.

use crate::steps::failure::Failure;
use crate::steps::shell::{command, output, root};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The branch that changes land on.
const LANDED: &str = "origin/main";

/// Returns the names of changed packages. A change outside all packages changes none of them.
pub(crate) fn packages() -> Result<Vec<String>, Failure> {
    let git = |words: &[&str]| output(&mut command("git", words));
    // A clone without that branch compares with its last commit.
    let base = git(&["merge-base", "HEAD", LANDED]).unwrap_or_else(|_| "HEAD".into());
    let changed = git(&["diff", "--name-only", base.trim()])?;
    let new = git(&["ls-files", "--others", "--exclude-standard"])?;
    let folders = folders()?;
    let files = changed.lines().chain(new.lines()).map(|file| root().join(file));
    let packages: BTreeSet<String> = files.filter_map(|file| package(&folders, &file)).collect();
    Ok(packages.into_iter().collect())
}

/// Every package's folder and name.
fn folders() -> Result<Vec<(PathBuf, String)>, Failure> {
    let words = ["metadata", "--no-deps", "--format-version", "1", "--offline"];
    let listed: serde_json::Value = serde_json::from_str(&output(&mut command("cargo", words))?)
        .map_err(|cause| Failure::Missing(format!("what cargo metadata says: {cause}")))?;
    let packages = listed["packages"].as_array().into_iter().flatten();
    let folder = |package: &serde_json::Value| {
        let manifest = Path::new(package["manifest_path"].as_str()?);
        Some((manifest.parent()?.to_owned(), package["name"].as_str()?.to_owned()))
    };
    Ok(packages.filter_map(folder).collect())
}

/// Returns the innermost package that a file lies in.
fn package(folders: &[(PathBuf, String)], file: &Path) -> Option<String> {
    let around = folders.iter().filter(|(folder, _)| file.starts_with(folder));
    let nearest = around.max_by_key(|(folder, _)| folder.components().count());
    nearest.map(|(_, name)| name.clone())
}

#[cfg(test)]
mod tests {
    use super::package;
    use std::path::Path;

    #[test]
    fn file_belongs_to_the_innermost_package() {
        let folders = [("/r/proto", "proto"), ("/r/proto/codegen", "codegen")];
        let folders = folders.map(|(folder, name)| (folder.into(), name.to_owned()));
        let of = |file: &str| package(&folders, Path::new(file));
        assert_eq!(of("/r/proto/codegen/src/main.rs").as_deref(), Some("codegen"));
        assert_eq!(of("/r/proto/v1.proto").as_deref(), Some("proto"));
        assert_eq!(of("/r/README.md"), None);
    }
}
