//! One run under the instruction counter: a program that executes another one and counts what it does.
//! It is started like the program and treated like it, and says its count on a descriptor of its own.

use crate::child::Spec;
use crate::fault::{At, Result};
use crate::files::{self, Own};
use crate::runner::Runner;
use crate::{measure, sweep};
use nix::sys::signal::Signal;
use runner_protocol::{Breach, Counted, Ending, Run};

/// Most that a counter has to say, in bytes.
const MAX_LINE_BYTES: usize = 200;

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
    let instructions = instructions(&said, execution.ending);
    Ok(Counted { execution, instructions, written: files::written(request.stdout_head)? })
}

/// The count in the counter's first line and what follows it, or why there is none.
pub(crate) fn first_line(said: &[u8], ending: Ending) -> std::result::Result<(u64, &[u8]), String> {
    let end = said.iter().position(|&byte| byte == b'\n').map_or(said.len(), |at| at + 1);
    let (line, rest) = said.split_at(end);
    instructions(line, ending).map(|instructions| (instructions, rest))
}

/// The count in the counter's line, or why there is none.
fn instructions(said: &[u8], ending: Ending) -> std::result::Result<u64, String> {
    let line = said.strip_suffix(b"\n").filter(|line| line.len() < MAX_LINE_BYTES);
    let words = line.and_then(|line| std::str::from_utf8(line).ok()?.split_once(' '));
    match words {
        Some(("instructions", number)) if number.bytes().all(|byte| byte.is_ascii_digit()) => {
            number.parse().map_err(|_| "the counter's number is too large".to_owned())
        }
        Some(("unsupported", reason)) if is_plain(reason) => Err(reason.to_owned()),
        _ if said.is_empty() => Err(format!("it {} under the counter", how(ending))),
        _ => Err(format!("it {} under the counter, which said something else", how(ending))),
    }
}

/// Whether text from inside the sandbox can be passed on as it is.
fn is_plain(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic())
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

    fn said(text: &str) -> std::result::Result<u64, String> {
        instructions(text.as_bytes(), Ending::Exited(0))
    }

    #[test]
    fn a_count_is_one_line() {
        assert_eq!(said("instructions 18446744073709551615\n"), Ok(u64::MAX));
        for malformed in [
            "instructions 7",
            "instructions +7\n",
            "instructions \n",
            "instructions 7 \n",
            "instructions 7\ninstructions 8\n",
            "instructions 18446744073709551616\n",
            "Instructions 7\n",
            "\n",
        ] {
            assert!(said(malformed).is_err(), "{malformed:?}");
        }
    }

    #[test]
    fn a_reason_is_passed_on_if_it_is_plain() {
        assert_eq!(said("unsupported it uses avx\n"), Err("it uses avx".into()));
        for odd in ["unsupported \u{1b}[2J\n", "unsupported \u{e9}\n", "unsupported a\nb\n"] {
            assert_eq!(said(odd), said("?"), "{odd:?}");
        }
        assert_eq!(said(&format!("unsupported {}\n", "x".repeat(MAX_LINE_BYTES))), said("?"));
    }

    #[test]
    fn without_a_line_the_ending_is_the_reason() {
        let segfault = instructions(b"", Ending::Signaled(libc::SIGSEGV));
        assert_eq!(segfault, Err("it ended by SIGSEGV under the counter".into()));
        let stopped = instructions(b"", Ending::Stopped(Breach::Wall(1)));
        assert_eq!(stopped, Err("it met its time limit under the counter".into()));
    }
}
