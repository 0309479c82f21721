//! Selection of the pattern to measure at all sizes, from the best ones at the searched size.

use super::{Measured, WorstCase, counting};
use crate::error::SandboxFault;
use crate::measure::beside::beside;
use crate::measure::program_session::ProgramSession;
use profiler_search::{Elite, Genome};
use std::cmp::Reverse;
use std::time::Instant;

/// Number of seeds with which a pattern is tried.
const SEEDS: u32 = 3;

impl WorstCase {
    /// Removes the choices that the best genome does not need.
    pub(super) async fn simplify(
        &mut self,
        program: &mut ProgramSession,
        tell: &mut impl FnMut(&Self),
    ) -> Result<(), SandboxFault> {
        let (goal, within) = (self.plan.goal, counting::search_limit(program));
        while let Some(trial) = beside(|| self.search.simpler()) {
            for counting in counting::count_first(program, goal, &[&trial.bytes], within).await? {
                self.tell(trial.clone(), counting);
            }
            tell(self);
        }
        Ok(())
    }

    /// Prefers the elite (one of the best patterns of the search) that costs most at the
    /// second-largest size. The elites are measured at rising sizes, and after each size the better
    /// half goes on, because the best elite at the searched size may grow more slowly than others.
    /// If this takes as long as the search may, the last measured size decides. Each elite is tried
    /// with several seeds, and the median cost counts, because a seed may be costly by chance.
    pub(super) async fn select(
        &mut self,
        program: &mut ProgramSession,
        tell: &mut impl FnMut(&Self),
    ) -> Result<(), SandboxFault> {
        let between = self.sizes.between();
        if between.is_empty() {
            return Ok(());
        }
        let until = Instant::now() + self.plan.time;
        let elites = self.search.elites().iter();
        let mut left: Vec<Genome> = elites.map(|elite| elite.genome.clone()).collect();
        for n in between {
            let seeded = left.iter().flat_map(|it| (0..SEEDS).map(|more| it.reseeded(more)));
            let within = counting::search_limit(program);
            let measured =
                self.costs(program, seeded.collect(), n, (within, Some(until)), tell).await?;
            let middle = |genome: &Genome| {
                let seeds = (0..SEEDS).map(|more| genome.reseeded(more));
                let costs = measured.iter().filter(|one| seeds.clone().any(|it| it == one.genome));
                let mut costs: Vec<u64> = costs.map(|one| one.cost.all).collect();
                costs.sort_unstable();
                costs.get(costs.len() / 2).copied()
            };
            let mut costs: Vec<_> =
                left.iter().filter_map(|it| Some((middle(it)?, it.clone()))).collect();
            if costs.is_empty() {
                break;
            }
            costs.sort_by_key(|(cost, _)| Reverse(*cost));
            costs.truncate(costs.len().div_ceil(2));
            left = costs.into_iter().map(|(_, genome)| genome).collect();
        }
        let best = left.first().map(|best| best.reseeded(1)).into_iter().collect();
        let (n, within) = (self.sizes.searched, counting::search_limit(program));
        let found = self.costs(program, best, n, (within, None), tell).await?;
        if let Some(Measured { cost, genome, .. }) = found.into_iter().next() {
            self.search.prefer(Elite { genome, cost: cost.all });
        }
        Ok(())
    }
}
