//! One run under the instruction counter, a program that executes another one and counts its
//! instructions. The counter is started and confined like the program, and writes its count to
//! descriptor 3. The output counts only if it begins with the nonce that the runner has put into
//! that file: a program that could write to the file does not know it.

pub(crate) mod by_line;
pub(crate) mod forked;
mod reached;
pub(crate) mod series;

use crate::process::outputs;
use crate::process::run_program::run_program;
use crate::process::runner::Runner;
use crate::process::spec::{Place, Spec};
use crate::sys::fault::{Result, Stage};
use crate::sys::files::{self, WorkFile};
use nix::errno::Errno;
use nix::sys::signal::Signal;
use profiler_decode::counter_output::{
    Count, Line, MAX_BYTES, MAX_LINE_BYTES, NONCE_BYTES, Nonce, PROFILE,
};
use runner_protocol::{Breach, Counted, Ending, Execution, Run};
use std::fs::File;
use std::io::Write;

/// Length of a count that is read, in bytes: one more than allowed, so that a line that is too long
/// does not look complete.
const LINE_BYTES: usize = NONCE_BYTES + MAX_LINE_BYTES + 1;

/// Report that the counter writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Report {
    /// The line with the count.
    Total,
    /// The line, and where the instructions were executed.
    Profile,
}

impl Report {
    /// The counter's argument that requests it.
    fn word(self) -> Option<&'static str> {
        (self == Self::Profile).then_some(PROFILE)
    }

    /// Number of bytes of the counter's output that are read.
    fn most_bytes(self) -> usize {
        match self {
            Self::Total => LINE_BYTES,
            Self::Profile => MAX_BYTES,
        }
    }

    fn line(self, nonce: &Nonce, output: &[u8]) -> Line {
        match self {
            Self::Total => Line::parse(nonce, output),
            Self::Profile => Line::split(nonce, output).0,
        }
    }
}

/// A count, and the counter's output.
pub(crate) type WithOutput = (Counted, Vec<u8>);

/// Runs the program once and counts its instructions.
pub(crate) fn count(runner: &Runner, request: &Run, report: Report) -> Result<WithOutput> {
    let (execution, nonce, output) = run_counter(runner, request, report)?;
    Ok((counted_of(request, execution, report.line(&nonce, &output))?, output))
}

/// The answer to a request, from the line of the counter.
fn counted_of(request: &Run, execution: Execution, line: Line) -> Result<Counted> {
    let counted = counted(line, execution.ending);
    Ok(Counted {
        own_instructions: counted.as_ref().ok().and_then(|count| count.own),
        instructions: counted.map(|count| count.all),
        execution,
        written: outputs::written(request.stdout_head)?,
    })
}

/// Runs the program under the counter. Returns also the nonce of the counter's output, and the
/// output.
pub(crate) fn run_counter(
    runner: &Runner,
    request: &Run,
    report: Report,
) -> Result<(Execution, Nonce, Vec<u8>)> {
    files::place(request.input)?;
    let (program, argument) = runner.program(request.subject);
    let argv =
        ["counter"].into_iter().chain(report.word()).chain([program.as_str()]).chain(argument);
    let spec = Spec {
        path: files::counter(),
        is_at_random: true,
        argv: argv.map(String::from).collect(),
        limits: Some(&request.limits),
        core: request.core,
        files: request.files,
        ..Spec::default()
    };
    let (result, nonce) = result_file()?;
    let place = Place {
        stdio: Some(files::stdio(request.input)?),
        result: Some(result),
        ..Place::default()
    };
    let read = |_: &Execution| read_output(report.most_bytes());
    let (execution, output) = run_program(runner, &spec, &place, &request.limits, read)?;
    Ok((execution, nonce, output))
}

/// Creates the result file of a run, which holds a random nonce.
fn result_file() -> Result<(File, Nonce)> {
    let mut nonce = [0; NONCE_BYTES];
    // SAFETY: the buffer has room for as many bytes as the kernel is asked for. It gives as many,
    // because it gives up to 256 at once.
    let given = unsafe { libc::getrandom(nonce.as_mut_ptr().cast(), nonce.len(), 0) };
    Errno::result(given).stage("get a nonce")?;
    let mut file = WorkFile::COUNT.create()?;
    file.write_all(&nonce).stage("write a nonce")?;
    Ok((file, nonce))
}

/// Reads and removes the counter's output, at most `most` bytes.
fn read_output(most: usize) -> Result<Vec<u8>> {
    let count = WorkFile::COUNT.open()?;
    // A later program that runs as the runner's own user could read the file.
    WorkFile::COUNT.remove()?;
    files::read_at_most(count, most).stage("read the count")
}

/// The count, or the reason why there is none.
pub(crate) fn counted(line: Line, ending: Ending) -> std::result::Result<Count, String> {
    match line {
        Line::Instructions(count) => Ok(count),
        Line::TooLarge => Err("the counter's number is too large".to_owned()),
        Line::Unsupported(reason) => Err(reason),
        Line::Absent => Err(format!("it {} under the counter", how(ending))),
        Line::Malformed => {
            Err(format!("it {} under the counter, whose output cannot be read", how(ending)))
        }
    }
}

fn how(ending: Ending) -> String {
    match ending {
        Ending::Exited(code) => format!("exited with {code}"),
        Ending::Signaled(signal) => match Signal::try_from(signal) {
            Ok(signal) => format!("ended by {signal}"),
            Err(_) => format!("ended by signal {signal}"),
        },
        Ending::Stopped(Breach::Time(_) | Breach::Wall(_)) => "met its time limit".into(),
        Ending::Stopped(Breach::Resident(_)) => "met its memory limit".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ending_is_the_reason_without_a_line() {
        let segfault = counted(Line::Absent, Ending::Signaled(libc::SIGSEGV));
        assert_eq!(segfault, Err("it ended by SIGSEGV under the counter".into()));
        let stopped = counted(Line::Absent, Ending::Stopped(Breach::Wall(1)));
        assert_eq!(stopped, Err("it met its time limit under the counter".into()));
    }
}
