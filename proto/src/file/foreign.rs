//! Files of a folder that may come from a stranger. A symbolic link could lead to any file of the
//! reader, and a FIFO would wait for its writer.

use std::fs;
use std::path::{Path, PathBuf};

/// Problem of a file that cannot be read.
const UNREADABLE: &str = "cannot be read";

/// Resolves symbolic links. The file must then be a regular one below `folder`. `outside` is the
/// problem of one that is elsewhere.
pub fn regular_file_below(
    file: &Path,
    folder: &Path,
    outside: &'static str,
) -> Result<PathBuf, &'static str> {
    let real = real_path_below(file, folder, outside)?;
    if real.is_file() { Ok(real) } else { Err("must be a regular file") }
}

/// Resolves symbolic links. The file or folder must then be below `folder`, like
/// [`regular_file_below`].
pub fn real_path_below(
    path: &Path,
    folder: &Path,
    outside: &'static str,
) -> Result<PathBuf, &'static str> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let real = fs::canonicalize(path).map_err(|_| UNREADABLE)?;
    let folder = fs::canonicalize(folder).map_err(|_| UNREADABLE)?;
    if real.starts_with(folder) { Ok(real) } else { Err(outside) }
}
