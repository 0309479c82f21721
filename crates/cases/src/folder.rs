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

pub(super) fn read(folder: &Path) -> Result<Vec<TestCase>, Error> {
    let entries = fs::read_dir(folder)
        .and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>());
    let entries = entries.map_err(|cause| Error::Unreadable { path: folder.into(), cause })?;
    let found = entries.into_iter().filter(|path| pairs::belongs(path) && !path.is_dir());
    let (mut files, mut bad) = (BTreeMap::new(), Violations::default());
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
