//! Record of the last examination in the cache folder, so that a new process need not repeat it.
//!
//! The record has the [`Facts`] of every folder and file that was examined. While all of them are
//! as recorded, another examination would find the same toolchain: a file that appears, disappears
//! or is replaced changes its folder, and a file that is written in place changes itself. Comparing
//! them takes a third of an examination, which also asks g++, reads folders and follows links.
//!
//! A file that changes twice within one tick of the clock can keep its times. So nothing is
//! recorded until the last change is [`SETTLED_S`] old.

use super::files_read::{Entry, files_read};
use super::watch::Watch;
use crate::sandbox::FilesRead;
use crate::sandbox::facts::{Facts, Numbers};
use nix::fcntl::OFlag;
use nix::unistd::geteuid;
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};
use tempfile::NamedTempFile;

/// The beginning of a record. Another version may examine other files. Raise the number if the
/// files that count, or the digest over them, change within a version.
const FORMAT: &str = concat!("swiftprof ", env!("CARGO_PKG_VERSION"), " toolchain 3");
/// Name of the record in the cache folder.
const NAME: &str = "toolchain";
/// Age of the last change from which its time tells it from a later change, in seconds.
const SETTLED_S: i64 = 2;

/// Maximum length of a record, in bytes. One of 9,000 files takes 1 MB.
const MAX_BYTES: u64 = 64 << 20;
/// Maximum length of the part of a record before its headers, in bytes. 130 files and folders take
/// 15 KB. Of a record with more, all files are compared.
const MAX_BASE_BYTES: u64 = 256 << 10;
/// Mode bits that let a group or everybody write a file.
const WRITABLE_BY_OTHERS: u32 = 0o022;

/// The toolchain as it was when it was examined.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::sandbox::native) struct Toolchain {
    /// A digest of everything that can change a binary's bytes.
    pub(in crate::sandbox::native) identity: String,
    /// The header that is worth precompiling.
    pub(in crate::sandbox::native) header: Option<PathBuf>,
}

/// The place of the record.
#[derive(Debug)]
pub(super) struct Record(PathBuf);

/// Everything that was examined. Some folders are twice in the list, or also in that of files.
#[derive(Debug)]
pub(super) struct Examined {
    pub(super) folders: Vec<(OsString, Facts)>,
    pub(super) files: Vec<(OsString, Facts)>,
    /// Folders of headers, at any depth.
    pub(super) headers: BTreeSet<PathBuf>,
    /// The folders among them in which g++ looks for any header, and those to which links lead.
    pub(super) searched: BTreeSet<PathBuf>,
}

impl Examined {
    /// Divides each list into what every compilation depends on, and what depends on the headers
    /// that it includes.
    fn divided(self) -> [Vec<(OsString, Facts)>; 4] {
        let Self { mut folders, mut files, headers, searched } = self;
        folders.sort_unstable();
        folders.dedup();
        files.retain(|file| folders.binary_search(file).is_err());
        let is_inner = |(path, _): &(OsString, Facts)| {
            let path = Path::new(path);
            headers.contains(path) && !searched.contains(path)
        };
        let is_header = |(path, _): &(OsString, Facts)| {
            Path::new(path).parent().is_some_and(|folder| headers.contains(folder))
        };
        let (inner, outer) = folders.into_iter().partition(is_inner);
        let (headers, others) = files.into_iter().partition(is_header);
        [outer, others, inner, headers]
    }
}

impl Record {
    pub(super) fn in_folder(cache: &Path) -> Self {
        Self(cache.join(NAME))
    }

    /// Reads at most `most` bytes of the record, unless it is not an own file of a reasonable size.
    fn read(&self, most: u64) -> Option<Vec<u8>> {
        let file =
            File::options().read(true).custom_flags(OFlag::O_NONBLOCK.bits()).open(&self.0).ok()?;
        let meta = file.metadata().ok()?;
        let is_own = meta.uid() == geteuid().as_raw() && meta.mode() & WRITABLE_BY_OTHERS == 0;
        (meta.is_file() && is_own && meta.len() <= MAX_BYTES).then_some(())?;
        let mut record = Vec::new();
        file.take(most).read_to_end(&mut record).ok()?;
        Some(record)
    }

    /// Returns the recorded toolchain if nothing has changed since on which every compilation
    /// depends. A header may have changed.
    pub(super) fn base(&self) -> Option<Toolchain> {
        let record = self.read(MAX_BASE_BYTES)?;
        let mut fields = Fields(&record);
        let toolchain = fields.toolchain()?;
        let [folders, files] = [fields.list()?, fields.list()?];
        let mut all = folders.into_iter().chain(files);
        all.all(|(path, facts)| is_as_recorded(path, facts)).then_some(toolchain)
    }

    /// Returns what a compilation by the toolchain with this identity has read, if it is the
    /// recorded one.
    pub(super) fn files_read(&self, identity: &str, dependencies: &[u8]) -> Option<FilesRead> {
        let record = self.read(MAX_BYTES)?;
        let mut fields = Fields(&record);
        (fields.toolchain()?.identity == identity).then_some(())?;
        let [_, others, inner, headers] =
            [fields.list()?, fields.list()?, fields.list()?, fields.list()?];
        let files = others.into_iter().chain(headers).collect();
        files_read(&inner, &files, dependencies)
    }

    /// Returns the recorded toolchain if nothing has changed since. Each folder is watched before
    /// the files are looked at.
    pub(super) fn unchanged(&self, watch: &mut Watch) -> Option<Toolchain> {
        let record = self.read(MAX_BYTES)?;
        let mut fields = Fields(&record);
        let toolchain = fields.toolchain()?;
        for are_folders in [true, false, true, false] {
            for (path, facts) in fields.list()? {
                if are_folders {
                    watch.start(path);
                }
                is_as_recorded(path, facts).then_some(())?;
            }
        }
        // A damaged count must not leave out files.
        fields.0.is_empty().then_some(toolchain)
    }

    /// Records a toolchain that was examined from `began` on, unless something changed shortly
    /// before that.
    pub(super) fn keep(
        &self,
        toolchain: &Toolchain,
        examined: Examined,
        began: SystemTime,
    ) -> io::Result<()> {
        let now = began.duration_since(UNIX_EPOCH).map_err(io::Error::other)?.as_secs();
        let settled = i64::try_from(now).map_err(io::Error::other)? - SETTLED_S;
        let lists = examined.divided();
        if lists.iter().flatten().any(|(_, facts)| facts.changed_second() >= settled) {
            return Ok(());
        }
        let mut text = Vec::new();
        put(&mut text, FORMAT.as_bytes());
        put(&mut text, toolchain.identity.as_bytes());
        let header = toolchain.header.as_deref().unwrap_or(Path::new(""));
        put(&mut text, header.as_os_str().as_bytes());
        for list in lists {
            text.extend((list.len() as u64).to_le_bytes());
            for (path, facts) in list {
                put(&mut text, path.as_bytes());
                text.extend(facts.numbers().as_flattened());
            }
        }
        let cache = self.0.parent().unwrap_or(Path::new("/"));
        fs::create_dir_all(cache)?;
        let mut file = NamedTempFile::new_in(cache)?;
        file.write_all(&text)?;
        // After a power failure, there is a whole record or none.
        file.as_file().sync_all()?;
        file.persist(&self.0)?;
        Ok(())
    }
}

fn is_as_recorded(path: &Path, facts: &[u8]) -> bool {
    path.symlink_metadata().is_ok_and(|meta| Facts::of(&meta).numbers().as_flattened() == facts)
}

/// Adds a text, preceded by its length.
fn put(to: &mut Vec<u8>, text: &[u8]) {
    to.extend((text.len() as u64).to_le_bytes());
    to.extend(text);
}

/// The fields of a record that were not read yet.
struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    fn toolchain(&mut self) -> Option<Toolchain> {
        (self.text()? == FORMAT.as_bytes()).then_some(())?;
        let identity = String::from_utf8(self.text()?.to_vec()).ok()?;
        let header = Some(PathBuf::from(OsStr::from_bytes(self.text()?)));
        Some(Toolchain { identity, header: header.filter(|path| path.is_absolute()) })
    }

    fn list(&mut self) -> Option<Vec<Entry<'a>>> {
        (0..self.number()?).map(|_| self.entry()).collect()
    }

    fn entry(&mut self) -> Option<Entry<'a>> {
        Some((Path::new(OsStr::from_bytes(self.text()?)), self.bytes(size_of::<Numbers>())?))
    }

    fn text(&mut self) -> Option<&'a [u8]> {
        let length = usize::try_from(self.number()?).ok()?;
        self.bytes(length)
    }

    fn number(&mut self) -> Option<u64> {
        let bytes = self.bytes(size_of::<u64>())?;
        bytes.try_into().ok().map(u64::from_le_bytes)
    }

    fn bytes(&mut self, length: usize) -> Option<&'a [u8]> {
        let (bytes, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(bytes)
    }
}

#[cfg(test)]
mod tests;
