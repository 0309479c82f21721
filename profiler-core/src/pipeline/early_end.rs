//! Ends of a job before its last step.

use crate::analyse::growth_runs;
use crate::cancel::CancelToken;
use crate::error::EarlyEnd;
use crate::job::Job;
use crate::report::ReportBuilder;
use profiler_proto::Word;
use profiler_proto::v1::{ErrorCode, SandboxError};

/// The error of a job that ended early, with its partial report.
pub(super) fn ended_early(
    mut report: ReportBuilder,
    job: &Job,
    early: EarlyEnd,
) -> Box<SandboxError> {
    let EarlyEnd { code, message } = early;
    let word = code.word();
    match code {
        ErrorCode::Internal | ErrorCode::Parse => {
            tracing::warn!(target: "Profiler", code = %word, %message, "ended early");
        }
        // The message may quote the source.
        _ => tracing::info!(target: "Profiler", code = %word, "ended early"),
    }
    report.leave_out_test_cases(job.test_cases.len());
    report.set_growth(growth_runs::classify_partial(job, &report).as_ref());
    let partial = Some(report.finish());
    Box::new(SandboxError { code: code.into(), message, partial })
}

/// Does `step` unless the run is cancelled first. Dropping the step is safe: its sandbox is not
/// used again.
pub(super) async fn unless_cancelled<T, E: Into<EarlyEnd>>(
    cancel: &mut CancelToken,
    step: impl Future<Output = Result<T, E>>,
) -> Result<T, EarlyEnd> {
    tokio::select! {
        biased;
        code = cancel.cancelled() => {
            Err(EarlyEnd { code, message: cancel.message() })
        }
        done = step => done.map_err(Into::into),
    }
}
