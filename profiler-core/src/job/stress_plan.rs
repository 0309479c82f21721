//! Inputs and limits of a stress test.

use super::draft::OtherProgram;
use super::input_candidates::{check_input, plan, spec_bytes};
use super::sizes::preferred_sizes;
use crate::error::{Violation, Violations};
use crate::limits::{
    MAX_CANDIDATES, MAX_SPEC_BYTES, MAX_STRESS_INPUTS, MAX_STRESS_TIME, STRESS_INPUTS,
    STRESS_N_MAX, STRESS_TIME,
};
use profiler_input::{InputSpec, Problem, Scope};
use profiler_proto::v1::StressTest;
use std::time::Duration;

/// Sizes to try.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TriedSizes {
    /// These sizes. Every candidate must have an input of each size.
    Exactly(Vec<u64>),
    /// Sizes up to this one: every whole number at first, and preferred numbers above. Sizes at
    /// which a candidate has no input are left out. So is n = 0 for a generator, which may not take
    /// it, unless its spec has an `n_min`.
    UpTo(u64),
    /// The same, and now and then a larger size, if both programs are fast there.
    UpToAndBeyond(u64),
}

impl TriedSizes {
    /// The sizes at which a spec has an input. The error has the problems of a size that must have
    /// an input, or those of the first size if no size has one.
    pub(crate) fn with_input(
        &self,
        spec: &InputSpec,
        scope: &Scope,
    ) -> Result<Vec<u64>, Vec<Problem>> {
        let plan = plan(spec, scope)?;
        let tried = match self {
            Self::Exactly(list) => {
                return list.iter().map(|&n| check_input(&plan, n).map(|()| n)).collect();
            }
            Self::UpTo(n_max) | Self::UpToAndBeyond(n_max) => preferred_sizes(*n_max),
        };
        let may_be_empty = spec.generator.is_empty() || !spec.n_min.is_empty();
        let (mut with_input, mut first) = (Vec::new(), None);
        for n in tried.into_iter().filter(|n| *n > 0 || may_be_empty) {
            match check_input(&plan, n) {
                Ok(()) => with_input.push(n),
                Err(problems) => _ = first.get_or_insert(problems),
            }
        }
        first.filter(|_| with_input.is_empty()).map_or(Ok(with_input), Err)
    }
}

/// Inputs and limits of a stress test, and the program whose answers are right.
#[derive(Debug, Clone, PartialEq)]
pub struct StressPlan {
    /// The program whose answers are right.
    pub reference: OtherProgram,
    /// The specs of the inputs. Each has an input.
    pub specs: Vec<InputSpec>,
    /// The values of the task that the specs use.
    pub scope: Scope,
    /// Sizes to try.
    pub sizes: TriedSizes,
    /// Maximum number of inputs.
    pub inputs: u32,
    /// Duration after which no further input is tried.
    pub time: Duration,
}

impl StressPlan {
    /// Checks a requested stress test with a valid reference. `sizes` are the sizes that the
    /// request lists. Otherwise the bound of n limits the sizes.
    ///
    /// # Errors
    /// Everything that is wrong, under the names of a job's fields.
    pub(super) fn try_new(
        (test, reference): (&StressTest, OtherProgram),
        (specs, scope): (Vec<InputSpec>, Scope),
        sizes: Vec<u64>,
    ) -> Result<Self, Violations> {
        let bound = scope.size_bound();
        let mut bad = Violations::default();
        let inputs = test.inputs.unwrap_or(STRESS_INPUTS);
        bad.check((1..=MAX_STRESS_INPUTS).contains(&inputs), "stress.inputs", || {
            format!("must be from 1 to {MAX_STRESS_INPUTS}, not {inputs}")
        });
        let time = test.seconds.map_or(Some(STRESS_TIME), |seconds| {
            Duration::try_from_secs_f64(seconds).ok().filter(|time| *time <= MAX_STRESS_TIME)
        });
        bad.check(time.is_some(), "stress.seconds", || {
            format!("must be from 0 to {} seconds", MAX_STRESS_TIME.as_secs())
        });
        bad.check(!specs.is_empty(), "stress", || "requires an input spec".into());
        bad.check(specs.len() <= MAX_CANDIDATES, "input_specs", || {
            format!("must have at most {MAX_CANDIDATES} specs, not {}", specs.len())
        });
        let sizes = match bound {
            _ if !sizes.is_empty() => TriedSizes::Exactly(sizes),
            Some(bound) if bound <= STRESS_N_MAX => TriedSizes::UpTo(bound),
            _ => TriedSizes::UpToAndBeyond(STRESS_N_MAX),
        };
        for (at, spec) in specs.iter().enumerate().take(MAX_CANDIDATES) {
            if spec_bytes(spec).0 > MAX_SPEC_BYTES {
                bad.add(
                    format!("input_specs[{at}]"),
                    format!("must take at most {MAX_SPEC_BYTES} bytes"),
                );
            } else if let Err(problems) = sizes.with_input(spec, &scope) {
                bad.extend(problems.into_iter().map(|found| Violation::of_spec(at, found)));
            }
            bad.generator(at, spec);
        }
        let time = time.unwrap_or_default();
        bad.or(Self { reference, specs, scope, sizes, inputs, time })
    }

    /// Returns the memory that the reference and the specs take, in bytes.
    pub(super) fn bytes(&self) -> usize {
        let specs = self.specs.iter().map(spec_bytes).map(|(own, sources)| own + sources);
        self.reference.bytes() + specs.sum::<usize>()
    }
}
