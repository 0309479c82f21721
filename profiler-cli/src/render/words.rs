//! What the renderings have in common.

use profiler_proto::v1::Outcome;

/// The sections that are not empty.
pub(super) fn joined(sections: impl IntoIterator<Item = String>) -> String {
    let mut sections: Vec<_> = sections.into_iter().collect();
    sections.retain(|section| !section.is_empty());
    sections.join("\n\n")
}

/// The outcome's name, as it stands in `hotspots["_crash"]`.
pub(crate) fn outcome_name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Unspecified => "UNKNOWN",
        Outcome::Ok => "OK",
        Outcome::TimeLimit => "TIME_LIMIT",
        Outcome::MemoryLimit => "MEMORY_LIMIT",
        Outcome::OutputLimit => "OUTPUT_LIMIT",
        Outcome::RuntimeError => "RUNTIME_ERROR",
    }
}
