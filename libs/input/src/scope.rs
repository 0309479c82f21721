//! The values of a task that expressions can use.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Name of the size in every spec, and of a task's size variable unless the task names another one.
pub const SIZE: &str = "n";

/// The values of a task that expressions may use.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scope {
    /// The task's bounds, by the name of the bounded variable. An expression refers to a bound by
    /// this name followed by `_max`. A scalar with this name must not exceed the bound.
    pub bounds: BTreeMap<String, i64>,
    /// Name of the task's size variable. In expressions it is another name for n, unless the spec
    /// declares a variable with this name.
    pub size_variable: String,
}

impl Scope {
    /// Returns the bound of the size variable, if it has one.
    pub fn size_bound(&self) -> Option<u64> {
        u64::try_from(*self.bounds.get(&self.size_variable)?).ok()
    }

    /// Returns the scope of a task whose size variable is [`SIZE`], with this bound of it.
    pub fn of_size(bound: Option<u64>) -> Self {
        let bound = bound.map(|bound| (SIZE.into(), bound.cast_signed()));
        Self { bounds: bound.into_iter().collect(), size_variable: SIZE.into() }
    }
}
