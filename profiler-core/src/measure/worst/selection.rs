//! Selection of the pattern to measure at all sizes, from the best ones at the searched size, and
//! of the patterns whose counts must agree with their times.

use super::{Measured, WorstCase, counting};
use crate::analyse::instructions::{RATED_MS, enough};
use crate::error::SandboxFault;
use crate::figures::units::{NS_PER_MS, mib, ms};
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
/// Number of runs of an input, of which the shortest decides.
const TIMED_RUNS: u32 = 3;
/// Shortest processor time, in milliseconds, that is compared with that of a random input.
const LEAST_MS: f64 = 5.0;
/// Factor by which a pattern may take longer than a random input with the same count, because its
/// branches are predicted worse or its data are farther away.
const SLOWER: f64 = 10.0;
/// Shortest time of an instruction of a random input, in nanoseconds.
const LEAST_NS: f64 = 0.25;
/// Longest time of an instruction that a random input does not execute, in nanoseconds.
const LONGEST_NS: f64 = 50.0;
/// Time in which a pattern takes and clears a MiB that a random input does not take, in
/// milliseconds. Few instructions do that.
const MIB_MS: f64 = 1.0;
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
        let mut random: Option<RandomWork> = None;
        let start_up = StartUpCosts { instructions: self.start_up, user_ms: 0.0 };
        let (Some(&n), within) = (self.sizes.measured.last(), counting::longest(program)) else {
            return Ok(None);
        };
        for genome in self.worst().cloned().into_iter().chain(slowest) {
            let input = self.search.space().input(&genome, n);
            let Some(input) = input.filter(|_| Instant::now() < until) else { continue };
            let time = Time::of(program, &input, until).await?;
            if random.is_none() && time.cpu_ms >= LEAST_MS {
                random = self.random_work(program, until).await?;
            }
            let excess_ms = random.as_ref().and_then(|it| it.excess_ms(&time));
            // No count contradicts a shorter time.
            if time.user_ms < RATED_MS && excess_ms.is_none() {
                continue;
            }
            let counted =
                self.costs(program, vec![genome.clone()], n, (within, None), tell).await?;
            // The run may have been stopped.
            let Some(cost) = counted.first().map(|one| one.cost.all) else { continue };
            let refused = enough(cost, time.user_ms, start_up).err().map(|it| it.message);
            let refused = refused.or_else(|| random.as_ref()?.contradiction(&time, cost));
            if let Some(refused) = refused {
                let (looks, _) = self.described(&genome);
                let input = if looks.is_empty() { "random".into() } else { looks.join("; ") };
                return Ok(Some(format!(
                    "the program does less work when it is counted, so its worst input is unknown: \
                     at n = {n} ({input}), {refused}"
                )));
            }
        }
        Ok(None)
    }

    /// Returns the work of a random input of the largest size, beyond that of the smallest. `None`
    /// if there is only one size, or no time.
    async fn random_work(
        &self,
        program: &mut ProgramSession,
        until: Instant,
    ) -> Result<Option<RandomWork>, SandboxFault> {
        let [Some(least), Some(most)] = [self.points.first(), self.points.last()] else {
            return Ok(None);
        };
        let costs = [least, most].map(|point| point.median().map(|cost| cost.all));
        let [Some(least_count), Some(count)] = costs else { return Ok(None) };
        let mut random = RandomWork {
            start_ms: f64::INFINITY,
            whole_ms: 0.0,
            net_ms: 0.0,
            count,
            peak_bytes: 0,
        };
        for seed in (0..SEEDS).map(|more| self.plan.seed.wrapping_add(more)) {
            let genome = Genome::declared(0, seed);
            let inputs = [least, most].map(|it| self.search.space().input(&genome, it.n));
            let [Some(small), Some(large)] = inputs else { return Ok(None) };
            if least.n == most.n || Instant::now() >= until {
                return Ok(None);
            }
            let start = Time::of(program, &small, until).await?;
            let whole = Time::of(program, &large, until).await?;
            random.start_ms = random.start_ms.min(start.cpu_ms);
            random.whole_ms = random.whole_ms.max(whole.cpu_ms);
            random.peak_bytes = random.peak_bytes.max(whole.peak_bytes);
        }
        let net_count = count.saturating_sub(least_count) as f64;
        random.net_ms = (random.whole_ms - random.start_ms).max(net_count * LEAST_NS / NS_PER_MS);
        Ok(Some(random))
    }
}

/// Times of the shortest run of an input.
struct Time {
    cpu_ms: f64,
    user_ms: f64,
    peak_bytes: u64,
}

impl Time {
    /// Runs an input. Runs again only if that is worth it, and not after `until`.
    async fn of(
        program: &mut ProgramSession,
        input: &[u8],
        until: Instant,
    ) -> Result<Self, SandboxFault> {
        let mut shortest = program.run(input).await?.sample;
        for _ in 1..TIMED_RUNS {
            if ms(shortest.cpu_ns.unwrap_or(0)) < LEAST_MS || Instant::now() >= until {
                break;
            }
            let again = program.run(input).await?.sample;
            if again.cpu_ns < shortest.cpu_ns {
                shortest = again;
            }
        }
        Ok(Self {
            cpu_ms: ms(shortest.cpu_ns.unwrap_or(0)),
            user_ms: ms(shortest.user_ns),
            peak_bytes: shortest.peak_rss_bytes,
        })
    }
}

/// Work of random inputs.
struct RandomWork {
    /// Shortest time of the smallest size, in milliseconds, most of which is the start-up.
    start_ms: f64,
    /// Longest time of the largest size.
    whole_ms: f64,
    /// Time beyond the start-up, at least that of its count.
    net_ms: f64,
    /// Median count of the largest size.
    count: u64,
    peak_bytes: u64,
}

impl RandomWork {
    /// Returns the time of another input beyond all that the count of a random one explains. `None`
    /// if there is none.
    fn excess_ms(&self, time: &Time) -> Option<f64> {
        let extra_mib = mib(time.peak_bytes.saturating_sub(self.peak_bytes));
        let net_ms = time.cpu_ms - self.start_ms - MIB_MS * extra_mib;
        let excess_ms = net_ms - SLOWER * self.net_ms;
        (net_ms >= LEAST_MS && excess_ms > 0.0).then_some(excess_ms)
    }

    /// Says that the count of another input is too small for its time.
    fn contradiction(&self, time: &Time, count: u64) -> Option<String> {
        let extra_ms = count.saturating_sub(self.count) as f64 * LONGEST_NS / NS_PER_MS;
        let is_explained = self.excess_ms(time)? <= extra_ms;
        (!is_explained).then(|| {
            format!(
                "the count is {count} instructions in {:.1} ms of processor time, and that of a \
                 random input {} in {:.1} ms",
                time.cpu_ms, self.count, self.whole_ms
            )
        })
    }
}
