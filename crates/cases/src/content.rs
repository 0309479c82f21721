//! Content of files of bounded length.

use crate::error::Error;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Reads a file up to one byte more than `limit`, which is enough to refuse it.
pub(crate) fn read(path: &Path, limit: usize) -> Result<Vec<u8>, Error> {
    let bytes = File::open(path).and_then(|file| beginning(file, limit));
    bytes.map_err(|cause| Error::Unreadable { path: path.into(), cause })
}

/// Reads up to one byte more than `limit`.
pub(crate) fn beginning(from: impl Read, limit: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(limit as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Converts the beginning of a file to text, or describes the problem: it has more than `limit`
/// bytes, or a line that is not UTF-8.
pub(crate) fn text(bytes: Vec<u8>, limit: usize) -> Result<String, String> {
    if bytes.len() > limit {
        return Err(format!("must have at most {limit} bytes"));
    }
    String::from_utf8(bytes).map_err(|error| {
        let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let lines: Vec<_> = valid.split(|&byte| byte == b'\n').collect();
        let (line, byte) = (lines.len(), lines.last().map_or(0, |last| last.len()) + 1);
        format!("must be text in UTF-8, but byte {byte} of line {line} is not")
    })
}
