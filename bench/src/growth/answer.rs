//! The answer for one program.

use super::class::Verdict;
use super::program::Program;
use profiler_growth::Observed;
use profiler_proto::v1::{GrowthClassification, GrowthReport};
use std::time::Duration;

/// The answer for one program.
pub(super) struct Answer<'p> {
    pub(super) program: &'p Program,
    /// Absent if there was no report, or no growth in it.
    pub(super) growth: Option<GrowthReport>,
    /// Observations that growth was classified from.
    pub(super) observed: Option<Observed>,
    /// Reason for the absence of growth.
    pub(super) failure: Option<String>,
    /// Duration of the whole job, including the time it waited for the measured core. Absent for
    /// recorded observations.
    pub(super) took: Option<Duration>,
}

impl Answer<'_> {
    pub(super) fn time(&self) -> (Verdict, Option<&GrowthClassification>) {
        let reported = self.growth.as_ref().and_then(|growth| growth.time.as_ref());
        (Verdict::assess(&self.program.time, reported), reported)
    }

    pub(super) fn memory(&self) -> (Verdict, Option<&GrowthClassification>) {
        let reported = self.growth.as_ref().and_then(|growth| growth.memory.as_ref());
        (Verdict::assess(&self.program.memory, reported), reported)
    }
}
