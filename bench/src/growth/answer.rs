//! The report's answer for one program.

use super::class::Verdict;
use super::program::Program;
use profiler_proto::v1;
use std::time::Duration;

/// The answer for one program.
pub(super) struct Answer<'p> {
    pub(super) program: &'p Program,
    /// Absent if there was no report, or no growth in it.
    pub(super) growth: Option<v1::GrowthReport>,
    /// Why there was no report.
    pub(super) failure: Option<String>,
    /// Duration of the whole job, including the time it waited for the measured core.
    pub(super) took: Duration,
}

impl Answer<'_> {
    pub(super) fn time(&self) -> (Verdict, Option<&v1::GrowthClassification>) {
        let reported = self.growth.as_ref().and_then(|growth| growth.time.as_ref());
        (Verdict::assess(&self.program.time, reported), reported)
    }

    pub(super) fn memory(&self) -> (Verdict, Option<&v1::GrowthClassification>) {
        let reported = self.growth.as_ref().and_then(|growth| growth.memory.as_ref());
        (Verdict::assess(&self.program.memory, reported), reported)
    }
}
