//! One run under the instruction counter that reports where the program executed its instructions.
//!
//! The counter's output comes from the program's own process, and the tools' output comes from the
//! program's binary. Both are bounded and parsed without trust. A program can only forge its own
//! profile.

mod attribution;
pub(crate) mod fault;
mod follow;
pub(crate) mod sampling;
mod source_frames;
mod stacks;

pub(crate) use attribution::line_costs;
pub(crate) use source_frames::source_frames;

use crate::process::outputs;
use crate::process::runner::Runner;
use crate::process::sweep;
use crate::runs::compile::own_files;
use crate::runs::count::{self, Report};
use crate::runs::tools::{self, ADDR2LINE};
use crate::sys::fault::{Result, Stage};
use crate::sys::files::WorkFile;
use profiler_decode::counter_output::{Line, Profile, read_profile};
use profiler_decode::elf::library_names;
use profiler_decode::symbols::Symbols;
use runner_protocol::{MAX_KEPT_BYTES, Run, Trace, Traced};
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, BufReader, Read, Write};

/// Demangles names; from the same package as gprof.
const FILTER: &str = "/usr/bin/c++filt";
const NOT_READ: &str = "its debug information cannot be read";

/// Runs the program once, and returns where its instructions were executed.
pub(crate) fn trace(runner: &Runner, request: &Run) -> Result<Traced> {
    let (execution, nonce, output) = count::run_counter(runner, request, Report::Profile)?;
    let written = outputs::written(request.stdout_head)?;
    let (line, rest) = Line::split(&nonce, &output);
    let trace = match count::counted(line, execution.ending) {
        Ok(count) => match read_profile(count, rest) {
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
    let Some(mut symbols) = symbols(runner, request, &program, &counted.addresses())? else {
        return Ok(Err(NOT_READ.into()));
    };
    let binary = File::open(&program).stage("open a binary")?;
    let called = library_names(&binary, &counted.pointers());
    let names: String = called.iter().flat_map(|(_, name)| [name, "\n"]).collect();
    if let Some(answers) = demangled(runner, request, &names)? {
        symbols.name_library(called.iter().map(|&(pointer, _)| pointer), answers);
    }
    Ok(Ok(attribution::attribute(counted, symbols)))
}

/// The symbols of these addresses. Addresses that an earlier run of this build executed are not
/// looked up again, because starting a tool takes longer than a small run. `None` if there is no
/// debug information that can be read.
pub(crate) fn symbols(
    runner: &Runner,
    request: &Run,
    program: &str,
    addresses: &BTreeSet<u32>,
) -> Result<Option<Symbols>> {
    let (mut kept, own) = (WorkFile::SYMBOLS.append()?, own_files()?);
    let known = || Ok(BufReader::new(WorkFile::SYMBOLS.open()?));
    let Some(symbols) = Symbols::read(known()?, addresses, &own) else { return Ok(None) };
    let unknown = || addresses.iter().filter(|&&address| symbols.frames(address).is_empty());
    if unknown().next().is_none() {
        return Ok(Some(symbols));
    }
    let mut questions = WorkFile::QUESTIONS.create()?;
    for address in unknown() {
        writeln!(questions, "{address:#x}").stage("write addresses")?;
    }
    let asked = WorkFile::QUESTIONS.open()?;
    if !tools::answered(runner, request, ADDR2LINE, tools::addr2line(program), asked)? {
        return Ok(None);
    }
    let all = known()?.chain(BufReader::new(WorkFile::STDOUT.open()?));
    let symbols = Symbols::read(all, addresses, &own);
    if WorkFile::SYMBOLS.length()? + WorkFile::STDOUT.length()? <= MAX_KEPT_BYTES {
        io::copy(&mut WorkFile::STDOUT.open()?, &mut kept).stage("keep symbols")?;
    }
    Ok(symbols)
}

/// The answers of c++filt for `names`, one per line; `None` if c++filt fails. The answers for the
/// last run are kept, because most runs call the same library functions.
fn demangled(runner: &Runner, request: &Run, names: &str) -> Result<Option<BufReader<File>>> {
    let asked = fs::read(WorkFile::NAMES_ASKED.path());
    if asked.is_ok_and(|asked| asked == names.as_bytes()) {
        return Ok(Some(BufReader::new(WorkFile::NAMES.open()?)));
    }
    WorkFile::QUESTIONS.create()?.write_all(names.as_bytes()).stage("write names")?;
    let questions = WorkFile::QUESTIONS.open()?;
    if !tools::answered(runner, request, FILTER, vec!["c++filt".to_owned()], questions)? {
        return Ok(None);
    }
    WorkFile::NAMES_ASKED.remove()?;
    if WorkFile::QUESTIONS.length()?.max(WorkFile::STDOUT.length()?) <= MAX_KEPT_BYTES {
        io::copy(&mut WorkFile::STDOUT.open()?, &mut WorkFile::NAMES.create()?)
            .stage("keep names")?;
        WorkFile::NAMES_ASKED.create()?.write_all(names.as_bytes()).stage("keep names")?;
    }
    Ok(Some(BufReader::new(WorkFile::STDOUT.open()?)))
}
