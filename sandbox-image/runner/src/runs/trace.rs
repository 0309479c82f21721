//! One run under the instruction counter that reports where the program executed its instructions.
//!
//! The counter's output comes from the program's own process, and the tools' output comes from the
//! program's binary. Both are bounded and parsed without trust. A program can only forge its own
//! profile.

mod attribution;
mod source_frames;
mod stacks;

use crate::process::runner::Runner;
use crate::process::sweep;
use crate::runs::count;
use crate::runs::tools::{self, ADDR2LINE};
use crate::sys::fault::{Result, Stage};
use crate::sys::files::{self, ElfFile, WorkFile};
use profiler_decode::counter_output::{self, Line, Profile};
use profiler_decode::elf::library_names;
use profiler_decode::symbols::Symbols;
use runner_protocol::{Run, Trace, Traced};
use std::fs::File;
use std::io::{BufReader, Write};

/// Demangles names; from the same package as gprof.
const FILTER: &str = "/usr/bin/c++filt";
const NOT_READ: &str = "its debug information cannot be read";

/// Runs the program once, and returns where its instructions were executed.
pub(crate) fn trace(runner: &Runner, request: &Run) -> Result<Traced> {
    let (execution, output) = count::run_counter(runner, request, true, counter_output::MAX_BYTES)?;
    let written = files::written(request.stdout_head)?;
    let (line, rest) = Line::split(&output);
    let trace = match count::counted(line, execution.ending) {
        Ok(instructions) => match counter_output::read_profile(instructions, rest) {
            Some(counted) => read(runner, request, &counted)?,
            None => Err("the counter's output cannot be read".into()),
        },
        Err(reason) => Err(reason),
    };
    sweep::wipe_scratch()?;
    Ok(Traced { execution, trace, written })
}

fn read(
    runner: &Runner,
    request: &Run,
    counted: &Profile,
) -> Result<std::result::Result<Trace, String>> {
    let (program, _) = runner.program(request.subject);
    let mut questions = WorkFile::Questions.create()?;
    for address in counted.addresses() {
        writeln!(questions, "{address:#x}").stage("write addresses")?;
    }
    let argv = tools::addr2line(&program);
    let asked = WorkFile::Questions.open()?;
    if !tools::answered(runner, request, ADDR2LINE, argv, asked)? {
        return Ok(Err(NOT_READ.into()));
    }
    let answers = BufReader::new(WorkFile::Stdout.open()?);
    let Some(mut symbols) = Symbols::read(answers, &counted.addresses()) else {
        return Ok(Err(NOT_READ.into()));
    };
    let binary = File::open(&program).stage("open a binary")?;
    let named = library_names(&ElfFile(&binary), &counted.pointers());
    let mut questions = WorkFile::Questions.create()?;
    for (_, name) in &named {
        writeln!(questions, "{name}").stage("write names")?;
    }
    let asked = WorkFile::Questions.open()?;
    let argv = vec!["c++filt".to_owned()];
    if tools::answered(runner, request, FILTER, argv, asked)? {
        let answers = BufReader::new(WorkFile::Stdout.open()?);
        symbols.name_library(named.iter().map(|&(pointer, _)| pointer), answers);
    }
    Ok(Ok(attribution::attribute(counted, symbols)))
}
