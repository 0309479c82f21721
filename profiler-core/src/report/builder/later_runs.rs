//! Results of the runs that come after the timed runs of a size: in a new sandbox, or not timed.

use super::ReportBuilder;
use crate::job::Point;
use crate::report::measured_size::{ColdRun, Instructions, ProbeFindings};
use crate::report::verdict::Verdict;
use crate::report::warnings::{doubt_of_ways, doubts_of_failure};
use profiler_proto::v1::{Warning, WarningCode};

impl ReportBuilder {
    /// Adds a run of a measured size in a new sandbox, with a warning if it contradicts the others.
    /// If the run did not end OK, neither did the size. If it wrote something else, the size has no
    /// figures: those runs knew what this one could not know.
    pub(crate) fn add_cold_run(&mut self, point: Point, cold: Result<ColdRun, Verdict>) {
        let found = self.sizes.iter_mut().find(|size| size.point() == point);
        let Some(size) = found else { return };
        let doubt = match cold {
            Ok(ColdRun { writes_otherwise: true, .. }) => {
                size.fails_cold = true;
                size.fail(Verdict::not_run());
                let problem = "the program behaves in two ways on the same input: in a new sandbox \
                               it wrote another output";
                Some(point.warning(WarningCode::TwoWays, problem))
            }
            Ok(ColdRun { sample, .. }) => {
                size.cold_run = Some(sample);
                doubt_of_ways(size)
            }
            Err(verdict) => {
                size.fails_cold = true;
                let problem = format!(
                    "the program behaves in two ways on the same input: in a new sandbox it ended \
                     with {}",
                    verdict.outcome.name()
                );
                size.fail(verdict);
                Some(point.warning(WarningCode::TwoWays, problem))
            }
        };
        self.warn(doubt);
    }

    /// Adds the findings of the memory probe of the size at `index`, or the warning that it has
    /// none. If the probe exceeded the memory limit, so did the size.
    pub(crate) fn set_probe(&mut self, index: usize, found: Result<ProbeFindings, Warning>) {
        let size = &mut self.sizes[index];
        size.probe = None;
        match found {
            Err(warning) => self.warn([warning]),
            Ok(ProbeFindings { memory, over_limit }) => {
                size.memory = memory;
                if let Some(verdict) = over_limit {
                    size.fail(verdict);
                    let doubts = doubts_of_failure(size);
                    self.warn(doubts);
                }
            }
        }
    }

    /// Sets the number of questions of the size at `index`; `None` if it is not known. Or adds the
    /// warning that it has none.
    pub(crate) fn set_questions(&mut self, index: usize, found: Result<Option<u64>, Warning>) {
        match found {
            Ok(questions) => self.sizes[index].questions = questions,
            Err(warning) => self.warn([warning]),
        }
    }

    /// Sets the count of the size at `index`, or adds the warning that it has none.
    pub(crate) fn set_instructions(
        &mut self,
        index: usize,
        counted: Result<Instructions, Warning>,
        method: &str,
    ) {
        match counted {
            Ok(counted) => {
                let start_up = self.start_up_instructions;
                let net = start_up.and_then(|start_up| counted.count.checked_sub(start_up));
                self.sizes[index].instructions = Some(Instructions { net, ..counted });
                self.report.instructions_method = Some(method.into());
            }
            Err(warning) => self.warn([warning]),
        }
    }
}
