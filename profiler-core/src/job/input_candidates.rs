//! Inputs that specs describe. Each spec is a candidate for the worst case. Every spec is checked
//! at every size before anything is compiled. The sandbox generates the inputs. If a spec names a
//! generator, that program makes them before anything is measured.

use crate::error::{Violation, Violations};
use crate::job::{OtherProgram, Point, Sizes};
use crate::limits::{
    MAX_CANDIDATES, MAX_CHECK_STEPS, MAX_INPUT_BYTES, MAX_SPEC_BYTES, MAX_VIOLATIONS,
};
use profiler_input::{Cause, InputSpec, Plan, Problem, Recipe, Scope};
use profiler_search::Space;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Steps of the passes in which the possible sizes are checked: every 16th size first, then every
/// 8th, and so on.
const STRIDES: [usize; 5] = [16, 8, 4, 2, 1];

/// The specs of a job. Every spec has an input for every size.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidates {
    specs: Vec<InputSpec>,
    scope: Scope,
    /// Upper bound of the length of the longest input, in bytes.
    most_bytes: u64,
    own_bytes: usize,
    /// The generator of each spec that has one.
    generators: Vec<Option<OtherProgram>>,
    /// The inputs that the generators have made, by size and candidate.
    made: Arc<BTreeMap<(u64, u32), Vec<u8>>>,
}

impl Candidates {
    /// Checks `specs` at all of `sizes`. Possible sizes that are too large for a spec are removed,
    /// and default sizes are fitted to the specs if the job asks for that.
    pub(crate) fn try_new(
        specs: Vec<InputSpec>,
        bounds: &BTreeMap<String, i64>,
        sizes: &mut Sizes,
    ) -> Result<Self, Violations> {
        let mut bad = Violations::default();
        if specs.len() > MAX_CANDIDATES {
            let problem = format!("must have at most {MAX_CANDIDATES} specs, not {}", specs.len());
            return Err(Violation { field: "input_specs".into(), problem }.into());
        }
        let scope = Scope { bounds: bounds.clone(), size_variable: sizes.variable().into() };
        let mut own_bytes = 0;
        let mut generators = Vec::new();
        for (at, spec) in specs.iter().enumerate() {
            let (bytes, sources) = spec_bytes(spec);
            own_bytes = bytes.saturating_add(sources).saturating_add(own_bytes);
            bad.check(bytes <= MAX_SPEC_BYTES, &format!("input_specs[{at}]"), || {
                format!("must take at most {MAX_SPEC_BYTES} bytes")
            });
            generators.push(bad.generator(at, spec));
        }
        if !bad.is_empty() {
            return Err(bad);
        }
        let plans: Vec<_> = specs.iter().map(|spec| plan(spec, &scope)).collect();
        if let Some(n_max) = plans.iter().flatten().filter_map(Plan::n_max).min() {
            sizes.bound_by(n_max);
        }
        fit(sizes, &specs, &plans);
        let steps = MAX_CHECK_STEPS / specs.len().max(1) as u64;
        let mut most_bytes = 0;
        for (at, plan) in plans.into_iter().enumerate() {
            let checked = plan.and_then(|plan| Check { plan, steps, bytes: 0 }.all(sizes));
            match checked {
                Ok(bytes) => most_bytes = most_bytes.max(bytes),
                Err(problems) => {
                    bad.extend(problems.into_iter().map(|found| Violation::of_spec(at, found)));
                }
            }
        }
        let made = Arc::default();
        bad.or(Self { specs, scope, most_bytes, own_bytes, generators, made })
    }

    /// The candidates whose inputs a generator makes, each with its generator and its seed.
    pub(crate) fn generators(&self) -> impl Iterator<Item = (u32, &OtherProgram, u32)> {
        let all = (0..).zip(self.generators.iter().zip(&self.specs));
        all.filter_map(|(at, (program, spec))| Some((at, program.as_ref()?, spec.seed)))
    }

    /// The generator of each candidate that has one.
    pub(crate) fn all_generators(&self) -> &[Option<OtherProgram>] {
        &self.generators
    }

    /// The same candidates with the inputs that their generators have made.
    pub(crate) fn with_made(&self, made: BTreeMap<(u64, u32), Vec<u8>>) -> Self {
        let longest = made.values().map(Vec::len).max().unwrap_or(0) as u64;
        let most_bytes = self.most_bytes.max(longest);
        Self { most_bytes, made: Arc::new(made), ..self.clone() }
    }

    /// The input that a generator has made for `point`.
    pub(crate) fn made(&self, point: Point) -> Option<&[u8]> {
        self.made.get(&(point.size, point.candidate)).map(Vec::as_slice)
    }

    /// The number of candidates.
    pub(crate) fn count(&self) -> u32 {
        u32::try_from(self.specs.len()).unwrap_or(u32::MAX)
    }

    /// The candidates' names in reports.
    pub(crate) fn names(&self) -> Vec<String> {
        candidate_names(self.specs.iter().map(|spec| spec.name.as_str()))
    }

    /// The length of the encoded specs, in bytes.
    pub(crate) fn own_bytes(&self) -> usize {
        self.own_bytes
    }

    /// Upper bound of the length of the longest input, in bytes.
    pub(crate) fn most_bytes(&self) -> u64 {
        self.most_bytes
    }

    /// Whether every spec has an input of `size` that is within [`Self::most_bytes`].
    pub(crate) fn reach(&self, size: u64) -> bool {
        let mut generated = self.generators().map(|(candidate, ..)| Point { size, candidate });
        let are_made = generated.all(|point| self.made(point).is_some());
        are_made
            && self.specs.iter().all(|spec| {
                let examined = plan(spec, &self.scope).map(|plan| plan.examine(size));
                examined.is_ok_and(|(estimate, bad)| {
                    bad.is_empty() && estimate.bytes <= self.most_bytes
                })
            })
    }

    /// Checks that every spec has an input of `size` that is short enough to be given to a program.
    pub(super) fn check_at(&self, size: u64) -> Result<(), Violations> {
        let mut bad = Violations::default();
        for (at, spec) in self.specs.iter().enumerate() {
            let checked = plan(spec, &self.scope).and_then(|plan| check_input(&plan, size));
            let problems = checked.err().unwrap_or_default();
            bad.extend(problems.into_iter().map(|found| Violation::of_spec(at, found)));
        }
        bad.or(())
    }

    /// All inputs that the specs allow.
    pub(crate) fn space(&self) -> Space {
        Space::new(self.specs.clone(), self.scope.clone(), MAX_INPUT_BYTES as u64)
    }

    /// The recipe that generates the input of `point`.
    pub(crate) fn recipe(&self, point: Point) -> Option<Recipe> {
        let spec = self.specs.get(point.candidate as usize)?.clone();
        Some(Recipe { spec, scope: self.scope.clone(), n: point.size })
    }
}

/// Returns two lengths in bytes: of the encoded spec without the sources of its generator, and of
/// these sources. A spec that cannot be encoded is longer than any frame.
pub(super) fn spec_bytes(spec: &InputSpec) -> (usize, usize) {
    let [generator, testlib_h] = [const { String::new() }; 2];
    let described = InputSpec { generator, testlib_h, ..spec.clone() };
    let bytes = runner_protocol::encode(&described).map_or(usize::MAX, |frame| frame.len());
    (bytes, spec.generator.len() + spec.testlib_h.len())
}

/// Compiles a spec, whether it or its generator describes the inputs.
pub(crate) fn plan(spec: &InputSpec, scope: &Scope) -> Result<Plan, Vec<Problem>> {
    if spec.generator.is_empty() { Plan::new(spec, scope) } else { Plan::of_generator(spec) }
}

/// Fits default sizes to the specs, until the work limit is reached. A size that is not examined
/// counts as too large.
fn fit<E>(sizes: &mut Sizes, specs: &[InputSpec], plans: &[Result<Plan, E>]) {
    let mut steps = MAX_CHECK_STEPS;
    // Many generators fail at n = 0. Only their n_min says that they do not.
    let from_one = specs.iter().any(|it| !it.generator.is_empty() && it.n_min.is_empty());
    sizes.fit(|size| {
        if size == 0 && from_one {
            let problem = "is absent, so the generator may take no n = 0".to_owned();
            return Err(Problem { path: "n_min".into(), problem, cause: Cause::Size });
        }
        for plan in plans.iter().flatten() {
            if steps == 0 {
                let problem = format!("has too many cases to check at n = {size}");
                return Err(Problem { path: "layout".into(), problem, cause: Cause::TooLarge });
            }
            let (estimate, problems) = plan.examine(size);
            steps = steps.saturating_sub(estimate.steps);
            if let Some(first) = problems.into_iter().min_by_key(|it| it.cause != Cause::TooLarge) {
                return Err(first);
            }
        }
        Ok(())
    });
}

/// Checks that a spec has an input of size n that is not too long.
pub(super) fn check_input(plan: &Plan, n: u64) -> Result<(), Vec<Problem>> {
    let bytes = plan.check(n)?.bytes;
    if bytes <= MAX_INPUT_BYTES as u64 {
        return Ok(());
    }
    let problem =
        format!("must have at most {MAX_INPUT_BYTES} bytes, but can have {bytes} at n = {n}");
    Err(vec![Problem { path: "layout".into(), problem, cause: Cause::TooLarge }])
}

/// Returns the names of candidates in reports. A candidate keeps its `own` name if no earlier one
/// has it; otherwise its position is appended.
pub fn candidate_names<'a>(own: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for (own, position) in own.into_iter().zip(1..) {
        let name = if own.is_empty() { "input" } else { own };
        let is_unique = !own.is_empty() && !names.iter().any(|it| it == own);
        names.push(if is_unique { name.to_owned() } else { format!("{name} {position}") });
    }
    names
}

/// Check of one spec at every size, until the work limit is reached.
struct Check {
    plan: Plan,
    /// Work left, in steps of [`profiler_input::Estimate`].
    steps: u64,
    /// Length of the longest input so far, in bytes.
    bytes: u64,
}

impl Check {
    /// Returns an upper bound of the length of the longest input, in bytes. If the spec has
    /// problems, the error has one for each path, at the first size that shows it.
    fn all(mut self, sizes: &mut Sizes) -> Result<u64, Vec<Problem>> {
        let (mut bad, mut places) = (Vec::new(), BTreeSet::new());
        for &size in sizes.certain() {
            if self.steps == 0 {
                let problem = format!(
                    "has too many cases to check at every size up to {size}; use fewer sizes or \
                     fewer cases"
                );
                let too_many = Problem { path: "layout".into(), problem, cause: Cause::Spec };
                return Err(if bad.is_empty() { vec![too_many] } else { bad });
            }
            if let Err(found) = self.one(size) {
                bad.extend(found.into_iter().filter(|p| places.insert(p.path.clone())));
            }
            if bad.len() > MAX_VIOLATIONS {
                break;
            }
        }
        if !bad.is_empty() {
            return Err(bad);
        }
        self.rungs(sizes)?;
        Ok(self.bytes)
    }

    /// Removes the possible sizes that are too large for the spec, and those that the work limit
    /// leaves unchecked. The coarsest grid is checked first, so the remaining sizes are evenly
    /// spaced. If no size is left at all, returns the problems of the smallest one.
    fn rungs(&mut self, sizes: &mut Sizes) -> Result<(), Vec<Problem>> {
        let rungs = sizes.possible().to_vec();
        let (mut kept, mut end, mut at_end) = (BTreeSet::new(), u64::MAX, Vec::new());
        for stride in STRIDES {
            for &rung in rungs.iter().rev().step_by(stride) {
                if rung >= end || kept.contains(&rung) || self.steps == 0 {
                    continue;
                }
                match self.one(rung) {
                    Ok(()) => _ = kept.insert(rung),
                    Err(found) if found.iter().all(|p| p.cause == Cause::TooLarge) => {
                        (end, at_end) = (rung, found);
                    }
                    Err(found) => return Err(found),
                }
            }
        }
        sizes.keep(|rung| rung < end && kept.contains(&rung), end < u64::MAX);
        if sizes.requested().is_empty() { Err(at_end) } else { Ok(()) }
    }

    fn one(&mut self, size: u64) -> Result<(), Vec<Problem>> {
        let (estimate, problems) = self.plan.examine(size);
        self.steps = self.steps.saturating_sub(estimate.steps);
        if !problems.is_empty() {
            return Err(problems);
        }
        self.bytes = self.bytes.max(estimate.bytes);
        Ok(())
    }
}
