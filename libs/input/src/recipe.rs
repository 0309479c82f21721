//! One input, in the form that the generator receives.

use crate::plan::{Estimate, Failure, Plan};
use crate::problem::Problem;
use crate::scope::Scope;
use crate::spec::InputSpec;
use serde::{Deserialize, Serialize};
use std::io::Write;

/// One input: its spec, scope and size.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Recipe {
    /// The spec of the task's inputs.
    pub spec: InputSpec,
    /// The task's values that expressions can use.
    pub scope: Scope,
    /// The size, at most [`MAX_N`](crate::limits::MAX_N).
    pub n: u64,
}

impl Recipe {
    /// Estimates the input's length and cost, or returns all problems at this size. A caller that
    /// checks many sizes should create one [`Plan`] instead.
    pub fn check(&self) -> Result<Estimate, Vec<Problem>> {
        Plan::new(&self.spec, &self.scope)?.check(self.n)
    }

    /// Writes the input; returns its length in bytes.
    pub fn write(&self, to: &mut impl Write) -> Result<u64, Failure> {
        Plan::new(&self.spec, &self.scope).map_err(Failure::Spec)?.write(self.n, to)
    }
}
