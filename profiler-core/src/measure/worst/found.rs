//! Findings of a search, in the form of a report.

use super::{WorstCase, WorstEnd};
use crate::job::WorstGoal;
use crate::report::{FailedInputs, RandomCosts, SHOWN_BYTES, SizeCosts, WorstInput};
use profiler_search::Genome;

/// Reason for different counts of the same input.
const VARIES: &str = "the worst input costs over 1 % more or less a second time: the program does \
                      not repeat its work";

impl WorstCase {
    /// Returns the findings so far. `ended` is the result of [`WorstCase::run`]; `None` before
    /// that.
    pub fn found(&self, ended: Option<&WorstEnd>) -> WorstInput {
        let measured = self.points.iter().rev().find(|point| point.worst.is_some());
        let worst = measured.and_then(|point| point.worst).map(|worst| worst.all);
        let n = measured.map_or(self.sizes.searched, |point| point.n);
        let space = self.space();
        let genome = self.worst();
        let input = genome.and_then(|genome| space.input(genome, n)).unwrap_or_default();
        WorstInput {
            goal: self.plan.goal,
            measured_n: measured.map(|point| point.n),
            searched_n: self.sizes.searched,
            cost: worst.or(self.search.best().map(|best| best.cost)),
            random: measured
                .and_then(SizeCosts::of_random)
                .or_else(|| random_of(self.search.randoms())),
            growth: self.growth().map(Box::new),
            looks: genome.map(|genome| space.words(genome)).unwrap_or_default(),
            spec: genome.and_then(|genome| space.spec(genome)),
            input_bytes: input.len() as u64,
            input: input.into_iter().take(SHOWN_BYTES).collect(),
            line: self.line.clone(),
            points: self.points.clone(),
            executions: self.executions(),
            searched_executions: self.search.executions(),
            took: self.took,
            seed: self.plan.seed,
            end: self.end,
            problem: self.problem(ended),
            failures: self.failures.first.as_ref().map(|first| self.failed(first)),
        }
    }

    fn problem(&self, ended: Option<&WorstEnd>) -> Option<String> {
        match ended {
            Some(WorstEnd::Uncountable(reason)) => {
                Some(if self.plan.goal == WorstGoal::Instructions {
                    format!("its instructions cannot be counted: {reason}")
                } else {
                    reason.clone()
                })
            }
            Some(WorstEnd::NothingEndedOk) => Some("it ended well on no input".into()),
            Some(WorstEnd::Found) => self.varies.then(|| VARIES.into()),
            None => Some("the search was stopped".into()),
        }
    }

    fn failed(&self, (genome, n, ended): &(Genome, u64, String)) -> FailedInputs {
        FailedInputs {
            count: self.failures.count,
            ended: ended.clone(),
            n: *n,
            looks: self.space().words(genome),
            spec: self.space().spec(genome),
        }
    }
}

/// The random inputs of the search, if nothing was measured after it.
fn random_of(counts: &[u64]) -> Option<RandomCosts> {
    let mut counts = counts.to_vec();
    counts.sort_unstable();
    let median = *counts.get(counts.len().checked_sub(1)? / 2)?;
    Some(RandomCosts { median, most: *counts.last()? })
}
