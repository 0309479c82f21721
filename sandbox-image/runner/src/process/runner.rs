//! The runner's own state.

pub(crate) mod host_counters;

use crate::process::context::ProcessContext;
use crate::process::origin::Origin;
use crate::process::spec::{PROGRAM_NAME, Spec};
use crate::sys::calibration;
use crate::sys::files;
use crate::sys::pid_counter::PidCounter;
use host_counters::HostCounters;
use runner_protocol::{Run, Subject, Variant};
use std::fs::File;

/// Options of the sanitizers. The search for leaks is off, because it needs ptrace. A failed
/// assertion or an uncaught exception is reported with its line. Freed memory and traces are kept
/// within the memory and the text that a run has. A program can define defaults of its own, which
/// these options override. So every option that silences errors or changes the report is set here.
const SANITIZER_OPTIONS: [(&str, &str); 2] = [
    (
        "ASAN_OPTIONS",
        "detect_leaks=0:handle_abort=1:print_legend=0:malloc_context_size=4:quarantine_size_mb=16:\
         exitcode=1:halt_on_error=1:log_path=stderr:log_to_syslog=0:suppressions=:poison_heap=1:\
         poison_partial=1:poison_array_cookie=1:replace_str=1:replace_intrin=1:\
         alloc_dealloc_mismatch=1:new_delete_type_mismatch=1:detect_container_overflow=1:\
         allow_user_poisoning=1:report_globals=1:use_sigaltstack=1:handle_segv=1:handle_sigbus=1:\
         handle_sigfpe=1:start_deactivated=0:symbolize=1:print_summary=1:\
         stack_trace_format=DEFAULT:strip_path_prefix=:color=never:help=0:verbosity=0",
    ),
    (
        "UBSAN_OPTIONS",
        "print_stacktrace=1:exitcode=1:halt_on_error=1:log_path=stderr:suppressions=:symbolize=1:\
         stack_trace_format=DEFAULT:strip_path_prefix=:color=never:help=0",
    ),
];

/// State that all runs of a job share.
pub(crate) struct Runner {
    /// The channel from the host. Input while a run is under way means "cancel".
    pub(crate) channel: File,
    /// The path of the runner's executable inside the sandbox.
    pub(crate) path: &'static str,
    pub(crate) context: ProcessContext,
    /// The counter of process ids, which is set back before each run.
    pub(crate) pids: PidCounter,
    /// Counters of the host, which are moved before the first run.
    pub(crate) counters: HostCounters,
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
        let env = match request.subject {
            Subject::Build(Variant::Sanitized) => &SANITIZER_OPTIONS[..],
            _ => &[],
        };
        let env = env.iter().map(|&(name, value)| (name, value.to_owned())).collect();
        Spec {
            path,
            argv,
            env,
            limits,
            core: request.core,
            files: request.files,
            ..Spec::default()
        }
    }

    /// The file to execute, and its argument.
    pub(crate) fn program(&self, subject: Subject) -> (String, Option<&'static str>) {
        match subject {
            Subject::Build(variant) => (files::binary(variant).to_string_lossy().into(), None),
            Subject::Calibration => (self.path.to_owned(), Some(calibration::ARGUMENT)),
        }
    }
}
