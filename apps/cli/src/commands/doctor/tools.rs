//! The programs of this host that the native backend uses.

use super::code::Code;
use std::env;
use std::path::{Path, PathBuf};

/// One program.
#[derive(Debug, serde::Serialize)]
pub(super) struct Tool {
    pub(super) code: Code,
    /// Its purpose.
    pub(super) purpose: &'static str,
    /// Its path, if it exists.
    pub(super) path: Option<PathBuf>,
    /// The Debian package that contains it.
    pub(super) package: &'static str,
}

const NEEDED: [(Code, &str, &str); 3] = [
    (Code::Gxx, "compiling", "g++"),
    (Code::Gprof, "--hotspots", "binutils"),
    (Code::GnuTime, "the cross-check of peak memory", "time"),
];

/// Looks for every program.
pub(super) fn find() -> Vec<Tool> {
    let folders: Vec<_> =
        env::var_os("PATH").map(|path| env::split_paths(&path).collect()).unwrap_or_default();
    NEEDED
        .map(|(code, purpose, package)| Tool {
            code,
            purpose,
            path: locate(code.name(), &folders),
            package,
        })
        .into()
}

/// The path of a program. Joining a folder with an absolute name gives that name.
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
