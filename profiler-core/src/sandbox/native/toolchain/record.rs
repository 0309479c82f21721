//! Record of the last examination in the cache folder, so that a new process need not repeat it.
//!
//! The record has the [`Facts`] of every folder and file that was examined. While all of them are
//! as recorded, another examination would find the same toolchain: a file that appears, disappears
//! or is replaced changes its folder, and a file that is written in place changes itself. Comparing
//! them takes a third of an examination, which also asks g++, reads folders and follows links.
//!
//! A file that changes twice within one tick of the clock can keep its times. So nothing is
//! recorded until the last change is [`SETTLED_S`] old.

use super::facts::{Facts, Numbers};
use super::watch::Watch;
use nix::fcntl::OFlag;
use nix::unistd::geteuid;
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
const FORMAT: &str = concat!("swiftprof ", env!("CARGO_PKG_VERSION"), " toolchain 2");
/// Name of the record in the cache folder.
const NAME: &str = "toolchain";
/// Age of the last change from which its time tells it from a later change, in seconds.
const SETTLED_S: i64 = 2;

/// Maximum length of a record, in bytes. One of 9,000 files takes 1 MB.
const MAX_BYTES: u64 = 64 << 20;
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
}

impl Record {
    pub(super) fn in_folder(cache: &Path) -> Self {
        Self(cache.join(NAME))
    }

    /// Reads the record, unless it is not an own file of a reasonable size.
    fn read(&self) -> Option<Vec<u8>> {
        let file =
            File::options().read(true).custom_flags(OFlag::O_NONBLOCK.bits()).open(&self.0).ok()?;
        let meta = file.metadata().ok()?;
        let is_own = meta.uid() == geteuid().as_raw() && meta.mode() & WRITABLE_BY_OTHERS == 0;
        (meta.is_file() && is_own && meta.len() <= MAX_BYTES).then_some(())?;
        let mut record = Vec::new();
        file.take(MAX_BYTES).read_to_end(&mut record).ok()?;
        Some(record)
    }

    /// Returns the recorded toolchain, whose files may have changed since.
    pub(super) fn toolchain(&self) -> Option<Toolchain> {
        Fields(&self.read()?).toolchain()
    }

    /// Returns the recorded toolchain if nothing has changed since. Each folder is watched before
    /// the files are looked at.
    pub(super) fn unchanged(&self, watch: &mut Watch) -> Option<Toolchain> {
        let record = self.read()?;
        let mut fields = Fields(&record);
        let toolchain = fields.toolchain()?;
        for _ in 0..fields.number()? {
            let (path, facts) = fields.entry()?;
            watch.start(path);
            is_as_recorded(path, facts).then_some(())?;
        }
        for _ in 0..fields.number()? {
            let (path, facts) = fields.entry()?;
            is_as_recorded(path, facts).then_some(())?;
        }
        // A damaged count must not leave out files.
        fields.0.is_empty().then_some(toolchain)
    }

    /// Records a toolchain that was examined from `began` on, unless something changed shortly
    /// before that.
    pub(super) fn keep(
        &self,
        toolchain: &Toolchain,
        mut examined: Examined,
        began: SystemTime,
    ) -> io::Result<()> {
        let now = began.duration_since(UNIX_EPOCH).map_err(io::Error::other)?.as_secs();
        let settled = i64::try_from(now).map_err(io::Error::other)? - SETTLED_S;
        let Examined { folders, files } = &mut examined;
        if folders.iter().chain(&*files).any(|(_, facts)| facts.changed_second() >= settled) {
            return Ok(());
        }
        let mut text = Vec::new();
        put(&mut text, FORMAT.as_bytes());
        put(&mut text, toolchain.identity.as_bytes());
        let header = toolchain.header.as_deref().unwrap_or(Path::new(""));
        put(&mut text, header.as_os_str().as_bytes());
        folders.sort_unstable();
        folders.dedup();
        files.retain(|file| folders.binary_search(file).is_err());
        for list in [folders, files] {
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

    /// Returns a path, and the numbers of its facts.
    fn entry(&mut self) -> Option<(&'a Path, &'a [u8])> {
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
