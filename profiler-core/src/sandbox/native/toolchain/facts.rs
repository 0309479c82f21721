//! Facts of a file or a folder that differ after any change.

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
