//! The inputs of a stress test: every candidate at every size, with one seed after the other. Now
//! and then, there is a large one, and one that varies an input that reached new code.

mod large;
mod variations;

use crate::error::{Violation, Violations};
use crate::job::{OtherProgram, TriedSizes, plan};
use crate::limits::MAX_INPUT_BYTES;
use crate::measure::stress::test_input::TestInput;
use large::Large;
use profiler_infer::conforms;
use profiler_input::{InputSpec, Scope};
use profiler_search::{Genome, Space};
use std::collections::{BTreeMap, HashSet, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;
use variations::Variations;

/// Number of consecutive seeds without a new input after which a size is left out. Such a size has
/// few further inputs. Half of the inputs are narrow, and often the same.
const STALE_SEEDS: u32 = 64;
/// Number of seeds with which the choices of a difference are tried at smaller sizes.
const RETRIES: u32 = 3;
/// Number of inputs of which one is large.
const PER_LARGE: u32 = 8;

/// The inputs in the order in which they are tried. Each seed in turn gives the inputs of all
/// sizes, rising, and of all candidates at each size. The same candidates, sizes and first seed
/// give the same inputs, except that the time of runs decides how large the large ones are, and
/// when others are varied. No small input is given twice.
#[derive(Debug, Clone)]
pub struct InputSeries {
    /// All inputs of the candidates.
    pub space: Space,
    /// The indices of the candidates among all specs.
    indices: Vec<usize>,
    /// The generator of each candidate that has one.
    generators: Vec<Option<OtherProgram>>,
    sizes: BTreeMap<u64, Size>,
    next_seed: u32,
    /// Origins that were not tried yet, of the current seed or of a difference.
    pending: VecDeque<Origin>,
    large: Large,
    variations: Variations,
    /// Number of origins so far.
    count: u32,
}

/// Size of an input, and the genome of a candidate with a seed.
pub(super) type Origin = (u64, Genome);

#[derive(Debug, Clone, Default)]
struct Size {
    /// The candidates that have an input of this size, as indices among the candidates.
    candidates: Vec<usize>,
    /// Hashes of the inputs that were given.
    given: HashSet<u64>,
    /// Number of consecutive seeds that gave no new input.
    stale: u32,
}

impl InputSeries {
    /// The inputs of `candidates`, which are specs with their indices among all specs. A candidate
    /// without any input is refused. The violation has the field's name on the wire.
    pub fn try_new(
        candidates: Vec<(usize, InputSpec)>,
        scope: Scope,
        sizes: &TriedSizes,
        first_seed: u32,
    ) -> Result<Self, Violations> {
        let mut by_size: BTreeMap<u64, Size> = BTreeMap::new();
        let mut bad = Violations::default();
        let mut generators = Vec::new();
        for (index, (at, spec)) in candidates.iter().enumerate() {
            generators.push(bad.generator(*at, spec));
            let spec = InputSpec { seed: first_seed, ..spec.clone() };
            match sizes.with_input(&spec, &scope) {
                Ok(sizes) => {
                    for n in sizes {
                        by_size.entry(n).or_default().candidates.push(index);
                    }
                }
                Err(problems) => {
                    bad.extend(problems.into_iter().map(|found| Violation::of_spec(*at, found)));
                }
            }
        }
        if !bad.is_empty() {
            return Err(bad);
        }
        let (indices, specs) = candidates.into_iter().unzip();
        let bound = scope.size_bound().unwrap_or(u64::MAX);
        let space = Space::new(specs, scope, MAX_INPUT_BYTES as u64);
        let (pending, count) = (VecDeque::new(), 0);
        let large = match sizes {
            TriedSizes::UpToAndBeyond(n) => Large::between(*n, bound),
            TriedSizes::UpTo(_) | TriedSizes::Exactly(_) => Large::default(),
        };
        let (next_seed, variations) = (first_seed, Variations::default());
        let sizes = by_size;
        Ok(Self { space, indices, generators, sizes, next_seed, pending, large, variations, count })
    }

    /// Leaves out the size of an input on which programs differ, and all larger sizes. The choices
    /// of the input are tried next at each smaller size.
    pub fn keep_below(&mut self, found: &TestInput) {
        self.sizes.split_off(&found.n);
        self.large.keep_below(found.n);
        self.variations.keep_below(found.n);
        self.pending.retain(|(size, _)| *size < found.n);
        let sizes = || self.sizes.keys().chain(self.large.sizes()).copied();
        let again =
            (0..RETRIES).flat_map(|more| sizes().map(move |n| (n, found.genome.reseeded(more))));
        self.pending = again.chain(self.pending.drain(..)).collect();
    }

    /// Whether this size is tried only if both programs are fast.
    pub(super) fn is_large(&self, n: u64) -> bool {
        self.large.sizes().contains(&n)
    }

    /// Records how long the slower of both programs took at a large size; `None` if it failed.
    pub(super) fn took(&mut self, n: u64, took: Option<Duration>) {
        self.large.took(n, took);
    }

    /// The generator of each candidate that has one.
    pub fn generators(&self) -> impl Iterator<Item = Option<&OtherProgram>> {
        self.generators.iter().map(Option::as_ref)
    }

    /// Whether the candidate of this genome has a generator.
    pub(super) fn is_generated(&self, genome: &Genome) -> bool {
        self.generators.get(genome.candidate).is_some_and(Option::is_some)
    }

    /// Whether the generator of this genome's candidate can be asked for an input of size n.
    pub(super) fn has_size(&self, n: u64, genome: &Genome) -> bool {
        let spec = self.space.declared(genome.candidate);
        let plan = spec.and_then(|spec| plan(spec, self.space.scope()).ok());
        plan.is_some_and(|plan| plan.check(n).is_ok())
    }

    /// Whether the candidate's spec allows this input of size n.
    pub(super) fn allows(&self, n: u64, genome: &Genome, input: &str) -> bool {
        let spec = self.space.declared(genome.candidate);
        spec.is_some_and(|spec| conforms(spec, self.space.scope(), n, input).is_ok())
    }

    /// Varies an input from now on, unless its generator alone knows which values it can have.
    pub(super) fn vary(&mut self, input: TestInput) {
        if !self.is_generated(&input.genome) {
            self.variations.add(input);
        }
    }

    /// Makes at most `most` variations to choose from.
    pub(super) fn variations(&mut self, most: usize) -> Vec<TestInput> {
        let made: Vec<_> = (0..most).filter_map(|_| self.variations.another()).collect();
        made.into_iter().filter(|it| self.allows_input(it)).collect()
    }

    /// Tries a variation next, and varies it from now on.
    pub(super) fn try_next(&mut self, input: TestInput) {
        self.variations.try_next(input.clone());
        self.variations.add(input);
    }

    /// Returns a new variation to try, if it is the turn of one.
    pub(super) fn next_variation(&mut self) -> Option<TestInput> {
        let varied = self.variations.next().filter(|it| self.allows_input(it))?;
        let varied = self.unless_given((varied.n, varied.genome), varied.bytes)?;
        Some(TestInput { is_edited: true, ..varied })
    }

    fn allows_input(&self, input: &TestInput) -> bool {
        let text = std::str::from_utf8(&input.bytes);
        text.is_ok_and(|text| self.allows(input.n, &input.genome, text))
    }

    /// Returns the origin of the next input; `None` if no seed gives a further input.
    pub(super) fn next_origin(&mut self) -> Option<Origin> {
        self.count = self.count.wrapping_add(1);
        let large = self.large.next().filter(|_| self.count.is_multiple_of(PER_LARGE));
        if let Some(n) = large.filter(|_| !self.sizes.is_empty()) {
            let turn = self.count / PER_LARGE;
            let candidate = turn as usize % self.indices.len().max(1);
            return Some((n, self.space.stress(candidate, self.next_seed.wrapping_add(turn), n)));
        }
        if self.pending.is_empty() {
            self.sizes.retain(|_, size| size.stale < STALE_SEEDS);
            let seed = self.next_seed;
            self.next_seed = seed.wrapping_add(1);
            for (&n, size) in &mut self.sizes {
                size.stale += 1;
                let space = &self.space;
                let origin = |&candidate: &usize| (n, space.stress(candidate, seed, n));
                self.pending.extend(size.candidates.iter().map(origin));
            }
        }
        self.pending.pop_front()
    }

    /// Makes the input of an origin. `None` if this input was given before, or if there is none,
    /// because the seed draws too many or impossible numbers.
    pub(super) fn new_input(&mut self, origin: Origin) -> Option<TestInput> {
        let bytes = self.space.input(&origin.1, origin.0)?;
        self.unless_given(origin, bytes)
    }

    /// Makes the input of an origin from its bytes. `None` if this input was given before.
    pub(super) fn unless_given(
        &mut self,
        (n, genome): Origin,
        bytes: Vec<u8>,
    ) -> Option<TestInput> {
        if !self.is_large(n) {
            let mut hasher = DefaultHasher::new();
            bytes.hash(&mut hasher);
            let size = self.sizes.get_mut(&n)?;
            if !size.given.insert(hasher.finish()) {
                return None;
            }
            size.stale = 0;
        }
        let candidate = *self.indices.get(genome.candidate)?;
        Some(TestInput { n, candidate, genome, is_edited: false, bytes })
    }
}

#[cfg(test)]
pub(super) mod tests;
