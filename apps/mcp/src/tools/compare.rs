//! `compare`: tells which of two programs is faster.

use crate::arguments::Arguments;
use crate::failure::Failure;
use crate::job::Options;
use crate::remedies::argument;
use crate::session::{Call, Known, Session, State};
use crate::summary::{self, MAX_ROWS, rounded};
use crate::tool_result::{Answer, object};
use profiler_compare::{Comparison, Outputs, Program, Ratio, Size, compare_programs, sentence};
use profiler_export::Ending;
use profiler_growth::Class;
use profiler_proto::{OUTPUTS_NOT_JUDGED, Word};
use serde_json::{Value, json};

/// Name of each program in messages, and its arguments for code and for a run.
const PROGRAMS: [(&str, &str, &str); 2] =
    [("A", "code_a", "run_id_a"), ("B", "code_b", "run_id_b")];

/// Fault if the report of a job of two programs has only one program.
const OLDER: &str =
    "the service has an older version, which cannot compare two programs in one job";

/// Remark on outputs that differ.
const SEVERAL_ANSWERS: &str =
    ". If the task has several right answers, give a checker, or set any_output";

/// A program to compare.
enum Given {
    Code(String),
    Run(String),
}

/// Compares two programs. Two sources are measured in turns in one job. A source that is compared
/// with a run has a job of its own. Until all have ended, the answer is a handle.
pub(super) async fn compare(
    session: &Session,
    mut arguments: Arguments,
    call: &Call,
) -> Result<Answer, Failure> {
    let given = PROGRAMS.map(|(_, code, run_id)| given(&mut arguments, code, run_id));
    let (options, mut arguments) = Options::read_in_turn(session, arguments, Options::read).await?;
    let outputs = if arguments.flag("any_output") { Outputs::Any } else { Outputs::Agree };
    arguments.end()?;
    let options = options.infer(session).await?.judging_outputs(outputs);
    if let [Some(Given::Code(a)), Some(Given::Code(b))] = &given {
        return in_turns(session, &options, [a, b], outputs, call).await;
    }
    let mut run_ids = Vec::new();
    for (program, (_, code, run_id)) in given.into_iter().flatten().zip(PROGRAMS) {
        run_ids.push(match program {
            Given::Code(source) => {
                let (key, job) = options.of_program(&source);
                match session.start(&key, job, call).await {
                    Ok(run_id) => (run_id, true),
                    Err(failure) => {
                        return Err(options.placed(session, renamed(failure, code)).await);
                    }
                }
            }
            Given::Run(id) => match session.look_up(&id).await {
                Ok(_) => (id, false),
                Err(failure) => return Err(renamed(failure, run_id)),
            },
        });
    }
    let (mut programs, mut live) = (Vec::new(), None);
    for ((run_id, is_own), (name, ..)) in run_ids.iter().zip(PROGRAMS) {
        match session.wait(run_id, call, *is_own).await? {
            Known::Ended(ending) => match *ending {
                Ending::Report(report) => {
                    programs.push(Program { name: name.into(), reports: vec![*report] });
                }
                error @ Ending::Error(_) => return Ok(ended_early(name, run_id, error)),
            },
            Known::Live(state) => live = Some((name, state)),
        }
    }
    let ids: Vec<_> = run_ids.iter().map(|(id, _)| id.as_str()).collect();
    match (programs.as_slice(), live) {
        ([a, b], None) => Ok(compared(&compare_programs(a, b, outputs, argument), &ids)),
        (_, live) => {
            let (name, state) = live.unwrap_or_default();
            Ok(not_yet(&format!("program {name} is"), &state, &ids))
        }
    }
}

/// Compares two sources in one job, so that both are measured on one host.
async fn in_turns(
    session: &Session,
    options: &Options,
    [a, b]: [&str; 2],
    outputs: Outputs,
    call: &Call,
) -> Result<Answer, Failure> {
    let (key, job) = options.against(b).of_program(a);
    let run_id = match session.start(&key, job, call).await {
        Ok(run_id) => run_id,
        Err(failure) => {
            return Err(options.placed(session, renamed(failure, PROGRAMS[0].1)).await);
        }
    };
    let ending = match session.wait(&run_id, call, true).await? {
        Known::Ended(ending) => *ending,
        Known::Live(state) => return Ok(not_yet("the programs are", &state, &[&run_id])),
    };
    let [(name, ..), (other, ..)] = PROGRAMS;
    match ending {
        Ending::Report(report) if options.are_unjudged_in(&report) => {
            Err(Failure::Fault(OUTPUTS_NOT_JUDGED.into()))
        }
        Ending::Report(report) => {
            let programs = Program::in_turns(*report, [name, other]);
            let [a, b] = programs.ok_or_else(|| Failure::Fault(OLDER.into()))?;
            Ok(compared(&compare_programs(&a, &b, outputs, argument), &[&run_id]))
        }
        Ending::Error(error) => {
            let name = if Program::is_other_at_fault(&error) { other } else { name };
            Ok(ended_early(name, &run_id, Ending::Error(error)))
        }
    }
}

/// Answers that a run has not ended.
fn not_yet(who: &str, state: &State, run_ids: &[&str]) -> Answer {
    let word = state.word();
    let summary = format!("{who} {word}");
    let figures = json!({ "run_ids": run_ids, "state": word, "next": "compare" });
    Answer::new(&summary, figures).then("call compare again with the same arguments")
}

/// Reads a program, which is given as either code or a run.
fn given(arguments: &mut Arguments, code: &str, run_id: &str) -> Option<Given> {
    if arguments.has(code) == arguments.has(run_id) {
        arguments.refuse(code, format!("use either {code} or {run_id}"));
    }
    let source = arguments.text(code).map(Given::Code);
    let run = arguments.text(run_id).map(Given::Run);
    source.or(run)
}

/// Renames the arguments in a failure to those of one program.
fn renamed(failure: Failure, argument: &str) -> Failure {
    match failure {
        Failure::Arguments(mut problems) => {
            for problem in &mut problems {
                if ["code", "run_id"].contains(&problem.argument.as_str()) {
                    argument.clone_into(&mut problem.argument);
                }
            }
            Failure::Arguments(problems)
        }
        fault @ Failure::Fault(_) => fault,
    }
}

/// Answers that a program without a report cannot be compared, which is a result.
fn ended_early(name: &str, run_id: &str, ending: Ending) -> Answer {
    let answer = summary::answer(run_id, &Known::Ended(Box::new(ending)), &[]);
    let summary = format!("cannot compare: program {name} {}", answer.summary);
    let mut figures = object(json!({ "b_is": "unknown", "program": name }));
    figures.extend(answer.structured);
    figures.insert("verdict".into(), summary.clone().into());
    Answer { links: answer.links, ..Answer::new(&summary, figures).then(answer.next) }
}

fn compared(comparison: &Comparison, run_ids: &[&str]) -> Answer {
    let mut said = sentence(comparison);
    if comparison.other_output_at.is_some() {
        said.push_str(SEVERAL_ANSWERS);
    }
    let skipped = comparison.sizes.len().saturating_sub(MAX_ROWS);
    let figures = json!({
        "run_ids": run_ids,
        "b_is": comparison.verdict,
        "other_output_at": comparison.other_output_at,
        "verdict": said,
        "basis": comparison.basis,
        "clock": comparison.clock.word(),
        "a_growth": comparison.a_growth.map(Class::name),
        "b_growth": comparison.b_growth.map(Class::name),
        "b_over_a": comparison.geometric_mean.as_ref().map(ratio),
        // The largest sizes decide.
        "sizes": comparison.sizes.iter().skip(skipped).map(row).collect::<Vec<_>>(),
        "warnings": comparison.warnings,
    });
    let next = if comparison.other_output_at.is_some() {
        "call check with program A as reference for the smallest input with another output"
    } else {
        ""
    };
    Answer::new(&said, figures).then(next)
}

fn row(size: &Size) -> Value {
    json!({
        "n": size.size,
        "candidate": size.candidate,
        "a_ms": rounded(size.a.runtime_ms, 3),
        "b_ms": rounded(size.b.runtime_ms, 3),
        "a": size.a.outcome,
        "b": size.b.outcome,
        "b_over_a": size.time.as_ref().map(ratio),
        "b_is": size.verdict,
        "same_output": size.same_output,
        "memory": size.memory_verdict,
    })
}

fn ratio(ratio: &Ratio) -> Value {
    let [value, low, high] = [ratio.ratio, ratio.low, ratio.high].map(|it| rounded(Some(it), 4));
    json!({ "ratio": value, "low": low, "high": high })
}
