//! The search for the worst seed, if a generator makes inputs. Only its author knows which other
//! inputs are valid, so nothing but the seed is varied, at the full size.

use super::costs::SizeCosts;
use super::counting::Counting;
use super::seeds::is_generated;
use super::{GENERATION, SAME_COUNT, WorstCase, counting};
use crate::error::SandboxFault;
use crate::measure::program_session::ProgramSession;
use crate::measure::session::beside::beside;
use profiler_input::InputSpec;
use profiler_search::{Genome, Space, Trial};
use runner_protocol::MAX_SERIES_BYTES;
use std::time::Instant;

/// Number of consecutive inputs that were made before, after which the search ends: there are few
/// further ones.
const STALE_INPUTS: u32 = 256;

impl WorstCase {
    /// Makes the inputs of the next seeds, at most as many as are counted at once. Returns none if
    /// the time is over, the allowed number was tried, or seeds make no new inputs. The error is
    /// the fault of a generator.
    pub(super) async fn draw(
        &mut self,
        makers: &mut [Option<ProgramSession>],
        begun: Instant,
    ) -> Result<Result<Vec<Trial>, String>, SandboxFault> {
        let (mut trials, mut bytes) = (Vec::new(), 0);
        let Some(seeds) = &mut self.seeds else { return Ok(Ok(trials)) };
        let left = self.plan.executions.saturating_sub(self.search.executions());
        let candidates = u32::try_from(self.search.space().candidates()).unwrap_or(u32::MAX);
        while trials.len() < left.min(GENERATION) as usize
            && bytes < MAX_SERIES_BYTES
            && seeds.stale < STALE_INPUTS
            && (seeds.made == 0 || begun.elapsed() < self.plan.time)
        {
            let (more, candidate) = (seeds.made / candidates, seeds.made % candidates);
            let genome = Genome::declared(candidate as usize, self.plan.seed.wrapping_add(more));
            seeds.made += 1;
            seeds.stale += 1;
            let n = self.sizes.searched;
            let input = match input(self.search.space(), makers, &genome, n).await? {
                Ok(input) => input,
                Err(why) => return Ok(Err(why)),
            };
            if let Some(trial) = input.and_then(|input| self.search.trial(genome, input)) {
                seeds.stale = 0;
                bytes += trial.bytes.len();
                trials.push(trial);
            }
        }
        Ok(Ok(trials))
    }

    /// Makes and counts the worst input once more, and makes that of the median seed. The error is
    /// the fault of a generator.
    pub(super) async fn repeat(
        &mut self,
        program: &mut ProgramSession,
        makers: &mut [Option<ProgramSession>],
        tell: &mut impl FnMut(&Self),
    ) -> Result<Result<(), String>, SandboxFault> {
        let (goal, n, within) = (self.plan.goal, self.sizes.searched, counting::longest(program));
        let Some(seeds) = &mut self.seeds else { return Ok(Ok(())) };
        let (Some((cost, worst)), Some(best)) = (&seeds.worst, self.search.best()) else {
            return Ok(Ok(()));
        };
        seeds.costs.sort_unstable();
        let median = seeds.costs.get(seeds.costs.len().saturating_sub(1) / 2);
        let median = median.map(|(_, seed)| Genome::declared(0, *seed));
        let random = seeds.costs.iter().map(|(cost, _)| *cost).collect();
        let input_bytes = worst.len() as u64;
        self.points = vec![SizeCosts { n, random, worst: Some(*cost), input_bytes }];
        let counted = counting::count_first(program, goal, &[worst], within).await?;
        self.varies = match counted.first() {
            Some(Counting::Counted(again, _)) => {
                again.all.abs_diff(cost.all) > cost.all / SAME_COUNT
            }
            _ => true,
        };
        let space = self.search.space();
        match input(space, makers, &best.genome, n).await? {
            Ok(again) if again.as_ref() == Some(worst) => {}
            Ok(_) => {
                let why = "the generator wrote something else at its second run with n =";
                return Ok(Err(format!("{why} {n} and seed {}", best.genome.seed)));
            }
            Err(why) => return Ok(Err(why)),
        }
        if let Some(median) = median {
            match input(space, makers, &median, n).await? {
                Ok(input) => seeds.median = input,
                Err(why) => return Ok(Err(why)),
            }
        }
        self.further_runs += 1;
        tell(self);
        Ok(Ok(()))
    }

    /// Whether a generator makes the inputs of this genome's candidate.
    pub(super) fn is_generated(&self, genome: &Genome) -> bool {
        is_generated(self.search.space(), genome.candidate)
    }

    /// Describes the inputs of a genome. Those of a generator have no spec, which would have the
    /// generator's source.
    pub(super) fn described(&self, genome: &Genome) -> (Vec<String>, Option<InputSpec>) {
        if self.is_generated(genome) {
            return (vec![format!("seed {} of the generator", genome.seed)], None);
        }
        let space = self.search.space();
        (space.words(genome), space.spec(genome))
    }
}

/// Makes an input with a generator, or as the spec says. `None` if the spec's seed gives no input.
/// The error is the generator's fault.
async fn input(
    space: &Space,
    makers: &mut [Option<ProgramSession>],
    genome: &Genome,
    n: u64,
) -> Result<Result<Option<Vec<u8>>, String>, SandboxFault> {
    let Some(Some(maker)) = makers.get_mut(genome.candidate) else {
        return Ok(Ok(beside(|| space.input(genome, n))));
    };
    let made = maker.generate(n, genome.seed).await?;
    Ok(made.map(Some).map_err(|why| format!("{why} (seed {})", genome.seed)))
}

#[cfg(test)]
mod tests {
    use super::super::WorstEnd;
    use super::super::tests::{LONG, plan, quadratic};
    use super::*;
    use crate::job::WorstPlan;
    use crate::measure::program_session::tests::{start, started};
    use crate::sandbox::fake::{BASE_NS, EMPTY_NS, Fake, Heard, INSTRUCTIONS_PER_NS};
    use profiler_input::Scope;
    use profiler_proto::v1::SearchEnd;
    use runner_protocol::{Ending, Made, Make, Request, Response};
    use std::time::Duration;

    const N: u64 = 800;
    /// The seed whose input is the longest.
    const LONGEST: u32 = 20;

    /// A generator whose input has as many bytes as `bytes` says of the seed and of the number of
    /// the run. The run with the number `fails` fails.
    fn maker(bytes: fn(u32, usize) -> u64, fails: usize) -> Fake {
        let heard = Heard::default();
        let backend = quadratic().recording(heard.clone());
        backend.bending(move |mut answer| {
            let heard = heard.lock().unwrap();
            let mut seeds = heard.iter().filter_map(|it| match it {
                Request::Make(Make { seed, .. }) => Some(*seed),
                _ => None,
            });
            let run = seeds.clone().count();
            let bytes = seeds.next_back().map_or(0, |seed| bytes(seed, run));
            match &mut answer {
                Response::Made(Made { written, .. }) if run != fails => {
                    written.stdout_bytes = bytes;
                }
                Response::Made(Made { execution, .. }) => {
                    execution.ending = Ending::Exited(1);
                }
                Response::Fetched(piece) => piece.truncate(usize::try_from(bytes).unwrap()),
                _ => {}
            }
            Some(answer)
        })
    }

    /// The length of the input of a seed, which falls with the distance from the longest one's.
    fn length(seed: u32, _: usize) -> u64 {
        N - 20 * u64::from(seed.abs_diff(LONGEST))
    }

    async fn searched(maker: Fake, plan: WorstPlan) -> (WorstEnd, WorstCase) {
        let generated = InputSpec { generator: "int main() {}".into(), ..InputSpec::default() };
        let space = Space::new(vec![generated], Scope::default(), 1 << 20);
        let (mut program, builder) = start(quadratic(), "int main() {}").await;
        program.compile(&builder).await.unwrap().unwrap();
        let mut makers = [Some(started(maker).await)];
        let mut case = WorstCase::new(space, plan);
        let end = case.run(&mut program, &mut makers, &builder, |_| {}).await.unwrap();
        (end, case)
    }

    #[tokio::test]
    async fn worst_seed_is_compared_with_the_median_seed_net_of_the_start_up() {
        let (end, case) = searched(maker(length, 0), plan(N, 40, LONG)).await;
        assert_eq!((&end, case.end), (&WorstEnd::Found, Some(SearchEnd::Executions)));
        let found = case.found(Some(&end));
        assert_eq!((found.generator_seed, found.looks.len()), (Some(LONGEST), 1));
        assert_eq!((found.searched_size, found.measured_size), (N, Some(N)));
        assert_eq!((found.input_bytes, found.spec, found.points.len()), (N, None, 1));
        // Of the seeds 7 to 46, half are at most 10 away.
        let count = |bytes: u64| INSTRUCTIONS_PER_NS * (BASE_NS + 10 * bytes * bytes);
        let (worst, median) = (count(N), count(N - 200));
        assert_eq!(found.instructions, Some(worst));
        assert_eq!(found.random.map(|random| (random.median, random.most)), Some((median, worst)));
        let start_up = EMPTY_NS * INSTRUCTIONS_PER_NS;
        assert_eq!(found.start_up_instructions, Some(start_up));
        let net = (worst - start_up) as f64 / (median - start_up) as f64;
        assert!(found.ratio.is_some_and(|ratio| (ratio - net).abs() < 1e-9), "{:?}", found.ratio);
        let line = found.line.unwrap();
        assert!(line.worst > line.random, "{line:?}");
        assert_eq!(found.executions, 40 + 1 + 2, "once more, and both by line");
        assert!(found.problem.is_empty() && found.random_growth.is_none());
    }

    #[tokio::test]
    async fn generator_that_fails_or_does_not_repeat_an_input_is_named() {
        let (end, case) = searched(maker(length, 4), plan(N, 40, LONG)).await;
        let why = "the generator ended with exit code 1 at n = 800 (seed 10)";
        assert_eq!(end, WorstEnd::NotGenerated(why.into()));
        assert_eq!(case.found(Some(&end)).problem, why);
        let varies = maker(|seed, run| length(seed, run) - u64::from(run > 40), 0);
        let (end, case) = searched(varies, plan(N, 40, LONG)).await;
        let why = "the generator wrote something else at its second run with n = 800 and seed 20";
        assert_eq!(end, WorstEnd::NotGenerated(why.into()));
        assert_eq!(case.found(Some(&end)).measured_size, Some(N));
    }

    #[tokio::test]
    async fn search_ends_if_no_seed_makes_another_input() {
        // The fake's generator repeats the first digit of the seed.
        let plan = WorstPlan { seed: 1000, ..plan(N, 40, LONG) };
        let (end, case) = searched(maker(|_, _| N, 0), plan).await;
        assert_eq!((end, case.end), (WorstEnd::Found, Some(SearchEnd::NothingBetter)));
        assert_eq!(case.search.executions(), 1);
        assert_eq!(case.found(None).generator_seed, Some(1000));
    }

    #[tokio::test]
    async fn time_ends_a_search_after_its_first_input() {
        let none = WorstPlan { time: Duration::ZERO, ..plan(N, 40, LONG) };
        let (_, case) = searched(maker(length, 0), none).await;
        assert_eq!((case.end, case.search.executions()), (Some(SearchEnd::Time), 1));
    }
}
