//! One run of a program whose own malloc records its allocations, in a file that the program maps.

use crate::process::outputs;
use crate::process::run_program::run_program;
use crate::process::runner::Runner;
use crate::process::spec::Place;
use crate::runs::tools::{self, ADDR2LINE};
use crate::sys::fault::{Result, Stage};
use crate::sys::files::{self, WorkFile};
use profiler_decode::allocation_record::{self, FILE_BYTES, MAGIC};
use runner_protocol::{Allocated, MAX_LINES_BYTES, Record, Run, Site};
use std::collections::HashSet;
use std::fs::File;
use std::io::Write;

/// Maximum number of addresses that are looked up: those of the first sites.
const MAX_ADDRESSES: usize = 2000;

/// Runs the program once and reads the record.
pub(crate) fn record(runner: &Runner, request: &Run) -> Result<Allocated> {
    files::place(request.input)?;
    let spec = runner.spec(request);
    let place = Place {
        stdio: Some(files::stdio(request.input)?),
        result: Some(blank()?),
        ..Place::default()
    };
    let (execution, file) = run_program(runner, &spec, &place, &request.limits, |_| {
        let file = WorkFile::ALLOCATIONS.open()?;
        files::read_at_most(file, FILE_BYTES).stage("read the record")
    })?;
    // Read the output before a tool writes to the same file.
    let written = outputs::written(request.stdout_head)?;
    WorkFile::ALLOCATIONS.remove()?;
    let mut record = allocation_record::read(&file);
    if let Some(record) = &mut record {
        record.lines = lines(runner, request, record)?;
    }
    Ok(Allocated { execution, record, written })
}

/// Creates the file for the record.
fn blank() -> Result<File> {
    let mut file = WorkFile::ALLOCATIONS.create()?;
    file.write_all(&MAGIC.to_le_bytes()).stage("begin a record")?;
    file.set_len(FILE_BYTES as u64).stage("begin a record")?;
    Ok(file)
}

/// The output of addr2line for the traces.
fn lines(runner: &Runner, request: &Run, record: &Record) -> Result<Vec<u8>> {
    // Keep the order of the sites, so that only the last sites get no lines if there is no room.
    let all = record.sites.iter().filter_map(|site: &Site| site.trace.as_ref()).flatten();
    let mut seen = HashSet::new();
    let first = all.filter(|address| seen.insert(**address));
    let addresses: Vec<u64> = first.copied().take(MAX_ADDRESSES).collect();
    if addresses.is_empty() {
        return Ok(Vec::new());
    }
    let (binary, _) = runner.program(request.subject);
    let mut argv = tools::addr2line(&binary);
    argv.extend(addresses.iter().map(|address| format!("{address:#x}")));
    let mut lines = tools::output(runner, request, ADDR2LINE, argv)?.unwrap_or_default();
    if lines.len() > MAX_LINES_BYTES {
        let whole = lines[..MAX_LINES_BYTES].iter().rposition(|&byte| byte == b'\n');
        lines.truncate(whole.map_or(0, |end| end + 1));
    }
    Ok(lines)
}
