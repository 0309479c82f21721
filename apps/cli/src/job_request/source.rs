//! Files, and programs in them.

use crate::exit::Failure;
use profiler_core::limits::MAX_PROGRAM_BYTES;
use profiler_export::readable_name;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The beginning of a compiled program.
const ELF: &[u8] = b"\x7fELF";
/// The argument that names stdin.
const STDIN: &str = "-";
/// The name of a program from stdin.
pub(super) const STDIN_NAME: &str = "stdin";

/// Reads a program from a file, or from stdin: C++ source, or a compiled program. Refuses a script,
/// and any other file that is not text: the compiler would print many messages about it, and not
/// name the reason.
pub(super) fn program(file: &Path) -> Result<Vec<u8>, Failure> {
    let name = source_name(file);
    let program = if is_stdin(file) {
        beginning(io::stdin(), MAX_PROGRAM_BYTES)
            .map_err(|cause| Failure::Unreadable { path: STDIN_NAME.into(), cause })?
    } else {
        read(file, MAX_PROGRAM_BYTES)?
    };
    let problem = match &program[..] {
        [] => "must not be empty",
        [b'#', b'!', ..] => "is a script; use C++ source, or a compiled program",
        bytes if bytes.contains(&0) && !is_compiled(bytes) => {
            "is neither text nor a compiled program"
        }
        _ => return Ok(program),
    };
    Err(Failure::argument(name, problem))
}

/// Whether a program is compiled, and not a source.
pub(super) fn is_compiled(program: &[u8]) -> bool {
    program.starts_with(ELF)
}

/// Returns the argument that `run -- ./program ARGUMENT` means for a compiled program, which runs
/// without arguments: the first file after it that does not exist.
pub(crate) fn argument_of_compiled(files: &[PathBuf]) -> Option<&Path> {
    let (first, others) = files.split_first()?;
    let absent = others.iter().find(|file| !is_stdin(file) && !file.exists())?;
    let is_compiled = read(first, ELF.len()).is_ok_and(|start| is_compiled(&start));
    is_compiled.then_some(absent)
}

/// Reads a program that a job holds as text. Its comments may have any encoding.
pub(super) fn source_text(file: &Path) -> Result<String, Failure> {
    let source = program(file)?;
    if is_compiled(&source) {
        let problem = "is not text; use C++ source, not a compiled program";
        return Err(Failure::argument(source_name(file), problem));
    }
    Ok(String::from_utf8_lossy(&source).into_owned())
}

/// Returns the name of a program in messages and documents, on one line.
pub(crate) fn source_name(file: &Path) -> String {
    if is_stdin(file) { STDIN_NAME.into() } else { readable_name(&file.display().to_string()) }
}

/// Whether the argument asks for the program on stdin.
pub(crate) fn is_stdin(file: &Path) -> bool {
    file.as_os_str() == STDIN
}

/// Reads a file up to one byte more than `limit`, which is enough to refuse it.
pub(crate) fn read(path: &Path, limit: usize) -> Result<Vec<u8>, Failure> {
    let bytes = File::open(path).and_then(|file| beginning(file, limit));
    bytes.map_err(|cause| Failure::Unreadable { path: path.into(), cause })
}

/// Reads up to one byte more than `limit`.
fn beginning(from: impl Read, limit: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(limit as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Lists the files in a folder that have the extension.
pub(super) fn with_extension(folder: &Path, extension: &str) -> Result<Vec<PathBuf>, Failure> {
    let entries = fs::read_dir(folder)
        .and_then(|entries| entries.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>());
    let mut files = entries.map_err(|cause| Failure::Unreadable { path: folder.into(), cause })?;
    files.retain(|path| path.extension().is_some_and(|it| it == extension));
    Ok(files)
}
