//! A stress test: the search for a small input on which two programs differ. Usually one program is
//! fast and in doubt, and the other is slow and simple. Of the input found, the values are made
//! smaller.

mod inputs;
pub(crate) mod job_step;

pub use crate::job::TriedSizes;
pub use inputs::{InputSeries, TestInput};

use crate::error::SandboxFault;
use crate::measure::answer::{Answer, Comparison};
use crate::measure::program_session::ProgramSession;
use profiler_search::Shrink;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use tokio::task::yield_now;

/// Divisor. After a difference, this part of the time is left for smaller values.
const FOR_VALUES: u32 = 4;

/// Limits of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StressBudget {
    /// Maximum number of inputs.
    pub inputs: u32,
    /// The time after which no further input is tried.
    pub time: Duration,
}

/// Reason for the end of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StressEnd {
    /// The allowed number of inputs was tried.
    Inputs,
    /// The time was used up.
    Time,
    /// No seed gives a further input of the sizes that are still searched.
    NoMoreInputs,
    /// A program did not repeat its answer.
    NotRepeated,
}

/// An input on which the programs differ.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// The input.
    pub input: TestInput,
    /// Number of the input among all inputs that were tried, from 1.
    pub number: u32,
    /// Answers of the programs.
    pub answers: [Answer; 2],
    /// Answers of the programs when both ran again.
    pub again: [Answer; 2],
}

/// A search. Its findings so far can be read at any time, even after [`Self::run`] was dropped.
#[derive(Debug, Clone)]
pub struct StressTest {
    inputs: InputSeries,
    budget: StressBudget,
    comparison: Comparison,
    /// Number of inputs to which both programs gave the same answer, by size.
    pub agreed: BTreeMap<u64, u32>,
    /// Number of inputs that were tried.
    pub tried: u32,
    /// Duration of the search so far, without compiling.
    pub took: Duration,
    /// The difference at the smallest size. A difference that was not repeated is kept only if
    /// there is no other.
    pub difference: Option<Difference>,
}

impl StressTest {
    /// A search through `inputs`.
    pub fn new(inputs: InputSeries, budget: StressBudget) -> Self {
        let comparison = Comparison::default();
        let (agreed, took) = (BTreeMap::new(), Duration::ZERO);
        Self { inputs, budget, comparison, agreed, tried: 0, took, difference: None }
    }

    /// The same search, with another comparison of the answers.
    pub(crate) fn comparing(self, comparison: Comparison) -> Self {
        Self { comparison, ..self }
    }

    /// Runs both compiled programs on one input after the other. After a difference, both run again
    /// on its input. If they repeat their answers, the search goes on at smaller sizes, and then
    /// with smaller values. Otherwise the search ends. Calls `tell` after every input of the
    /// search, with its size.
    pub async fn run(
        &mut self,
        mut programs: [&mut ProgramSession; 2],
        tell: impl FnMut(&Self, u64),
    ) -> Result<StressEnd, SandboxFault> {
        let begun = Instant::now();
        let end = self.search(&mut programs, begun, tell).await?;
        if end != StressEnd::NotRepeated {
            self.shrink(&mut programs, begun).await?;
        }
        Ok(end)
    }

    async fn search(
        &mut self,
        programs: &mut [&mut ProgramSession; 2],
        begun: Instant,
        mut tell: impl FnMut(&Self, u64),
    ) -> Result<StressEnd, SandboxFault> {
        loop {
            let kept =
                self.difference.as_ref().map_or(Duration::ZERO, |_| self.budget.time / FOR_VALUES);
            if self.tried >= self.budget.inputs {
                return Ok(StressEnd::Inputs);
            }
            if self.took + kept >= self.budget.time {
                return Ok(StressEnd::Time);
            }
            let Some(origin) = self.inputs.next_origin() else {
                return Ok(StressEnd::NoMoreInputs);
            };
            let Some(input) = self.inputs.new_input(origin) else {
                self.took = begun.elapsed();
                // Making inputs takes time too, and a caller may want to stop during it.
                yield_now().await;
                continue;
            };
            let n = input.n;
            let is_repeated = self.compare(programs, input).await?;
            self.tried += 1;
            self.took = begun.elapsed();
            tell(self, n);
            if !is_repeated {
                return Ok(StressEnd::NotRepeated);
            }
        }
    }

    /// Runs both programs on an input, and again if they differ. Returns whether they repeated
    /// their answers.
    async fn compare(
        &mut self,
        programs: &mut [&mut ProgramSession; 2],
        input: TestInput,
    ) -> Result<bool, SandboxFault> {
        let n = input.n;
        let answers = both(programs, &input.bytes).await?;
        if self.inputs.is_large(n) {
            // The second program may be too slow for this size, which is no difference.
            let took = answers[1].is_ok().then(|| slower(&answers));
            self.inputs.took(n, took);
            if took.is_none() {
                return Ok(true);
            }
        }
        if self.comparison.agrees(&answers) {
            *self.agreed.entry(n).or_default() += 1;
            return Ok(true);
        }
        let again = both(programs, &input.bytes).await?;
        let found = Difference { input, number: self.tried + 1, answers, again };
        let is_repeated = found.unrepeated().is_none();
        self.inputs.keep_below(&found.input);
        // A difference that was repeated is kept rather than one that was not.
        if is_repeated || self.difference.is_none() {
            self.difference = Some(found);
        }
        Ok(is_repeated)
    }

    /// Makes the values of the input found smaller, as long as both programs end as they did and
    /// still differ.
    async fn shrink(
        &mut self,
        programs: &mut [&mut ProgramSession; 2],
        begun: Instant,
    ) -> Result<(), SandboxFault> {
        let Some(Difference { input, .. }) = &self.difference else { return Ok(()) };
        let (n, genome) = (input.n, input.genome.clone());
        let Some(mut shrink) = Shrink::new(&input.bytes) else { return Ok(()) };
        while begun.elapsed() < self.budget.time {
            let inputs = &self.inputs;
            let Some(smaller) = shrink.propose(|it| inputs.allows(n, &genome, it)) else { break };
            let bytes = smaller.as_bytes().to_vec();
            let answers = both(programs, &bytes).await?;
            let Some(found) = &mut self.difference else { break };
            if self.comparison.agrees(&answers) || !found.ends_like(&answers) {
                continue;
            }
            let again = both(programs, &bytes).await?;
            let input = TestInput { bytes, is_edited: true, ..found.input.clone() };
            let edited = Difference { input, answers, again, ..found.clone() };
            if edited.unrepeated().is_none() {
                *found = edited;
                shrink.keep();
            }
        }
        self.took = begun.elapsed();
        Ok(())
    }
}

impl Difference {
    /// Whether the programs end as they did on the input.
    fn ends_like(&self, answers: &[Answer; 2]) -> bool {
        let outcomes = |answers: &[Answer; 2]| answers.each_ref().map(|it| it.verdict.outcome);
        outcomes(answers) == outcomes(&self.answers)
    }

    /// Returns the index of the first program that did not repeat its answer.
    pub fn unrepeated(&self) -> Option<usize> {
        (0..2).find(|&program| !self.answers[program].is_repeated_by(&self.again[program]))
    }
}

/// The processor time of the program that took longer.
fn slower(answers: &[Answer; 2]) -> Duration {
    let time = |answer: &Answer| answer.sample.cpu_ns.unwrap_or(answer.sample.wall_ns);
    Duration::from_nanos(answers.iter().map(time).max().unwrap_or(0))
}

/// Runs both programs on an input at the same time, and returns their answers.
async fn both(
    [one, two]: &mut [&mut ProgramSession; 2],
    input: &[u8],
) -> Result<[Answer; 2], SandboxFault> {
    let (one, two) = tokio::try_join!(one.run(input), two.run(input))?;
    Ok([one, two])
}

#[cfg(test)]
mod tests;
