//! One run that the runner traces, to find the lines where the program crashes, or where it is when
//! it takes too long.

use super::follow::{Plan, StopFor, follow};
use super::{source_frames, symbols};
use crate::process::run_program::run_measured;
use crate::process::runner::Runner;
use crate::process::spec::{Place, Spec};
use crate::process::sweep;
use crate::process::tracer::Tracee;
use crate::sys::fault::Result;
use crate::sys::files;
use profiler_decode::symbols::{SourceLine, Symbols};
use profiler_decode::unwind::Calls;
use runner_protocol::{Breach, Ending, Faulted, MAX_STACK_CALLS, Run, Stack, StackCall};
use std::collections::BTreeSet;

/// Maximum number of distinct addresses of calls that are looked up.
const MAX_ADDRESSES: usize = 256;
/// Maximum number of frames that are folded. An address can stand for many inlined calls.
const MAX_FRAMES: usize = 1 << 18;
/// Longest sequence of calls whose repetitions are folded.
const MAX_CYCLE: usize = 4;

/// Runs the program once, and returns the calls of the source at its crash or at the limit of time.
pub(crate) fn find_fault(runner: &Runner, request: &Run) -> Result<Faulted> {
    files::place(request.input)?;
    let (program, _) = runner.program(request.subject);
    let spec = Spec { is_traced: true, ..runner.spec(request) };
    let place = Place { stdio: Some(files::stdio(request.input)?), ..Place::default() };
    let plan = Plan { limits: &request.limits, stop: StopFor::Fault };
    let measure = || follow(runner, &spec, &place, plan, |pid| Tracee::new(pid, &program));
    let (execution, tracee) =
        run_measured(runner, place.scratch, measure, |(mut execution, tracee), aftermath| {
            aftermath.add_to(&mut execution, &request.limits);
            Ok((execution, tracee))
        })?;
    let calls = tracee.and_then(|tracee| calls_at_end(tracee, execution.ending));
    let stack = calls.map(|calls| stack(runner, request, &program, &calls)).transpose()?.flatten();
    sweep::wipe_scratch()?;
    Ok(Faulted { execution, stack })
}

/// The calls that were seen at the end of a run; `None` if it went on after them.
fn calls_at_end(tracee: Tracee<'_>, ending: Ending) -> Option<Calls> {
    let (signal, calls) = tracee.seen?;
    let is_last = match ending {
        Ending::Signaled(ended) => signal == ended,
        Ending::Stopped(breach) => matches!(breach, Breach::Wall(_)) && signal == libc::SIGSTOP,
        Ending::Exited(_) => false,
    };
    is_last.then_some(calls)
}

/// The calls of the source on a stack; `None` if none is known.
fn stack(runner: &Runner, request: &Run, program: &str, calls: &Calls) -> Result<Option<Stack>> {
    let addresses = calls.addresses.iter().filter_map(|&address| u32::try_from(address).ok());
    let mut asked = BTreeSet::new();
    for address in addresses.clone() {
        if asked.len() == MAX_ADDRESSES {
            break;
        }
        asked.insert(address);
    }
    let Some(symbols) = symbols(runner, request, program, &asked)? else { return Ok(None) };
    let frames = addresses.flat_map(|address| source_frames(symbols.frames(address)));
    let frames: Vec<_> = frames.take(MAX_FRAMES).collect();
    let mut stack = folded(&frames, &symbols);
    stack.is_cut |= calls.is_cut || frames.len() == MAX_FRAMES;
    Ok(Some(stack).filter(|stack| !stack.calls.is_empty()))
}

/// Folds repeated sequences of calls. If there are too many calls, leaves out those in the middle.
fn folded(frames: &[(SourceLine, u32)], symbols: &Symbols) -> Stack {
    let mut calls: Vec<((SourceLine, u32), u32)> = Vec::new();
    let mut rest = frames;
    while !rest.is_empty() {
        let repeated =
            |length: &usize| rest.chunks(*length).take_while(|it| *it == &rest[..*length]).count();
        let cycle = (1..=MAX_CYCLE.min(rest.len())).find(|length| repeated(length) > 1);
        let length = cycle.unwrap_or(1);
        let times = repeated(&length);
        let count = u32::try_from(times).unwrap_or(u32::MAX);
        calls.extend(rest[..length].iter().map(|&frame| (frame, count)));
        rest = &rest[length * times..];
    }
    let is_cut = calls.len() > MAX_STACK_CALLS;
    if is_cut {
        let half = MAX_STACK_CALLS / 2;
        calls.drain(half..calls.len() - half);
    }
    let name = |number: u32| symbols.names.get(number as usize).cloned().unwrap_or_default();
    let call = |((at, function), times): ((SourceLine, u32), u32)| StackCall {
        function: name(function),
        file: at.file.map(name).unwrap_or_default(),
        line: at.line,
        times,
    };
    Stack { calls: calls.into_iter().map(call).collect(), is_cut }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(frames: &[(u32, u32)]) -> (Vec<(u32, u32)>, bool) {
        let frames = frames.iter().map(|&(line, name)| (SourceLine { file: None, line }, name));
        let stack = folded(&frames.collect::<Vec<_>>(), &Symbols::default());
        (stack.calls.iter().map(|call| (call.line, call.times)).collect(), stack.is_cut)
    }

    #[test]
    fn repeated_calls_are_folded() {
        let mut frames = vec![(5, 0)];
        frames.extend([(6, 0); 9]);
        frames.extend([(7, 1), (8, 2)].repeat(3));
        frames.push((9, 3));
        let folded = vec![(5, 1), (6, 9), (7, 3), (8, 3), (9, 1)];
        assert_eq!(lines(&frames), (folded, false));
        assert_eq!(lines(&[]), (Vec::new(), false));
    }

    #[test]
    fn equal_lines_of_two_files_are_two_calls() {
        let mut symbols = Symbols::default();
        let file = Some(symbols.intern("lib/a.h"));
        let frames = [(SourceLine { file, line: 5 }, 9), (SourceLine { file: None, line: 5 }, 9)];
        let calls = folded(&frames, &symbols).calls;
        let files: Vec<_> = calls.iter().map(|call| (call.file.as_str(), call.times)).collect();
        assert_eq!(files, [("lib/a.h", 1), ("", 1)]);
    }

    #[test]
    fn too_many_calls_lose_those_in_the_middle() {
        let frames: Vec<_> = (1..=1000).map(|line| (line, 0)).collect();
        let (calls, is_cut) = lines(&frames);
        assert_eq!((calls.len(), is_cut), (MAX_STACK_CALLS, true));
        assert_eq!((calls[0], calls[MAX_STACK_CALLS - 1]), ((1, 1), (1000, 1)));
    }
}
