//! Names of variables.

use std::collections::BTreeSet;

/// The names that are already used.
#[derive(Debug, Default)]
pub(crate) struct Names(BTreeSet<String>);

impl Names {
    /// The first of these names that is not used yet, or else the first name with a number
    /// appended.
    pub(crate) fn fresh(&mut self, wanted: &[&str]) -> String {
        let first = wanted.first().copied().unwrap_or("v");
        let numbered = (2..).map(|number| format!("{first}{number}"));
        let mut all = wanted.iter().map(ToString::to_string).chain(numbered);
        let name = all.find(|name| !self.0.contains(name)).unwrap_or_default();
        self.0.insert(name.clone());
        name
    }
}
