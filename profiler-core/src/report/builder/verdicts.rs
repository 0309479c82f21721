//! The verdicts of a report: on the test cases, on the outputs of the sizes, and on growth.

use super::ReportBuilder;
use crate::job::Point;
use crate::report::{CaseCount, MeasuredSize};
use profiler_growth::Growth;
use profiler_proto::v1::{self, RemedyKind, TestVerdict, Warning};

impl ReportBuilder {
    /// Adds the result of the next test case, and the warning about it.
    pub(crate) fn add_test_case(&mut self, result: v1::TestCaseResult, warning: Option<Warning>) {
        self.report.test_cases.push(result);
        self.warn(warning);
    }

    /// The results of the test cases so far.
    pub(crate) fn test_cases(&self) -> &[v1::TestCaseResult] {
        &self.report.test_cases
    }

    /// Sets the instructions of the test case at `index`, or the reason why there are none.
    pub(crate) fn set_test_instructions(
        &mut self,
        index: usize,
        counted: Result<CaseCount, String>,
        method: &str,
    ) {
        let Some(case) = self.report.test_cases.get_mut(index) else { return };
        let (count, reason) = match counted {
            Ok(count) => (Some(count), String::new()),
            Err(reason) => (None, reason),
        };
        case.instructions = count.map(|count| count.all);
        case.own_instructions = count.and_then(|count| count.own);
        case.net_instructions = count.and_then(|count| count.net);
        case.uncounted_reason = reason;
        if count.is_some() {
            self.report.instructions_method = Some(method.into());
        }
    }

    /// Adds a result for each of `all` test cases that an early end of the run left out. A program
    /// that does not compile has no results.
    pub(crate) fn leave_out_test_cases(&mut self, all: usize) {
        let step = self.report.compile.as_ref();
        if step.is_some_and(|step| step.binary_bytes.is_some()) {
            let not_run = v1::TestCaseResult::not_run("the run ended before");
            self.report.test_cases.resize(all, not_run);
        }
    }

    /// Whether the program gave a wrong answer, or no answer, to a test case.
    pub(crate) fn is_wrong(&self) -> bool {
        self.report.test_cases.iter().any(v1::TestCaseResult::is_wrong)
    }

    /// Whether a test case has no verdict.
    pub(crate) fn lacks_verdicts(&self) -> bool {
        self.report.test_cases.iter().any(|case| case.judged() == TestVerdict::NotRun)
    }

    /// Sets the checker's judgement of the output at a measured size.
    pub(crate) fn set_output_check(&mut self, point: Point, result: v1::TestCaseResult) {
        if let Some(size) = self.sizes.iter_mut().find(|size| size.point() == point) {
            size.output_check = Some(Box::new(result));
        }
    }

    /// Sets the growth of time and memory.
    pub(crate) fn set_growth(&mut self, growth: Option<&Growth>) {
        self.report.growth = growth.map(Into::into);
        let Some((fault, growth)) = self.report.fault.as_ref().zip(self.report.growth.as_mut())
        else {
            return;
        };
        // If the program fails at a size, more sizes do not help. If it crashes at every size,
        // smaller ones do not help either.
        let crashes = fault.stopped_ms.is_none() && !self.sizes.iter().any(MeasuredSize::is_ok);
        let helps = |kind| match kind {
            RemedyKind::MoreSizes => fault.size.is_none(),
            RemedyKind::SmallerSizes | RemedyKind::AutoSchedule => !crashes,
            _ => true,
        };
        let classes = [&mut growth.time, &mut growth.memory].into_iter().flatten();
        classes.for_each(|class| class.remedies.retain(|it| helps(it.kind())));
    }
}
