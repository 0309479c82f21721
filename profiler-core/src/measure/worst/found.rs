//! Conversion of the findings of a search to a report's message.

use super::costs::{RunCost, SizeCosts};
use super::{WorstCase, WorstEnd};
use crate::job::WorstGoal;
use crate::measure::session::beside::beside;
use profiler_proto::v1::{
    RandomCosts, RandomInstructions, WorstGoal as PublishedGoal, WorstInput, WorstPoint,
};

/// Maximum number of bytes that a report shows of an input.
const SHOWN_BYTES: usize = 4 << 10;
/// Problem to report if two counts of the worst input differ.
const VARIES: &str = "a second run of the worst input cost over 1 % more or less, so the program \
                      does not repeat its work";

impl WorstCase {
    /// Returns the findings so far. `ended` is the result of [`WorstCase::run`]; `None` before
    /// that.
    pub fn found(&self, ended: Option<&WorstEnd>) -> WorstInput {
        let measured = self.points.iter().rev().find(|point| point.worst.is_some());
        let cost = measured.and_then(|point| point.worst).map(|worst| worst.all);
        let cost = cost.or(self.search.best().map(|best| best.cost));
        let random = measured.and_then(random_of_size).or_else(|| random_of(self.search.randoms()));
        let genome = self.worst();
        let (looks, spec) = genome.map(|genome| self.described(genome)).unwrap_or_default();
        let input = beside(|| self.input()).unwrap_or_default();
        let [random_growth, worst_growth] = match &self.growth() {
            Some(classes) => classes.each_ref().map(|class| Some(class.into())),
            None => [None, None],
        };
        let (goal, goal_line) = published(self.plan.goal);
        // `instructions` and `random` are fields of version 0.2, which promises that they are
        // instructions.
        let is_count = self.plan.goal == WorstGoal::Instructions;
        WorstInput {
            goal: goal.into(),
            goal_line,
            cost: cost.filter(|_| !is_count),
            random_cost: random.filter(|_| !is_count),
            measured_size: measured.map(|point| point.n),
            searched_size: self.sizes.searched,
            instructions: cost.filter(|_| is_count),
            random: random.filter(|_| is_count).map(as_instructions),
            random_growth,
            worst_growth,
            looks,
            spec,
            input_bytes: input.len() as u64,
            input: input.into_iter().take(SHOWN_BYTES).collect(),
            line: self.line.clone(),
            points: self.points.iter().map(|costs| point(costs, is_count)).collect(),
            executions: self.executions(),
            searched_executions: self.search.executions(),
            seconds: self.took.as_secs_f64(),
            seed: self.plan.seed,
            end: self.end.unwrap_or_default().into(),
            problem: self.problem(ended).unwrap_or_default(),
            failures: self.failures.clone(),
            ratio: measured
                .and(cost.zip(random))
                .map(|(cost, random)| self.ratio(cost, random.median)),
            start_up_instructions: random.and_then(|random| self.start_up_below(random.median)),
            generator_seed: genome.filter(|it| self.is_generated(it)).map(|it| it.seed),
            goal_file: self.goal_file.clone(),
            ways: self.ways.found(),
            candidate: genome.map_or(0, |it| u32::try_from(it.candidate).unwrap_or(u32::MAX)),
        }
    }

    fn problem(&self, ended: Option<&WorstEnd>) -> Option<String> {
        match ended {
            Some(WorstEnd::Uncountable(reason)) if self.plan.goal == WorstGoal::Instructions => {
                Some(format!("its instructions cannot be counted: {reason}"))
            }
            Some(WorstEnd::Uncountable(why) | WorstEnd::NotGenerated(why)) => Some(why.clone()),
            Some(WorstEnd::NothingEndedOk) => Some("it ended OK on no input".into()),
            Some(WorstEnd::Found) => {
                self.contradiction.clone().or_else(|| self.varies.then(|| VARIES.into()))
            }
            None => Some("the search was stopped".into()),
        }
    }
}

/// Converts a goal to its message and its line; 0 without a line.
fn published(goal: WorstGoal) -> (PublishedGoal, u32) {
    match goal {
        WorstGoal::Instructions => (PublishedGoal::Instructions, 0),
        WorstGoal::Memory => (PublishedGoal::Memory, 0),
        WorstGoal::Allocations => (PublishedGoal::Allocations, 0),
        WorstGoal::Line { line, .. } => (PublishedGoal::Line, line),
    }
}

fn point(costs: &SizeCosts, is_count: bool) -> WorstPoint {
    let (random, worst) = (random_of_size(costs), costs.worst.map(|RunCost { all, .. }| all));
    WorstPoint {
        size: costs.n,
        random: random.filter(|_| is_count).map(as_instructions),
        instructions: worst.filter(|_| is_count),
        random_cost: random.filter(|_| !is_count),
        cost: worst.filter(|_| !is_count),
    }
}

fn as_instructions(RandomCosts { median, most }: RandomCosts) -> RandomInstructions {
    RandomInstructions { median, most }
}

/// Returns the costs of the random inputs at a measured size.
fn random_of_size(costs: &SizeCosts) -> Option<RandomCosts> {
    Some(RandomCosts { median: costs.median()?.all, most: costs.random.last()?.all })
}

/// Returns the costs of the search's random inputs, for a search after which nothing was measured.
fn random_of(counts: &[u64]) -> Option<RandomCosts> {
    let mut counts = counts.to_vec();
    counts.sort_unstable();
    let median = *counts.get(counts.len().checked_sub(1)? / 2)?;
    Some(RandomCosts { median, most: *counts.last()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn costs() -> SizeCosts {
        let counted = |all| RunCost { all, own: None };
        let random = vec![counted(30), counted(40)];
        SizeCosts { n: 20, random, worst: Some(counted(90)), input_bytes: 3 }
    }

    #[test]
    fn cost_of_another_goal_is_not_called_instructions() {
        let [counted, other] = [true, false].map(|is_count| point(&costs(), is_count));
        assert_eq!((counted.instructions, counted.cost), (Some(90), None));
        assert_eq!(counted.random, Some(RandomInstructions { median: 30, most: 40 }));
        assert_eq!((other.instructions, other.cost), (None, Some(90)));
        assert_eq!(other.random_cost, Some(RandomCosts { median: 30, most: 40 }));
    }

    #[test]
    fn line_of_a_goal_is_published() {
        let goal = WorstGoal::Line { file: None, line: 4 };
        assert_eq!(published(goal), (PublishedGoal::Line, 4));
    }
}
