//! Counts the instructions of test cases that were answered right.

use super::instructions::{self, Uncounted, believed, trusted};
use crate::error::SandboxFault;
use crate::limits::{COUNT_SHARE, FIRST_CASES_BUDGET, MAX_DESCRIBED_CASES};
use crate::measure::session::MeasureSession;
use crate::measure::test_cases::JudgedRun;
use crate::report::StartUpCosts;
use profiler_proto::v1::{Warning, WarningCode};
use std::time::{Duration, Instant};

/// The counts of a job's test cases. Each is of a run in a sandbox in which no answer was judged,
/// because a program could leave its answers in that one.
pub(crate) struct TestCounts<'a> {
    session: MeasureSession<'a>,
    /// The rest of the time for all cases.
    left: Duration,
    /// Whether the program cannot be counted at all.
    is_unsupported: bool,
    /// Number of cases without a count.
    problems: usize,
}

impl<'a> TestCounts<'a> {
    /// Prepares the sandbox of `session` for counting.
    pub(crate) async fn begin(mut session: MeasureSession<'a>) -> Result<Self, SandboxFault> {
        session.place_counter().await?;
        let cases = u32::try_from(session.job.test_cases.len()).unwrap_or(u32::MAX);
        let left = COUNT_SHARE.saturating_mul(cases).min(FIRST_CASES_BUDGET);
        Ok(Self { session, left, is_unsupported: false, problems: 0 })
    }

    /// Counts one run on the input of the case at `index`, whose answer was judged in `judged`.
    /// Returns the count, or the warning about why there is none. After a case that shows that the
    /// program cannot be counted, and after [`MAX_DESCRIBED_CASES`] problems, there is neither.
    pub(crate) async fn count(
        &mut self,
        index: usize,
        judged: JudgedRun,
    ) -> Result<(Option<u64>, Option<Warning>), SandboxFault> {
        let job = self.session.job;
        let Some(case) = job.test_cases.get(index).filter(|_| !self.is_unsupported) else {
            return Ok((None, None));
        };
        match self.once(case.input.as_bytes(), judged).await? {
            Ok(count) => Ok((Some(count), None)),
            Err(Uncounted { code, message }) => {
                self.is_unsupported = code == WarningCode::InstructionsUnsupported;
                self.problems += 1;
                let warning = Warning::new(code, format!("test {}: {message}", index + 1));
                Ok((None, Some(warning).filter(|_| self.problems <= MAX_DESCRIBED_CASES)))
            }
        }
    }

    /// Counts one run on `input` within the time that is left.
    async fn once(
        &mut self,
        input: &[u8],
        judged: JudgedRun,
    ) -> Result<Result<u64, Uncounted>, SandboxFault> {
        let limit = instructions::time_limit(self.session.job).min(self.left);
        if limit.is_zero() {
            let message = "counting other test cases used up the time for counting".into();
            return Ok(Err(Uncounted { code: WarningCode::NotCounted, message }));
        }
        let begun = Instant::now();
        let counted = self.session.count(input, limit).await?;
        self.left = self.left.saturating_sub(begun.elapsed());
        let is_other = counted.written.stdout_sha256 != judged.stdout_sha256;
        let count = trusted(counted.instructions, &counted.execution, is_other);
        Ok(count.and_then(|count| {
            believed(count, judged.user_ms, StartUpCosts::default())?;
            Ok(count)
        }))
    }
}
