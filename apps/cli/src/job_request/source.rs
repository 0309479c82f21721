//! Files that hold programs.

use crate::exit::Failure;
use profiler_core::limits::MAX_SOURCE_BYTES;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The argument that names stdin.
const STDIN: &str = "-";
/// The name of a program from stdin.
pub(super) const STDIN_NAME: &str = "stdin";

/// Reads a program from a file, or from stdin. What is not text, such as a compiled program, is
/// refused: the compiler would drown the reason in messages.
pub(super) fn source(file: &Path) -> Result<Vec<u8>, Failure> {
    let name = source_name(file);
    if file.is_dir() {
        let programs = file.join("*.cpp");
        let problem = format!("is a folder: name the programs in it, as {}", programs.display());
        return Err(Failure::argument(name, problem));
    }
    let source = if is_stdin(file) { read_stdin() } else { read(file, MAX_SOURCE_BYTES) }?;
    if source.is_empty() {
        return Err(Failure::argument(name, "must not be empty"));
    }
    if source.contains(&0) {
        return Err(Failure::argument(
            name,
            "is not text: give C++ source, not a compiled program",
        ));
    }
    Ok(source)
}

/// Returns the name of a program in messages and documents.
pub(crate) fn source_name(file: &Path) -> String {
    if is_stdin(file) { STDIN_NAME.into() } else { file.display().to_string() }
}

/// Whether the argument asks for the program on stdin.
pub(crate) fn is_stdin(file: &Path) -> bool {
    file.as_os_str() == STDIN
}

fn read_stdin() -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    io::stdin()
        .take(MAX_SOURCE_BYTES as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(|cause| Failure::Unreadable { path: STDIN_NAME.into(), cause })?;
    Ok(bytes)
}

/// Reads a file up to one byte more than `limit`, which is enough to refuse it.
pub(super) fn read(path: &Path, limit: usize) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(limit as u64 + 1).read_to_end(&mut bytes))
        .map_err(|cause: io::Error| Failure::Unreadable { path: path.into(), cause })?;
    Ok(bytes)
}
