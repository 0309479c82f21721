//! The answer for one program.

use super::class::Verdict;
use super::program::Program;
use profiler_growth::{Classification, Growth};
use std::time::Duration;

/// The answer for one program.
pub(super) struct Answer<'p> {
    pub(super) program: &'p Program,
    /// Absent if there was no report, or no growth in it.
    pub(super) growth: Option<Growth>,
    /// Reason for the absence of growth.
    pub(super) failure: Option<String>,
    /// Duration of the whole job, including the time it waited for the measured core. Absent for
    /// recorded observations.
    pub(super) took: Option<Duration>,
}

impl Answer<'_> {
    pub(super) fn time(&self) -> (Verdict, Option<&Classification>) {
        let reported = self.growth.as_ref().map(|growth| &growth.time);
        (Verdict::assess(&self.program.time, reported), reported)
    }

    pub(super) fn memory(&self) -> (Verdict, Option<&Classification>) {
        let reported = self.growth.as_ref().map(|growth| &growth.memory);
        (Verdict::assess(&self.program.memory, reported), reported)
    }
}
