//! A stress test: the search for a small input on which two programs differ. Usually one program is
//! fast and in doubt, and the other is slow and simple. A checker can judge in place of the second
//! program, and sanitizers find errors too. Inputs that reach new code of the program are varied.
//! Of the input found, the values are made smaller.

mod contestants;
mod coverage;
mod inputs;
pub(crate) mod job_step;
mod test_input;

pub use crate::job::TriedSizes;
pub use contestants::{Complaint, Contestants};
pub use inputs::InputSeries;
pub use test_input::TestInput;

use crate::error::SandboxFault;
use crate::measure::answer::Answer;
use crate::measure::session::beside::beside;
use contestants::SanitizedRuns;
use coverage::Coverage;
use inputs::Origin;
use profiler_proto::v1::LineCoverage;
use profiler_search::Shrink;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use tokio::task::yield_now;

/// Divisor. After a difference, this part of the time is left for smaller values.
const FOR_VALUES: u32 = 4;

/// Number of inputs that are counted by line together.
const COUNTED_TOGETHER: usize = 32;

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
    /// The checker failed; see [`StressTest::unable`].
    NotJudged,
    /// A generator failed; see [`StressTest::unable`].
    NotGenerated,
}

/// An input to which an answer is wrong.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// Fault of the answer.
    pub complaint: Complaint,
    /// The input.
    pub input: TestInput,
    /// Number of the input among all inputs that were tried, from 1.
    pub number: u32,
    /// Answers of the programs.
    pub answers: Vec<Answer>,
    /// Answers of the programs when all ran again.
    pub again: Vec<Answer>,
}

/// A search. Its findings so far can be read at any time, even after [`Self::run`] was dropped.
#[derive(Debug, Clone)]
pub struct StressTest {
    inputs: InputSeries,
    budget: StressBudget,
    /// Number of inputs without a complaint, by size.
    pub agreed: BTreeMap<u64, u32>,
    /// Number of inputs that were tried.
    pub tried: u32,
    /// Reason why the checker could not judge an output, or why a generator made no input.
    pub unable: Option<String>,
    sanitized: SanitizedRuns,
    coverage: Coverage,
    /// Duration of the search so far, without compiling.
    pub took: Duration,
    /// The difference at the smallest size. A difference that was not repeated is kept only if
    /// there is no other.
    pub difference: Option<Difference>,
}

impl StressTest {
    /// A search through `inputs`.
    pub fn new(inputs: InputSeries, budget: StressBudget) -> Self {
        Self {
            inputs,
            budget,
            agreed: BTreeMap::new(),
            tried: 0,
            unable: None,
            sanitized: SanitizedRuns::default(),
            coverage: Coverage::default(),
            took: Duration::ZERO,
            difference: None,
        }
    }

    /// Number of inputs on which the first program also ran with sanitizers.
    pub fn sanitized(&self) -> u32 {
        self.sanitized.count
    }

    /// The lines of the first program that its inputs reached; `None` if they are not known.
    pub fn coverage(&self) -> Option<LineCoverage> {
        self.coverage.found()
    }

    /// Runs the compiled programs on one input after the other. After a complaint, all run again
    /// on its input. If they repeat their answers, the search goes on at smaller sizes, and then
    /// with smaller values. Otherwise the search ends. Calls `tell` after every input of the
    /// search, with its size.
    pub async fn run<'a>(
        &mut self,
        programs: impl Into<Contestants<'a>>,
        tell: impl FnMut(&Self, u64),
    ) -> Result<StressEnd, SandboxFault> {
        let mut programs = programs.into();
        let begun = Instant::now();
        let end = self.search(&mut programs, begun, tell).await?;
        if end != StressEnd::NotRepeated {
            self.shrink(&mut programs, begun).await?;
        }
        if let Some(program) = programs.programs.first_mut() {
            self.coverage.count(program, begun.elapsed(), 1).await?;
        }
        self.took = begun.elapsed();
        Ok(end)
    }

    async fn search(
        &mut self,
        programs: &mut Contestants<'_>,
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
            let mut made = self.inputs.next_variation();
            if made.is_none() {
                let Some(origin) = self.inputs.next_origin() else {
                    return Ok(StressEnd::NoMoreInputs);
                };
                match self.new_input(programs, origin).await? {
                    Ok(input) => made = input,
                    Err(why) => {
                        self.unable = Some(why);
                        return Ok(StressEnd::NotGenerated);
                    }
                }
            }
            let Some(input) = made else {
                self.took = begun.elapsed();
                // Making inputs takes time too, and a caller may want to stop during it.
                yield_now().await;
                continue;
            };
            let n = input.n;
            let end = self.compare(programs, input, begun).await?;
            self.tried += 1;
            self.cover(programs, begun).await?;
            self.took = begun.elapsed();
            tell(self, n);
            if let Some(end) = end {
                return Ok(end);
            }
        }
    }

    /// Counts the inputs that were tried, and varies those that reach new code. Then counts
    /// variations, and tries those next that reach new code themselves.
    async fn cover(
        &mut self,
        programs: &mut Contestants<'_>,
        begun: Instant,
    ) -> Result<(), SandboxFault> {
        let Some(program) = programs.programs.first_mut() else { return Ok(()) };
        for input in self.coverage.count(program, begun.elapsed(), COUNTED_TOGETHER).await? {
            self.inputs.vary(input);
        }
        let found = self.coverage.explore(program, begun.elapsed(), &mut self.inputs).await?;
        for input in found {
            self.inputs.try_next(input);
        }
        Ok(())
    }

    /// Makes the input of an origin; `None` if there is none, or if it was given before. A size
    /// that is too large for a generator is tried no more. The error is the fault of a generator.
    async fn new_input(
        &mut self,
        programs: &mut Contestants<'_>,
        origin: Origin,
    ) -> Result<Result<Option<TestInput>, String>, SandboxFault> {
        let (n, genome) = &origin;
        if !self.inputs.is_generated(genome) {
            return Ok(Ok(beside(|| self.inputs.new_input(origin))));
        }
        if !self.inputs.has_size(*n, genome) {
            return Ok(Ok(None));
        }
        Ok(match programs.generate(*n, genome).await? {
            Some(Ok(bytes)) => Ok(self.inputs.unless_given(origin, bytes)),
            Some(Err(_)) if self.inputs.is_large(*n) => {
                self.inputs.took(*n, None);
                Ok(None)
            }
            Some(Err(why)) => Err(why),
            None => Ok(None),
        })
    }

    /// Runs the programs on an input, and again after a complaint. Returns the end of the search if
    /// they do not repeat their answers or cannot be judged.
    async fn compare(
        &mut self,
        programs: &mut Contestants<'_>,
        input: TestInput,
        begun: Instant,
    ) -> Result<Option<StressEnd>, SandboxFault> {
        let n = input.n;
        let answers = programs.answers(&input.bytes).await?;
        if self.inputs.is_large(n) {
            let took = answers.last().is_some_and(Answer::is_ok).then(|| slowest(&answers));
            self.inputs.took(n, took);
            // The second program may be too slow for this size, which is no difference.
            if took.is_none() && answers.len() > 1 {
                return Ok(None);
            }
        }
        let mut complaint = match programs.judge(&answers, &input.bytes).await? {
            Ok(complaint) => complaint,
            Err(why) => {
                self.unable = Some(why);
                return Ok(Some(StressEnd::NotJudged));
            }
        };
        if complaint.is_none() {
            let runs = &mut self.sanitized;
            complaint = runs.run(programs, &input.bytes, begun.elapsed()).await?;
        }
        let Some(complaint) = complaint else {
            *self.agreed.entry(n).or_default() += 1;
            self.coverage.add(input);
            return Ok(None);
        };
        let again = programs.answers(&input.bytes).await?;
        let mut found = Difference { complaint, input, number: self.tried + 1, answers, again };
        if let Some(made) = programs.generate(n, &found.input.genome).await? {
            found.input.is_edited = made.as_ref() != Ok(&found.input.bytes);
        }
        let is_repeated = found.unrepeated().is_none();
        self.inputs.keep_below(&found.input);
        // A difference that was repeated is kept rather than one that was not.
        if is_repeated || self.difference.is_none() {
            self.difference = Some(found);
        }
        Ok((!is_repeated).then_some(StressEnd::NotRepeated))
    }

    /// Makes the values of the input found smaller, as long as the programs end as they did, with a
    /// complaint of the same kind.
    async fn shrink(
        &mut self,
        programs: &mut Contestants<'_>,
        begun: Instant,
    ) -> Result<(), SandboxFault> {
        let Some(Difference { input, .. }) = &self.difference else { return Ok(()) };
        // The spec of a generator says nothing about values.
        if self.inputs.is_generated(&input.genome) {
            return Ok(());
        }
        let (n, genome) = (input.n, input.genome.clone());
        let Some(mut shrink) = Shrink::new(&input.bytes) else { return Ok(()) };
        while begun.elapsed() < self.budget.time {
            let inputs = &self.inputs;
            let Some(smaller) = shrink.propose(|it| inputs.allows(n, &genome, it)) else { break };
            let bytes = smaller.as_bytes().to_vec();
            let answers = programs.answers(&bytes).await?;
            let Some(found) = &mut self.difference else { break };
            let Ok(mut complaint) = programs.judge(&answers, &bytes).await? else { break };
            if complaint.is_none() && matches!(found.complaint, Complaint::Sanitizer(_)) {
                // The time of the search bounds these runs.
                complaint = self.sanitized.run(programs, &bytes, Duration::MAX).await?;
            }
            let Some(complaint) = complaint else { continue };
            if !found.is_like(&complaint, &answers) {
                continue;
            }
            let again = programs.answers(&bytes).await?;
            let input = TestInput { bytes, is_edited: true, ..found.input.clone() };
            let edited = Difference { complaint, input, answers, again, ..found.clone() };
            if edited.unrepeated().is_none() {
                *found = edited;
                shrink.keep();
            }
        }
        Ok(())
    }
}

impl Difference {
    /// Whether a complaint is of the same kind, and the programs end as they did on the input.
    fn is_like(&self, complaint: &Complaint, answers: &[Answer]) -> bool {
        let outcomes = |of: &Answer| of.verdict.outcome;
        self.complaint.is_like(complaint)
            && answers.iter().map(outcomes).eq(self.answers.iter().map(outcomes))
    }

    /// Returns the index of the first program that did not repeat its answer.
    pub fn unrepeated(&self) -> Option<usize> {
        let mut pairs = self.answers.iter().zip(&self.again);
        pairs.position(|(answer, again)| !answer.is_repeated_by(again))
    }
}

/// The processor time of the program that took longest.
fn slowest(answers: &[Answer]) -> Duration {
    let time = |answer: &Answer| answer.sample.cpu_ns.unwrap_or(answer.sample.wall_ns);
    Duration::from_nanos(answers.iter().map(time).max().unwrap_or(0))
}

#[cfg(test)]
mod tests;
