//! `ExportRun`: an ended run as a document.

use crate::status::Refusal;
use profiler_core::error::{Violation, Violations};
use profiler_export::{Ending, Error, Exported, Palette, export};
use profiler_proto::v1::{ExportFormat, ExportRunResponse};
use std::sync::Arc;
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

/// Most documents that are made at a time: each may be as large as [`profiler_export::MAX_BYTES`].
pub(crate) const MAX_EXPORTS: usize = 4;

/// The format that is asked for.
pub(crate) fn format(asked: i32) -> Result<ExportFormat, Refusal> {
    match ExportFormat::try_from(asked) {
        Ok(ExportFormat::Unspecified) | Err(_) => {
            let problem = format!("{asked} is no format");
            let bad = Violation { field: "format".into(), problem };
            Err(Refusal::Invalid(Violations(vec![bad])))
        }
        Ok(format) => Ok(format),
    }
}

/// The document, made on a thread of its own: a large one takes longer than a task may.
pub(crate) async fn document(
    ending: Ending,
    format: ExportFormat,
    turns: Arc<Semaphore>,
) -> Result<ExportRunResponse, Refusal> {
    // The semaphore is never closed.
    let turn = turns.acquire_owned().await.map_err(|_| Refusal::ShuttingDown)?;
    let made = spawn_blocking(move || {
        let _turn = turn;
        export(&ending, format, &Palette::default())
    });
    let made = made.await.map_err(|lost| Refusal::ExportFailed(lost.to_string()))?;
    let Exported { file_name, media_type, content } = made?;
    Ok(ExportRunResponse { file_name, media_type: media_type.into(), content })
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        match error {
            Error::Lacks { .. } | Error::Unspecified | Error::TooLarge => {
                Self::NotExportable(error.to_string())
            }
            Error::Json(_) | Error::Perun(_) | Error::Csv(_) | Error::FlameGraph(_) => {
                Self::ExportFailed(error.to_string())
            }
        }
    }
}
