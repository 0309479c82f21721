//! The names of outcomes.

use profiler_proto::v1::Outcome;

/// The outcome's name, as in `hotspots["_crash"]`.
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
        Outcome::NotRun => "NOT_RUN",
    }
}
