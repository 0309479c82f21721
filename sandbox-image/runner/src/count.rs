//! One run under the instruction counter: a program that executes another one and counts what it does.
//! It is started like the program and treated like it, and says its count on a descriptor of its own.

use crate::child::Spec;
use crate::fault::{At, Result};
use crate::files::{self, Own};
use crate::runner::Runner;
use crate::{measure, sweep};
use nix::sys::signal::Signal;
use profiler_decode::counter_output::{Line, MAX_LINE_BYTES};
use runner_protocol::{Breach, Counted, Ending, Run};

/// Runs once and counts.
pub(crate) fn count(runner: &Runner, request: &Run) -> Result<Counted> {
    files::place(request.input)?;
    let (program, argument) = runner.program(request.subject);
    let counter = files::counter();
    let argv = ["counter", &program].into_iter().chain(argument);
    let spec = Spec {
        path: &counter.to_string_lossy(),
        argv: argv.map(String::from).collect(),
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
    // One more than is allowed: a line that is cut is none.
    let said = files::read_at_most(Own::Count.open()?, MAX_LINE_BYTES + 1).at("read the count")?;
    let instructions = counted(Line::parse(&said), execution.ending);
    Ok(Counted { execution, instructions, written: files::written(request.stdout_head)? })
}

/// The count, or in words why there is none.
pub(crate) fn counted(line: Line, ending: Ending) -> std::result::Result<u64, String> {
    match line {
        Line::Instructions(count) => Ok(count),
        Line::TooLarge => Err("the counter's number is too large".to_owned()),
        Line::Unsupported(reason) => Err(reason),
        Line::Absent => Err(format!("it {} under the counter", how(ending))),
        Line::Malformed => {
            Err(format!("it {} under the counter, which said something else", how(ending)))
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
    fn without_a_line_the_ending_is_the_reason() {
        let segfault = counted(Line::Absent, Ending::Signaled(libc::SIGSEGV));
        assert_eq!(segfault, Err("it ended by SIGSEGV under the counter".into()));
        let stopped = counted(Line::Absent, Ending::Stopped(Breach::Wall(1)));
        assert_eq!(stopped, Err("it met its time limit under the counter".into()));
    }
}
