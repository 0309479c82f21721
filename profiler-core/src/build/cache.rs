//! Cache of binaries on disk, so that the same source with the same flags is compiled only once.
//!
//! An entry's name is a digest of everything that can change its bytes, and the entry contains a
//! digest of its content. A hostile compile can affect only the entry of its own source. Entries
//! are written under a temporary name and then moved, so processes can share the folder without a
//! lock.

use crate::figures::units::hex;
use crate::limits::MIB;
use crate::sandbox::{FilesRead, user_folders};
use profiler_proto::v1::SourceFile;
use runner_protocol::{Compiled, SOURCES, Variant};
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use std::fs::{self, DirBuilder};
use std::io::{self, Write};
use std::mem;
use std::os::unix::fs::DirBuilderExt;
use std::path::PathBuf;
use std::time::SystemTime;

/// Maximum size of all entries together, in bytes.
const MAX_BYTES: u64 = 256 * MIB;
const MAX_ENTRIES: usize = 1024;
/// Largest binary that is cached, in bytes. A static program with debug information fits.
pub(super) const MAX_BINARY_BYTES: u64 = 16 * MIB;
/// Mode of the folder: only its owner may enter.
const PRIVATE: u32 = 0o700;
/// Texts of sources and flags whose binaries are not cached, because they can depend on more than
/// the toolchain: macros of the time of the compile, files that the assembler reads, and headers
/// outside of the folders in which g++ searches.
const CHANGING: [&[u8]; 7] =
    [b"__DATE__", b"__TIME__", b"__TIMESTAMP__", b"asm", b"\"/", b"</", b"<.."];
/// Suffix of a flag whose result depends on the processor, as in `-march=native`.
const OF_THIS_PROCESSOR: &str = "=native";

/// Binaries on disk. Clones share them.
#[derive(Debug, Clone)]
pub struct BinaryCache {
    folder: PathBuf,
    /// Maximum number of entries, and maximum size of all entries together, in bytes.
    most: (usize, u64),
    /// Owner whose entries can be found. If owners shared entries, a caller could tell from the
    /// time of a compile whether another caller has submitted the same source.
    owner: String,
}

/// Everything but the toolchain that can change a binary's bytes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ingredients<'a> {
    pub(super) flags: &'a [String],
    pub(super) variant: Variant,
    pub(super) source: &'a [u8],
    pub(super) files: &'a [SourceFile],
}

/// A cached binary.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Entry {
    pub(super) compiled: Compiled,
    /// The files and folders that the compilation read; `None` if they are unknown.
    pub(super) read: Option<FilesRead>,
    pub(super) binary: Vec<u8>,
}

/// Digest that identifies an entry.
pub(super) type Key = [u8; 32];

impl Ingredients<'_> {
    /// Returns the digest of the toolchain's identity and of all ingredients, each preceded by its
    /// length. `None` if the binary's bytes depend on anything else.
    pub(super) fn key(&self, toolchain: &str) -> Option<Key> {
        let variant = format!("{:?}", self.variant);
        // The runner's sources determine the flags that it adds.
        let count = self.files.len().to_string();
        let fixed = [SOURCES, toolchain, &variant, &count].map(str::as_bytes);
        let mut hash = Sha256::new();
        for text in fixed.into_iter().chain(self.texts()) {
            hash.update((text.len() as u64).to_le_bytes());
            hash.update(text);
        }
        let native = self.flags.iter().any(|flag| flag.ends_with(OF_THIS_PROCESSOR));
        (!native && !self.name_any(&CHANGING)).then(|| hash.finalize().into())
    }

    /// Returns whether a source or a flag contains any of these names, across lines that a
    /// backslash joins too.
    pub(super) fn name_any(&self, names: &[&[u8]]) -> bool {
        self.texts().map(joined).any(|text| {
            names.iter().any(|name| text.windows(name.len()).any(|found| found == *name))
        })
    }

    fn texts(&self) -> impl Iterator<Item = &[u8]> {
        let flags = self.flags.iter().map(String::as_bytes);
        let files = self.files.iter().flat_map(|file| [&file.path, &file.text]);
        [self.source].into_iter().chain(flags).chain(files.map(String::as_bytes))
    }
}

impl BinaryCache {
    /// The cache of the current user; `None` without a home folder.
    pub fn for_user() -> Option<Self> {
        user_folders::cache().map(|folder| Self::in_folder(folder.join("binaries")))
    }

    /// A cache in `folder`, which is created when needed.
    pub fn in_folder(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into(), most: (MAX_ENTRIES, MAX_BYTES), owner: String::new() }
    }

    /// The same folder and bounds, with the entries of `owner` alone. Without this call, the owner
    /// is "".
    pub(super) fn for_owner(&self, owner: &str) -> Self {
        Self { owner: owner.to_owned(), ..self.clone() }
    }

    /// Returns the path of an entry.
    fn path(&self, key: &Key) -> PathBuf {
        if self.owner.is_empty() {
            return self.folder.join(hex(key));
        }
        let name = Sha256::new().chain_update(key).chain_update(&self.owner).finalize();
        self.folder.join(hex(&name))
    }

    /// Finds an entry and marks it as the most recently used. A broken entry is removed.
    pub(super) fn find(&self, key: &Key) -> Option<Entry> {
        let path = self.path(key);
        let bytes = fs::read(&path).ok()?;
        let entry = parsed(key, &bytes);
        let used = match entry {
            Some(_) => fs::File::open(path).and_then(|file| file.set_modified(SystemTime::now())),
            None => fs::remove_file(path),
        };
        // Another process may have removed the file in the meantime.
        let _ = used;
        entry
    }

    /// Caches a binary, and removes old entries if the cache exceeds its bounds.
    pub(super) fn keep(&self, key: &Key, entry: &Entry) -> io::Result<()> {
        let entry = encoded(key, entry)?;
        DirBuilder::new().recursive(true).mode(PRIVATE).create(&self.folder)?;
        let mut file = tempfile::NamedTempFile::new_in(&self.folder)?;
        file.write_all(&entry)?;
        file.persist(self.path(key))?;
        self.shrink()
    }

    /// Removes the least recently used entries until the rest is within bounds.
    fn shrink(&self) -> io::Result<()> {
        let mut files = Vec::new();
        for file in fs::read_dir(&self.folder)?.flatten() {
            // Another process may remove a file at the same time.
            if let Ok(meta) = file.metadata() {
                files.push((meta.modified()?, meta.len(), file.path()));
            }
        }
        files.sort_unstable_by(|a, b| b.cmp(a));
        let mut bytes = 0;
        for (at, (_, length, path)) in files.iter().enumerate() {
            bytes += length;
            if at >= self.most.0 || bytes > self.most.1 {
                let _ = fs::remove_file(path);
            }
        }
        Ok(())
    }
}

/// Encodes an entry: the digest of its key and the rest; the compiler's result and what it read as
/// frames; the binary.
fn encoded(key: &Key, Entry { compiled, read, binary }: &Entry) -> io::Result<Vec<u8>> {
    let mut rest = Vec::new();
    runner_protocol::write_frame(&mut rest, compiled).map_err(io::Error::other)?;
    runner_protocol::write_frame(&mut rest, read).map_err(io::Error::other)?;
    rest.extend(binary);
    Ok([digest(key, &rest).as_slice(), &rest].concat())
}

fn parsed(key: &Key, bytes: &[u8]) -> Option<Entry> {
    let (stored, mut rest) = bytes.split_at_checked(mem::size_of::<Key>())?;
    if stored != digest(key, rest) {
        return None;
    }
    let compiled = runner_protocol::read_frame(&mut rest).ok()??;
    let read = runner_protocol::read_frame(&mut rest).ok()??;
    Some(Entry { compiled, read, binary: rest.to_vec() })
}

fn digest(key: &Key, rest: &[u8]) -> Key {
    Sha256::new().chain_update(key).chain_update(rest).finalize().into()
}

/// Joins the lines that end in a backslash, as g++ does: blanks may follow it.
fn joined(text: &[u8]) -> Cow<'_, [u8]> {
    if !text.contains(&b'\\') {
        return Cow::Borrowed(text);
    }
    let mut whole = Vec::with_capacity(text.len());
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        let code = line.trim_ascii_end();
        whole.extend_from_slice(code.strip_suffix(b"\\").unwrap_or(line));
    }
    Cow::Owned(whole)
}

#[cfg(test)]
mod tests;
