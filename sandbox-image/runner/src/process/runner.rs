//! The runner's own state.

use crate::process::context::ProcessContext;
use crate::process::spec::{PROGRAM_NAME, Spec};
use crate::sys::calibration;
use crate::sys::files;
use runner_protocol::{Run, Subject};
use std::fs::File;

/// What a job's runs have in common.
pub(crate) struct Runner {
    /// The channel's end that the host writes to: readable while a run is under way means "stop".
    pub(crate) channel: File,
    /// Where this program can be executed from inside the sandbox.
    pub(crate) path: &'static str,
    /// What every measured process needs.
    pub(crate) context: ProcessContext,
    /// The compiler's version, once it has been asked.
    pub(crate) compiler: Option<String>,
}

impl Runner {
    /// How a program is started under its limits.
    pub(crate) fn spec<'a>(&self, path: &'a str, request: &'a Run) -> Spec<'a> {
        let (_, argument) = self.program(request.subject);
        let argv = [PROGRAM_NAME].into_iter().chain(argument).map(String::from).collect();
        Spec { path, argv, limits: Some(&request.limits), core: request.core, ..Spec::default() }
    }

    /// What to execute, and its argument.
    pub(crate) fn program(&self, subject: Subject) -> (String, Option<&'static str>) {
        match subject {
            Subject::Build(variant) => (files::binary(variant).to_string_lossy().into(), None),
            Subject::Calibration => (self.path.to_owned(), Some(calibration::ARGUMENT)),
        }
    }
}
