//! Counts of one program on many inputs, in one process of the instruction counter. It is started
//! and confined like a single count. The limits hold for the whole process, and the counter itself
//! keeps the time limit of each input.

use super::counted;
use crate::process::run_program::run_program;
use crate::process::runner::Runner;
use crate::process::spec::{Place, RESULT, Spec};
use crate::sys::fault::{Result, Stage};
use crate::sys::files::{self, WorkFile};
use nix::fcntl::{FcntlArg, fcntl};
use profiler_decode::counter_output::{Line, MAX_LINE_BYTES, OVERTIME_SIGNAL, read_series};
use runner_protocol::{Breach, CountSeries, CountedSeries, Ending, InputCount, MAX_SERIES_INPUTS};
use std::fs::File;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};

/// The argument that requests a series.
const SERIES: &str = "series";
/// Most of the counter's output that is read, in bytes.
const MAX_OUTPUT_BYTES: usize = (MAX_SERIES_INPUTS + 1) * MAX_LINE_BYTES;

/// Counts the program on the inputs that were put, until a process has to end.
pub(crate) fn count_series(runner: &Runner, request: &CountSeries) -> Result<CountedSeries> {
    let CountSeries { run, each_ms, all_ms } = request;
    let (writer, stdio) = files::series_stdio()?;
    let kept = [above_result(&WorkFile::Inputs.open()?)?, above_result(&writer)?];
    let numbers = kept.each_ref().map(|kept| kept.as_raw_fd().to_string());
    let (program, _) = runner.program(run.subject);
    let counter = files::counter();
    let argv = ["counter".into(), SERIES.into()].into_iter().chain(numbers);
    let spec = Spec {
        path: &counter.to_string_lossy(),
        argv: argv.chain([each_ms.to_string(), all_ms.to_string(), program]).collect(),
        limits: Some(&run.limits),
        core: run.core,
        ..Spec::default()
    };
    let place = Place {
        stdio: Some(stdio),
        result: Some(WorkFile::Count.create()?),
        kept: kept.into(),
        ..Place::default()
    };
    let (execution, output) = run_program(runner, &spec, &place, &run.limits, |_| {
        let count = WorkFile::Count.open()?;
        WorkFile::Count.remove()?;
        files::read_at_most(count, MAX_OUTPUT_BYTES).stage("read the counts")
    })?;
    Ok(CountedSeries { counts: counts(&output, execution.ending, *each_ms), execution })
}

/// What the counter wrote, and how its process ended, as counts of the first inputs.
fn counts(output: &[u8], ending: Ending, each_ms: u64) -> Vec<InputCount> {
    let (exited, last) = read_series(output, MAX_SERIES_INPUTS);
    let ending = match ending {
        Ending::Signaled(OVERTIME_SIGNAL) => {
            Ending::Stopped(Breach::Wall(each_ms.saturating_mul(1_000_000)))
        }
        other => other,
    };
    let has_input = match (ending, &last) {
        (Ending::Exited(_), Line::Unsupported(_)) => true,
        // The copy of the program's memory may have been what was too much.
        (
            Ending::Exited(_)
            | Ending::Signaled(libc::SIGKILL)
            | Ending::Stopped(Breach::Resident(_)),
            _,
        ) => false,
        _ => true,
    };
    let mut counts: Vec<InputCount> = exited
        .into_iter()
        .map(|one| InputCount {
            ending: Ending::Exited(one.code),
            instructions: Ok(one.count.all),
            own_instructions: one.count.own,
        })
        .collect();
    if has_input && counts.len() < MAX_SERIES_INPUTS {
        let instructions = counted(last, ending).map(|count| count.all);
        counts.push(InputCount { ending, instructions, own_instructions: None });
    }
    counts
}

/// Another descriptor of a file, which is not the result's.
fn above_result(file: &File) -> Result<OwnedFd> {
    let number = fcntl(file, FcntlArg::F_DUPFD_CLOEXEC(RESULT + 1)).stage("keep a descriptor")?;
    // SAFETY: the descriptor is new, and nobody else has it.
    Ok(unsafe { OwnedFd::from_raw_fd(number) })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINES: &str = "exited 0 instructions 9 own 2\nexited 7 instructions 11\n";

    fn ends(output: &str, ending: Ending) -> Vec<(Ending, Option<u64>)> {
        let counts = counts(output.as_bytes(), ending, 5);
        counts.into_iter().map(|it| (it.ending, it.instructions.ok())).collect()
    }

    #[test]
    fn the_ending_of_the_process_is_that_of_its_last_input() {
        let exited = [(Ending::Exited(0), Some(9)), (Ending::Exited(7), Some(11))];
        assert_eq!(ends(LINES, Ending::Exited(0)), exited);
        let crash = ends(LINES, Ending::Signaled(libc::SIGSEGV));
        assert_eq!((&crash[..2], crash[2]), (&exited[..], (Ending::Signaled(libc::SIGSEGV), None)));
        let late = ends(LINES, Ending::Signaled(OVERTIME_SIGNAL));
        assert_eq!(late[2].0, Ending::Stopped(Breach::Wall(5_000_000)));
        let refused = ends(&format!("{LINES}unsupported it forks\n"), Ending::Exited(125));
        assert_eq!(refused[2], (Ending::Exited(125), None));
    }

    #[test]
    fn what_may_be_the_fault_of_the_series_is_no_ending_of_an_input() {
        for ending in [Ending::Signaled(libc::SIGKILL), Ending::Stopped(Breach::Resident(1))] {
            assert_eq!(ends(LINES, ending).len(), 2);
        }
        assert_eq!(ends("", Ending::Exited(125)), []);
    }

    #[test]
    fn forged_output_is_bounded() {
        let forged = LINES.repeat(MAX_SERIES_INPUTS);
        assert_eq!(ends(&forged, Ending::Signaled(libc::SIGSEGV)).len(), MAX_SERIES_INPUTS);
        for forged in ["exited 256 instructions 1\n", "exited 0 instructions x\n", "\n\n", "exited"]
        {
            assert_eq!(ends(forged, Ending::Exited(0)), []);
        }
    }
}
