//! A copy of the database.

use rusqlite::Connection;
use std::io;
use std::path::Path;
use tempfile::NamedTempFile;

/// `VACUUM INTO` reads in one transaction: a server goes on writing, and the copy has the runs of
/// one moment. Unlike the pages that `SQLite`'s backup API copies, the copy has nothing of what was
/// deleted.
pub(super) fn write(connection: &Connection, file: &Path) -> io::Result<()> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    let copy = NamedTempFile::new_in(folder.unwrap_or(Path::new(".")))?;
    let path = copy.path().to_str().ok_or(io::ErrorKind::InvalidFilename)?;
    connection.execute("VACUUM INTO ?1", [path]).map_err(io::Error::other)?;
    copy.as_file().sync_all()?;
    copy.persist_noclobber(file)?;
    Ok(())
}
