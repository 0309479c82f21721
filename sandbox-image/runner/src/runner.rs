//! The runner's own state.

use crate::measure::Kit;
use crate::{calibration, files};
use runner_protocol::Subject;
use std::fs::File;

/// What a job's runs have in common.
pub(crate) struct Runner {
    /// The channel's end that the host writes to: readable while a run is under way means "stop".
    pub(crate) channel: File,
    /// Where this program can be executed from inside the sandbox.
    pub(crate) path: &'static str,
    /// What every measured process needs.
    pub(crate) kit: Kit,
    /// The compiler's version, once it has been asked.
    pub(crate) compiler: Option<String>,
}

impl Runner {
    /// What to execute, and its argument.
    pub(crate) fn program(&self, subject: Subject) -> (String, Option<&'static str>) {
        match subject {
            Subject::Build(variant) => (files::binary(variant).to_string_lossy().into(), None),
            Subject::Calibration => (self.path.to_owned(), Some(calibration::ARGUMENT)),
        }
    }
}
