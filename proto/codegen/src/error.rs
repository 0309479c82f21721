//! The error of the generator.

use std::io;
use std::path::PathBuf;

/// Reason why nothing was generated.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A .proto file that does not compile.
    #[error("compile the .proto files: {0}")]
    Proto(#[from] protox::Error),
    /// Failure to read or write a file.
    #[error("generate {}: {cause}", path.display())]
    File {
        /// Path of the file.
        path: PathBuf,
        /// Error of the system.
        cause: io::Error,
    },
    /// Missing file, message or extension with declarations.
    #[error("the .proto files declare no {0}")]
    None(&'static str),
    /// Page of the figures without the marks around its table.
    #[error("docs/figures.md lacks the marks around the table of figures")]
    NoPlace,
    /// Option that excludes a field that is not an option.
    #[error("the option {option} excludes {excluded}, which is no option")]
    Excluded {
        /// Path of the option's field.
        option: String,
        /// Path of the excluded field.
        excluded: String,
    },
}
