//! Facts of files and folders that differ after any change.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fs::Metadata;
use std::os::unix::fs::MetadataExt;

/// The facts as numbers, the lowest byte first. The first two are the device and the inode.
pub(super) type Numbers = [[u8; size_of::<u64>()]; 7];

/// Facts of a file or a folder. Writing a file in place changes its `ctime`, even if another
/// modification time is set afterwards. A file that replaces another one has another inode.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Facts {
    device: u64,
    inode: u64,
    bytes: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

impl Facts {
    pub(super) fn of(meta: &Metadata) -> Self {
        Self {
            device: meta.dev(),
            inode: meta.ino(),
            bytes: meta.size(),
            modified: (meta.mtime(), meta.mtime_nsec()),
            changed: (meta.ctime(), meta.ctime_nsec()),
        }
    }

    /// Returns the second since 1970 in which the file or the folder was changed last.
    pub(super) fn changed_second(self) -> i64 {
        self.changed.0
    }

    pub(super) fn numbers(self) -> Numbers {
        [
            self.device.to_le_bytes(),
            self.inode.to_le_bytes(),
            self.bytes.to_le_bytes(),
            self.modified.0.to_le_bytes(),
            self.modified.1.to_le_bytes(),
            self.changed.0.to_le_bytes(),
            self.changed.1.to_le_bytes(),
        ]
    }

    /// Adds the facts that stay the same when the host restarts. Devices may then have other
    /// numbers.
    pub(super) fn digest(self, hash: &mut Sha256) {
        hash.update(self.numbers()[2..].as_flattened());
    }
}

/// Files that a compilation read, and folders in which a new file could take the place of one of
/// them. While all are unchanged, and so are the compiler and its libraries, the same compilation
/// makes the same binary.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FilesRead {
    paths: Vec<String>,
    /// Digest over the facts of all of them.
    facts: [u8; 32],
}

impl FilesRead {
    /// Makes a list of files and folders with the numbers of their facts.
    pub(crate) fn new<'a>(all: impl IntoIterator<Item = (&'a str, &'a [u8])>) -> Self {
        let (mut paths, mut hash) = (Vec::new(), Sha256::new());
        for (path, facts) in all {
            paths.push(path.to_owned());
            hash.update(facts);
        }
        Self { paths, facts: hash.finalize().into() }
    }

    /// Makes a list of files and folders as they are now.
    #[cfg(test)]
    pub(crate) fn as_now<'a>(paths: impl IntoIterator<Item = &'a str>) -> Self {
        let numbers = |path: &str| {
            let meta = std::fs::symlink_metadata(path).expect("it is there");
            Facts::of(&meta).numbers()
        };
        let all: Vec<_> = paths.into_iter().map(|path| (path, numbers(path))).collect();
        Self::new(all.iter().map(|(path, numbers)| (*path, numbers.as_flattened())))
    }

    /// Returns whether all files and folders are as they were.
    pub fn are_unchanged(&self) -> bool {
        let mut hash = Sha256::new();
        for path in &self.paths {
            let Ok(meta) = std::fs::symlink_metadata(path) else { return false };
            hash.update(Facts::of(&meta).numbers().as_flattened());
        }
        self.facts == <[u8; 32]>::from(hash.finalize())
    }
}
