//! Files that appear only when they are complete.

use crate::exit::Failure;
use std::fs::Permissions;
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use tempfile::{Builder, NamedTempFile};

/// Permissions of a written file, before the process's umask.
const MODE: u32 = 0o666;

/// A file to write. It gets its name when it is complete.
pub(crate) struct File {
    pub(super) path: PathBuf,
    unnamed: NamedTempFile,
}

impl File {
    /// Prepares the file. Fails if it cannot be written, so that nothing is measured in vain.
    pub(crate) fn open(path: &Path) -> Result<Self, Failure> {
        let unnamed =
            open_beside(path).map_err(|cause| Failure::Unwritable { path: path.into(), cause })?;
        Ok(Self { path: path.into(), unnamed })
    }

    /// Writes the whole content.
    pub(crate) fn fill(mut self, content: &[u8]) -> Result<(), Failure> {
        let written = self.unnamed.write_all(content);
        let named = written.and_then(|()| self.unnamed.persist(&self.path).map_err(|it| it.error));
        named.map(drop).map_err(|cause| Failure::Unwritable { path: self.path, cause })
    }
}

/// Creates a temporary file in the folder of `path`.
fn open_beside(path: &Path) -> io::Result<NamedTempFile> {
    if path.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    // Without this check, the error of a missing folder would name the temporary file.
    folder.metadata()?;
    Builder::new().permissions(Permissions::from_mode(MODE)).tempfile_in(folder)
}
