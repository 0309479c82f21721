//! The values of a task that expressions may use.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The values of a task that expressions may use.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scope {
    /// The task's bounds. An expression reads a bound as its variable's name followed by `_max`. A
    /// scalar with the variable's name must not exceed the bound.
    pub bounds: BTreeMap<String, i64>,
    /// The name of the size variable: another name for n, unless the spec declares this name.
    pub size_variable: String,
}
