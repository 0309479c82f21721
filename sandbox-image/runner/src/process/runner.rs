//! The runner's own state.

use crate::process::context::ProcessContext;
use crate::process::origin::Origin;
use crate::process::spec::{PROGRAM_NAME, Spec};
use crate::sys::calibration;
use crate::sys::files;
use crate::sys::pid_counter::PidCounter;
use runner_protocol::{Run, Subject};
use std::fs::File;

/// State that all runs of a job share.
pub(crate) struct Runner {
    /// The channel from the host. Input while a run is under way means "cancel".
    pub(crate) channel: File,
    /// The path of the runner's executable inside the sandbox.
    pub(crate) path: &'static str,
    pub(crate) context: ProcessContext,
    /// The counter of process ids, which is set back before each run.
    pub(crate) pids: PidCounter,
    /// The compiler's version, once it is known.
    pub(crate) compiler: Option<String>,
    /// The origin of forked counts.
    pub(crate) origin: Origin,
}

impl Runner {
    /// Builds the spec that starts a program under its limits.
    pub(crate) fn spec<'a>(&self, request: &'a Run) -> Spec<'a> {
        let (path, argument) = self.program(request.subject);
        let argv = [PROGRAM_NAME].into_iter().chain(argument).map(String::from).collect();
        let (path, limits) = (path.into(), Some(&request.limits));
        Spec { path, argv, limits, core: request.core, files: request.files, ..Spec::default() }
    }

    /// The file to execute, and its argument.
    pub(crate) fn program(&self, subject: Subject) -> (String, Option<&'static str>) {
        match subject {
            Subject::Build(variant) => (files::binary(variant).to_string_lossy().into(), None),
            Subject::Calibration => (self.path.to_owned(), Some(calibration::ARGUMENT)),
        }
    }
}
