//! Test cases in a zip archive. Nothing in it is unpacked if what it declares is too long, and no
//! more than is declared and allowed.

use super::pairs::{self, shown, too_long};
use crate::exit::Failure;
use crate::job_request::source::beginning;
use profiler_core::limits::{MAX_TEST_CASES, MAX_TESTS_BYTES};
use profiler_proto::v1::TestCase;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use zip::ZipArchive;
use zip::result::ZipError;

/// Largest archive, in bytes. Test cases that cannot be compressed fit too.
const MAX_ARCHIVE_BYTES: u64 = 64 << 20;
/// Maximum number of entries of an archive: the files of all test cases, and as many others.
const MAX_ENTRIES: usize = 4 * MAX_TEST_CASES;

type Archive = ZipArchive<BufReader<File>>;

pub(super) fn read(path: &Path) -> Result<Vec<TestCase>, Failure> {
    let mut archive = open(path)?;
    let files = files(path, &archive)?;
    pairs::cases(path, &files, |name, index, limit| {
        let name = shown(path, name);
        let entry = archive.by_index(*index).map_err(|error| refused(name.clone(), error))?;
        if entry.size() > limit as u64 {
            return Err(Failure::argument(name, format!("must have at most {limit} bytes")));
        }
        beginning(entry, limit).map_err(|cause| Failure::Unreadable { path: name.into(), cause })
    })
}

fn open(path: &Path) -> Result<Archive, Failure> {
    let name = || path.display().to_string();
    let unreadable = |cause| Failure::Unreadable { path: path.into(), cause };
    let file = File::open(path).map_err(unreadable)?;
    if file.metadata().map_err(unreadable)?.len() > MAX_ARCHIVE_BYTES {
        let problem = format!("must have at most {MAX_ARCHIVE_BYTES} bytes");
        return Err(Failure::argument(name(), problem));
    }
    let archive = ZipArchive::new(BufReader::new(file)).map_err(|error| refused(name(), error))?;
    if archive.len() > MAX_ENTRIES {
        let problem = format!("must have at most {MAX_ENTRIES} entries, not {}", archive.len());
        return Err(Failure::argument(name(), problem));
    }
    Ok(archive)
}

/// The files that can belong to test cases, with their indices. Other files are allowed, and so are
/// hidden ones, which some programs add to archives.
fn files(path: &Path, archive: &Archive) -> Result<BTreeMap<PathBuf, usize>, Failure> {
    let bad = |error| refused(path.display().to_string(), error);
    let (mut files, mut declared) = (BTreeMap::new(), 0_u64);
    for index in 0..archive.len() {
        let entry = archive.by_index_data(index).map_err(bad)?;
        let name = PathBuf::from(&*entry.name().map_err(bad)?);
        let is_hidden =
            name.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
        if entry.is_file() && !is_hidden && pairs::belongs(&name) {
            declared = declared.saturating_add(entry.size());
            files.insert(name, index);
        }
    }
    if declared > MAX_TESTS_BYTES as u64 { Err(too_long(path)) } else { Ok(files) }
}

/// Returns the refusal of an archive, or of an entry.
fn refused(name: String, error: ZipError) -> Failure {
    match error {
        ZipError::Io(cause) => Failure::Unreadable { path: name.into(), cause },
        ZipError::InvalidArchive(_) => {
            let problem = format!("must be a zip of files such as 1.in and 1.out: {error}");
            Failure::argument(name, problem)
        }
        other => Failure::argument(name, other.to_string()),
    }
}
