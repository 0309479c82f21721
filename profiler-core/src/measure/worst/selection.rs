//! Selection of the pattern to measure at all sizes, from the best ones at the searched size, and
//! of the patterns whose counts must agree with their times.

use super::{Measured, WorstCase, counting};
use crate::analyse::instructions::{RATED_MS, enough};
use crate::error::SandboxFault;
use crate::figures::units::ms;
use crate::measure::program_session::ProgramSession;
use crate::measure::session::beside::beside;
use crate::report::StartUpCosts;
use profiler_search::{Elite, Genome};
use std::cmp::Reverse;
use std::time::{Duration, Instant};

/// Maximum number of slow patterns that are timed at the largest size.
const SLOWEST: usize = 3;
/// Maximum time in which patterns are timed. It is at most the time of the search.
const TIMING: Duration = Duration::from_secs(5);
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

    /// Times patterns outside of the counter: a program can tell that it is counted, and then do
    /// less. Of the specs and the named patterns, the slowest at the searched size are timed and
    /// counted at the largest size, and so is the worst one. Returns the first contradiction.
    pub(super) async fn find_contradiction(
        &mut self,
        program: &mut ProgramSession,
        tell: &mut impl FnMut(&Self),
    ) -> Result<Option<String>, SandboxFault> {
        let until = Instant::now() + self.plan.time.min(TIMING);
        let space = self.search.space();
        let declared = (0..space.candidates()).map(|it| Genome::declared(it, self.plan.seed));
        let mut timed = Vec::new();
        for genome in declared.chain(self.named.iter().cloned()) {
            let input = space.input(&genome, self.sizes.searched);
            let Some(input) = input.filter(|_| Instant::now() < until) else { continue };
            timed.push((program.run(&input).await?.sample.cpu_ns, genome));
        }
        timed.sort_by_key(|(cpu_ns, _)| Reverse(*cpu_ns));
        let slowest = timed.into_iter().take(SLOWEST).map(|(_, genome)| genome);
        let start_up = StartUpCosts { instructions: self.start_up, user_ms: 0.0 };
        let (Some(&n), within) = (self.sizes.measured.last(), counting::longest(program)) else {
            return Ok(None);
        };
        for genome in self.worst().cloned().into_iter().chain(slowest) {
            let input = self.search.space().input(&genome, n);
            let Some(input) = input.filter(|_| Instant::now() < until) else { continue };
            let user_ms = ms(program.run(&input).await?.sample.user_ns);
            // No count contradicts a shorter time.
            if user_ms < RATED_MS {
                continue;
            }
            let counted =
                self.costs(program, vec![genome.clone()], n, (within, None), tell).await?;
            let cost = counted.first().map(|one| one.cost.all);
            // The run may have been stopped.
            if let Some(Err(refused)) = cost.map(|cost| enough(cost, user_ms, start_up)) {
                let (looks, _) = self.described(&genome);
                let input = if looks.is_empty() { "random".into() } else { looks.join("; ") };
                return Ok(Some(format!(
                    "the program does less work when it is counted, so its worst input is unknown: \
                     at n = {n} ({input}), {}",
                    refused.message
                )));
            }
        }
        Ok(None)
    }
}
