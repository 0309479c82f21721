//! The values of a task that expressions can use.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The values of a task that expressions can use.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scope {
    /// The task's bounds, by the name of the bounded variable. An expression refers to a bound by
    /// this name followed by `_max`. A scalar with this name must not exceed the bound.
    pub bounds: BTreeMap<String, i64>,
    /// Name of the task's size variable. In expressions it is another name for n, unless the spec
    /// declares a variable with this name.
    pub size_variable: String,
}
