//! The strict report: SwiftSolve's `ProfileReport`, whose pydantic model forbids any other key. A
//! type of its own, so that a new field of the full report cannot slip in.

use crate::v1;
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;

/// The strict form of a report, as JSON on the controller's side reads it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StrictReport {
    /// `profile_report`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The task.
    pub task_id: String,
    /// The attempt.
    pub iteration: u32,
    /// RFC 3339, UTC.
    pub timestamp_utc: String,
    /// `1.0.0`.
    pub schema_version: String,
    /// The measured sizes.
    pub input_sizes: Vec<u64>,
    /// Milliseconds.
    #[serde(serialize_with = "figures")]
    pub runtime_ms: Vec<f64>,
    /// MiB.
    #[serde(serialize_with = "figures")]
    pub peak_memory_mb: Vec<f64>,
    /// Lines, and `_crash`.
    pub hotspots: BTreeMap<String, String>,
}

impl From<&v1::ProfileReport> for StrictReport {
    fn from(report: &v1::ProfileReport) -> Self {
        Self {
            kind: report.r#type.clone(),
            task_id: report.task_id.clone(),
            iteration: report.iteration,
            timestamp_utc: report.timestamp_utc.unwrap_or_default().to_string(),
            schema_version: report.schema_version.clone(),
            input_sizes: report.input_sizes.clone(),
            runtime_ms: report.runtime_ms.clone(),
            peak_memory_mb: report.peak_memory_mb.clone(),
            hotspots: report.hotspots.clone(),
        }
    }
}

/// `serde_json` writes infinity as null, which pydantic refuses; `"Infinity"` it reads.
fn figures<S: Serializer>(figures: &[f64], to: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    #[serde(untagged)]
    enum Figure {
        Finite(f64),
        Named(&'static str),
    }
    to.collect_seq(figures.iter().map(|&figure| match figure {
        f64::INFINITY => Figure::Named("Infinity"),
        finite => Figure::Finite(finite),
    }))
}
