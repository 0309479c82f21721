//! The seccomp profile as a file in the user's cache.

use crate::figures::units::hex;
use nix::unistd::geteuid;
use sandbox_image::SECCOMP;
use sha2::{Digest, Sha256};
use std::fs::{self, DirBuilder};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::Path;

/// Mode of the folder: only its owner may enter.
const PRIVATE: u32 = 0o700;
/// Permission bits of everybody but the owner.
const OTHERS: u32 = 0o077;

/// Writes the profile below `cache`, unless it is already there, and returns its path. The file is
/// named after its content, so versions of this program share the folder.
pub(super) fn place(cache: &Path) -> io::Result<String> {
    let folder = cache.join("seccomp");
    DirBuilder::new().recursive(true).mode(PRIVATE).create(&folder)?;
    let found = folder.symlink_metadata()?;
    let ours = found.is_dir() && found.uid() == geteuid().as_raw() && found.mode() & OTHERS == 0;
    if !ours {
        let problem =
            format!("{} must be a folder that belongs to this user only", folder.display());
        return Err(io::Error::other(problem));
    }
    let path = folder.join(format!("{}.json", hex(&Sha256::digest(SECCOMP))));
    if !fs::read(&path).is_ok_and(|kept| kept == SECCOMP.as_bytes()) {
        let mut file = tempfile::NamedTempFile::new_in(&folder)?;
        file.write_all(SECCOMP.as_bytes())?;
        file.persist(&path)?;
    }
    let text = path.into_os_string().into_string();
    text.map_err(|path| io::Error::other(format!("{} is not UTF-8", path.display())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt;
    use std::path::PathBuf;

    #[test]
    fn file_is_private_and_mended() {
        let cache = tempfile::tempdir().unwrap();
        let path = PathBuf::from(place(cache.path()).unwrap());
        let mode = |path: &Path| fs::metadata(path).unwrap().mode() & 0o777;
        assert_eq!((mode(path.parent().unwrap()), mode(&path)), (0o700, 0o600));
        fs::write(&path, "{}").unwrap();
        assert_eq!(PathBuf::from(place(cache.path()).unwrap()), path);
        assert_eq!(fs::read_to_string(&path).unwrap(), SECCOMP);
    }

    #[test]
    fn folder_that_others_can_enter_is_refused() {
        let cache = tempfile::tempdir().unwrap();
        let folder = cache.path().join("seccomp");
        fs::create_dir(&folder).unwrap();
        fs::set_permissions(&folder, Permissions::from_mode(0o755)).unwrap();
        let refused = place(cache.path()).unwrap_err().to_string();
        assert!(refused.ends_with("must be a folder that belongs to this user only"), "{refused}");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
    }
}
