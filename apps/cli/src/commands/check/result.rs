//! The result of a check. The fields are the keys of its JSON form.

use super::reproduction;
use crate::args::CheckArgs;
use crate::exit::{Exit, Failure};
use crate::sandbox::Ended;
use profiler_core::cancel::StopSignal;
use profiler_core::job::candidate_names;
use profiler_core::measure::Answer;
use profiler_core::measure::stress::{Difference, StressEnd, StressTest};
use profiler_export::{SHOWN_BYTES, explain_outcome};
use profiler_proto::{json, v1};
use serde::ser::Error;
use serde::{Serialize, Serializer};

/// Verdict on the two programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Verdict {
    /// The programs differ.
    Different,
    /// Both programs fail on one input, so their answers to it cannot be compared.
    BothFail,
    /// No difference was found.
    Same,
    Unknown,
}

/// The result.
#[derive(Debug, Serialize)]
pub(super) struct CheckResult {
    pub(super) fast: String,
    pub(super) slow: String,
    pub(super) verdict: Verdict,
    pub(super) unknown_because: Option<String>,
    /// Number of inputs tried.
    pub(super) inputs: u32,
    /// Duration of these trials, without compiling.
    pub(super) seconds: f64,
    #[serde(serialize_with = "end")]
    pub(super) ended_by: Ended<StressEnd>,
    /// The inputs that made no difference.
    pub(super) sizes: Vec<Size>,
    pub(super) difference: Option<Found>,
}

/// The inputs of one size that made no difference.
#[derive(Debug, Serialize)]
pub(super) struct Size {
    pub(super) n: u64,
    pub(super) agreed: u32,
}

/// The input about which the programs differ, and their answers.
#[derive(Debug, Serialize)]
pub(super) struct Found {
    pub(super) n: u64,
    pub(super) seed: u32,
    /// The index of the spec in its file.
    pub(super) candidate: usize,
    /// Name of the spec in reports; `None` if it is the only one, and has no name.
    pub(super) name: Option<String>,
    /// The number of the input among all that were tried, from 1.
    pub(super) number: u32,
    /// The beginning of the input.
    pub(super) input: String,
    pub(super) input_bytes: usize,
    /// The command that writes the input again.
    pub(super) command: Option<String>,
    pub(super) fast: Given,
    pub(super) slow: Given,
    pub(super) first_difference: Option<Words>,
    /// The program that gave another answer when it ran again, and that answer.
    pub(super) not_repeated: Option<Again>,
}

/// Answer of a program.
#[derive(Debug, Serialize)]
pub(super) struct Given {
    #[serde(serialize_with = "name")]
    pub(super) outcome: v1::Outcome,
    #[serde(serialize_with = "message")]
    pub(super) evidence: v1::Evidence,
    /// The outcome with its evidence, for people.
    pub(super) explained: String,
    /// The beginning of stdout.
    pub(super) stdout: String,
    pub(super) stdout_bytes: u64,
    pub(super) stderr_tail: String,
}

/// The first word in which the answers of two programs that ended OK differ.
#[derive(Debug, Serialize)]
pub(super) struct Words {
    /// Its number in both answers, from 1.
    pub(super) word: usize,
    /// `None` if the answer has ended before.
    pub(super) fast: Option<String>,
    pub(super) slow: Option<String>,
}

/// An answer that differs from the first one to the same input.
#[derive(Debug, Serialize)]
pub(super) struct Again {
    pub(super) program: String,
    pub(super) answer: Given,
}

impl CheckResult {
    /// Builds the result from what `test` found until it ended. `names` are those of all specs in
    /// the file.
    pub(super) fn new(
        args: &CheckArgs,
        names: &[String],
        test: &StressTest,
        ended: Ended<StressEnd>,
    ) -> Self {
        let programs = [&args.fast, &args.slow].map(|file| file.display().to_string());
        let sizes = test.agreed().iter().map(|(&n, &agreed)| Size { n, agreed }).collect();
        let difference = test.difference().map(|found| {
            let command = reproduction::command(&found.input, args, names);
            Found::new(found, &programs, names, command)
        });
        let because = match (&ended, &difference) {
            (Ended::NotCompiled(at, refused), _) => {
                Some(format!("{} does not compile: {}", programs[*at], refused.because))
            }
            (_, Some(found)) => found.not_repeated.as_ref().map(|again| {
                format!("{} does not repeat its answer to the same input", again.program)
            }),
            (Ended::Stopped(StopSignal::Interrupt), None) => Some("stopped by Ctrl-C".into()),
            (Ended::Stopped(StopSignal::Terminate), None) => Some("stopped by SIGTERM".into()),
            (Ended::Searched(_) | Ended::Fault(_), None) if test.tried() == 0 => {
                Some("no input was tried".into())
            }
            (Ended::Searched(_) | Ended::Fault(_), None) => None,
        };
        let [fast, slow] = programs;
        Self {
            fast,
            slow,
            verdict: match (&because, &difference) {
                (Some(_), _) => Verdict::Unknown,
                (None, Some(found)) if found.both_fail() => Verdict::BothFail,
                (None, Some(_)) => Verdict::Different,
                (None, None) => Verdict::Same,
            },
            unknown_because: because,
            inputs: test.tried(),
            seconds: test.took().as_secs_f64(),
            ended_by: ended,
            sizes,
            difference,
        }
    }

    /// Returns the exit code, or the fault that ended the search.
    pub(super) fn exit(&self) -> Result<Exit, Failure> {
        match (&self.ended_by, self.verdict) {
            (Ended::Fault(fault), _) => Err(fault.clone().into()),
            (Ended::Stopped(signal), _) => Ok(Exit::Stopped(*signal)),
            (_, Verdict::Different | Verdict::BothFail) => Ok(Exit::Unsuccessful),
            (_, Verdict::Same) => Ok(Exit::Done),
            (_, Verdict::Unknown) => Ok(Exit::CannotTell),
        }
    }
}

impl Found {
    fn both_fail(&self) -> bool {
        !self.fast.is_ok() && !self.slow.is_ok()
    }

    fn new(
        found: &Difference,
        programs: &[String; 2],
        names: &[String],
        command: Option<String>,
    ) -> Self {
        let Difference { input, number, answers: [fast, slow], again } = found;
        let has_name = names.iter().any(|name| !name.is_empty()) || names.len() > 1;
        let called = candidate_names(names.iter().map(String::as_str)).into_iter();
        let text = |word: &Option<Vec<u8>>| word.as_deref().map(beginning);
        let words = fast.first_difference(slow).filter(|_| fast.is_ok() && slow.is_ok());
        Self {
            n: input.n,
            seed: input.seed,
            candidate: input.candidate,
            name: called.filter(|_| has_name).nth(input.candidate),
            number: *number,
            input: beginning(&input.bytes),
            input_bytes: input.bytes.len(),
            command,
            fast: Given::new(fast),
            slow: Given::new(slow),
            first_difference: words.map(|it| Words {
                word: it.number,
                fast: text(&it.words[0]),
                slow: text(&it.words[1]),
            }),
            not_repeated: found
                .unrepeated()
                .map(|at| Again { program: programs[at].clone(), answer: Given::new(&again[at]) }),
        }
    }
}

impl Given {
    pub(super) fn is_ok(&self) -> bool {
        self.outcome == v1::Outcome::Ok
    }

    fn new(answer: &Answer) -> Self {
        let Answer { verdict, written, .. } = answer;
        let stderr_tail = String::from_utf8_lossy(&written.stderr_tail).into_owned();
        Self {
            outcome: verdict.outcome,
            explained: explain_outcome(verdict.outcome, Some(&verdict.evidence), &stderr_tail),
            evidence: verdict.evidence.clone(),
            stdout: beginning(&written.stdout_head),
            stdout_bytes: written.stdout_bytes,
            stderr_tail,
        }
    }
}

/// Writes what ended the search, in one word.
fn end<S: Serializer>(by: &Ended<StressEnd>, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(match by {
        Ended::Searched(StressEnd::Inputs) => "inputs",
        Ended::Searched(StressEnd::Time) => "time",
        Ended::Searched(StressEnd::NoMoreInputs) => "no_more_inputs",
        Ended::Searched(StressEnd::NotRepeated) => "not_repeated",
        Ended::NotCompiled(..) => "not_compiled",
        Ended::Stopped(_) => "signal",
        Ended::Fault(_) => "fault",
    })
}

/// The outcome's name in the JSON of reports.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn name<S: Serializer>(outcome: &v1::Outcome, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(outcome.as_str_name())
}

/// The evidence as in the JSON of reports.
fn message<S: Serializer>(evidence: &v1::Evidence, to: S) -> Result<S::Ok, S::Error> {
    json::readable(evidence).map_err(S::Error::custom)?.serialize(to)
}

/// The beginning of an input, an answer or a word.
fn beginning(bytes: &[u8]) -> String {
    String::from_utf8_lossy(&bytes[..bytes.len().min(SHOWN_BYTES)]).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Cli, Command};
    use clap::Parser;
    use profiler_core::measure::stress::{InputSeries, StressBudget, TriedSizes};
    use profiler_input::Scope;
    use std::time::Duration;

    /// The result of a check that ended before any input was tried.
    fn ended(ended: Ended<StressEnd>) -> (Exit, CheckResult) {
        let line = ["swiftprof", "check", "a.cpp", "b.cpp", "--input-spec", "s.yaml"];
        let Command::Check(args) = Cli::try_parse_from(line).unwrap().command else { panic!() };
        let inputs =
            InputSeries::try_new(Vec::new(), Scope::default(), &TriedSizes::UpTo(1), 0).unwrap();
        let budget = StressBudget { inputs: 1, time: Duration::ZERO };
        let result = CheckResult::new(&args, &[], &StressTest::new(inputs, budget), ended);
        (result.exit().unwrap(), result)
    }

    #[test]
    fn check_that_tried_nothing_tells_nothing() {
        let (exit, result) = ended(Ended::Searched(StressEnd::Time));
        assert_eq!((exit, result.verdict), (Exit::CannotTell, Verdict::Unknown));
        assert_eq!(result.unknown_because.as_deref(), Some("no input was tried"));
    }

    #[test]
    fn signal_gives_its_own_exit_code() {
        let (exit, result) = ended(Ended::Stopped(StopSignal::Interrupt));
        assert_eq!(exit, Exit::Stopped(StopSignal::Interrupt));
        assert_eq!(result.unknown_because.as_deref(), Some("stopped by Ctrl-C"));
    }

    #[test]
    fn verdict_gives_the_exit_code() {
        let by_itself = || ended(Ended::Searched(StressEnd::Inputs)).1;
        let exit = |verdict| CheckResult { verdict, ..by_itself() }.exit().unwrap();
        assert_eq!(
            [Verdict::Same, Verdict::Different, Verdict::BothFail, Verdict::Unknown].map(exit),
            [Exit::Done, Exit::Unsuccessful, Exit::Unsuccessful, Exit::CannotTell]
        );
    }
}
