//! One of the two programs that are compared.

use profiler_proto::v1::{Host, ProfileReport, SandboxError};

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

    /// Returns how many test cases the program does not pass in its worst run, and how many there
    /// are.
    pub fn wrong_test_cases(&self) -> Option<(usize, usize)> {
        let counts = self.reports.iter().map(|report| {
            let wrong = report.test_cases.iter().filter(|case| case.correct != Some(true));
            (wrong.count(), report.test_cases.len())
        });
        counts.max()
    }

    /// Whether the other program, and not the job's own, ended a job of two programs early.
    pub fn is_other_at_fault(error: &SandboxError) -> bool {
        error.message.starts_with(OF_OTHER)
    }
}
