//! A stress test: the search for a small input on which two programs differ. Usually one program is
//! fast and in doubt, and the other is slow and simple.

mod inputs;

pub use inputs::{InputSeries, TestInput, TriedSizes};

use crate::error::SandboxFault;
use crate::measure::answer::Answer;
use crate::measure::program_session::ProgramSession;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use tokio::task::yield_now;

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
        let (agreed, took) = (BTreeMap::new(), Duration::ZERO);
        Self { inputs, budget, agreed, tried: 0, took, difference: None }
    }

    /// Runs both compiled programs on one input after the other. After a difference, both run again
    /// on its input. If they repeat their answers, the search goes on at smaller sizes. Otherwise
    /// the search ends. Calls `tell` after every input, with its size.
    pub async fn run(
        &mut self,
        mut programs: [&mut ProgramSession; 2],
        mut tell: impl FnMut(&Self, u64),
    ) -> Result<StressEnd, SandboxFault> {
        let begun = Instant::now();
        loop {
            if self.tried >= self.budget.inputs {
                return Ok(StressEnd::Inputs);
            }
            if self.took >= self.budget.time {
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
            let mut is_repeated = true;
            let answers = both(&mut programs, &input.bytes).await?;
            if answers[0].agrees_with(&answers[1]) {
                *self.agreed.entry(n).or_default() += 1;
            } else {
                let again = both(&mut programs, &input.bytes).await?;
                let found = Difference { input, number: self.tried + 1, answers, again };
                is_repeated = found.unrepeated().is_none();
                // A difference that was repeated is kept rather than one that was not.
                if is_repeated || self.difference.is_none() {
                    self.difference = Some(found);
                }
                self.inputs.keep_below(n);
            }
            self.tried += 1;
            self.took = begun.elapsed();
            tell(self, n);
            if !is_repeated {
                return Ok(StressEnd::NotRepeated);
            }
        }
    }
}

impl Difference {
    /// Returns the index of the first program that did not repeat its answer.
    pub fn unrepeated(&self) -> Option<usize> {
        (0..2).find(|&program| !self.answers[program].is_repeated_by(&self.again[program]))
    }
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
