//! Counts of one program on many inputs, in one process of the instruction counter. The process is
//! started and confined like that of a single count. The limits apply to the whole process, and the
//! counter itself enforces the time limit of each input. Its output about basic blocks becomes the
//! costs of the blocks, and of the requested line or the lines that each input reaches.

use super::reached::Reached;
use super::{counted, read_output, result_file};
use crate::process::run_program::run_program;
use crate::process::runner::Runner;
use crate::process::spawn::above_result;
use crate::process::spec::{Place, Spec};
use crate::runs::trace::{source_frames, symbols};
use crate::sys::fault::{Result, Stage};
use crate::sys::files::{self, WorkFile};
use profiler_decode::counter_output::{
    Block, Exited, Line, MAX_BYTES, OVERTIME_SIGNAL, SERIES, read_series,
};
use profiler_decode::symbols::{SourceLine, Symbols};
use runner_protocol::{
    Breach, CountSeries, CountedSeries, Ending, InputCount, MAX_INPUT_BLOCKS, MAX_SERIES_INPUTS,
    SeriesLines,
};
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::io::{Read, Seek, SeekFrom};
use std::os::fd::AsRawFd;

/// Maximum number of addresses whose lines are looked up.
const MAX_ADDRESSES: usize = 100_000;
/// Size of the length before each input, in bytes.
const LENGTH_BYTES: usize = 4;

/// Counts the program on the inputs that were put, until an input ends the process.
pub(crate) fn count_series(runner: &Runner, request: &CountSeries) -> Result<CountedSeries> {
    let CountSeries { run, each_ms, all_ms, lines } = request;
    let (writer, stdio) = files::series_stdio()?;
    let kept = [above_result(&WorkFile::INPUTS.open()?)?, above_result(&writer)?];
    let numbers = kept.each_ref().map(|kept| kept.as_raw_fd().to_string());
    let (program, _) = runner.program(run.subject);
    let argv = ["counter".into(), SERIES.into()].into_iter().chain(numbers);
    let spec = Spec {
        path: files::counter(),
        is_at_random: true,
        argv: argv.chain([each_ms.to_string(), all_ms.to_string(), program]).collect(),
        limits: Some(&run.limits),
        core: run.core,
        ..Spec::default()
    };
    let given = given_inputs(WorkFile::INPUTS.open()?)?;
    let (result, nonce) = result_file()?;
    let place =
        Place { stdio: Some(stdio), result: Some(result), kept: kept.into(), ..Place::default() };
    let (execution, output) =
        run_program(runner, &spec, &place, &run.limits, |_| read_output(MAX_BYTES))?;
    let (exited, last) = read_series(&nonce, &output, given);
    let mut ended: Vec<_> = exited.iter().map(counted_input).collect();
    let mut code_lines = Vec::new();
    match lines {
        SeriesLines::None => {}
        SeriesLines::Cost(line) => {
            if let Some(symbols) = symbols_of(runner, request, &exited)? {
                let line = symbols.line(line);
                for (count, one) in ended.iter_mut().zip(&exited) {
                    count.line_instructions = Some(of_line(one, line, &symbols));
                }
            }
        }
        SeriesLines::Reached => {
            let mut reached = Reached::of_program(runner, run)?;
            for (count, one) in ended.iter_mut().zip(&exited) {
                count.new_lines = reached.new_lines(one);
            }
            code_lines = reached.code_lines();
        }
    }
    let counts = counts(ended, last, execution.ending, (*each_ms, given));
    Ok(CountedSeries { execution, counts, code_lines })
}

/// The number of inputs in a file: each is a little-endian `u32` length and that many bytes.
fn given_inputs(mut from: impl Read + Seek) -> Result<usize> {
    let end = from.seek(SeekFrom::End(0)).stage("read the inputs")?;
    let (mut at, mut given) = (0, 0);
    let mut length = [0; LENGTH_BYTES];
    while at < end && given < MAX_SERIES_INPUTS {
        from.seek(SeekFrom::Start(at)).stage("read the inputs")?;
        from.read_exact(&mut length).stage("read the inputs")?;
        at += (LENGTH_BYTES + u32::from_le_bytes(length) as usize) as u64;
        given += 1;
    }
    Ok(given)
}

/// The symbols of all executed addresses. `None` if there are too many, or no debug information.
fn symbols_of(
    runner: &Runner,
    request: &CountSeries,
    exited: &[Exited<'_>],
) -> Result<Option<Symbols>> {
    let blocks = exited.iter().flat_map(Exited::blocks);
    let executed = blocks.flat_map(|block| block.addresses);
    let mut addresses = BTreeSet::new();
    for address in executed {
        addresses.insert(address);
        if addresses.len() > MAX_ADDRESSES {
            return Ok(None);
        }
    }
    let (program, _) = runner.program(request.run.subject);
    symbols(runner, &request.run, &program, &addresses)
}

fn counted_input(exited: &Exited<'_>) -> InputCount {
    let cost = |block: &Block| block.executions.saturating_mul(block.addresses.len() as u64);
    let begin = |block: &Block| block.addresses.first().copied().unwrap_or(0);
    let mut blocks: Vec<_> = exited.blocks().map(|block| (begin(&block), cost(&block))).collect();
    blocks.sort_unstable_by_key(|&(_, cost)| Reverse(cost));
    blocks.truncate(MAX_INPUT_BLOCKS);
    InputCount {
        ending: Ending::Exited(exited.code),
        instructions: Ok(exited.count.all),
        own_instructions: exited.count.own,
        blocks,
        line_instructions: None,
        new_lines: Vec::new(),
    }
}

/// The instructions whose innermost line in the source is `line`. If the line's file is not known,
/// there are none.
fn of_line(exited: &Exited<'_>, line: Option<SourceLine>, symbols: &Symbols) -> u64 {
    let is_on_line = |address: &&u32| {
        let innermost = source_frames(symbols.frames(**address)).next();
        innermost.is_some_and(|(innermost, _)| Some(innermost) == line)
    };
    exited.blocks().fold(0, |sum: u64, block| {
        let on_line = block.addresses.iter().filter(is_on_line).count() as u64;
        sum.saturating_add(block.executions.saturating_mul(on_line))
    })
}

/// The counts of the inputs on which the program exited, and of the one that ended the process, if
/// there was one.
fn counts(
    mut counts: Vec<InputCount>,
    last: Line,
    ending: Ending,
    (each_ms, given): (u64, usize),
) -> Vec<InputCount> {
    let ending = match ending {
        Ending::Signaled(OVERTIME_SIGNAL) => {
            Ending::Stopped(Breach::Wall(each_ms.saturating_mul(1_000_000)))
        }
        other => other,
    };
    let has_input = match (ending, &last) {
        (Ending::Exited(_), Line::Unsupported(_)) => true,
        // The counter's own copy of the program's memory may have caused this ending.
        (
            Ending::Exited(_)
            | Ending::Signaled(libc::SIGKILL)
            | Ending::Stopped(Breach::Resident(_)),
            _,
        ) => false,
        _ => true,
    };
    if has_input && counts.len() < given {
        let instructions = counted(last, ending).map(|count| count.all);
        counts.push(InputCount {
            ending,
            instructions,
            own_instructions: None,
            blocks: Vec::new(),
            line_instructions: None,
            new_lines: Vec::new(),
        });
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use profiler_decode::addr2line::OwnFiles;
    use profiler_decode::counter_output::Nonce;
    use std::io::Cursor;

    const NONCE: Nonce = *b"sixteen bytes...";
    /// Two inputs without blocks.
    const LINES: &str = "sixteen bytes...exited 0 instructions 9 own 2\n\0\0\0\0\
                         sixteen bytes...exited 7 instructions 11\n\0\0\0\0";

    fn ends(output: &str, ending: Ending) -> Vec<(Ending, Option<u64>)> {
        let (exited, last) = read_series(&NONCE, output.as_bytes(), MAX_SERIES_INPUTS);
        let exited = exited.iter().map(counted_input).collect();
        let counts = counts(exited, last, ending, (5, MAX_SERIES_INPUTS));
        counts.into_iter().map(|it| (it.ending, it.instructions.ok())).collect()
    }

    #[test]
    fn ending_of_the_process_is_that_of_its_last_input() {
        let exited = [(Ending::Exited(0), Some(9)), (Ending::Exited(7), Some(11))];
        assert_eq!(ends(LINES, Ending::Exited(0)), exited);
        let crash = ends(LINES, Ending::Signaled(libc::SIGSEGV));
        assert_eq!((&crash[..2], crash[2]), (&exited[..], (Ending::Signaled(libc::SIGSEGV), None)));
        let late = ends(LINES, Ending::Signaled(OVERTIME_SIGNAL));
        assert_eq!(late[2].0, Ending::Stopped(Breach::Wall(5_000_000)));
        let refused =
            ends(&format!("{LINES}sixteen bytes...unsupported it forks\n"), Ending::Exited(125));
        assert_eq!(refused[2], (Ending::Exited(125), None));
    }

    #[test]
    fn fault_of_the_series_ends_no_input() {
        for ending in [Ending::Signaled(libc::SIGKILL), Ending::Stopped(Breach::Resident(1))] {
            assert_eq!(ends(LINES, ending).len(), 2);
        }
        assert_eq!(ends("", Ending::Exited(125)), []);
    }

    #[test]
    fn inputs_are_numbered_by_their_lengths() {
        let framed = [&2_u32.to_le_bytes()[..], b"7\n", &0_u32.to_le_bytes()].concat();
        assert_eq!(given_inputs(Cursor::new(framed)).unwrap(), 2);
    }

    #[test]
    fn forged_output_is_bounded() {
        let forged = LINES.repeat(MAX_SERIES_INPUTS);
        assert_eq!(ends(&forged, Ending::Exited(0)), []);
        for forged in ["exited 256 instructions 1\n", "exited 0 instructions 1\n", "\n\n", "exited"]
        {
            assert_eq!(ends(forged, Ending::Exited(0)), []);
        }
    }

    #[test]
    fn line_has_the_instructions_whose_innermost_line_it_is() {
        // Two blocks: at 0x10 and 0x13, seven times, and at 0x20, twice.
        let block = |address: u32, executions: u64, lengths: &[u8]| {
            let count = [u8::try_from(lengths.len()).unwrap()];
            [&address.to_le_bytes()[..], &executions.to_le_bytes(), &count, lengths].concat()
        };
        let blocks = [block(0x20, 2, &[4]), block(0x10, 7, &[3, 5])].concat();
        let line = b"sixteen bytes...exited 0 instructions 99 own 16\n";
        let output = [&line[..], &2_u32.to_le_bytes(), &blocks].concat();
        let (exited, _) = read_series(&NONCE, &output, 1);
        let main = "/tmp/main.cpp";
        let answers = format!(
            "0x10\nmin\n/usr/include/a.h:4\nf\n{main}:4\n0x13\nf\n{main}:5\n0x20\nf\n{main}:4\n"
        );
        let asked = BTreeSet::from([0x10, 0x13, 0x20]);
        let symbols = Symbols::read(answers.as_bytes(), &asked, &OwnFiles::default()).unwrap();
        assert_eq!(counted_input(&exited[0]).blocks, [(0x10, 14), (0x20, 2)]);
        assert_eq!(of_line(&exited[0], Some(SourceLine { file: None, line: 4 }), &symbols), 9);
    }
}
