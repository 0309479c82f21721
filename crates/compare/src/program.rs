//! One of the two programs that are compared.

use profiler_export::{Rightness, TestsVerdict, judge_tests};
use profiler_growth::Class;
use profiler_proto::v1::{Host, ProfileReport, SandboxError};
use std::cmp::Reverse;

/// A program and its reports: one for each run, or a single saved one.
#[derive(Debug, Clone)]
pub struct Program {
    /// Name of the program in messages.
    pub name: String,
    /// Its reports.
    pub reports: Vec<ProfileReport>,
}

/// Prefix of the message of an error that ended a turn of the other program. The pipeline of
/// profiler-core writes it.
const OF_OTHER: &str = "against: ";

impl Program {
    /// Returns the programs of a job that measured two programs twice in turns: its own and
    /// another. `None` if the report lacks a turn.
    pub fn in_turns(mut report: ProfileReport, [own, other]: [&str; 2]) -> Option<[Self; 2]> {
        let turns: [ProfileReport; 3] = std::mem::take(&mut report.turns).try_into().ok()?;
        let [second, third, fourth] = turns;
        let program = |name: &str, reports| Self { name: name.to_owned(), reports };
        Some([program(own, vec![report, fourth]), program(other, vec![second, third])])
    }

    /// Returns the host of the first report; `None` if the report does not identify it.
    pub(crate) fn host(&self) -> Option<&Host> {
        self.reports.first()?.host.as_ref().filter(|host| host.fingerprint.is_some())
    }

    /// Returns the precision of the least precise report; `None` if runs were repeated until the
    /// headlines were known.
    pub(crate) fn precision(&self) -> Option<f64> {
        self.reports.iter().filter_map(|report| report.precision).reduce(f64::max)
    }

    /// The number that was added to the seeds of its inputs.
    pub(crate) fn input_seed(&self) -> u32 {
        self.reports.first().map_or(0, |report| report.input_seed)
    }

    /// Whether it talks to an interactor, which judges its output.
    pub(crate) fn is_interactive(&self) -> bool {
        let mut sizes = self.reports.iter().flat_map(|report| &report.sizes);
        sizes.any(|size| size.interactor.is_some())
    }

    /// The growth class of the time; `None` if it is undecided or differs between the runs.
    pub(crate) fn growth(&self) -> Option<Class> {
        let of = |report: &ProfileReport| report.growth.as_ref()?.time.as_ref()?.class();
        let (first, others) = self.reports.split_first()?;
        let class = of(first)?;
        let mut others = others.iter();
        others.all(|it| of(it).is_some_and(|other| other.is_near(class))).then_some(class)
    }

    /// Verdict of the test cases, and of the checker at the sizes, in the worst run; `None` if
    /// nothing was judged.
    pub fn tests(&self) -> Option<TestsVerdict> {
        let verdicts = self.reports.iter().filter_map(judge_tests);
        verdicts.min_by_key(|it| Reverse(it.rightness))
    }

    /// Whether the program is wrong on a test case, or at a size by the checker.
    pub(crate) fn is_wrong(&self) -> bool {
        self.tests().is_some_and(|it| it.rightness == Rightness::Wrong)
    }

    /// Number of test cases on which the program is wrong in its worst run.
    pub fn wrong_test_cases(&self) -> usize {
        let wrong = |report: &ProfileReport| {
            report.test_cases.iter().filter(|case| case.is_wrong()).count()
        };
        self.reports.iter().map(wrong).max().unwrap_or_default()
    }

    /// Whether the other program, and not the job's own, ended a job of two programs early.
    pub fn is_other_at_fault(error: &SandboxError) -> bool {
        error.message.starts_with(OF_OTHER)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use profiler_proto::v1::{TestCaseResult, TestVerdict};

    #[test]
    fn wrong_answer_is_worse_than_none() {
        let [open, wrong] = [TestVerdict::NotRun, TestVerdict::TimeLimit].map(|verdict| {
            let case = TestCaseResult { verdict: verdict.into(), ..TestCaseResult::default() };
            ProfileReport { test_cases: vec![case], ..ProfileReport::default() }
        });
        for reports in [vec![open.clone(), wrong.clone()], vec![wrong, open]] {
            let program = Program { name: "program".into(), reports };
            let said = program.tests().map(|it| it.sentence);
            assert_eq!(said.as_deref(), Some("wrong on 1 of 1 test"));
            assert_eq!(program.wrong_test_cases(), 1);
        }
    }
}
