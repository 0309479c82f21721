//! Where the time goes: one run of the instrumented build, and gprof's listing of it.

use crate::child::Spec;
use crate::fault::{At, Result};
use crate::files::{self, Own};
use crate::serve::Runner;
use crate::{batch, measure, sweep};
use runner_protocol::{Ending, MAX_LISTING_BYTES, Profiled, Run};
use std::fs::File;

/// gprof.
pub(crate) const GPROF: &str = "/usr/bin/gprof";
/// What an instrumented program leaves when it exits.
const LEFT: &str = "gmon.out";

/// Runs the instrumented build once and lists its profile, line by line.
pub(crate) fn profile(runner: &Runner, request: &Run) -> Result<Profiled> {
    let execution = batch::launch(runner, request)?;
    let listing = match files::from_scratch(LEFT) {
        Some(_) => list(runner, request)?,
        None => None,
    };
    sweep::wipe_scratch()?;
    Ok(Profiled { execution, listing })
}

fn list(runner: &Runner, request: &Run) -> Result<Option<Vec<u8>>> {
    let binary = files::binary(request.variant);
    let null = || {
        File::options()
            .read(true)
            .write(true)
            .open("/dev/null")
            .at("open /dev/null")
    };
    let argv = ["gprof", "-b", "-l", "-p", &binary.to_string_lossy(), LEFT].map(String::from);
    let spec = Spec {
        path: GPROF,
        argv: argv.into(),
        env: Vec::new(),
        stdio: Some([null()?, files::output(Own::Stdout)?, null()?]),
        limits: Some(&request.limits),
    };
    let ended = measure::run(spec, &request.limits, runner.oom, Some(&runner.channel))?;
    sweep::kill_everything()?;
    if ended.ending != Ending::Exited(0) {
        return Ok(None);
    }
    files::read_at_most(Own::Stdout.open()?, MAX_LISTING_BYTES)
        .map(Some)
        .at("read the listing")
}
