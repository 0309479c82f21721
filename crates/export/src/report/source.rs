//! The submitted source.

/// The file name under which the submitted source is compiled.
pub const SOURCE_FILE: &str = "main.cpp";
