//! `ExportRun`: an ended run as a document.

use super::status::CallError;
use crate::permits::Permits;
use crate::runs::Refusal;
use profiler_export::{Ending, Error, TextOptions, export};
use profiler_proto::v1::{ExportFormat, ExportRunResponse};
use tokio::task::spawn_blocking;

/// Checks the format of a request.
pub(crate) fn parse_format(format: i32) -> Result<ExportFormat, CallError> {
    let known = ExportFormat::try_from(format).ok();
    let known = known.filter(|format| *format != ExportFormat::Unspecified);
    known.ok_or_else(|| {
        CallError::invalid("format", format!("must be a known format, not {format}"))
    })
}

/// Makes the document on a blocking thread, because making a large one would hold up other tasks.
pub(crate) async fn make_document(
    ending: Ending,
    format: ExportFormat,
    permits: &Permits,
    caller: &str,
) -> Result<ExportRunResponse, CallError> {
    // The semaphore is never closed.
    let permit = permits.take(caller, 1).await.map_err(|_| Refusal::ShuttingDown)?;
    let made = spawn_blocking(move || {
        let _permit = permit;
        export(&ending, format, &TextOptions::default())
    });
    let made = made.await.map_err(|error| CallError::ExportFailed(error.to_string()))?;
    Ok(made?)
}

impl From<Error> for CallError {
    fn from(error: Error) -> Self {
        match error {
            Error::Lacks { .. } | Error::Unspecified | Error::NoColumn(_) | Error::TooLarge => {
                Self::NotExportable(error.to_string())
            }
            Error::Json(_) | Error::Perun(_) | Error::Csv(_) => {
                Self::ExportFailed(error.to_string())
            }
        }
    }
}
