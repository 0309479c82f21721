//! The programs of this host that the native backend uses.

use std::env;
use std::path::{Path, PathBuf};

/// A program that the native backend uses.
#[derive(Debug, serde::Serialize)]
pub(super) struct Tool {
    pub(super) code: &'static str,
    #[serde(skip)]
    pub(super) name: &'static str,
    pub(super) purpose: &'static str,
    /// Its path, if it exists.
    pub(super) path: Option<PathBuf>,
    /// The Debian package that contains it.
    pub(super) package: &'static str,
}

/// The programs with their codes, purposes and packages. The path of GNU time is absolute, because
/// the shell has its own `time`, which measures no memory.
pub(super) const NEEDED: [(&str, &str, &str, &str); 3] = [
    ("gxx", "g++", "compiling", "g++"),
    ("gprof", "gprof", "--hotspots", "binutils"),
    ("gnu_time", "/usr/bin/time", "the cross-check of peak memory", "time"),
];

/// Looks for every program.
pub(super) fn find() -> Vec<Tool> {
    let folders: Vec<_> =
        env::var_os("PATH").map(|path| env::split_paths(&path).collect()).unwrap_or_default();
    NEEDED
        .map(|(code, name, purpose, package)| {
            let path = locate(name, &folders);
            Tool { code, name, purpose, path, package }
        })
        .into()
}

/// Finds the path of a program. Joining a folder with an absolute path gives that path.
fn locate(name: &str, folders: &[PathBuf]) -> Option<PathBuf> {
    let anywhere = [PathBuf::from("/")];
    let folders = if Path::new(name).is_absolute() { &anywhere } else { folders };
    folders.iter().map(|folder| folder.join(name)).find(|path| path.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn first_folder_of_the_path_wins() {
        let [first, second] = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let folders = [first.path().into(), second.path().to_path_buf()];
        assert_eq!(locate("g++", &folders), None);
        fs::write(second.path().join("g++"), "").unwrap();
        assert_eq!(locate("g++", &folders), Some(second.path().join("g++")));
        fs::write(first.path().join("g++"), "").unwrap();
        assert_eq!(locate("g++", &folders), Some(first.path().join("g++")));
    }
}
