//! Cells that were right are kept, so that an interrupted call can be resumed.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::path::{Path, PathBuf};
use xtask::steps::failure::Failure;

/// The cells that were right, with what was found. The file is named after what decides them, so
/// another build begins anew.
pub(super) struct Kept {
    file: PathBuf,
    found: BTreeMap<String, String>,
}

impl Kept {
    /// Reads what earlier calls with the same `files` kept in `folder`.
    pub(super) fn read(folder: &Path, files: &[PathBuf]) -> Result<Self, Failure> {
        let mut hasher = DefaultHasher::new();
        for file in files {
            fs::read(file).map_err(Failure::file("read what matters"))?.hash(&mut hasher);
        }
        let file = folder.join(format!("right-{:016x}", hasher.finish()));
        let text = if file.exists() {
            fs::read_to_string(&file).map_err(Failure::file("read what is kept"))?
        } else {
            String::new()
        };
        let lines = text.lines().filter_map(|line| line.split_once('\t'));
        let found = lines.map(|(cell, found)| (cell.to_owned(), found.to_owned())).collect();
        Ok(Self { file, found })
    }

    /// The file.
    pub(super) fn file(&self) -> &Path {
        &self.file
    }

    /// The finding in a cell, if that was right.
    pub(super) fn found(&self, cell: &str) -> Option<&str> {
        self.found.get(cell).map(String::as_str)
    }

    /// Keeps a cell that was right, at once.
    pub(super) fn keep(&mut self, cell: &str, found: &str) -> Result<(), Failure> {
        let file = OpenOptions::new().create(true).append(true).open(&self.file);
        let written = file.and_then(|mut file| writeln!(file, "{cell}\t{found}"));
        written.map_err(Failure::file("keep what was right"))?;
        self.found.insert(cell.into(), found.into());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::slice::from_ref;

    #[test]
    fn kept_result_is_found_for_the_same_files_alone() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("program");
        fs::write(&program, "one").unwrap();
        let read = || Kept::read(folder.path(), from_ref(&program)).unwrap();
        read().keep("root: Benign", "OK").unwrap();
        assert_eq!(read().found("root: Benign"), Some("OK"));
        assert_eq!(read().found("root: Hog"), None);
        fs::write(&program, "two").unwrap();
        assert_eq!(read().found("root: Benign"), None);
    }
}
