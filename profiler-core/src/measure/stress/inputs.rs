//! The inputs of a stress test: every candidate at every size, with one seed after the other.

use crate::error::{Violation, Violations};
use crate::job::{check_input, preferred_sizes};
use crate::limits::MAX_INPUT_BYTES;
use profiler_input::{InputSpec, Plan, Problem, Recipe, Scope};
use std::collections::{BTreeMap, HashSet, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};

/// A size is left out after this many seeds in a row that gave no new input: there are few others.
const STALE_SEEDS: u32 = 32;

/// Sizes to try.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TriedSizes {
    /// These. Every candidate must have an input of each.
    Exactly(Vec<u64>),
    /// Up to this one: every whole number at first, and preferred numbers above. Sizes at
    /// which a candidate has no input are left out.
    UpTo(u64),
}

/// One input, and what it was made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TestInput {
    /// The size.
    pub n: u64,
    /// The index of the candidate among all specs.
    pub candidate: usize,
    /// The seed.
    pub seed: u32,
    /// The input.
    pub bytes: Vec<u8>,
}

/// The inputs in the order in which they are tried: with one seed all sizes rising, and all
/// candidates of a size, then the same with the next seed. The same candidates, sizes and first
/// seed give the same inputs. No input is given twice.
#[derive(Debug, Clone)]
pub struct InputSeries {
    /// The specs that are candidates, with their indices among all specs.
    candidates: Vec<(usize, InputSpec)>,
    scope: Scope,
    sizes: BTreeMap<u64, Size>,
    next_seed: u32,
    /// The rest of the seed under way.
    pending: VecDeque<Origin>,
}

/// Result of one attempt to make an input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Attempt {
    New(TestInput),
    /// An input that was given before, or none: the seed draws too many or impossible numbers.
    Nothing,
    /// No seed gives a further input.
    NoMore,
}

/// One size.
#[derive(Debug, Clone, Default)]
struct Size {
    /// The candidates that have an input of this size, as indices of [`InputSeries::candidates`].
    candidates: Vec<usize>,
    /// Hashes of the inputs that were given.
    given: HashSet<u64>,
    /// Number of consecutive seeds that gave no new input.
    stale: u32,
}

#[derive(Debug, Clone, Copy)]
struct Origin {
    n: u64,
    candidate: usize,
    seed: u32,
}

impl InputSeries {
    /// The inputs of `candidates`, which are specs with their indices among all specs. A candidate
    /// without any input is refused, by the names of the wire.
    pub fn try_new(
        candidates: Vec<(usize, InputSpec)>,
        scope: Scope,
        sizes: &TriedSizes,
        first_seed: u32,
    ) -> Result<Self, Violations> {
        let mut by_size: BTreeMap<u64, Size> = BTreeMap::new();
        let mut bad = Violations::default();
        for (index, (at, spec)) in candidates.iter().enumerate() {
            let spec = InputSpec { seed: first_seed, ..spec.clone() };
            match sizes_with_input(&spec, &scope, sizes) {
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
        let pending = VecDeque::new();
        let series = Self { candidates, scope, sizes: by_size, next_seed: first_seed, pending };
        if bad.is_empty() { Ok(series) } else { Err(bad) }
    }

    /// Leaves out the sizes from `n` on.
    pub fn keep_below(&mut self, n: u64) {
        self.sizes.split_off(&n);
        self.pending.retain(|origin| origin.n < n);
    }

    /// Tries to make the next input.
    pub(super) fn attempt(&mut self) -> Attempt {
        if self.pending.is_empty() {
            self.begin_seed();
        }
        let Some(origin) = self.pending.pop_front() else { return Attempt::NoMore };
        self.new_input(origin).map_or(Attempt::Nothing, Attempt::New)
    }

    /// Begins the next seed, at the sizes that may have further inputs.
    fn begin_seed(&mut self) {
        self.sizes.retain(|_, size| size.stale < STALE_SEEDS);
        let seed = self.next_seed;
        self.next_seed = seed.wrapping_add(1);
        for (&n, size) in &mut self.sizes {
            size.stale += 1;
            let origins = size.candidates.iter().map(|&candidate| Origin { n, candidate, seed });
            self.pending.extend(origins);
        }
    }

    /// The input of an origin, if it was not given before.
    fn new_input(&mut self, origin: Origin) -> Option<TestInput> {
        let bytes = self.make(origin)?;
        let mut hasher = DefaultHasher::new();
        bytes.hash(&mut hasher);
        let Origin { n, candidate, seed } = origin;
        let size = self.sizes.get_mut(&n)?;
        if !size.given.insert(hasher.finish()) {
            return None;
        }
        size.stale = 0;
        let (candidate, _) = self.candidates.get(candidate)?;
        Some(TestInput { n, candidate: *candidate, seed, bytes })
    }

    /// The bytes of an input. A seed that draws too many or impossible numbers gives none.
    fn make(&self, origin: Origin) -> Option<Vec<u8>> {
        let (_, spec) = self.candidates.get(origin.candidate)?;
        let spec = InputSpec { seed: origin.seed, ..spec.clone() };
        let recipe = Recipe { spec, scope: self.scope.clone(), n: origin.n };
        recipe.check().ok().filter(|estimate| estimate.bytes <= MAX_INPUT_BYTES as u64)?;
        let mut bytes = Vec::new();
        recipe.write(&mut bytes).ok()?;
        Some(bytes)
    }
}

/// The sizes at which a spec has an input. Otherwise the problems: those of a size that must have
/// one, or those of the first size if none has one.
fn sizes_with_input(
    spec: &InputSpec,
    scope: &Scope,
    sizes: &TriedSizes,
) -> Result<Vec<u64>, Vec<Problem>> {
    let plan = Plan::new(spec, scope)?;
    let tried = match sizes {
        TriedSizes::Exactly(list) => {
            return list.iter().map(|&n| check_input(&plan, n).map(|()| n)).collect();
        }
        TriedSizes::UpTo(n_max) => preferred_sizes(*n_max),
    };
    let (mut with_input, mut first) = (Vec::new(), None);
    for n in tried {
        match check_input(&plan, n) {
            Ok(()) => with_input.push(n),
            Err(problems) => _ = first.get_or_insert(problems),
        }
    }
    first.filter(|_| with_input.is_empty()).map_or(Ok(with_input), Err)
}

#[cfg(test)]
pub(super) mod tests;
