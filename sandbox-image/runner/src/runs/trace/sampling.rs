//! One run that the runner stops again and again, to find the lines that take its time.

use super::follow::{Plan, StopFor, follow};
use super::{source_frames, symbols};
use crate::process::outputs;
use crate::process::run_program::run_measured;
use crate::process::runner::Runner;
use crate::process::spec::{Place, Spec};
use crate::process::sweep;
use crate::process::tracer::{Samples, Tracee};
use crate::sys::fault::Result;
use crate::sys::files;
use profiler_decode::symbols::{SourceLine, Symbols};
use runner_protocol::{LineSamples, MAX_SAMPLED_LINES, SampleLines, SampledLines};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Maximum number of distinct addresses that are looked up.
const MAX_ADDRESSES: usize = 4096;

/// The addresses of calls in the program, the innermost first, with their number of samples.
type Stacks = HashMap<Vec<u64>, u32>;

/// Runs the program once, and returns the lines at which it was seen.
pub(crate) fn sample_lines(runner: &Runner, request: &SampleLines) -> Result<SampledLines> {
    let SampleLines { run, interval_ns } = request;
    files::place(run.input)?;
    let (program, _) = runner.program(run.subject);
    let spec = Spec { is_traced: true, ..runner.spec(run) };
    let place = Place { stdio: Some(files::stdio(run.input)?), ..Place::default() };
    let plan = Plan { limits: &run.limits, stop: StopFor::Samples { interval_ns: *interval_ns } };
    let measure = || follow(runner, &spec, &place, plan, |pid| Tracee::sampled(pid, &program));
    let (execution, samples, written) =
        run_measured(runner, place.scratch, measure, |(mut execution, tracee), aftermath| {
            aftermath.add_to(&mut execution, &run.limits);
            let samples = tracee.and_then(|tracee| tracee.samples);
            Ok((execution, samples, outputs::written(run.stdout_head)?))
        })?;
    let samples = samples.filter(|samples| !samples.has_threads && execution.ending.is_success());
    let Some(Samples { taken, stacks, .. }) = samples else {
        return Ok(SampledLines { execution, written, samples: 0, lines: Vec::new() });
    };
    let symbols = symbols(runner, run, &program, &addresses(&stacks))?;
    let lines = symbols.map(|symbols| lines(&stacks, &symbols)).unwrap_or_default();
    sweep::wipe_scratch()?;
    Ok(SampledLines { execution, written, samples: taken, lines })
}

/// The addresses of all samples. If there are too many, those of the innermost calls.
fn addresses(stacks: &Stacks) -> BTreeSet<u32> {
    let mut found = BTreeSet::new();
    let deepest = stacks.keys().map(Vec::len).max().unwrap_or(0);
    for depth in 0..deepest {
        for address in stacks.keys().filter_map(|stack| stack.get(depth)) {
            if found.len() == MAX_ADDRESSES {
                return found;
            }
            found.extend(u32::try_from(*address));
        }
    }
    found
}

/// The samples by line. Each is charged to the innermost line of the source on its stack.
fn lines(stacks: &Stacks, symbols: &Symbols) -> Vec<LineSamples> {
    let mut sums: BTreeMap<SourceLine, u32> = BTreeMap::new();
    for (stack, count) in stacks {
        let addresses = stack.iter().filter_map(|&address| u32::try_from(address).ok());
        let mut frames = addresses.flat_map(|address| source_frames(symbols.frames(address)));
        if let Some((line, _)) = frames.next() {
            *sums.entry(line).or_default() += count;
        }
    }
    let mut lines: Vec<_> = sums.into_iter().collect();
    lines.sort_by_key(|&(line, count)| (Reverse(count), line));
    lines.truncate(MAX_SAMPLED_LINES);
    let path = |file: u32| symbols.names.get(file as usize).cloned().unwrap_or_default();
    let line = |(SourceLine { file, line }, samples)| LineSamples {
        file: file.map(path).unwrap_or_default(),
        line,
        samples,
    };
    lines.into_iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use profiler_decode::addr2line::OwnFiles;

    /// Library code that was inlined into line 7, library code of its own, and its caller.
    const ANSWERS: &str = "\
0x0000000000001100
std::vector<int>::operator[](unsigned long)
/usr/include/c++/12/bits/stl_vector.h:1123
work(int)
/tmp/main.cpp:7
0x0000000000001200
void std::sort<int*>(int*, int*)
/usr/include/c++/12/bits/stl_algo.h:4820
0x0000000000001300
main
/tmp/main.cpp:12
";

    #[test]
    fn sample_is_charged_to_the_innermost_line_of_the_source() {
        let stacks = Stacks::from([
            (vec![0x1100, 0x1300], 5),
            (vec![0x1200, 0x1200, 0x1300], 7),
            (vec![0x1300], 1),
            (vec![0x1200], 90),
            (vec![], 90),
        ]);
        let asked = addresses(&stacks);
        assert_eq!(Vec::from_iter(&asked), [&0x1100, &0x1200, &0x1300]);
        let symbols = Symbols::read(ANSWERS.as_bytes(), &asked, &OwnFiles::default()).unwrap();
        let found = lines(&stacks, &symbols);
        let found: Vec<_> = found.iter().map(|it| (it.line, it.samples)).collect();
        assert_eq!(found, [(12, 8), (7, 5)]);
    }

    #[test]
    fn innermost_addresses_come_first_if_there_are_too_many() {
        let many = u64::try_from(MAX_ADDRESSES).unwrap();
        let stacks: Stacks = (0..many).map(|at| (vec![at, many + at], 1)).collect();
        let found = addresses(&stacks);
        assert_eq!(found.len(), MAX_ADDRESSES);
        assert!(found.iter().all(|&address| u64::from(address) < many));
    }
}
