//! Test cases in a folder.

use crate::error::Error;
use crate::{content, pairs};
use profiler_core::error::Violations;
use profiler_proto::file::regular_file_below;
use profiler_proto::v1::TestCase;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// Problem of a file elsewhere.
const OUTSIDE: &str = "must be below the folder of the test cases";
/// Problem of a folder below.
const BELOW: &str = "must have no test cases: only those of the folder itself are read";

/// Reads the test cases of a folder. Those of a folder below it are refused, because a program that
/// was not run on them would seem to be right.
pub(super) fn read(folder: &Path) -> Result<Vec<TestCase>, Error> {
    let entries = entries(folder)?;
    let (mut files, mut bad) = (BTreeMap::new(), Violations::default());
    for below in entries.iter().filter(|path| path.is_dir() && !path.is_symlink()) {
        if self::entries(below)?.iter().any(|path| pairs::is_input(path)) {
            let name = PathBuf::from(below.file_name().unwrap_or_default());
            bad.add(pairs::shown(folder, &name), BELOW);
        }
    }
    let found = entries.into_iter().filter(|path| pairs::belongs(path) && !path.is_dir());
    for path in found {
        let name = PathBuf::from(path.file_name().unwrap_or_default());
        match regular_file_below(&path, folder, OUTSIDE) {
            Ok(real) => drop(files.insert(name, real)),
            Err(problem) => bad.add(pairs::shown(folder, &name), problem),
        }
    }
    let files = bad.or(files)?;
    pairs::cases(folder, &files, |_, real, limit| content::read(real, limit))
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let read = || fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>();
    read().map_err(|cause| Error::Unreadable { path: folder.into(), cause })
}
