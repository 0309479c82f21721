//! Files that are read again when they change. The last content that had no error counts.

use crate::telemetry::logging::TARGET;
use std::fs::{self, File};
use std::io::Read;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::watch;

/// Maximum size of a file with certificates, a key or tokens, in bytes.
const MAX_FILE_BYTES: u64 = 1 << 20;
/// Mode bit of a file: others may read it.
const OTHERS_READ: u32 = 0o004;
/// Mode bit of a file: others may write to it.
const OTHERS_WRITE: u32 = 0o002;

/// Whether a file is meant to be readable by others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Secrecy {
    Secret,
    Public,
}

/// A value that is parsed from files, and parsed again when they change.
#[derive(Debug)]
pub(super) struct Kept<T> {
    /// Description of the files, for logs.
    what: &'static str,
    files: Vec<(PathBuf, Secrecy)>,
    parse: fn(&[Vec<u8>]) -> Result<T, String>,
    value: watch::Sender<Arc<T>>,
    seen: Mutex<Vec<Option<Stamp>>>,
}

/// Properties that change with the content of a file: device, inode, size and the time of the last
/// change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stamp(u64, u64, u64, i64, i64);

impl<T> Kept<T> {
    /// Reads the files for the first time. `parse` gets their contents in this order.
    pub(super) fn read(
        what: &'static str,
        files: Vec<(PathBuf, Secrecy)>,
        parse: fn(&[Vec<u8>]) -> Result<T, String>,
    ) -> Result<Self, String> {
        // Taken before the contents are read, so that a change in between is noticed later.
        let seen = Mutex::new(stamps(&files));
        let value = parse_all(&files, parse).map_err(|problem| format!("{what}: {problem}"))?;
        Ok(Self { what, files, parse, value: watch::Sender::new(Arc::new(value)), seen })
    }

    /// Returns the current value.
    pub(super) fn get(&self) -> Arc<T> {
        self.value.borrow().clone()
    }

    /// Reads the files again if they have changed, or if `asked`. Logs the result.
    pub(super) fn renew(&self, asked: bool) {
        let now = stamps(&self.files);
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if *seen == now && !asked {
            return;
        }
        *seen = now;
        match parse_all(&self.files, self.parse) {
            Ok(value) => {
                self.value.send_replace(Arc::new(value));
                tracing::info!(target: TARGET, "{} read again", self.what);
            }
            Err(problem) => tracing::warn!(
                target: TARGET,
                "{}: {problem}; the previous content stays in use", self.what
            ),
        }
    }
}

fn parse_all<T>(
    files: &[(PathBuf, Secrecy)],
    parse: fn(&[Vec<u8>]) -> Result<T, String>,
) -> Result<T, String> {
    let contents: Result<Vec<_>, _> =
        files.iter().map(|(path, secrecy)| content(path, *secrecy)).collect();
    parse(&contents?)
}

fn content(path: &Path, secrecy: Secrecy) -> Result<Vec<u8>, String> {
    let name = path.display();
    let failed = |error: std::io::Error| format!("cannot read {name}: {error}");
    let file = File::open(path).map_err(failed)?;
    let mode = file.metadata().map_err(failed)?.mode();
    if mode & OTHERS_WRITE != 0 {
        return Err(format!("{name}: everybody can write to it (mode {:o})", mode & 0o7777));
    }
    if secrecy == Secrecy::Secret && mode & OTHERS_READ != 0 {
        tracing::warn!(
            target: TARGET,
            "{name}: everybody can read it (mode {:o}); set it to 640 or less", mode & 0o7777
        );
    }
    let mut bytes = Vec::new();
    file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        return Err(format!("{name}: must have at most {MAX_FILE_BYTES} bytes"));
    }
    Ok(bytes)
}

/// Returns the stamp of each file; `None` for a missing file.
fn stamps(files: &[(PathBuf, Secrecy)]) -> Vec<Option<Stamp>> {
    let stamp = |path: &PathBuf| {
        let found = fs::metadata(path).ok()?;
        Some(Stamp(found.dev(), found.ino(), found.len(), found.ctime(), found.ctime_nsec()))
    };
    files.iter().map(|(path, _)| stamp(path)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    fn number(contents: &[Vec<u8>]) -> Result<u32, String> {
        let text = String::from_utf8_lossy(&contents[0]);
        text.trim().parse().map_err(|_| format!("{text:?} is no number"))
    }

    fn kept(path: &Path) -> Result<Kept<u32>, String> {
        Kept::read("number", vec![(path.into(), Secrecy::Secret)], number)
    }

    #[test]
    fn last_good_content_counts() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("number");
        fs::write(&path, "1").unwrap();
        let kept = kept(&path).unwrap();
        for (content, expected) in [("2", 2), ("two", 2), ("", 2), ("3", 3)] {
            fs::write(&path, content).unwrap();
            kept.renew(true);
            assert_eq!(*kept.get(), expected, "{content:?}");
        }
        fs::remove_file(&path).unwrap();
        kept.renew(false);
        assert_eq!(*kept.get(), 3);
    }

    /// Swaps the folder as Kubernetes replaces what it mounts.
    #[test]
    fn folder_that_is_swapped_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for (version, content) in [("v1", "1"), ("v2", "2")] {
            fs::create_dir(at(version)).unwrap();
            fs::write(at(version).join("number"), content).unwrap();
        }
        symlink("v1", at("data")).unwrap();
        symlink("data/number", at("number")).unwrap();
        let kept = kept(&at("number")).unwrap();
        symlink("v2", at("next")).unwrap();
        fs::rename(at("next"), at("data")).unwrap();
        kept.renew(false);
        assert_eq!(*kept.get(), 2);
    }

    #[test]
    fn file_that_everybody_may_write_to_is_refused() {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(&file, "1").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o666)).unwrap();
        let said = kept(file.path()).unwrap_err();
        assert!(said.contains("everybody can write to it (mode 666)"), "{said}");
    }

    #[test]
    fn file_that_is_too_long_or_not_there_is_named() {
        let file = tempfile::NamedTempFile::new().unwrap();
        file.as_file().set_len(MAX_FILE_BYTES + 1).unwrap();
        let said = kept(file.path()).unwrap_err();
        assert!(said.contains("must have at most 1048576 bytes"), "{said}");
        let said = kept(Path::new("/none/number")).unwrap_err();
        assert!(said.contains("number: cannot read /none/number"), "{said}");
    }
}
