//! Reads files, and says why that fails.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Reason why sources have no hash.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file cannot be read.
    #[error("cannot read {}: {cause}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Cause.
        cause: io::Error,
    },
    /// A file does not contain Rust tokens.
    #[error("{} is no Rust: {cause}", path.display())]
    Rust {
        /// The file.
        path: PathBuf,
        /// Reason why the tokens cannot be read.
        cause: proc_macro2::LexError,
    },
    /// `Cargo.toml` or `Cargo.lock` is not as cargo writes it.
    #[error("{}: {cause}", path.display())]
    Toml {
        /// The file.
        path: PathBuf,
        /// Fault in the file.
        cause: toml::de::Error,
    },
    /// A crate of the workspace is not in `Cargo.lock`.
    #[error("{0} is not in Cargo.lock")]
    NotLocked(String),
    /// A crate of the workspace is compiled in, and its sources are not part of the hash.
    #[error("{0} is compiled in and must be hashed as well")]
    NotHashed(String),
}

/// The text of a file.
pub(crate) fn read(path: &Path) -> Result<String, Error> {
    fs::read_to_string(path).map_err(|cause| Error::File { path: path.into(), cause })
}
