//! Test cases, as people have them: files in a folder or an archive, lines of JSON, or a task.

#![forbid(unsafe_code)]

mod archive;
mod content;
mod error;
mod folder;
mod lines;
mod pairs;
#[cfg(test)]
mod tests;

pub use error::Error;

use profiler_proto::task::read_test_cases;
use profiler_proto::v1::TestCase;
use std::path::Path;

/// Returns the number of the line with a test case, if the file is one of JSON Lines.
pub fn line_of(path: &Path, index: usize) -> Option<usize> {
    let is_lines = path.extension().is_some_and(|it| it.eq_ignore_ascii_case("jsonl"));
    if is_lines { lines::line_of(path, index) } else { None }
}

/// Reads the test cases in a folder or file. Names every place that is wrong.
pub fn read(path: &Path) -> Result<Vec<TestCase>, Error> {
    let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
    match extension.to_str() {
        _ if path.is_dir() => folder::read(path),
        // A FIFO would wait for its writer.
        _ if path.exists() && !path.is_file() => {
            Err(Error::wrong(path.display().to_string(), "must be a folder or a regular file"))
        }
        Some("jsonl") => lines::read(path),
        Some("json") => {
            read_test_cases(path).map_err(|cause| Error::Task { path: path.into(), cause })
        }
        Some("zip") => archive::read(path),
        _ if path.is_file() => {
            let allowed = "must be a folder, or a file whose name ends in .zip, .jsonl or .json";
            Err(Error::wrong(path.display().to_string(), allowed))
        }
        _ => folder::read(path),
    }
}
