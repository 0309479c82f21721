//! What the renderings have in common.

use super::number::readable;
use profiler_proto::v1::{Outcome, ProfileReport};

/// The sections that are not empty.
pub(super) fn joined(sections: impl IntoIterator<Item = String>) -> String {
    let mut sections: Vec<_> = sections.into_iter().collect();
    sections.retain(|section| !section.is_empty());
    sections.join("\n\n")
}

/// The outcome's name, as it stands in `hotspots["_crash"]`.
pub fn outcome_name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Unspecified => "UNKNOWN",
        Outcome::Ok => "OK",
        Outcome::TimeLimit => "TIME_LIMIT",
        Outcome::MemoryLimit => "MEMORY_LIMIT",
        Outcome::OutputLimit => "OUTPUT_LIMIT",
        Outcome::RuntimeError => "RUNTIME_ERROR",
        Outcome::ProtocolError => "PROTOCOL_ERROR",
        Outcome::InteractorFailed => "INTERACTOR_FAILED",
    }
}

/// A size, and the candidate if there are several.
pub(super) fn place(report: &ProfileReport, size: u32, candidate: u32) -> String {
    let name = report.candidates.get(candidate as usize).filter(|_| report.candidates.len() > 1);
    let name = name.map(|name| format!(", {}", readable(name))).unwrap_or_default();
    format!("n = {size}{name}")
}
