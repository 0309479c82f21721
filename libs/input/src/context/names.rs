//! Resolves the names in a spec.

use crate::expression::{Slot, name};
use crate::limits::MAX_NAME_BYTES;
use crate::scope::{SIZE, Scope};
use crate::spec::Variable;
use crate::spec::variable::Kind;

/// The names that are known at one variable of the spec.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Names<'s> {
    pub(crate) scope: &'s Scope,
    /// Variables outside of the cases.
    pub(crate) outer: &'s [Variable],
    /// Variables of a case; `None` outside of cases.
    pub(crate) case: Option<&'s [Variable]>,
    /// Index of the current variable in `outer` followed by `case`. Its expressions can use only
    /// variables before this index.
    pub(crate) before: usize,
}

impl<'s> Names<'s> {
    /// The variable with this name, and its index in `outer` followed by `case`.
    pub(crate) fn variable(self, wanted: &str) -> Option<(usize, &'s Variable)> {
        self.outer
            .iter()
            .chain(self.case.unwrap_or_default())
            .enumerate()
            .find(|(_, it)| it.name == wanted)
    }

    /// The slot that an expression reads for this name, or the reason why the name cannot be used.
    pub(crate) fn slot(self, wanted: &str) -> Result<Slot, String> {
        if wanted == SIZE {
            return Ok(Slot::N);
        }
        if let Some((index, variable)) = self.variable(wanted) {
            return match variable.kind {
                _ if index == self.before => Err("refers to itself".into()),
                _ if index > self.before => Err(format!("uses {wanted} before it is declared")),
                // The missing kind of a variable is reported where the variable is compiled.
                Some(Kind::Scalar(_)) | None => Ok(Slot::Value(index)),
                _ => Err(format!("uses {wanted}, which is not a scalar")),
            };
        }
        match self.bound(wanted) {
            Some(value) => Ok(Slot::Constant(value)),
            None if wanted == self.scope.size_variable => Ok(Slot::N),
            None => Err(format!("uses the unknown name {wanted}")),
        }
    }

    /// The bound that a name such as `n_max` refers to.
    fn bound(self, wanted: &str) -> Option<i64> {
        self.scope.bounds.get(wanted.strip_suffix("_max")?).copied()
    }

    /// Returns the fault of the current variable's name, if it has one.
    pub(crate) fn fault(self, new: &str) -> Option<String> {
        if new.is_empty() {
            return Some("is missing".into());
        }
        if new.len() > MAX_NAME_BYTES {
            let bytes = new.len();
            return Some(format!("must have at most {MAX_NAME_BYTES} bytes, not {bytes}"));
        }
        if name(new) != new || !new.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return Some(
                "must consist of letters, digits and underscores, and begin with a letter".into(),
            );
        }
        if new == SIZE {
            return Some("must not be n, which is the size".into());
        }
        if self.bound(new).is_some() {
            return Some(format!("must not be {new}, which is a bound of the task"));
        }
        let twice = self.variable(new).is_some_and(|(first, _)| first < self.before);
        twice.then(|| format!("{new} is declared twice"))
    }
}
