//! Test cases in a zip archive. Nothing in it is unpacked if what it declares is too long, and no
//! more than is declared and allowed.

use crate::content::beginning;
use crate::error::Error;
use crate::pairs::{self, shown, too_long};
use profiler_core::limits::{MAX_TEST_CASES, MAX_TESTS_BYTES};
use profiler_export::readable;
use profiler_proto::v1::TestCase;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use zip::ZipArchive;
use zip::result::ZipError;

/// Largest archive, in bytes. Test cases that cannot be compressed fit too.
const MAX_ARCHIVE_BYTES: u64 = 64 << 20;
/// Maximum number of entries of an archive: the files of all test cases, and as many others.
const MAX_ENTRIES: usize = 4 * MAX_TEST_CASES;
/// Beginning of an entry's header in the directory at the end of an archive.
const SIGNATURE: &[u8] = b"PK\x01\x02";
/// Length of such a header, in bytes. A name, an extra field and a comment follow it.
const HEADER_BYTES: usize = 46;
/// Places of the lengths of the name, the extra field and the comment in such a header.
const LENGTHS: [usize; 3] = [28, 30, 32];

type Archive = ZipArchive<BufReader<File>>;

pub(super) fn read(path: &Path) -> Result<Vec<TestCase>, Error> {
    let mut archive = open(path)?;
    let files = files(path, &archive)?;
    pairs::cases(path, &files, |name, index, limit| {
        let name = shown(path, name);
        let entry = archive.by_index(*index).map_err(|error| refused(name.clone(), error))?;
        if entry.size() > limit as u64 {
            return Err(Error::wrong(name, format!("must have at most {limit} bytes")));
        }
        beginning(entry, limit).map_err(|cause| Error::Unreadable { path: name.into(), cause })
    })
}

fn open(path: &Path) -> Result<Archive, Error> {
    let name = || path.display().to_string();
    let unreadable = |cause| Error::Unreadable { path: path.into(), cause };
    let file = File::open(path).map_err(unreadable)?;
    if file.metadata().map_err(unreadable)?.len() > MAX_ARCHIVE_BYTES {
        let problem = format!("must have at most {MAX_ARCHIVE_BYTES} bytes");
        return Err(Error::wrong(name(), problem));
    }
    let archive = ZipArchive::new(BufReader::new(file)).map_err(|error| refused(name(), error))?;
    if archive.len() > MAX_ENTRIES {
        let problem = format!("must have at most {MAX_ENTRIES} entries, not {}", archive.len());
        return Err(Error::wrong(name(), problem));
    }
    if archive.has_duplicate_names()
        && let Some(entry) = repeated(path, &archive).map_err(unreadable)?
    {
        return Err(twice(path, [&entry, &entry]));
    }
    Ok(archive)
}

/// Returns the name of two entries, if it can be that of a file of a test case. `archive` has only
/// the second entry.
fn repeated(path: &Path, archive: &Archive) -> io::Result<Option<PathBuf>> {
    let mut directory = BufReader::new(File::open(path)?);
    directory.seek(SeekFrom::Start(archive.central_directory_start()))?;
    let (mut names, mut header) = (BTreeSet::new(), [0; HEADER_BYTES]);
    while directory.read_exact(&mut header).is_ok() && header.starts_with(SIGNATURE) {
        let length = |at: usize| u16::from_le_bytes([header[at], header[at + 1]]);
        let [name, extra, comment] = LENGTHS.map(length);
        let mut bytes = vec![0; name.into()];
        directory.read_exact(&mut bytes)?;
        directory.seek_relative(i64::from(extra) + i64::from(comment))?;
        let name = PathBuf::from(String::from_utf8_lossy(&bytes).into_owned());
        if belongs(&name) && !names.insert(bytes) {
            return Ok(Some(name));
        }
    }
    Ok(None)
}

/// Whether an entry of this name can belong to a test case. Other files are allowed, and so are
/// hidden ones, which some programs add to archives.
fn belongs(name: &Path) -> bool {
    let is_hidden = name.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
    !is_hidden && pairs::belongs(name)
}

/// The files that can belong to test cases, with their indices.
fn files(path: &Path, archive: &Archive) -> Result<BTreeMap<PathBuf, usize>, Error> {
    let bad = |error| refused(path.display().to_string(), error);
    let (mut files, mut declared) = (BTreeMap::new(), 0_u64);
    for index in 0..archive.len() {
        let entry = archive.by_index_data(index).map_err(bad)?;
        let name = PathBuf::from(&*entry.name().map_err(bad)?);
        if entry.is_file() && belongs(&name) {
            declared = declared.saturating_add(entry.size());
            // Paths are equal if their parts are: a//1.in is a/1.in.
            if let Some((other, _)) = files.get_key_value(&name) {
                return Err(twice(path, [other, &name]));
            }
            files.insert(name, index);
        }
    }
    if declared > MAX_TESTS_BYTES as u64 { Err(too_long(path)) } else { Ok(files) }
}

/// Returns the refusal of an archive in which two entries are the same file.
fn twice(path: &Path, entries: [&PathBuf; 2]) -> Error {
    let [one, other] = entries.map(|entry| readable(&entry.display().to_string()));
    let problem = format!("must have each file once, but has {one} and {other}");
    Error::wrong(path.display().to_string(), problem)
}

/// Returns the refusal of an archive, or of an entry.
fn refused(name: String, error: ZipError) -> Error {
    match error {
        ZipError::Io(cause) => Error::Unreadable { path: name.into(), cause },
        ZipError::InvalidArchive(_) => {
            let problem = format!("must be a zip of files such as 1.in and 1.out: {error}");
            Error::wrong(name, problem)
        }
        other => Error::wrong(name, other.to_string()),
    }
}
