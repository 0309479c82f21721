//! The submitted source.

/// The file that the submitted source is compiled as.
pub(crate) const SOURCE_FILE: &str = "main.cpp";
