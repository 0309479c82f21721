//! The seeds that were tried, if a generator makes inputs.

use super::costs::RunCost;
use profiler_search::{Space, Trial};

/// The seeds that were tried, each with every candidate.
#[derive(Debug, Clone, Default)]
pub(super) struct Seeds {
    /// Number of inputs that were made.
    pub(super) made: u32,
    /// Number of consecutive inputs that were made before.
    pub(super) stale: u32,
    /// Costs of the inputs of the first candidate, with their seeds.
    pub(super) costs: Vec<(RunCost, u32)>,
    /// The input with the highest cost.
    pub(super) worst: Option<(RunCost, Vec<u8>)>,
    /// The input of the seed with the median cost, once the search has ended.
    pub(super) median: Option<Vec<u8>>,
}

impl Seeds {
    /// No seeds yet; `None` if no candidate has a generator.
    pub(super) fn of(space: &Space) -> Option<Self> {
        (0..space.candidates()).any(|it| is_generated(space, it)).then(Self::default)
    }

    /// Records the cost of an input.
    pub(super) fn tell(&mut self, trial: &Trial, cost: RunCost) {
        if trial.genome.candidate == 0 {
            self.costs.push((cost, trial.genome.seed));
        }
        if self.worst.as_ref().is_none_or(|(worst, _)| cost.all > worst.all) {
            self.worst = Some((cost, trial.bytes.clone()));
        }
    }

    /// Returns the input with the highest cost.
    pub(super) fn worst_input(&self) -> Option<Vec<u8>> {
        self.worst.as_ref().map(|(_, input)| input.clone())
    }

    /// Returns the inputs of the worst and of the median seed.
    pub(super) fn compared(&self) -> Option<[Vec<u8>; 2]> {
        Some([self.worst_input()?, self.median.clone()?])
    }
}

/// Whether a generator makes the inputs of a candidate.
pub(super) fn is_generated(space: &Space, candidate: usize) -> bool {
    space.declared(candidate).is_some_and(|spec| !spec.generator.is_empty())
}
