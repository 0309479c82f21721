//! Inputs that specs describe: each is a candidate for the worst case, and is checked at every size
//! before anything is compiled. They are made in the sandbox, next to the program.

use crate::error::Violation;
use crate::job::Point;
use crate::job::Sizes;
use crate::limits::{MAX_CANDIDATES, MAX_CHECK_STEPS, MAX_SPEC_BYTES};
use profiler_input::{Cause, Plan, Problem, Recipe, Scope, Spec};
use std::collections::{BTreeMap, BTreeSet};

/// At which distances rungs are checked, one pass after the other.
const STRIDES: [usize; 5] = [16, 8, 4, 2, 1];

/// The specs of a job, each of which has an input for every size.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidates {
    specs: Vec<Spec>,
    scope: Scope,
    /// Length of the longest input at most, and of the specs themselves.
    most_bytes: u64,
    own_bytes: usize,
}

impl Candidates {
    /// Checks `specs` at all of `sizes`. Sizes that are not certain end where an input would be too
    /// large.
    pub(crate) fn try_new(
        specs: Vec<Spec>,
        bounds: &BTreeMap<String, i64>,
        sizes: &mut Sizes,
    ) -> Result<Self, Vec<Violation>> {
        let mut bad = Vec::new();
        if specs.len() > MAX_CANDIDATES {
            let problem = format!("{} are over the limit of {MAX_CANDIDATES}", specs.len());
            return Err(vec![Violation { field: "input_specs".into(), problem }]);
        }
        let scope = Scope { bounds: bounds.clone(), size_variable: sizes.variable().into() };
        let mut own_bytes = 0;
        for (at, spec) in specs.iter().enumerate() {
            // What cannot be encoded is longer than any frame.
            let bytes = runner_protocol::encode(spec).map_or(usize::MAX, |frame| frame.len());
            own_bytes = bytes.saturating_add(own_bytes);
            if bytes > MAX_SPEC_BYTES {
                let problem = format!("takes more than {MAX_SPEC_BYTES} bytes");
                bad.push(Violation { field: format!("input_specs[{at}]"), problem });
            }
        }
        if !bad.is_empty() {
            return Err(bad);
        }
        let steps = MAX_CHECK_STEPS / specs.len().max(1) as u64;
        let mut most_bytes = 0;
        for (at, spec) in specs.iter().enumerate() {
            let checked =
                Plan::new(spec, &scope).and_then(|plan| Check { plan, steps, bytes: 0 }.all(sizes));
            match checked {
                Ok(bytes) => most_bytes = most_bytes.max(bytes),
                Err(problems) => bad.extend(problems.into_iter().map(|found| Violation {
                    field: format!("input_specs[{at}].{}", found.path),
                    problem: found.problem,
                })),
            }
        }
        if bad.is_empty() && sizes.requested().is_empty() {
            let problem = "no size has an input that is not too large".into();
            bad.push(Violation { field: "input_specs".into(), problem });
        }
        if bad.is_empty() { Ok(Self { specs, scope, most_bytes, own_bytes }) } else { Err(bad) }
    }

    /// How many there are.
    pub(crate) fn count(&self) -> u32 {
        u32::try_from(self.specs.len()).unwrap_or(u32::MAX)
    }

    /// What reports call them: by their names, and by their places those that have none of their
    /// own.
    pub(crate) fn names(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for (spec, place) in self.specs.iter().zip(1..) {
            let name = if spec.name.is_empty() { "input" } else { &spec.name };
            let own = !spec.name.is_empty() && !names.contains(&spec.name);
            names.push(if own { name.to_owned() } else { format!("{name} {place}") });
        }
        names
    }

    /// How much of memory the specs take, in bytes.
    pub(crate) fn own_bytes(&self) -> usize {
        self.own_bytes
    }

    /// Length of the longest input at most, in bytes.
    pub(crate) fn most_bytes(&self) -> u64 {
        self.most_bytes
    }

    /// Whether `size` has an input of every spec that is no longer than the longest that was asked
    /// for.
    pub(crate) fn reach(&self, size: u32) -> bool {
        self.specs.iter().all(|spec| {
            let examined = Plan::new(spec, &self.scope).map(|plan| plan.examine(size));
            examined
                .is_ok_and(|(estimate, bad)| bad.is_empty() && estimate.bytes <= self.most_bytes)
        })
    }

    /// How the input of `point` is made.
    pub(crate) fn recipe(&self, point: Point) -> Option<Recipe> {
        let spec = self.specs.get(point.candidate as usize)?.clone();
        Some(Recipe { spec, scope: self.scope.clone(), n: point.size })
    }
}

/// One spec at every size, as far as the work for that goes.
struct Check {
    plan: Plan,
    /// What is left of it.
    steps: u64,
    /// Length of the longest input so far.
    bytes: u64,
}

impl Check {
    /// Length of the longest input at most, in bytes; else everything that is wrong, each place at
    /// the first size where it shows.
    fn all(mut self, sizes: &mut Sizes) -> Result<u64, Vec<Problem>> {
        let (mut bad, mut places) = (Vec::new(), BTreeSet::new());
        for &size in sizes.certain() {
            if self.steps == 0 {
                let problem =
                    format!("cases are too many to be checked at every size up to {size}");
                let too_many = Problem { path: "layout".into(), problem, cause: Cause::Spec };
                return Err(if bad.is_empty() { vec![too_many] } else { bad });
            }
            if let Err(found) = self.one(size) {
                bad.extend(found.into_iter().filter(|p| places.insert(p.path.clone())));
            }
        }
        if !bad.is_empty() {
            return Err(bad);
        }
        self.rungs(sizes)?;
        Ok(self.bytes)
    }

    /// A schedule that grows does without the rungs whose input would be too large, and without
    /// those that there is no work left for: the coarsest are looked at first.
    fn rungs(&mut self, sizes: &mut Sizes) -> Result<(), Vec<Problem>> {
        let rungs = sizes.possible().to_vec();
        let (mut kept, mut end) = (BTreeSet::new(), u32::MAX);
        for stride in STRIDES {
            for &rung in rungs.iter().rev().step_by(stride) {
                if rung >= end || kept.contains(&rung) || self.steps == 0 {
                    continue;
                }
                match self.one(rung) {
                    Ok(()) => _ = kept.insert(rung),
                    Err(found) if found.iter().all(|p| p.cause == Cause::TooLarge) => end = rung,
                    Err(found) => return Err(found),
                }
            }
        }
        sizes.keep(|rung| rung < end && kept.contains(&rung), end < u32::MAX);
        Ok(())
    }

    fn one(&mut self, size: u32) -> Result<(), Vec<Problem>> {
        let (estimate, problems) = self.plan.examine(size);
        self.steps = self.steps.saturating_sub(estimate.steps);
        if !problems.is_empty() {
            return Err(problems);
        }
        self.bytes = self.bytes.max(estimate.bytes);
        Ok(())
    }
}
