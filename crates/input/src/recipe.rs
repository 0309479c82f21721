//! One input, as it is handed to whoever makes it.

use crate::plan::{Estimate, Failure, Plan};
use crate::problem::Problem;
use crate::scope::Scope;
use crate::spec::Spec;
use serde::{Deserialize, Serialize};
use std::io::Write;

/// One input: what it looks like, and its size.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recipe {
    /// What the inputs of the task look like.
    pub spec: Spec,
    /// What its expressions know.
    pub scope: Scope,
    /// The size.
    pub n: u32,
}

impl Recipe {
    /// How large the input is at most, or everything that is wrong with it. Who checks many sizes
    /// makes one [`Plan`].
    pub fn check(&self) -> Result<Estimate, Vec<Problem>> {
        Plan::new(&self.spec, &self.scope)?.check(self.n)
    }

    /// Writes the input, and says how many bytes it has.
    pub fn write(&self, to: &mut impl Write) -> Result<u64, Failure> {
        Plan::new(&self.spec, &self.scope).map_err(Failure::Spec)?.write(self.n, to)
    }
}
