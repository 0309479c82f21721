//! Exceptions from the rules. Each one has a reason that a reader can check.

/// Files that import each other.
struct Circle {
    members: &'static [&'static str],
    #[expect(dead_code, reason = "it is read by people")]
    reason: &'static str,
}

/// A path, and the reason why the rule does not hold there.
type Reasoned = (&'static str, &'static str);

/// All exceptions. Paths are relative to the repository's root.
pub(crate) struct Exceptions {
    circles: &'static [Circle],
    folders: &'static [Reasoned],
    files: &'static [Reasoned],
    /// Packages that are not clean yet. This list only shrinks, and must end empty.
    unclean: &'static [&'static str],
}

/// The exceptions of this workspace.
pub(crate) const WORKSPACE: Exceptions =
    Exceptions { circles: &[], folders: &[], files: &[], unclean: &[] };

/// No exceptions, for the tests of the rules.
#[cfg(test)]
pub(crate) const NONE: Exceptions =
    Exceptions { circles: &[], folders: &[], files: &[], unclean: &[] };

impl Exceptions {
    /// Whether these files may import each other. A circle that loses a member needs a new reason.
    pub(crate) fn has_circle(&self, members: &[&str]) -> bool {
        self.circles.iter().any(|circle| circle.members == members)
    }

    /// Whether this folder may have more names than others.
    pub(crate) fn has_folder(&self, folder: &str) -> bool {
        self.folders.iter().any(|(path, _)| *path == folder)
    }

    /// Whether this file may have more lines than others.
    pub(crate) fn has_file(&self, file: &str) -> bool {
        self.files.iter().any(|(path, _)| *path == file)
    }

    /// Whether this package is not clean yet.
    pub(crate) fn is_unclean(&self, package: &str) -> bool {
        self.unclean.contains(&package)
    }

    /// The paths of all exceptions.
    #[cfg(test)]
    pub(crate) fn paths(&self) -> impl Iterator<Item = &str> {
        let circles = self.circles.iter().flat_map(|circle| circle.members).copied();
        circles.chain(self.folders.iter().chain(self.files).map(|(path, _)| *path))
    }
}
