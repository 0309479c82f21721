//! Where the time goes: one run of the instrumented build, and what gprof makes of it.

use crate::child::Spec;
use crate::fault::{At, Result};
use crate::files::{self, Own};
use crate::runner::Runner;
use crate::{batch, measure, sweep};
use profiler_decode::gmon;
use runner_protocol::{Ending, MAX_LISTING_BYTES, Profile, Profiled, Run};
use std::fs::File;

/// gprof.
pub(crate) const GPROF: &str = "/usr/bin/gprof";
/// From addresses to lines; of the same package as gprof.
pub(crate) const ADDR2LINE: &str = "/usr/bin/addr2line";
/// What an instrumented program leaves when it exits.
const LEFT: &str = "gmon.out";
/// Largest file of that kind that is looked at, in bytes.
const MAX_LEFT_BYTES: usize = 4 << 20;
/// Most addresses that are looked up: those with most samples.
const MAX_ADDRESSES: usize = 2000;

/// Runs the instrumented build once and says where its time went.
pub(crate) fn profile(runner: &Runner, request: &Run) -> Result<Profiled> {
    files::place(request.input)?;
    let execution = batch::launch(runner, request)?;
    let profile = match files::from_scratch(LEFT) {
        Some(left) => read(runner, request, left)?,
        None => Profile::Absent,
    };
    sweep::wipe_scratch()?;
    Ok(Profiled { execution, profile })
}

fn read(runner: &Runner, request: &Run, left: File) -> Result<Profile> {
    let (binary, _) = runner.program(request.subject);
    let argv = ["gprof", "-b", "-l", "-p", &binary, LEFT].map(String::from);
    if let Some(listing) = tool(runner, request, GPROF, argv.into())? {
        return Ok(Profile::Listing(listing));
    }
    let left = files::read_at_most(left, MAX_LEFT_BYTES).at("read gmon.out")?;
    let Some(samples) = gmon::histogram(&left, MAX_ADDRESSES) else {
        return Ok(Profile::Absent);
    };
    let mut argv = addr2line(&binary);
    argv.extend(samples.iter().map(|(address, _)| format!("{address:#x}")));
    let lines = tool(runner, request, ADDR2LINE, argv)?;
    Ok(lines.map_or(Profile::Absent, |lines| Profile::Addresses { samples, lines }))
}

/// How addr2line is asked for addresses, inlined functions and readable names; addresses may follow.
pub(crate) fn addr2line(binary: &str) -> Vec<String> {
    ["addr2line", "-a", "-i", "-f", "-C", "-e", binary].map(String::from).into()
}

/// What a tool prints, if it succeeds.
pub(crate) fn tool(
    runner: &Runner,
    request: &Run,
    path: &str,
    argv: Vec<String>,
) -> Result<Option<Vec<u8>>> {
    let null = File::open("/dev/null").at("open /dev/null")?;
    if !answered(runner, request, path, argv, null)? {
        return Ok(None);
    }
    files::read_at_most(Own::Stdout.open()?, MAX_LISTING_BYTES).map(Some).at("read a listing")
}

/// Whether a tool succeeds with this on stdin; its answer is in [`Own::Stdout`]. It reads what the program
/// left or is, and is treated like it.
pub(crate) fn answered(
    runner: &Runner,
    request: &Run,
    path: &str,
    argv: Vec<String>,
    stdin: File,
) -> Result<bool> {
    let null = File::options().read(true).write(true).open("/dev/null").at("open /dev/null")?;
    let spec = Spec {
        path,
        argv,
        stdio: Some([stdin, files::output(Own::Stdout)?, null]),
        limits: Some(&request.limits),
        ..Spec::default()
    };
    let ended = measure::run(&runner.kit, &spec, &request.limits, Some(&runner.channel))?;
    sweep::kill_everything()?;
    Ok(ended.ending == Ending::Exited(0))
}
