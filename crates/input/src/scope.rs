//! What expressions know of the task that an input is for.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What expressions know of the task.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scope {
    /// The task's bounds. Each is known under its variable's name with `_max` behind it, and a
    /// scalar with the name of the variable stays within it.
    pub bounds: BTreeMap<String, i64>,
    /// The variable that is the size: another name for n, unless the spec has a variable of that
    /// name.
    pub size_variable: String,
}
