//! Counts the instructions of test cases that were answered right.

mod samples;

use super::instructions::{self, CountOutcome, Uncounted, believed, trusted, worked_alike};
use crate::error::SandboxFault;
use crate::limits::{COUNT_SHARE, FIRST_CASES_BUDGET, MAX_DESCRIBED_CASES};
use crate::measure::session::MeasureSession;
use crate::measure::test_cases::JudgedRun;
use crate::report::{CaseCount, StartUpCosts};
use profiler_proto::v1::{Warning, WarningCode};
use runner_protocol::Counted;
use samples::Samples;
use std::time::{Duration, Instant};

/// Minimum number of cases whose processes are forked. Starting what they are forked from takes as
/// long as a count.
const LEAST_FORKED: usize = 4;

/// The counts of a job's test cases.
pub(crate) struct TestCounts<'a> {
    /// Counts the cases, or the reason why no case is counted.
    counter: Result<Counter<'a>, String>,
    /// Number of cases without a count.
    problems: usize,
}

/// Result of counting a test case.
pub(crate) struct CountedCase {
    pub(crate) index: usize,
    /// The count, or the reason why there is none.
    pub(crate) outcome: Result<CaseCount, String>,
    /// Problems of the count. The first [`MAX_DESCRIBED_CASES`] cases without a count have one, but
    /// only one case if the program cannot be counted at all.
    pub(crate) warnings: Vec<Warning>,
    /// Indices of earlier cases whose counts are not believed any longer, and the reason.
    pub(crate) withdrawn: Option<(Vec<usize>, String)>,
}

impl<'a> TestCounts<'a> {
    /// Prepares the sandbox of `session` for counting. An empty program costs `start_up`.
    pub(crate) async fn begin(
        mut session: MeasureSession<'a>,
        start_up: StartUpCosts,
    ) -> Result<Self, SandboxFault> {
        session.place_counter().await?;
        let cases = session.job.test_cases.len();
        let shares = u32::try_from(cases).unwrap_or(u32::MAX);
        let left = COUNT_SHARE.saturating_mul(shares).min(FIRST_CASES_BUDGET);
        let samples = (cases >= LEAST_FORKED).then(|| Samples::of(cases));
        let unconfirmed = Vec::new();
        let counter = Counter { session, start_up, left, samples, unconfirmed };
        Ok(Self { counter: Ok(counter), problems: 0 })
    }

    /// Leaves out all counts, because of `reason`.
    pub(crate) fn impossible(reason: &str) -> Self {
        Self { counter: Err(reason.into()), problems: 0 }
    }

    /// Counts one run on the input of the case at `index`, whose answer was judged in `judged`.
    pub(crate) async fn count(
        &mut self,
        index: usize,
        judged: JudgedRun,
    ) -> Result<CountedCase, SandboxFault> {
        let counter = match &mut self.counter {
            Ok(counter) => counter,
            Err(reason) => {
                let outcome = Err(reason.clone());
                return Ok(CountedCase { index, outcome, warnings: Vec::new(), withdrawn: None });
            }
        };
        let (found, contradiction) = counter.once(index, judged).await?;
        let told = |Uncounted { code, message, .. }| {
            Warning::new(code, format!("test {}: {message}", index + 1))
        };
        let (mut warnings, mut withdrawn) = (Vec::new(), None);
        if let Some(Contradiction { mut problem, unconfirmed }) = contradiction {
            if !unconfirmed.is_empty() {
                let why = format!("at test {}, {}", index + 1, problem.message);
                let (said, count) = (problem.message, unconfirmed.len());
                problem.message = format!("{said}; {count} earlier counts are left out");
                withdrawn = Some((unconfirmed, why));
            }
            warnings.push(told(problem));
        }
        let outcome = found.map_err(|uncounted| {
            let reason = uncounted.message.clone();
            if uncounted.code == WarningCode::InstructionsUnsupported {
                self.counter = Err(reason.clone());
            }
            self.problems += 1;
            if self.problems <= MAX_DESCRIBED_CASES {
                warnings.push(told(uncounted));
            }
            reason
        });
        Ok(CountedCase { index, outcome, warnings, withdrawn })
    }
}

/// Counts cases in a sandbox in which no answer was judged, because a program could leave its
/// answers in that one. The processes of many cases are forked from one in which the program has
/// not read its input yet; a sample of the cases is also counted in processes that are started.
struct Counter<'a> {
    session: MeasureSession<'a>,
    /// Costs of an empty program, which every case has too.
    start_up: StartUpCosts,
    /// The rest of the time for all cases.
    left: Duration,
    /// The sample; `None` if no processes are forked.
    samples: Option<Samples>,
    /// Indices of the cases that were counted in forked processes alone since the last sample.
    unconfirmed: Vec<usize>,
}

/// Contradiction between a forked and a started process on one input.
struct Contradiction {
    problem: Uncounted,
    /// Indices of the cases that were counted in forked processes alone since the last sample.
    unconfirmed: Vec<usize>,
}

impl Counter<'_> {
    /// Counts a case within the time that is left. Also returns the contradiction between its two
    /// processes, if there is one; the count is then that of the started one.
    async fn once(
        &mut self,
        index: usize,
        judged: JudgedRun,
    ) -> Result<(CountOutcome<CaseCount>, Option<Contradiction>), SandboxFault> {
        let limit = instructions::time_limit(self.session.job).min(self.left);
        if limit.is_zero() {
            let message = "counting other test cases used up the time for counting".into();
            return Ok((Err(Uncounted::new(WarningCode::NotCounted, message)), None));
        }
        let begun = Instant::now();
        let (counted, contradiction) = self.processes(index, limit).await?;
        self.left = self.left.saturating_sub(begun.elapsed());
        let is_other = counted.written.stdout_sha256 != judged.stdout_sha256;
        let count = trusted(counted.instructions, &counted.execution, is_other);
        let count = count.and_then(|all| {
            worked_alike(&counted.execution.sample, judged.sys_ms)?;
            believed(all, judged.user_ms, self.start_up)?;
            let net = self.start_up.instructions.and_then(|of_empty| all.checked_sub(of_empty));
            Ok(CaseCount { all, own: counted.own_instructions, net })
        });
        if count.is_err() {
            self.unconfirmed.retain(|&at| at != index);
        }
        Ok((count, contradiction))
    }

    /// Counts in a forked process, in a started one, or in both.
    async fn processes(
        &mut self,
        index: usize,
        limit: Duration,
    ) -> Result<(Counted, Option<Contradiction>), SandboxFault> {
        let input = self.session.job.test_cases[index].input.as_bytes();
        let is_sample = self.samples.as_mut().is_none_or(Samples::takes_next);
        if !is_sample {
            let forked = self.session.count_forked(input, limit).await?;
            self.unconfirmed.push(index);
            return Ok((forked, None));
        }
        let started = self.session.count(input, limit).await?;
        let Some(samples) = &mut self.samples else { return Ok((started, None)) };
        let Ok(right) = &started.instructions else {
            samples.postpone();
            return Ok((started, None));
        };
        let forked = self.session.count_forked(input, limit).await?;
        let unconfirmed = std::mem::take(&mut self.unconfirmed);
        let problem = match &forked.instructions {
            Ok(count) if count == right => return Ok((started, None)),
            Ok(count) => Uncounted::new(
                WarningCode::NotDeterministic,
                format!("two runs executed {right} and {count} instructions"),
            ),
            Err(reason) => Uncounted::new(
                WarningCode::NotCounted,
                format!("a second run was not counted: {reason}"),
            ),
        };
        self.samples = None;
        Ok((started, Some(Contradiction { problem, unconfirmed })))
    }
}
