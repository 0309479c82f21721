//! One run of a program whose own malloc tells what it allocates, into a file that both sides map.

use crate::child::Spec;
use crate::fault::{At, Result};
use crate::files::{self, Own};
use crate::profile::{self, ADDR2LINE};
use crate::runner::Runner;
use crate::{measure, once, sweep};
use profiler_decode::allocation_record::{self, FILE_BYTES, MAGIC};
use runner_protocol::{Allocated, MAX_LINES_BYTES, Record, Run, Site};
use std::collections::HashSet;
use std::fs::File;
use std::io::Write;

/// Most addresses that are looked up: those of the first sites.
const MAX_ADDRESSES: usize = 2000;

/// Runs once and reads what was told.
pub(crate) fn allocate(runner: &Runner, run: &Run) -> Result<Allocated> {
    files::place(run.input)?;
    let (path, argument) = runner.program(run.subject);
    let spec = Spec {
        path: &path,
        argv: [once::ARGV0].into_iter().chain(argument).map(String::from).collect(),
        stdio: Some(files::stdio(run.input)?),
        limits: Some(&run.limits),
        core: run.core,
        result: Some(blank()?),
        ..Spec::default()
    };
    let mut execution = measure::run(&runner.kit, &spec, &run.limits, Some(&runner.channel))?;
    sweep::kill_everything()?.add_to(&mut execution.sample);
    execution.output_full = files::output_full(run.limits.file_bytes)?;
    sweep::wipe_scratch()?;
    // Before a tool writes there.
    let written = files::written(run.stdout_head)?;
    let told =
        files::read_at_most(Own::Allocations.open()?, FILE_BYTES).at("read what was told")?;
    Own::Allocations.remove()?;
    let mut record = allocation_record::read(&told);
    if let Some(record) = &mut record {
        record.lines = lines(runner, run, record)?;
    }
    Ok(Allocated { execution, record, written })
}

/// The file in which the program tells.
fn blank() -> Result<File> {
    let mut file = Own::Allocations.create()?;
    file.write_all(&MAGIC.to_le_bytes()).at("begin a record")?;
    file.set_len(FILE_BYTES as u64).at("begin a record")?;
    Ok(file)
}

/// What addr2line says of the traces.
fn lines(runner: &Runner, run: &Run, record: &Record) -> Result<Vec<u8>> {
    // In the order of the sites: where the answers have no room, those of the last have none.
    let all = record.sites.iter().filter_map(|site: &Site| site.trace.as_ref()).flatten();
    let mut seen = HashSet::new();
    let first = all.filter(|address| seen.insert(**address));
    let addresses: Vec<u64> = first.copied().take(MAX_ADDRESSES).collect();
    if addresses.is_empty() {
        return Ok(Vec::new());
    }
    let (binary, _) = runner.program(run.subject);
    let mut argv = profile::addr2line(&binary);
    argv.extend(addresses.iter().map(|address| format!("{address:#x}")));
    let mut lines = profile::tool(runner, run, ADDR2LINE, argv)?.unwrap_or_default();
    if lines.len() > MAX_LINES_BYTES {
        let whole = lines[..MAX_LINES_BYTES].iter().rposition(|&byte| byte == b'\n');
        lines.truncate(whole.map_or(0, |end| end + 1));
    }
    Ok(lines)
}
