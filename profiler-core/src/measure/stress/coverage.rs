//! Coverage of the program's lines by the inputs of a stress test. Inputs on which nothing is wrong
//! are counted by line, many in one process, as far as there is time. A process also counts many
//! variations of inputs faster than the programs run on them. Those that reach new code are tried.

use super::{InputSeries, TestInput};
use crate::error::SandboxFault;
use crate::limits::{TRACE_BYTES, WORST_SLOW_DOWN};
use crate::measure::program_session::ProgramSession;
use profiler_proto::v1::{LineCoverage, LineRange};
use runner_protocol::{
    Ending, InputCount, MAX_SERIES_BYTES, MAX_SERIES_INPUTS, SeriesLines, SourceLine,
};
use std::collections::{BTreeMap, HashSet};
use std::time::{Duration, Instant};

/// Divisors. No process counts inputs once counting has taken the first part of the time, and none
/// counts inputs that were not tried once it has taken the second.
const FOR_COVERAGE: u32 = 4;
const FOR_EXPLORING: u32 = 6;
/// Time that counting may always take before it ends.
const LEAST_FOR_COVERAGE: Duration = Duration::from_millis(500);
/// Maximum number of inputs that wait to be counted. Of more, the oldest are not counted.
const MAX_WAITING: usize = 2 * MAX_SERIES_INPUTS;
/// Maximum number of blocks that are remembered as reached. Further blocks make no input new.
const MAX_BLOCKS: usize = 1 << 16;

/// The lines with code, and the inputs that reach them.
#[derive(Debug, Clone, Default)]
pub(super) struct Coverage {
    /// Whether the sandbox has the counter.
    is_ready: bool,
    /// Whether no further lines can be known.
    is_over: bool,
    /// Inputs that are not counted yet.
    waiting: Vec<TestInput>,
    /// Time that counting took.
    took: Duration,
    /// Number of counted inputs, without those that were not tried.
    inputs: u32,
    /// The lines, and whether an input reached each.
    lines: BTreeMap<SourceLine, bool>,
    /// The blocks of the program that were executed. A line can have several.
    blocks: HashSet<u32>,
}

impl Coverage {
    /// Adds an input on which the program ended OK. One that is too long for a process that counts
    /// many is left out.
    pub(super) fn add(&mut self, input: TestInput) {
        if self.waiting.len() == MAX_WAITING {
            self.waiting.drain(..MAX_SERIES_INPUTS);
        }
        if !self.is_over && size_of::<u32>() + input.bytes.len() <= MAX_SERIES_BYTES {
            self.waiting.push(input);
        }
    }

    /// Counts inputs while at least `least` wait, and while a search that has taken `so_far` leaves
    /// time for it. Returns those that reach code which no input before them reached. The first
    /// input is not among them, because it reaches the usual code.
    pub(super) async fn count(
        &mut self,
        program: &mut ProgramSession,
        so_far: Duration,
        least: usize,
    ) -> Result<Vec<TestInput>, SandboxFault> {
        let mut first = Vec::new();
        // The debug information of a compiled program can name the lines of other sources.
        self.is_over |= !program.job.program.is_empty();
        let most = LEAST_FOR_COVERAGE.max(so_far / FOR_COVERAGE);
        while !self.is_over && self.waiting.len() >= least && self.took <= most {
            let mut waiting = std::mem::take(&mut self.waiting);
            let (counts, code_lines) = self.reach(program, &waiting, most).await?;
            let counted: Vec<_> = waiting.drain(..counts.len().max(1)).collect();
            self.waiting = waiting;
            first.extend(self.tell(counted, &counts, &code_lines, true));
        }
        Ok(first)
    }

    /// Counts as many variations of `inputs` as one process can, if a search that has taken
    /// `so_far` leaves time for it. Returns those that reach new code, and those on which the
    /// program fails.
    pub(super) async fn explore(
        &mut self,
        program: &mut ProgramSession,
        so_far: Duration,
        inputs: &mut InputSeries,
    ) -> Result<Vec<TestInput>, SandboxFault> {
        let most = so_far / FOR_EXPLORING;
        if self.is_over || self.took > most {
            return Ok(Vec::new());
        }
        let begun = Instant::now();
        let variations = inputs.variations(MAX_SERIES_INPUTS);
        self.took += begun.elapsed();
        if variations.is_empty() {
            return Ok(variations);
        }
        let (counts, code_lines) = self.reach(program, &variations, most).await?;
        Ok(self.tell(variations, &counts, &code_lines, false))
    }

    /// Counts as many of the inputs as one process can, each for at most `most`.
    async fn reach(
        &mut self,
        program: &mut ProgramSession,
        inputs: &[TestInput],
        most: Duration,
    ) -> Result<(Vec<InputCount>, Vec<SourceLine>), SandboxFault> {
        let begun = Instant::now();
        if !self.is_ready {
            program.place_counter().await?;
            program.limit_memory(TRACE_BYTES).await?;
            self.is_ready = true;
        }
        let inputs: Vec<&[u8]> = inputs.iter().map(|input| &input.bytes[..]).collect();
        let within = (WORST_SLOW_DOWN * program.job.limits.timeout).min(most);
        let reached = program.count_series(&inputs, SeriesLines::Reached, within).await;
        self.took += begun.elapsed();
        reached
    }

    /// Records the counts of the first inputs, and returns those of [`Self::count`] or
    /// [`Self::explore`].
    fn tell(
        &mut self,
        inputs: Vec<TestInput>,
        counts: &[InputCount],
        code_lines: &[SourceLine],
        are_tried: bool,
    ) -> Vec<TestInput> {
        // The counter cannot go on, for example because the program starts a thread.
        let is_refused =
            |it: &InputCount| matches!((it.ending, &it.instructions), (Ending::Exited(_), Err(_)));
        let has_no_lines = code_lines.is_empty() && !counts.is_empty();
        if has_no_lines || counts.iter().any(is_refused) {
            self.is_over = true;
            self.waiting.clear();
        }
        if has_no_lines {
            return Vec::new();
        }
        for line in code_lines {
            self.lines.entry(line.clone()).or_insert(false);
        }
        let mut first = Vec::new();
        for (input, count) in inputs.into_iter().zip(counts) {
            // An input that was stopped can take too long for the counter alone.
            let is_stopped = matches!(count.ending, Ending::Stopped(_)) || is_refused(count);
            let fails = !count.ending.is_success() && !is_stopped;
            let is_new = count.instructions.is_ok() && self.reaches_new_code(count, code_lines);
            if (is_new && self.inputs > 0) || (fails && !are_tried) {
                first.push(input);
            }
            self.inputs += u32::from(are_tried && count.instructions.is_ok());
        }
        first
    }

    fn reaches_new_code(&mut self, count: &InputCount, code_lines: &[SourceLine]) -> bool {
        let mut is_new = false;
        for line in count.new_lines.iter().filter_map(|&at| code_lines.get(at as usize)) {
            is_new |= self.lines.insert(line.clone(), true) == Some(false);
        }
        for &(block, _) in &count.blocks {
            is_new |= self.blocks.len() < MAX_BLOCKS && self.blocks.insert(block);
        }
        is_new
    }

    /// Returns the lines that were reached, and those that were not. `None` if no input was
    /// counted.
    pub(super) fn found(&self) -> Option<LineCoverage> {
        let reached = self.lines.values().filter(|is_reached| **is_reached).count();
        let mut unreached: Vec<LineRange> = Vec::new();
        let mut continues = false;
        for (SourceLine { file, line }, is_reached) in &self.lines {
            let (file, line) = (file.clone().unwrap_or_default(), *line);
            match unreached.last_mut().filter(|range| continues && range.file == file) {
                _ if *is_reached => {}
                Some(range) => range.last = line,
                None => unreached.push(LineRange { file, first: line, last: line }),
            }
            continues = !is_reached;
        }
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        (self.inputs > 0).then(|| LineCoverage {
            inputs: self.inputs,
            code_lines: number(self.lines.len()),
            reached_lines: number(reached),
            unreached,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use profiler_search::Genome;

    fn inputs(sizes: &[u64]) -> Vec<TestInput> {
        let input = |&n: &u64| {
            let (genome, bytes) = (Genome::declared(0, 1), Vec::new());
            TestInput { n, candidate: 0, genome, is_edited: false, bytes }
        };
        sizes.iter().map(input).collect()
    }

    fn reaching(new_lines: &[u32]) -> InputCount {
        InputCount {
            ending: Ending::Exited(0),
            instructions: Ok(9),
            own_instructions: None,
            blocks: Vec::new(),
            line_instructions: None,
            new_lines: new_lines.into(),
        }
    }

    fn lines(lines: &[(Option<&str>, u32)]) -> Vec<SourceLine> {
        let line =
            |&(file, line): &(Option<&str>, u32)| SourceLine { file: file.map(Into::into), line };
        lines.iter().map(line).collect()
    }

    fn sizes(inputs: &[TestInput]) -> Vec<u64> {
        inputs.iter().map(|input| input.n).collect()
    }

    #[test]
    fn inputs_that_reach_new_code_are_told_but_not_the_first() {
        let code = lines(&[(None, 3), (None, 5), (None, 9)]);
        let mut coverage = Coverage::default();
        let counts = [reaching(&[0]), reaching(&[]), reaching(&[1])];
        let first = coverage.tell(inputs(&[1, 2, 3, 4]), &counts, &code, true);
        assert_eq!(sizes(&first), [3]);
        let again = coverage.tell(inputs(&[4]), &[reaching(&[0, 1])], &code, true);
        assert!(again.is_empty(), "both were reached in an earlier series");
        let in_block = InputCount { blocks: vec![(0x40, 9)], ..reaching(&[]) };
        let counts = [in_block.clone(), in_block];
        assert_eq!(sizes(&coverage.tell(inputs(&[5, 6]), &counts, &code, true)), [5]);
        let found = coverage.found().unwrap();
        assert_eq!((found.inputs, found.code_lines, found.reached_lines), (6, 3, 2));
        assert_eq!(found.unreached, [LineRange { file: String::new(), first: 9, last: 9 }]);
    }

    #[test]
    fn untried_input_on_which_the_program_fails_is_told() {
        let mut coverage = Coverage::default();
        let code = lines(&[(None, 3)]);
        coverage.tell(inputs(&[1]), &[reaching(&[0])], &code, true);
        let crash = InputCount {
            ending: Ending::Signaled(11),
            instructions: Err("it crashed".into()),
            ..reaching(&[])
        };
        let counts = [reaching(&[]), crash];
        assert_eq!(sizes(&coverage.tell(inputs(&[2, 3, 4]), &counts, &code, false)), [3]);
        assert_eq!(coverage.found().unwrap().inputs, 1, "the others were not tried");
    }

    #[test]
    fn range_ends_at_a_reached_line_and_at_the_end_of_a_file() {
        let code = lines(&[(None, 3), (None, 5), (None, 7), (None, 9), (Some("a.h"), 9)]);
        let mut coverage = Coverage::default();
        coverage.tell(inputs(&[1]), &[reaching(&[2])], &code, true);
        let range = |file: &str, first, last| LineRange { file: file.into(), first, last };
        let expected = [range("", 3, 5), range("", 9, 9), range("a.h", 9, 9)];
        assert_eq!(coverage.found().unwrap().unreached, expected);
    }

    #[test]
    fn program_without_lines_or_that_cannot_be_counted_has_no_coverage() {
        let mut coverage = Coverage::default();
        assert!(coverage.tell(inputs(&[1]), &[], &[], true).is_empty());
        assert!(!coverage.is_over, "another input may be counted");
        coverage.tell(inputs(&[1]), &[reaching(&[])], &[], true);
        assert!(coverage.is_over && coverage.found().is_none());
        let mut coverage = Coverage::default();
        coverage.add(inputs(&[1]).remove(0));
        let refused = InputCount { instructions: Err("it starts threads".into()), ..reaching(&[]) };
        coverage.tell(inputs(&[1]), &[refused], &lines(&[(None, 3)]), true);
        assert!(coverage.is_over && coverage.waiting.is_empty() && coverage.found().is_none());
        coverage.add(inputs(&[1]).remove(0));
        assert!(coverage.waiting.is_empty());
    }

    #[test]
    fn inputs_that_wait_are_bounded() {
        let mut coverage = Coverage::default();
        for n in 0..300 {
            coverage.add(inputs(&[n]).remove(0));
        }
        assert!(coverage.waiting.len() <= MAX_WAITING);
        let bytes = vec![b'1'; MAX_SERIES_BYTES];
        coverage.add(TestInput { bytes, ..inputs(&[300]).remove(0) });
        let last = coverage.waiting.last().map(|input| input.n);
        assert_eq!(last, Some(299), "the last one is too long");
    }
}
