//! Check that everything in the database can be read and is consistent.

use profiler_proto::v1::event::Kind;
use profiler_proto::v1::{Event, RunState};
use prost::Message;
use rusqlite::{Connection, Row};

/// Maximum number of problems that are named. A broken disk can have one for each page.
const MAX_PROBLEMS: usize = 100;

/// Counts of what was read, and the problems found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Verification {
    /// Number of runs that were read.
    pub runs: u64,
    /// Number of events that were read.
    pub events: u64,
    /// Problems, in sentences; at most 100. Empty if nothing is wrong.
    pub problems: Vec<String>,
}

pub(super) fn verify(connection: &Connection) -> rusqlite::Result<Verification> {
    // One transaction sees one state, even while a server writes.
    let transaction = connection.unchecked_transaction()?;
    let mut found = Verification::default();
    let problems = format!("PRAGMA integrity_check({MAX_PROBLEMS})");
    for problem in transaction.prepare(&problems)?.query_map([], |row| row.get(0))? {
        let problem: String = problem?;
        if problem != "ok" {
            found.report(format!("the database: {problem}"));
        }
    }
    let stray = "SELECT count(*) FROM events WHERE run_id NOT IN (SELECT run_id FROM runs)";
    let stray: i64 = transaction.query_row(stray, [], |row| row.get(0))?;
    if stray > 0 {
        found.report(format!("{stray} events belong to no run"));
    }
    let rows = "SELECT run_id, state, ended_ns IS NOT NULL, last_sequence, bytes FROM runs";
    let mut statement = transaction.prepare(rows)?;
    let mut rows = statement.query([])?;
    while let Some(run) = rows.next()? {
        found.runs += 1;
        found.verify_run(&transaction, run)?;
    }
    Ok(found)
}

impl Verification {
    fn report(&mut self, problem: String) {
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(problem);
        }
    }

    fn verify_run(&mut self, connection: &Connection, run: &Row<'_>) -> rusqlite::Result<()> {
        let (run_id, state, has_ended, last_sequence, bytes): (String, i32, bool, i64, i64) =
            run.try_into()?;
        let (mut last, mut length, mut ended_as) = (0, 0, None);
        let mut statement = connection
            .prepare("SELECT sequence, event FROM events WHERE run_id = ?1 ORDER BY 1")?;
        let mut rows = statement.query([&run_id])?;
        while let Some(row) = rows.next()? {
            let (sequence, encoded): (i64, Vec<u8>) = row.try_into()?;
            self.events += 1;
            if sequence != last + 1 {
                self.report(format!("run {run_id}: event {sequence} comes after event {last}"));
            }
            if ended_as.is_some() {
                self.report(format!("run {run_id}: event {sequence} comes after its ending"));
            }
            last = sequence;
            length += i64::try_from(encoded.len()).unwrap_or(i64::MAX);
            match Event::decode(encoded.as_slice()) {
                Err(cause) => {
                    self.report(format!("run {run_id}: event {sequence} is broken: {cause}"));
                }
                Ok(event) => {
                    if event.run_id != run_id || i64::try_from(event.sequence) != Ok(sequence) {
                        let (other, number) = (event.run_id, event.sequence);
                        self.report(format!(
                            "run {run_id}: event {sequence} is event {number} of run {other}"
                        ));
                    }
                    ended_as = match event.kind {
                        Some(Kind::Finished(_)) => Some(RunState::Finished),
                        Some(Kind::Failed(_)) => Some(RunState::Failed),
                        _ => None,
                    };
                }
            }
        }
        if last != last_sequence || length != bytes {
            self.report(format!(
                "run {run_id}: has {last} events of {length} bytes; its row says {last_sequence} \
                 of {bytes}"
            ));
        }
        let is_live = [RunState::Queued, RunState::Running].map(i32::from).contains(&state);
        let says_so = ended_as.map_or(is_live, |ending| state == i32::from(ending));
        if !says_so || has_ended != ended_as.is_some() {
            self.report(format!("run {run_id}: its state and its last event differ"));
        }
        Ok(())
    }
}
