//! Reasons that nothing is generated.

use std::io;
use std::path::PathBuf;

/// The bindings could not be generated.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A .proto file is wrong.
    #[error("compile the .proto files: {0}")]
    Proto(#[from] protox::Error),
    /// A file could not be read or written.
    #[error("generate {}: {cause}", path.display())]
    File {
        /// Path of the file.
        path: PathBuf,
        /// Error of the system.
        cause: io::Error,
    },
    /// The message or the extension that declares the options is missing.
    #[error("the .proto files declare no options of a job")]
    NoOptions,
    /// The file or the extension that declares the figures is missing.
    #[error("the .proto files declare no figures of a report")]
    NoFigures,
    /// The enum of the formats or their extension is missing, a format has no declaration, or it
    /// needs what is no field of a job.
    #[error("a value of ExportFormat is not declared, or needs what is no field of a job")]
    NoFormats,
    /// The page of the figures lacks the marks around its table.
    #[error("docs/figures.md lacks the marks around the table of figures")]
    NoPlace,
    /// An option excludes what is no option.
    #[error("the option {option} excludes {excluded}, which is no option")]
    Excluded {
        /// Path of the option's field.
        option: String,
        /// Path that it names.
        excluded: String,
    },
}
