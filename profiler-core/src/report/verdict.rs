//! An outcome and its evidence.

use profiler_proto::v1::{Evidence, Outcome};

/// An outcome and its evidence.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Verdict {
    /// Outcome of the run.
    pub outcome: Outcome,
    /// The evidence for the outcome.
    pub evidence: Evidence,
}

impl Verdict {
    /// The verdict on a run that was left out.
    pub(crate) fn not_run() -> Self {
        Self { outcome: Outcome::NotRun, evidence: Evidence::default() }
    }

    /// Returns the evidence as a report has it: a run that was left out has none.
    pub(crate) fn published_evidence(&self) -> Option<Evidence> {
        (self.outcome != Outcome::NotRun).then(|| self.evidence.clone())
    }
}
