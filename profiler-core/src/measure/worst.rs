//! The search for the input on which a program executes the most instructions, among the inputs
//! that its specs allow. The cost can also be memory, allocations, or the instructions of one line.
//!
//! The search runs at a small size and finds a pattern. The pattern and random inputs are then
//! measured at several sizes, up to one that was never searched. The feedback of the search is the
//! exact count of all instructions, and the count of each block of the program.

mod costs;
mod counting;
mod found;
mod growth;
pub(crate) mod job_step;
mod seed_search;
mod seeds;
mod selection;
mod sizes;
mod slow_line;
mod ways;

use crate::build::Builder;
use crate::error::SandboxFault;
use crate::job::{WorstGoal, WorstPlan};
use crate::limits::TRACE_BYTES;
use crate::measure::program_session::ProgramSession;
use crate::measure::session::beside::beside;
pub use costs::{RunCost, SizeCosts};
use counting::{Counting, Parts};
use profiler_growth::Classification;
use profiler_proto::v1::{FailedInputs, SearchEnd, SlowLine};
use profiler_search::{Cost, Genome, Search, Settings, Space, Trial, Way};
use seeds::Seeds;
use sizes::Sizes;
use std::collections::VecDeque;
use std::time::{Duration, Instant};
use ways::Ways;

/// Number of inputs that are tried before their costs lead to new inputs. If possible, one process
/// runs them all.
const GENERATION: u32 = 64;
/// Number of random inputs that are measured at each size after the search.
const RANDOM_INPUTS: u32 = 7;
/// Divisor of a count. A second count of the same input may differ by at most the quotient. The
/// counts of programs whose work depends on a clock or on random numbers vary by more.
const SAME_COUNT: u64 = 100;

/// Result of a search and of the measurements after it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WorstEnd {
    /// An input was found, and measured.
    Found,
    /// Reason why the program's cost cannot be measured.
    Uncountable(String),
    /// The program ended well on no input, so nothing is known.
    NothingEndedOk,
    /// A generator failed, as this sentence says.
    NotGenerated(String),
}

/// A search. Its findings so far can be read at any time, even after [`Self::run`] was dropped.
#[derive(Debug, Clone)]
pub struct WorstCase {
    /// The search at one size, among all inputs that the specs allow.
    pub search: Search,
    plan: WorstPlan,
    sizes: Sizes,
    /// The seeds tried, if a generator makes inputs; `None` if the search makes all inputs.
    seeds: Option<Seeds>,
    /// Instructions of the empty program, if the search counts instructions.
    start_up: Option<u64>,
    /// The path of the file with the line of the goal. Empty for the submitted source.
    goal_file: String,
    /// Reason for the end of the search; `None` while it goes on, or if it was interrupted.
    pub end: Option<SearchEnd>,
    /// Effort and result of each way in which the search chose inputs.
    ways: Ways,
    /// Number of runs that were counted after the search.
    further_runs: u32,
    /// The inputs on which the program did not end well.
    failures: Option<FailedInputs>,
    /// Pattern that is reported as the worst, once it was measured.
    chosen: Option<Genome>,
    /// Costs at each size, rising; empty during the search.
    pub points: Vec<SizeCosts>,
    /// The line whose cost on the worst input most exceeds its cost on a random one.
    line: Option<SlowLine>,
    /// Whether a second count of the worst input differed from the first.
    varies: bool,
    /// The genomes with named choices that were tried.
    named: Vec<Genome>,
    /// A count that contradicts the time of its input, as a sentence.
    contradiction: Option<String>,
    /// Duration of the search, without compiling and without the measurements after it.
    pub took: Duration,
}

impl WorstCase {
    /// Makes a search through `space`, whose candidates must all have inputs of the plan's size n.
    pub fn new(space: Space, plan: WorstPlan) -> Self {
        let seeds = Seeds::of(&space);
        let sizes = match &seeds {
            Some(_) => Sizes::only(plan.n),
            None => Sizes::up_to(plan.n, &space, plan.seed),
        };
        let WorstPlan { seed, executions, .. } = plan;
        let settings = Settings { n: sizes.searched, seed, executions };
        Self {
            search: Search::new(space, settings),
            plan,
            sizes,
            seeds,
            start_up: None,
            goal_file: String::new(),
            end: None,
            ways: Ways::default(),
            further_runs: 0,
            failures: None,
            chosen: None,
            points: Vec::new(),
            line: None,
            varies: false,
            named: Vec::new(),
            contradiction: None,
            took: Duration::ZERO,
        }
    }

    /// Searches with the compiled `program`, and measures the worst input. `makers` are the
    /// generators, all compiled, at the places of their candidates. Calls `tell` after every run.
    pub async fn run(
        &mut self,
        program: &mut ProgramSession,
        makers: &mut [Option<ProgramSession>],
        builder: &Builder,
        mut tell: impl FnMut(&Self),
    ) -> Result<WorstEnd, SandboxFault> {
        self.goal_file = counting::goal_file(&program.job, self.plan.goal).unwrap_or_default();
        if let Some(reason) = counting::prepare(program, builder, self.plan.goal).await? {
            return Ok(WorstEnd::Uncountable(reason));
        }
        if self.plan.goal == WorstGoal::Instructions {
            self.start_up = program.count_empty(builder).await?;
        }
        if let Some(end) = self.search(program, makers, &mut tell).await? {
            return Ok(end);
        }
        if self.search.best().is_none() {
            return Ok(WorstEnd::NothingEndedOk);
        }
        if self.seeds.is_some() {
            if let Err(why) = self.repeat(program, makers, &mut tell).await? {
                return Ok(WorstEnd::NotGenerated(why));
            }
        } else {
            self.select(program, &mut tell).await?;
            self.simplify(program, &mut tell).await?;
            self.measure(program, &mut tell).await?;
            if self.plan.goal == WorstGoal::Instructions {
                self.contradiction = self.find_contradiction(program, &mut tell).await?;
            }
        }
        if self.plan.goal == WorstGoal::Instructions
            && let Some((n, worst, random)) = beside(|| self.compared())
        {
            self.further_runs += 2;
            program.limit_memory(TRACE_BYTES).await?;
            self.line = slow_line::find(program, n, &worst, &random).await?;
        }
        Ok(WorstEnd::Found)
    }

    /// Searches at one size. Returns an end if costs cannot be measured or inputs cannot be made.
    async fn search(
        &mut self,
        program: &mut ProgramSession,
        makers: &mut [Option<ProgramSession>],
        tell: &mut impl FnMut(&Self),
    ) -> Result<Option<WorstEnd>, SandboxFault> {
        let begun = Instant::now();
        let within = counting::search_limit(program);
        let mut generation = VecDeque::new();
        while self.end.is_none() {
            if generation.is_empty() && self.seeds.is_none() {
                generation.extend(beside(|| self.search.generation(GENERATION)));
            } else if generation.is_empty() {
                match self.draw(makers, begun).await? {
                    Ok(drawn) => generation.extend(drawn),
                    Err(why) => return Ok(Some(WorstEnd::NotGenerated(why))),
                }
            }
            if generation.is_empty() {
                self.end = Some(if self.search.executions() >= self.plan.executions {
                    SearchEnd::Executions
                } else if self.seeds.is_some() && begun.elapsed() >= self.plan.time {
                    SearchEnd::Time
                } else {
                    SearchEnd::NothingBetter
                });
                break;
            }
            let inputs: Vec<&[u8]> = generation.iter().map(|trial| &trial.bytes[..]).collect();
            let asked = Instant::now();
            let counted = counting::count_first(program, self.plan.goal, &inputs, within).await?;
            let each = asked.elapsed().as_secs_f64() / counted.len().max(1) as f64;
            for (trial, counting) in generation.drain(..counted.len()).zip(counted) {
                self.ways.tell(trial.way, each, &counting);
                match counting {
                    Counting::Uncountable(reason) if self.search.best().is_none() => {
                        return Ok(Some(WorstEnd::Uncountable(reason)));
                    }
                    counting => self.tell(trial, counting),
                }
                self.took = begun.elapsed();
                tell(self);
            }
            if self.took >= self.plan.time {
                self.end = Some(SearchEnd::Time);
            }
        }
        Ok(None)
    }

    fn tell(&mut self, trial: Trial, counting: Counting) {
        if trial.way == Way::Vocabulary {
            self.named.push(trial.genome.clone());
        }
        let cost = self.cost(&trial.genome, self.sizes.searched, counting);
        if let (Some((cost, _)), Some(seeds)) = (&cost, &mut self.seeds) {
            seeds.tell(&trial, *cost);
        }
        let cost = cost.map(|(RunCost { all, .. }, parts)| Cost { whole: all, parts });
        self.search.tell(trial, cost);
    }

    /// Returns the costs of a run and of the program's parts. A run without a cost counts as a
    /// failure.
    fn cost(&mut self, genome: &Genome, n: u64, counting: Counting) -> Option<(RunCost, Parts)> {
        let ended = match counting {
            Counting::Counted(cost, parts) => return Some((cost, parts)),
            Counting::Failed(why) | Counting::Uncountable(why) => why,
        };
        let (looks, spec) = self.described(genome);
        let first = || FailedInputs { count: 0, ended, size: n, looks, spec };
        self.failures.get_or_insert_with(first).count += 1;
        None
    }

    /// Measures the best pattern and random inputs at all sizes.
    async fn measure(
        &mut self,
        program: &mut ProgramSession,
        tell: &mut impl FnMut(&Self),
    ) -> Result<(), SandboxFault> {
        let Some(best) = self.search.best().cloned() else { return Ok(()) };
        let within = counting::longest(program);
        let randoms =
            (0..RANDOM_INPUTS).map(|more| Genome::declared(0, self.plan.seed.wrapping_add(more)));
        let randoms: Vec<Genome> = randoms.collect();
        self.chosen = Some(best.genome.clone());
        let mut of_random = Vec::new();
        let mut costliest = None;
        for n in self.sizes.measured.clone() {
            let mut found = self.costs(program, randoms.clone(), n, (within, None), tell).await?;
            found.sort_by_key(|one| one.cost);
            let random: Vec<RunCost> = found.iter().map(|one| one.cost).collect();
            let point = |worst: Option<&Measured>| SizeCosts {
                n,
                random: random.clone(),
                worst: worst.map(|one| one.cost),
                input_bytes: worst.map_or(0, |one| one.input_bytes),
            };
            of_random.push(point(found.last()));
            costliest = found.pop();
            let worst =
                self.costs(program, vec![best.genome.clone()], n, (within, None), tell).await?;
            self.points.push(point(worst.first()));
        }
        let again = self.points.iter().find(|point| point.n == self.sizes.searched);
        let again = again.and_then(|point| point.worst).map_or(best.cost, |worst| worst.all);
        self.varies = again.abs_diff(best.cost) > best.cost / SAME_COUNT;
        let worst = last_cost(&self.points);
        if worst.is_some() && last_cost(&of_random) > worst {
            // The pattern was costly at the searched size only by chance.
            (self.chosen, self.points) = (costliest.map(|one| one.genome), of_random);
            self.varies = false;
        }
        Ok(())
    }

    /// Measures the costs of inputs, each for at most `within`. Returns those on which the program
    /// ended well. No input is begun after `until`.
    async fn costs(
        &mut self,
        program: &mut ProgramSession,
        genomes: Vec<Genome>,
        n: u64,
        (within, until): (Duration, Option<Instant>),
        tell: &mut impl FnMut(&Self),
    ) -> Result<Vec<Measured>, SandboxFault> {
        let space = self.search.space();
        let inputs = genomes.into_iter().filter_map(|it| Some((space.input(&it, n)?, it)));
        let mut left: VecDeque<(Vec<u8>, Genome)> = beside(|| inputs.collect());
        let mut costs = Vec::new();
        while !left.is_empty() && until.is_none_or(|until| Instant::now() < until) {
            let inputs: Vec<&[u8]> = left.iter().map(|(input, _)| &input[..]).collect();
            let counted = counting::count_first(program, self.plan.goal, &inputs, within).await?;
            for ((input, genome), counting) in left.drain(..counted.len()).zip(counted) {
                self.further_runs += 1;
                let (cost, input_bytes) = (self.cost(&genome, n, counting), input.len() as u64);
                costs.extend(cost.map(|(cost, _)| Measured { cost, genome, input_bytes }));
                tell(self);
            }
        }
        Ok(costs)
    }

    /// Returns the largest size that was counted, and the worst and a random input of that size.
    /// `None` if the worst input is itself a random one.
    fn compared(&self) -> Option<(u64, Vec<u8>, Vec<u8>)> {
        if let Some(seeds) = &self.seeds {
            let [worst, median] = seeds.compared()?;
            return Some((self.sizes.searched, worst, median));
        }
        let n = self.points.iter().rev().find(|point| point.worst.is_some())?.n;
        let worst = self.worst().filter(|worst| !worst.is_declared())?;
        let (space, random) = (self.search.space(), Genome::declared(0, self.plan.seed));
        Some((n, space.input(worst, n)?, space.input(&random, n)?))
    }

    /// The size that was searched.
    pub fn searched_size(&self) -> u64 {
        self.sizes.searched
    }

    /// Returns the number of counted runs.
    pub fn executions(&self) -> u32 {
        self.search.executions() + self.further_runs
    }

    /// Returns the genome that makes the worst input.
    pub fn worst(&self) -> Option<&Genome> {
        self.chosen.as_ref().or_else(|| self.search.best().map(|best| &best.genome))
    }

    /// Returns the worst input, of the largest size that was measured or else of the searched size.
    pub fn input(&self) -> Option<Vec<u8>> {
        if let Some(seeds) = &self.seeds {
            return seeds.worst_input();
        }
        let measured = self.points.iter().rev().find(|point| point.worst.is_some());
        let n = measured.map_or(self.sizes.searched, |point| point.n);
        self.search.space().input(self.worst()?, n)
    }

    /// Returns how many times the median cost of random inputs a cost is, both net of the start-up.
    pub fn ratio(&self, cost: u64, median: u64) -> f64 {
        let start_up = self.start_up_below(median).unwrap_or(0);
        cost.saturating_sub(start_up) as f64 / (median - start_up).max(1) as f64
    }

    /// The instructions of the empty program, if they are fewer than the median of random inputs.
    fn start_up_below(&self, median: u64) -> Option<u64> {
        self.start_up.filter(|start_up| *start_up < median)
    }

    /// Returns the growth on random inputs and on the worst inputs. `None` if there is only one
    /// size, or if the pattern was not measured at all sizes.
    pub fn growth(&self) -> Option<[Classification; 2]> {
        let is_whole = self.sizes.scale() && self.points.len() == self.sizes.measured.len();
        is_whole.then(|| growth::classes(self.plan.goal, &self.points)).flatten()
    }
}

/// An input on which the program ended well.
struct Measured {
    cost: RunCost,
    genome: Genome,
    /// Length of the input, in bytes.
    input_bytes: u64,
}

/// Returns the cost of the worst input at the last size.
fn last_cost(points: &[SizeCosts]) -> Option<u64> {
    points.last()?.worst.map(|worst| worst.all)
}

#[cfg(test)]
mod tests;
