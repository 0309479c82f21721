//! One run under the instruction counter that says where it executed what.
//!
//! What the counter says comes out of the program's own process, and what the tools say out of its own
//! binary: all of it is bounded, and read without trust. A program that sets out to forge its own
//! profile can.

use crate::child::Spec;
use crate::fault::{At, Result};
use crate::files::{self, Own};
use crate::runner::Runner;
use crate::{account, count, measure, profile, sweep};
use profiler_decode::counter_output::{self, Line, Profile};
use profiler_decode::elf::library_names;
use profiler_decode::symbols::Symbols;
use runner_protocol::{Run, Trace, Traced};
use std::fs::File;
use std::io::{BufReader, Write};

/// What demangles names; of the same package as gprof.
const FILTER: &str = "/usr/bin/c++filt";
/// Asks the counter for a profile.
const PROFILE: &str = "profile";
const NOT_READ: &str = "its debug information cannot be read";

/// Runs once and says where.
pub(crate) fn trace(runner: &Runner, request: &Run) -> Result<Traced> {
    files::place(request.input)?;
    let (program, _) = runner.program(request.subject);
    let counter = files::counter();
    let spec = Spec {
        path: &counter.to_string_lossy(),
        argv: ["counter", PROFILE, &program].map(String::from).into(),
        stdio: Some(files::stdio(request.input)?),
        limits: Some(&request.limits),
        core: request.core,
        result: Some(Own::Count.create()?),
        ..Spec::default()
    };
    let mut execution = measure::run(&runner.kit, &spec, &request.limits, Some(&runner.channel))?;
    sweep::kill_everything()?.add_to(&mut execution.sample);
    execution.output_full = files::output_full(request.limits.file_bytes)?;
    sweep::wipe_scratch()?;
    let written = files::written(request.stdout_head)?;
    let said =
        files::read_at_most(Own::Count.open()?, counter_output::MAX_BYTES).at("read the count")?;
    let (line, rest) = Line::split(&said);
    let trace = match count::counted(line, execution.ending) {
        Ok(instructions) => match counter_output::read_profile(instructions, rest) {
            Some(counted) => read(runner, request, &program, &counted)?,
            None => Err("the counter said something else".into()),
        },
        Err(reason) => Err(reason),
    };
    sweep::wipe_scratch()?;
    Ok(Traced { execution, trace, written })
}

fn read(
    runner: &Runner,
    request: &Run,
    program: &str,
    counted: &Profile,
) -> Result<std::result::Result<Trace, String>> {
    let mut questions = Own::Questions.create()?;
    for address in counted.addresses() {
        writeln!(questions, "{address:#x}").at("write addresses")?;
    }
    let argv = profile::addr2line(program);
    let asked = Own::Questions.open()?;
    if !profile::answered(runner, request, profile::ADDR2LINE, argv, asked)? {
        return Ok(Err(NOT_READ.into()));
    }
    let answers = BufReader::new(Own::Stdout.open()?);
    let Some(mut symbols) = Symbols::read(answers, &counted.addresses()) else {
        return Ok(Err(NOT_READ.into()));
    };
    let binary = File::open(program).at("open a binary")?;
    let named = library_names(&files::ElfFile(&binary), &counted.pointers());
    let mut questions = Own::Questions.create()?;
    for (_, name) in &named {
        writeln!(questions, "{name}").at("write names")?;
    }
    let asked = Own::Questions.open()?;
    let argv = vec!["c++filt".to_owned()];
    if profile::answered(runner, request, FILTER, argv, asked)? {
        let answers = BufReader::new(Own::Stdout.open()?);
        symbols.name_library(named.iter().map(|&(pointer, _)| pointer), answers);
    }
    Ok(Ok(account::account(counted, symbols)))
}
