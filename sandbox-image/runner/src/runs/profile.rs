//! A sampling profile: one run of the instrumented build, and gprof's output for its `gmon.out`.

use crate::process::run_program::run_program;
use crate::process::runner::Runner;
use crate::process::spec::Place;
use crate::runs::compile::own_files;
use crate::runs::tools::{self, ADDR2LINE, GPROF};
use crate::sys::fault::{Result, Stage};
use crate::sys::files;
use profiler_decode::gmon;
use runner_protocol::{Profile, Profiled, Run};
use std::fs::File;

/// The file that an instrumented program leaves when it exits.
const LEFT: &str = "gmon.out";
/// Maximum number of bytes that are read of that file.
const MAX_LEFT_BYTES: usize = 4 << 20;
/// Maximum number of addresses that are looked up: those with the most samples.
const MAX_ADDRESSES: usize = 2000;

/// Runs the instrumented build once, and returns where its time went.
pub(crate) fn profile(runner: &Runner, request: &Run) -> Result<Profiled> {
    files::place(request.input)?;
    let (binary, _) = runner.program(request.subject);
    let spec = runner.spec(request);
    let place = Place { stdio: Some(files::stdio(request.input)?), ..Place::default() };
    let read_back = |_: &_| match files::from_scratch(LEFT) {
        Some(left) => read(runner, request, &binary, left),
        None => Ok(Profile::Absent),
    };
    let (execution, profile) = run_program(runner, &spec, &place, &request.limits, read_back)?;
    Ok(Profiled { execution, profile })
}

fn read(runner: &Runner, request: &Run, binary: &str, left: File) -> Result<Profile> {
    // gprof names only one file of each compiled source.
    if own_files()?.is_empty() {
        let argv = ["gprof", "-b", "-l", "-p", binary, LEFT].map(String::from);
        if let Some(listing) = tools::output(runner, request, GPROF, argv.into())? {
            return Ok(Profile::Listing(listing));
        }
    }
    let left = files::read_at_most(left, MAX_LEFT_BYTES).stage("read gmon.out")?;
    let Some(samples) = gmon::histogram(&left, MAX_ADDRESSES) else {
        return Ok(Profile::Absent);
    };
    let mut argv = tools::addr2line(binary);
    argv.extend(samples.iter().map(|(address, _)| format!("{address:#x}")));
    let lines = tools::output(runner, request, ADDR2LINE, argv)?;
    Ok(lines.map_or(Profile::Absent, |lines| Profile::Addresses { samples, lines }))
}
