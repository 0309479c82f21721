//! Counts the instructions of test cases that were answered right.

use super::instructions::{self, CountOutcome, Uncounted, believed, trusted};
use crate::error::SandboxFault;
use crate::limits::{COUNT_SHARE, FIRST_CASES_BUDGET, MAX_DESCRIBED_CASES};
use crate::measure::session::MeasureSession;
use crate::measure::test_cases::JudgedRun;
use crate::report::StartUpCosts;
use profiler_proto::v1::{Warning, WarningCode};
use runner_protocol::Counted;
use std::time::{Duration, Instant};

/// Minimum number of cases whose processes are forked. Starting what they are forked from takes as
/// long as a count.
const LEAST_FORKED: usize = 4;
/// Of the cases whose processes are forked, one of this many is counted in a process that is
/// started, too.
const CASES_PER_SAMPLE: usize = 32;

/// The counts of a job's test cases. Each is of a run in a sandbox in which no answer was judged,
/// because a program could leave its answers in that one. The processes of many cases are forked
/// from one in which the program has not read its input yet; a sample of the cases is also counted
/// in processes that are started.
pub(crate) struct TestCounts<'a> {
    session: MeasureSession<'a>,
    /// The rest of the time for all cases.
    left: Duration,
    /// Whether the program cannot be counted at all.
    is_unsupported: bool,
    /// Whether processes are forked.
    forks: bool,
    /// Number of cases since the last one of the sample.
    since_sample: usize,
    /// Number of cases without a count.
    problems: usize,
}

impl<'a> TestCounts<'a> {
    /// Prepares the sandbox of `session` for counting.
    pub(crate) async fn begin(mut session: MeasureSession<'a>) -> Result<Self, SandboxFault> {
        session.place_counter().await?;
        let cases = session.job.test_cases.len();
        let shares = u32::try_from(cases).unwrap_or(u32::MAX);
        let left = COUNT_SHARE.saturating_mul(shares).min(FIRST_CASES_BUDGET);
        let forks = cases >= LEAST_FORKED;
        let since_sample = CASES_PER_SAMPLE;
        Ok(Self { session, left, is_unsupported: false, forks, since_sample, problems: 0 })
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
        let (counted, differs) = self.once(case.input.as_bytes(), judged).await?;
        let warning = |Uncounted { code, message }| {
            Warning::new(code, format!("test {}: {message}", index + 1))
        };
        match counted {
            Ok(count) => Ok((Some(count), differs.map(warning))),
            Err(uncounted) => {
                self.is_unsupported = uncounted.code == WarningCode::InstructionsUnsupported;
                self.problems += 1;
                let warning = warning(uncounted);
                Ok((None, Some(warning).filter(|_| self.problems <= MAX_DESCRIBED_CASES)))
            }
        }
    }

    /// Counts a case within the time that is left. Also returns the problem that its
    /// two processes differ, if they do; the count is then that of the started one.
    async fn once(
        &mut self,
        input: &[u8],
        judged: JudgedRun,
    ) -> Result<(CountOutcome<u64>, Option<Uncounted>), SandboxFault> {
        let limit = instructions::time_limit(self.session.job).min(self.left);
        if limit.is_zero() {
            let message = "counting other test cases used up the time for counting".into();
            return Ok((Err(Uncounted { code: WarningCode::NotCounted, message }), None));
        }
        let begun = Instant::now();
        let (counted, differs) = self.processes(input, limit).await?;
        self.left = self.left.saturating_sub(begun.elapsed());
        let is_other = counted.written.stdout_sha256 != judged.stdout_sha256;
        let count = trusted(counted.instructions, &counted.execution, is_other);
        let count = count.and_then(|count| {
            believed(count, judged.user_ms, StartUpCosts::default())?;
            Ok(count)
        });
        Ok((count, differs))
    }

    /// Counts in a forked process, in a started one, or in both.
    async fn processes(
        &mut self,
        input: &[u8],
        limit: Duration,
    ) -> Result<(Counted, Option<Uncounted>), SandboxFault> {
        self.since_sample += 1;
        if self.forks && self.since_sample < CASES_PER_SAMPLE {
            return Ok((self.session.count_forked(input, limit).await?, None));
        }
        let started = self.session.count(input, limit).await?;
        if !self.forks || started.instructions.is_err() {
            return Ok((started, None));
        }
        let forked = self.session.count_forked(input, limit).await?;
        self.forks = forked.instructions == started.instructions;
        self.since_sample = 0;
        let differs = match (&started.instructions, &forked.instructions) {
            (Ok(started), Ok(forked)) if started != forked => Some(Uncounted {
                code: WarningCode::NotDeterministic,
                message: format!("two runs executed {started} and {forked} instructions"),
            }),
            _ => None,
        };
        Ok((started, differs))
    }
}
