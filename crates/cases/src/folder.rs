//! Test cases in a folder.

use crate::error::Error;
use crate::{content, pairs};
use profiler_proto::v1::TestCase;
use std::path::{Path, PathBuf};
use std::{fs, io};

pub(super) fn read(folder: &Path) -> Result<Vec<TestCase>, Error> {
    let entries = fs::read_dir(folder)
        .and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>());
    let entries = entries.map_err(|cause| Error::Unreadable { path: folder.into(), cause })?;
    let found = entries.into_iter().filter(|path| pairs::belongs(path) && path.is_file());
    let files = found.filter_map(|path| Some((PathBuf::from(path.file_name()?), ()))).collect();
    pairs::cases(folder, &files, |name, (), limit| content::read(&folder.join(name), limit))
}
