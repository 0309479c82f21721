//! The values of a task that expressions may use.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Name of the size in every spec, and of a task's size variable unless the task names another one.
pub const SIZE: &str = "n";

/// The values of a task that expressions may use.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scope {
    /// The task's bounds. An expression reads a bound as its variable's name followed by `_max`. A
    /// scalar with the variable's name must not exceed the bound.
    pub bounds: BTreeMap<String, i64>,
    /// The name of the size variable: another name for n, unless the spec declares this name.
    pub size_variable: String,
}

impl Scope {
    /// Returns the scope of a task whose size variable is [`SIZE`], with this bound of it.
    pub fn of_size(bound: Option<u64>) -> Self {
        let bound = bound.map(|bound| (SIZE.into(), bound.cast_signed()));
        Self { bounds: bound.into_iter().collect(), size_variable: SIZE.into() }
    }
}
