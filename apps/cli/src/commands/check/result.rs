//! The result of a check.

use super::reproduction;
use crate::args::CheckArgs;
use crate::exit::{Exit, Failure};
use crate::sandbox::Ended;
use profiler_core::cancel::StopSignal;
use profiler_core::job::candidate_names;
use profiler_core::measure::stress::{Complaint, Difference, StressEnd, StressTest};
use profiler_core::measure::{Answer, WordDifference};
use profiler_export::{SHOWN_BYTES, explain_outcome, readable_name};
use profiler_proto::json::{self, Error};
use profiler_proto::v1::LineCoverage;
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Index of the judge among the programs that a check compiles.
const JUDGE: usize = 2;

/// Verdict on the two programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Verdict {
    /// The programs differ.
    Different,
    /// The judge rejects the program's output.
    Rejected,
    /// A sanitizer found an error of the program.
    SanitizerError,
    /// All programs fail on one input, so there is no answer to judge.
    BothFail,
    /// No difference was found.
    Same,
    Unknown,
}

/// Result of a check.
#[derive(Debug)]
pub(super) struct CheckResult {
    /// The names of the programs: the fast one, then the slow one, if there is one.
    pub(super) programs: Vec<String>,
    pub(super) verdict: Verdict,
    pub(super) unknown_because: Option<String>,
    /// Number of inputs that were tried.
    pub(super) inputs: u32,
    /// Time spent trying inputs, without compiling.
    pub(super) seconds: f64,
    pub(super) ended_by: Ended<StressEnd>,
    /// Number of inputs on which the first program also ran with sanitizers.
    pub(super) sanitized: u32,
    /// The lines of the first program that its inputs reached, if they are known.
    pub(super) coverage: Option<LineCoverage>,
    /// Number of inputs of each size on which nothing was wrong.
    pub(super) agreed: BTreeMap<u64, u32>,
    /// Whether sizes above the default one were chosen by the search.
    pub(super) is_unbounded: bool,
    pub(super) found: Option<Found>,
}

/// The input on which the programs differ, and their answers.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) difference: Difference,
    /// Name of the spec in reports; `None` if it is the only one, and has no name.
    pub(super) name: Option<String>,
    /// The command that writes the input again; `None` if its spec cannot be named.
    pub(super) command: Option<String>,
    /// The file that the input is written to.
    pub(super) file: Option<PathBuf>,
}

impl CheckResult {
    /// Builds the result from what `test` found until it ended. `names` has the names of all specs
    /// in the file.
    pub(super) fn new(
        args: &CheckArgs,
        names: &[String],
        test: &StressTest,
        ended_by: Ended<StressEnd>,
    ) -> Self {
        let programs = [&args.fast].into_iter().chain(&args.slow);
        let programs: Vec<_> =
            programs.map(|file| readable_name(&file.display().to_string())).collect();
        let found = test.difference.as_ref().map(|difference| {
            let has_name = names.iter().any(|name| !name.is_empty()) || names.len() > 1;
            let called = candidate_names(names.iter().map(String::as_str)).into_iter();
            Found {
                name: called.filter(|_| has_name).nth(difference.input.candidate),
                command: reproduction::command(&difference.input, args, names),
                file: args.output.clone(),
                difference: difference.clone(),
            }
        });
        let unknown_because = match (&ended_by, &test.difference) {
            (Ended::NotCompiled(at, refused), _) => {
                // The judge follows the programs, and the generators follow the judge.
                let other = if *at > JUDGE { "the generator" } else { "the judge" };
                let name = programs.get(*at).map_or(other, String::as_str);
                Some(format!("{name} does not compile: {}", refused.because))
            }
            (_, Some(found)) => found
                .unrepeated()
                .map(|at| format!("{} does not repeat its answer to the same input", programs[at])),
            (Ended::Stopped(StopSignal::Interrupt), None) => Some("stopped by Ctrl-C".into()),
            (Ended::Stopped(StopSignal::Terminate), None) => Some("stopped by SIGTERM".into()),
            (Ended::Searched(StressEnd::NotJudged | StressEnd::NotGenerated), None) => {
                test.unable.clone()
            }
            (Ended::Searched(_) | Ended::Fault(_), None) => {
                (test.tried == 0).then(|| "no input was tried".into())
            }
        };
        Self {
            programs,
            verdict: match (&unknown_because, &test.difference) {
                (Some(_), _) => Verdict::Unknown,
                (None, Some(found))
                    if found.answers.len() > 1 && !found.answers.iter().any(Answer::is_ok) =>
                {
                    Verdict::BothFail
                }
                (None, Some(found)) => match found.complaint {
                    Complaint::Differ => Verdict::Different,
                    Complaint::Rejected(_) => Verdict::Rejected,
                    Complaint::Sanitizer(_) => Verdict::SanitizerError,
                },
                (None, None) => Verdict::Same,
            },
            unknown_because,
            inputs: test.tried,
            sanitized: test.sanitized(),
            coverage: test.coverage(),
            seconds: test.took.as_secs_f64(),
            ended_by,
            agreed: test.agreed.clone(),
            is_unbounded: args.n_max.is_none() && args.sizes.is_empty(),
            found,
        }
    }

    /// Returns the exit code, or the fault that ended the search.
    pub(super) fn exit(&self) -> Result<Exit, Failure> {
        match (&self.ended_by, self.verdict) {
            (Ended::Fault(fault), _) => Err(fault.clone().into()),
            (Ended::Stopped(signal), _) => Ok(Exit::Stopped(*signal)),
            (_, Verdict::Same) => Ok(Exit::Done),
            (_, Verdict::Unknown) => Ok(Exit::CannotTell),
            _ => Ok(Exit::Unsuccessful),
        }
    }

    /// Returns the result as JSON.
    pub(super) fn in_json(&self) -> Result<Value, Error> {
        let sizes = self.agreed.iter().map(|(n, agreed)| json!({ "n": n, "agreed": agreed }));
        let difference = self.found.as_ref().map(|found| found.in_json(&self.programs));
        Ok(json!({
            "fast": self.programs.first(),
            "slow": self.programs.get(1),
            "verdict": self.verdict,
            "unknown_because": self.unknown_because,
            "inputs": self.inputs,
            "sanitized": self.sanitized,
            "coverage": self.coverage.as_ref().map(json::readable).transpose()?,
            "seconds": self.seconds,
            "ended_by": match self.ended_by {
                Ended::Searched(StressEnd::Inputs) => "inputs",
                Ended::Searched(StressEnd::Time) => "time",
                Ended::Searched(StressEnd::NoMoreInputs) => "no_more_inputs",
                Ended::Searched(StressEnd::NotRepeated) => "not_repeated",
                Ended::Searched(StressEnd::NotJudged) => "not_judged",
                Ended::Searched(StressEnd::NotGenerated) => "not_generated",
                Ended::NotCompiled(..) => "not_compiled",
                Ended::Stopped(_) => "signal",
                Ended::Fault(_) => "fault",
            },
            "sizes": sizes.collect::<Vec<_>>(),
            "difference": difference.transpose()?,
        }))
    }
}

impl Found {
    /// Returns the first word in which the answers differ, if both programs ended OK.
    pub(super) fn first_difference(&self) -> Option<WordDifference> {
        let ([fast, slow], Complaint::Differ) =
            (&self.difference.answers[..], &self.difference.complaint)
        else {
            return None;
        };
        fast.first_difference(slow).filter(|_| fast.is_ok() && slow.is_ok())
    }

    fn in_json(&self, programs: &[String]) -> Result<Value, Error> {
        let Difference { complaint, input, number, answers, again } = &self.difference;
        let given = |at: usize| answers.get(at).map(answer).transpose();
        let rejected = match complaint {
            Complaint::Rejected(message) => Some(message),
            _ => None,
        };
        let sanitizer = match complaint {
            Complaint::Sanitizer(finding) => Some(json::readable(finding)?),
            _ => None,
        };
        let word = |word: &Option<Vec<u8>>| word.as_deref().map(beginning);
        let words = self.first_difference().map(|it| {
            let [fast, slow] = it.words.each_ref().map(word);
            json!({ "word": it.number, "fast": fast, "slow": slow })
        });
        let not_repeated = self.difference.unrepeated().map(|at| {
            Ok::<_, Error>(json!({ "program": programs[at], "answer": answer(&again[at])? }))
        });
        Ok(json!({
            "n": input.n,
            "seed": input.is_declared().then_some(input.genome.seed),
            "candidate": input.candidate,
            "name": self.name,
            "number": number,
            "input": beginning(&input.bytes),
            "input_bytes": input.bytes.len(),
            "command": self.command,
            "fast": given(0)?,
            "slow": given(1)?,
            "rejected": rejected,
            "sanitizer": sanitizer,
            "first_difference": words,
            "not_repeated": not_repeated.transpose()?,
        }))
    }
}

fn answer(answer: &Answer) -> Result<Value, Error> {
    let Answer { verdict, written, .. } = answer;
    Ok(json!({
        "outcome": verdict.outcome.as_str_name(),
        "evidence": json::readable(&verdict.evidence)?,
        "explained": explained(answer),
        "stdout": beginning(&written.stdout_head),
        "stdout_bytes": written.stdout_bytes,
        "stderr_tail": String::from_utf8_lossy(&written.stderr_tail),
    }))
}

/// Explains how the program ended, with the evidence.
pub(super) fn explained(answer: &Answer) -> String {
    let Answer { verdict, written, .. } = answer;
    let stderr = String::from_utf8_lossy(&written.stderr_tail);
    explain_outcome(verdict.outcome, Some(&verdict.evidence), &stderr)
}

/// The beginning of an input, an answer or a word.
pub(super) fn beginning(bytes: &[u8]) -> String {
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
