//! Test cases in a folder.

use super::pairs;
use crate::exit::Failure;
use crate::job_request::source;
use profiler_proto::v1::TestCase;
use std::path::{Path, PathBuf};

pub(super) fn read(folder: &Path) -> Result<Vec<TestCase>, Failure> {
    let found = source::entries(folder)?.into_iter();
    let found = found.filter(|path| pairs::belongs(path) && path.is_file());
    let files = found.filter_map(|path| Some((PathBuf::from(path.file_name()?), ()))).collect();
    pairs::cases(folder, &files, |name, (), limit| source::read(&folder.join(name), limit))
}
