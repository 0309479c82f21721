//! A caller, and its scopes.

use crate::store::Viewer;
use crate::telemetry::metrics::CLASSES;
use serde::Deserialize;
use std::fmt;

/// Maximum length of the name of a caller, in bytes.
pub const MAX_NAME_BYTES: usize = 256;

/// Permission of a caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// Submit runs and receive their events.
    Submit,
    /// Read its own runs.
    Read,
    /// Cancel and delete its own runs.
    Cancel,
    /// All of these, for everybody's runs.
    Admin,
}

/// Whether a text can be the name of a caller: visible ASCII characters, without spaces.
pub(super) fn is_name(text: &str) -> bool {
    (1..=MAX_NAME_BYTES).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic())
}

impl Scope {
    /// The scopes of a caller for whom none are configured.
    pub(crate) const USUAL: [Self; 3] = [Self::Submit, Self::Read, Self::Cancel];
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Submit => "submit",
            Self::Read => "read",
            Self::Cancel => "cancel",
            Self::Admin => "admin",
        })
    }
}

/// Identity of a caller. Each request of `ProfilerService` has one among its extensions.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Caller {
    /// The identity with its kind, as in `token ci`. Runs belong to it. It never equals an identity
    /// of another kind.
    pub(crate) owner: String,
    /// The name that turns, quotas, stored runs and logs use.
    pub(crate) name: String,
    pub(crate) scopes: Vec<Scope>,
    /// Whether `x-caller` replaces the name.
    pub(crate) may_name: bool,
}

impl Caller {
    /// Makes a caller whose `x-caller` does not count.
    pub(super) fn new(owner: String, name: String, scopes: Vec<Scope>) -> Self {
        Self { owner, name, scopes, may_name: false }
    }

    /// The name that turns, quotas, stored runs and logs use.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the class of the identity: one of [`CLASSES`].
    pub(crate) fn class(&self) -> &'static str {
        let kind = self.owner.split(' ').next();
        CLASSES.into_iter().find(|class| kind == Some(*class)).unwrap_or("certificate")
    }

    /// Whether the caller has `scope`.
    pub fn has(&self, scope: Scope) -> bool {
        self.scopes.contains(&scope) || self.scopes.contains(&Scope::Admin)
    }

    /// Returns the set of runs that the caller sees.
    pub(crate) fn viewer(&self) -> Viewer {
        if self.has(Scope::Admin) { Viewer::Everyone } else { Viewer::Owner(self.owner.clone()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(scopes: &[Scope]) -> Caller {
        Caller::new("token a".into(), "a".into(), scopes.into())
    }

    #[test]
    fn admin_may_do_everything_and_sees_everything() {
        let admin = with(&[Scope::Admin]);
        assert!(Scope::USUAL.into_iter().all(|scope| admin.has(scope)));
        assert_eq!(admin.viewer(), Viewer::Everyone);
    }

    #[test]
    fn every_kind_of_identity_has_a_class_in_the_metrics() {
        for owner in ["uri spiffe://a", "dns a", "token a", "uid 7", "address 10.0.0.1"] {
            let class = Caller::new(owner.into(), "a".into(), Vec::new()).class();
            assert!(CLASSES.contains(&class), "{class}");
        }
    }

    #[test]
    fn others_see_their_own() {
        let usual = with(&Scope::USUAL);
        assert!(!usual.has(Scope::Admin));
        assert!(usual.viewer().sees("token a") && !usual.viewer().sees("dns a"));
    }
}
