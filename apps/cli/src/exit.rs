//! End of the process: its exit code, and its message if there is no result.

#[cfg(feature = "service")]
mod service;

#[cfg(feature = "service")]
pub(crate) use service::ServiceFailure;

use crate::stderr::tell;
use profiler_core::cancel::StopSignal;
use profiler_core::error::{SandboxFault, Violation};
use profiler_export::{
    Ending, lack_of_input, readable, readable_name, unfinished_tests, why_not_judged, wrong_tests,
};
use profiler_proto::v1::{ErrorCode, Outcome, ProfileReport, SandboxError, SizeResult};
use profiler_proto::{Word, file};
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The exit codes and their meanings, as help and documents list them.
pub(crate) const CODES: [(u8, &str); 7] = [
    (0, "there is a result; some sizes may have failed"),
    (
        1,
        "no size ended OK, the run ended early (it did not compile, for example), the program is \
         wrong on a test case, or a check failed: `check`, `compare`, a ranking, `--fail-on`, `--baseline`, `--fail-if-slower`, \
         `input --program`",
    ),
    (2, "wrong options, files or inputs (`--validator`)"),
    (3, "internal error, or a fault of the host"),
    (
        4,
        "`check`, `worst`, `compare`, a ranking, `--fail-if-slower` or `input --infer` cannot \
         tell, and says why; the program lacked input, or a test case or output has no verdict",
    ),
    (130, "interrupted by Ctrl-C"),
    (143, "stopped by SIGTERM"),
];

/// Exit status of the process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// There is a result.
    Done,
    /// No size ended OK, the run ended early, the program is wrong, or a check failed.
    Unsuccessful,
    /// Wrong options or files, or an invalid input of a size.
    BadInput,
    /// Internal error, or a fault of the host.
    Fault,
    /// A check, a comparison, an inference, a test case or an output has no verdict, or the program
    /// was not fed what it reads.
    CannotTell,
    /// A signal asked the process to end.
    Stopped(StopSignal),
}

impl From<&Ending> for Exit {
    fn from(ending: &Ending) -> Self {
        let ok = |size: &SizeResult| size.outcome() == Outcome::Ok;
        let lacks_input = |report: &ProfileReport| {
            lack_of_input(report).is_some() && report.test_cases.is_empty()
        };
        let is_open = |report: &ProfileReport| {
            lacks_input(report)
                || unfinished_tests(report).is_some()
                || report.sizes.iter().any(|size| why_not_judged(size).is_some())
        };
        // The verdict is the result of a job that measures no size.
        let is_judged =
            |report: &ProfileReport| report.sizes.is_empty() && !report.test_cases.is_empty();
        match ending {
            Ending::Report(report) if wrong_tests(report).is_some() => Self::Unsuccessful,
            Ending::Report(report) if is_open(report) => Self::CannotTell,
            Ending::Report(report) if is_judged(report) => Self::Done,
            Ending::Report(report) if report.sizes.iter().any(ok) => Self::Done,
            Ending::Error(error) if error.code() == ErrorCode::Internal => Self::Fault,
            Ending::Error(error) if error.code() == ErrorCode::InvalidInput => Self::BadInput,
            Ending::Report(_) | Ending::Error(_) => Self::Unsuccessful,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Done => 0,
            Exit::Unsuccessful => 1,
            Exit::BadInput => 2,
            Exit::Fault => 3,
            Exit::CannotTell => 4,
            // Shells report a process that a signal killed as 128 plus the signal's number.
            Exit::Stopped(StopSignal::Interrupt) => 130,
            Exit::Stopped(StopSignal::Terminate) => 143,
        })
    }
}

/// Returns a path on one line.
fn name(path: &Path) -> String {
    readable_name(&path.display().to_string())
}

/// Reason why there is no result. Each message names what is wrong and what to do.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    #[error("cannot read {path}: {cause}", path = name(.path))]
    Unreadable { path: PathBuf, cause: std::io::Error },
    #[error("{path}: {cause}", path = name(.path))]
    Profile { path: PathBuf, cause: profiler_perun::Error },
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Arguments(Vec<Violation>),
    #[error(
        "no sandbox can be started: {0}; run `swiftprof doctor` to see which sandboxes work on this host"
    )]
    NoSandbox(#[from] SandboxFault),
    #[error("{path} is not a saved report: {cause}", path = name(.path))]
    NoReport { path: PathBuf, cause: profiler_proto::json::Error },
    #[error("cannot compare: {name} ended early as {}: {message}", .code.word())]
    EndedEarly { name: String, code: ErrorCode, message: String },
    #[error("{}", .0.in_flags())]
    Export(#[from] profiler_export::Error),
    #[cfg(feature = "service")]
    #[error("{0}")]
    Service(ServiceFailure),
    #[error("stopped before the run ended")]
    Stopped(StopSignal),
    #[error(
        "the server has not confirmed the end of the run, which may still go on; `{cancel}` ends it"
    )]
    Unconfirmed { cancel: String, signal: StopSignal },
    #[error("cannot write {path}: {cause}", path = name(.path))]
    Unwritable { path: PathBuf, cause: std::io::Error },
    #[error("cannot {step}: {cause}")]
    Broken { step: &'static str, cause: String },
}

/// Lets `?` convert everything that converts into a [`ServiceFailure`].
#[cfg(feature = "service")]
impl<E> From<E> for Failure
where
    ServiceFailure: From<E>,
{
    fn from(cause: E) -> Self {
        Self::Service(cause.into())
    }
}

impl From<profiler_cases::Error> for Failure {
    fn from(error: profiler_cases::Error) -> Self {
        match error {
            profiler_cases::Error::Unreadable { path, cause } => Self::Unreadable { path, cause },
            profiler_cases::Error::Task { path, cause } => Self::of_file(&path, cause),
            profiler_cases::Error::Wrong(bad) => Self::Arguments(bad.into_iter().collect()),
        }
    }
}

impl Failure {
    /// Returns the refusal of a file of specs or test cases, or of a task.
    pub(crate) fn of_file(path: &Path, error: file::Error) -> Self {
        let wrong = |problem| Violation { field: path.display().to_string(), problem };
        match error {
            file::Error::Read(cause) => Self::Unreadable { path: path.into(), cause },
            file::Error::Message(faults) => {
                Self::Arguments(faults.iter().map(|fault| wrong(fault.to_string())).collect())
            }
            other => Self::Arguments(vec![wrong(other.to_string())]),
        }
    }

    /// Builds the failure for one wrong argument.
    pub(crate) fn argument(name: impl Into<String>, problem: impl Into<String>) -> Self {
        Self::Arguments(vec![Violation { field: name.into(), problem: problem.into() }])
    }

    /// Builds the failure for a run to compare that ended early, and so has no report.
    pub(crate) fn ended_early(name: &impl fmt::Display, error: &SandboxError) -> Self {
        let message = readable(&error.message);
        Self::EndedEarly { name: name.to_string(), code: error.code(), message }
    }

    /// Builds the failure for a step of this program.
    pub(crate) fn broken<E: fmt::Display>(step: &'static str) -> impl FnOnce(E) -> Self {
        move |cause| Self::Broken { step, cause: cause.to_string() }
    }

    /// Prints the failure to stderr.
    pub(crate) fn print(&self) {
        for line in self.to_string().lines() {
            tell(format_args!("swiftprof: {line}"));
        }
    }

    /// The exit code of the failure.
    pub(crate) fn exit(&self) -> Exit {
        match self {
            Self::EndedEarly { code: ErrorCode::Internal, .. }
            | Self::NoSandbox(_)
            | Self::Broken { .. } => Exit::Fault,
            Self::EndedEarly { code: ErrorCode::InvalidInput, .. }
            | Self::Unreadable { .. }
            | Self::Profile { .. }
            | Self::Arguments(_)
            | Self::NoReport { .. }
            | Self::Unwritable { .. } => Exit::BadInput,
            Self::EndedEarly { .. } => Exit::Unsuccessful,
            #[cfg(feature = "service")]
            Self::Service(failure) if failure.is_fault() => Exit::Fault,
            #[cfg(feature = "service")]
            Self::Service(_) => Exit::BadInput,
            Self::Stopped(signal) | Self::Unconfirmed { signal, .. } => Exit::Stopped(*signal),
            Self::Export(error) => match error {
                profiler_export::Error::Lacks { .. } | profiler_export::Error::Unspecified => {
                    Exit::BadInput
                }
                _ => Exit::Fault,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use profiler_proto::v1::{TestCaseResult, TestVerdict};

    #[test]
    fn documents_list_the_exit_codes() {
        let page = include_str!("../../../docs/command-line.md");
        for (code, meaning) in CODES {
            assert!(page.contains(&format!("| {code} | {meaning} |")), "{code}: {meaning}");
        }
    }

    #[test]
    fn report_without_a_size_that_ended_ok_is_unsuccessful() {
        let report = |outcome: Outcome| {
            let size = SizeResult { outcome: outcome.into(), ..SizeResult::default() };
            let report = ProfileReport { sizes: vec![size], ..ProfileReport::default() };
            Exit::from(&Ending::Report(Box::new(report)))
        };
        assert_eq!(report(Outcome::Ok), Exit::Done);
        assert_eq!(report(Outcome::TimeLimit), Exit::Unsuccessful);
    }

    #[test]
    fn test_case_without_a_verdict_leaves_the_verdict_open() {
        let exit = |cases: &[(Outcome, Option<bool>)]| {
            let case = |&(outcome, correct): &(Outcome, Option<bool>)| TestCaseResult {
                outcome: outcome.into(),
                correct,
                ..TestCaseResult::default()
            };
            let sizes = vec![SizeResult { outcome: Outcome::Ok.into(), ..SizeResult::default() }];
            let test_cases = cases.iter().map(case).collect();
            let report = ProfileReport { sizes, test_cases, ..ProfileReport::default() };
            Exit::from(&Ending::Report(Box::new(report)))
        };
        let (right, wrong) = ((Outcome::Ok, Some(true)), (Outcome::Ok, Some(false)));
        let not_run = (Outcome::NotRun, None);
        assert_eq!(exit(&[right, right]), Exit::Done);
        let not_judged = (Outcome::Ok, None);
        for open in [not_run, not_judged] {
            assert_eq!(exit(&[right, open]), Exit::CannotTell);
        }
        assert_eq!(exit(&[right, wrong, not_run]), Exit::Unsuccessful);
    }

    #[test]
    fn verdict_alone_is_a_result() {
        let exit = |verdicts: &[TestVerdict]| {
            let case = |&verdict: &TestVerdict| TestCaseResult {
                verdict: verdict.into(),
                ..TestCaseResult::default()
            };
            let test_cases = verdicts.iter().map(case).collect();
            let report = ProfileReport { test_cases, ..ProfileReport::default() };
            Exit::from(&Ending::Report(Box::new(report)))
        };
        let (right, wrong, open) =
            (TestVerdict::Accepted, TestVerdict::WrongAnswer, TestVerdict::NotRun);
        assert_eq!(exit(&[right, right]), Exit::Done);
        assert_eq!(exit(&[right, wrong, open]), Exit::Unsuccessful);
        assert_eq!(exit(&[right, open]), Exit::CannotTell);
        assert_eq!(exit(&[]), Exit::Unsuccessful);
    }

    #[test]
    fn output_without_a_verdict_leaves_the_result_open() {
        let exit = |correct: Option<bool>| {
            let check = TestCaseResult { correct, ..TestCaseResult::default() };
            let size = SizeResult {
                outcome: Outcome::Ok.into(),
                output_check: Some(Box::new(check)),
                ..SizeResult::default()
            };
            let report = ProfileReport { sizes: vec![size], ..ProfileReport::default() };
            Exit::from(&Ending::Report(Box::new(report)))
        };
        assert_eq!(
            [Some(true), Some(false), None].map(exit),
            [Exit::Done, Exit::Unsuccessful, Exit::CannotTell]
        );
    }

    #[test]
    fn program_to_compare_that_does_not_compile_is_unsuccessful() {
        let error = |code: ErrorCode| SandboxError { code: code.into(), ..SandboxError::default() };
        let exit = |code| Failure::ended_early(&"a.cpp", &error(code)).exit();
        assert_eq!(
            [ErrorCode::Internal, ErrorCode::Compile, ErrorCode::InvalidInput].map(exit),
            [Exit::Fault, Exit::Unsuccessful, Exit::BadInput]
        );
    }

    #[test]
    fn hints_name_flags() {
        let lacking = profiler_export::Error::Lacks {
            what: "call stacks",
            field: Some("debug"),
            reason: ", and time",
        };
        assert!(lacking.to_string().ends_with("they need `debug`, and time"), "{lacking}");
        assert!(Failure::from(lacking).to_string().ends_with("they need --hotspots, and time"));
    }

    #[test]
    fn early_end_has_the_exit_code_of_its_cause() {
        let error = |code: ErrorCode| SandboxError { code: code.into(), ..SandboxError::default() };
        let exit = |code| Exit::from(&Ending::Error(Box::new(error(code))));
        assert_eq!(
            [ErrorCode::Internal, ErrorCode::Compile, ErrorCode::InvalidInput].map(exit),
            [Exit::Fault, Exit::Unsuccessful, Exit::BadInput]
        );
    }
}
