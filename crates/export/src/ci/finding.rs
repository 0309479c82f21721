//! Findings in a program and its run: what the compiler said, what did not end OK, the warnings,
//! and what the caller's checks found.

use crate::ending::{Ending, Run};
use crate::report::{ZERO_QUESTION, fails_at_zero_alone, readable};
use crate::text::{explain_size, explain_warning, flag, place};
use profiler_decode::is_submitted_source;
use profiler_proto::Word;
use profiler_proto::v1::{
    CompileStep, Diagnostic, ErrorCode, Outcome, ProfileReport, SandboxError, Severity, SizeResult,
    Warning, WarningCode,
};

/// Rule of all findings that come from the compiler.
const COMPILE: &str = "compile";
/// The linker's driver: it only sums up what the linker said.
const LINKER_DRIVER: &str = "collect2";

/// Severity of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Level {
    Error,
    Warning,
    Note,
}

/// A problem of the program or its run, to look at.
#[derive(Debug, PartialEq)]
pub(super) struct Finding {
    /// Kind of the finding: "compile", an outcome, the code of a warning or of an error, or a
    /// check.
    pub(super) rule: String,
    pub(super) level: Level,
    /// Line of the program, from 1; absent if the finding is not about a line.
    pub(super) line: Option<u32>,
    /// Column, from 1.
    pub(super) column: Option<u32>,
    pub(super) message: String,
}

impl Finding {
    /// A finding about the whole program.
    fn whole(rule: impl Into<String>, level: Level, message: impl Into<String>) -> Self {
        Self { rule: rule.into(), level, line: None, column: None, message: message.into() }
    }
}

/// All findings of a run.
pub(super) fn findings(run: &Run<'_>) -> Vec<Finding> {
    let mut all: Vec<_> = run.ending.report().map(of_report).unwrap_or_default();
    if let Ending::Error(error) = run.ending {
        let is_error = |finding: &Finding| finding.level == Level::Error;
        if error.code() != ErrorCode::Compile || !all.iter().any(is_error) {
            all.push(of_error(error));
        }
    }
    all.extend(run.checks.iter().map(|check| {
        let level = if check.is_failure { Level::Error } else { Level::Note };
        Finding::whole(&check.name, level, readable(&check.sentence))
    }));
    all
}

fn of_report(report: &ProfileReport) -> Vec<Finding> {
    let own = report.compile.iter().flat_map(messages).map(of_program);
    let interactor = report.interactor_compile.iter().flat_map(messages).map(of_interactor);
    let failed = |size: &&SizeResult| !matches!(size.outcome(), Outcome::Ok | Outcome::NotRun);
    let sizes = report.sizes.iter().filter(failed).map(|size| {
        let said = format!("{}: {}", place(report, size.size, size.candidate), explain_size(size));
        let (level, message) = if fails_at_zero_alone(report, size) {
            (Level::Note, format!("{ZERO_QUESTION} {said}"))
        } else {
            (Level::Error, said)
        };
        Finding::whole(size.outcome().name(), level, message)
    });
    // The findings about sizes already say this.
    let is_new = |warning: &&Warning| warning.code() != WarningCode::RuntimeFailure;
    let warnings = report.warnings.iter().filter(is_new).map(|warning| of_warning(report, warning));
    own.chain(interactor).chain(sizes).chain(warnings).collect()
}

/// The errors and warnings of a compile step, with their levels.
fn messages(step: &CompileStep) -> impl Iterator<Item = (&Diagnostic, Level)> {
    let said = step.diagnostics.iter().filter(|message| message.file != LINKER_DRIVER);
    said.filter_map(|message| match message.severity() {
        Severity::FatalError | Severity::Error => Some((message, Level::Error)),
        Severity::Warning => Some((message, Level::Warning)),
        Severity::Note | Severity::Unspecified => None,
    })
}

/// Converts a message about the program to a finding at its line. A message about a header or from
/// a tool has no line of the program, and names the header or the tool.
fn of_program((message, level): (&Diagnostic, Level)) -> Finding {
    if !is_submitted_source(&message.file) {
        return Finding::whole(COMPILE, level, placed(message));
    }
    let text = readable(&message.message);
    Finding { line: message.line, column: message.column, ..Finding::whole(COMPILE, level, text) }
}

fn of_interactor((message, level): (&Diagnostic, Level)) -> Finding {
    Finding::whole(COMPILE, level, format!("interactor: {}", placed(message)))
}

fn placed(message: &Diagnostic) -> String {
    let file = Some(message.file.clone()).filter(|file| !file.is_empty());
    let number = |number: Option<u32>| number.map(|number| number.to_string());
    let place = [file, number(message.line), number(message.column)].into_iter().flatten();
    let parts = place.chain([format!(" {}", message.message)]).collect::<Vec<_>>().join(":");
    readable(parts.trim_start())
}

fn of_warning(report: &ProfileReport, warning: &Warning) -> Finding {
    let is_wrong = warning.code() == WarningCode::WrongAnswer;
    let level = if is_wrong { Level::Error } else { Level::Warning };
    let at = |n| format!("{}: ", place(report, n, warning.candidate.unwrap_or(0)));
    let at = warning.size.map(at).unwrap_or_default();
    let message = explain_warning(warning, flag);
    Finding::whole(warning.code().word(), level, format!("{at}{message}"))
}

fn of_error(error: &SandboxError) -> Finding {
    Finding::whole(error.code().word(), Level::Error, readable(&error.message))
}
