//! Runs as lines of JSON.

use super::super::{Viewer, database, event_rows, run_rows};
use profiler_proto::json;
use rusqlite::Connection;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use tempfile::NamedTempFile;

/// Returns the IDs of all runs, or of run `run_id` alone if it is given and exists.
pub(super) fn select(
    connection: &Connection,
    run_id: Option<&str>,
) -> rusqlite::Result<Vec<String>> {
    let wanted = "SELECT run_id FROM runs WHERE ?1 IS NULL OR run_id = ?1 ORDER BY run_id";
    connection.prepare(wanted)?.query_map([run_id], |row| row.get(0))?.collect()
}

/// Writes each run to a file of its own. A run that is deleted during the export is left out.
pub(super) fn write(connection: &Connection, run_ids: &[String], to: &Path) -> io::Result<usize> {
    database::create_private(to)?;
    let mut written = 0;
    for run_id in run_ids {
        // One transaction, so that the run and its events are of one moment.
        let transaction = connection.unchecked_transaction().map_err(io::Error::other)?;
        let Some(run) =
            run_rows::find(&transaction, run_id, &Viewer::Everyone).map_err(io::Error::other)?
        else {
            continue;
        };
        let events = event_rows::list(&transaction, run_id, 0, u32::MAX);
        let mut file = BufWriter::new(NamedTempFile::new_in(to)?);
        writeln!(file, "{}", json::to_string(&run).map_err(io::Error::other)?)?;
        for event in events.map_err(io::Error::other)? {
            writeln!(file, "{}", json::to_string(&event).map_err(io::Error::other)?)?;
        }
        file.into_inner()?.persist(to.join(format!("{run_id}.jsonl")))?;
        written += 1;
    }
    Ok(written)
}
