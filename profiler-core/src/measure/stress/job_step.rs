//! The stress test as a step of a job.

use super::{Contestants, Difference, InputSeries, StressBudget, StressEnd, StressTest};
use crate::build::Builder;
use crate::error::SandboxFault;
use crate::job::{Job, Options, OtherProgram, StressPlan};
use crate::measure::answer::{ANSWER_BYTES, Answer};
use crate::measure::program_session::{NotCompiled, ProgramSession};
use crate::sandbox::Pool;
use futures::future::join_all;
use profiler_proto::v1::{
    StressAnswer, StressDifference, StressEnd as PublishedEnd, StressResult, StressedSize,
};

/// Reason why a stress test has no result.
pub(crate) enum NoResult {
    /// The reference does not compile.
    Reference(NotCompiled),
    /// A generator makes no inputs, as this sentence says.
    Generator(String),
}

/// Runs the stress test of `job`, with a sandbox for each program and each generator.
pub(crate) async fn run(
    plan: &StressPlan,
    job: &Job,
    (pool, builder): (&Pool, &Builder),
) -> Result<Result<StressResult, NoResult>, SandboxFault> {
    let specs = plan.specs.iter().cloned().enumerate().collect();
    let seed = job.options.input_seed;
    let inputs = InputSeries::try_new(specs, plan.scope.clone(), &plan.sizes, seed);
    // The plan was checked with its job.
    let inputs = inputs.map_err(|bad| SandboxFault::Lost(bad.to_string()))?;
    let generators: Vec<_> = inputs.generators().map(Option::<&OtherProgram>::cloned).collect();
    let budget = StressBudget { inputs: plan.inputs, time: plan.time };
    let mut test = StressTest::new(inputs, budget);
    let mut programs = match tokio::join!(
        ProgramSession::start(job.clone(), pool),
        ProgramSession::start(job.of_other(&plan.reference), pool),
    ) {
        (Ok(program), Ok(reference)) => [program, reference],
        (Ok(started), Err(fault)) | (Err(fault), Ok(started)) => {
            started.end().await;
            return Err(fault);
        }
        (Err(fault), Err(_)) => return Err(fault),
    };
    let mut makers = Vec::new();
    let ended = async {
        if let Err(why) = start_generators(&generators, job, (pool, builder), &mut makers).await? {
            return Ok(Err(NoResult::Generator(why)));
        }
        search(&mut programs, &mut makers, builder, &mut test).await
    };
    let ended = ended.await;
    let [program, reference] = programs;
    let makers = join_all(makers.into_iter().flatten().map(ProgramSession::end));
    tokio::join!(program.end(), reference.end(), makers);
    Ok(match (ended?, &test.unable) {
        (Ok(StressEnd::NotGenerated), Some(why)) if test.difference.is_none() => {
            Err(NoResult::Generator(why.clone()))
        }
        (ended, _) => ended.map(|end| found(&test, end, &job.options)),
    })
}

/// Starts and compiles the generators, as `started`. The error is the reason why one does not
/// compile.
pub(in crate::measure) async fn start_generators(
    generators: &[Option<OtherProgram>],
    job: &Job,
    (pool, builder): (&Pool, &Builder),
    started: &mut Vec<Option<ProgramSession>>,
) -> Result<Result<(), String>, SandboxFault> {
    for generator in generators {
        started.push(match generator {
            Some(program) => {
                Some(ProgramSession::start_generator(job, program, (builder, pool)).await?)
            }
            None => None,
        });
    }
    for generator in started.iter_mut().flatten() {
        if let Err(refused) = generator.compile(builder).await? {
            return Ok(Err(format!("the generator does not compile: {}", refused.because)));
        }
    }
    Ok(Ok(()))
}

async fn search(
    [program, reference]: &mut [ProgramSession; 2],
    generators: &mut [Option<ProgramSession>],
    builder: &Builder,
    test: &mut StressTest,
) -> Result<Result<StressEnd, NoResult>, SandboxFault> {
    match tokio::try_join!(program.compile(builder), reference.compile(builder))? {
        (Ok(()), Ok(())) => {
            let generators = generators.iter_mut().map(Option::as_mut).collect();
            let contestants = Contestants { generators, ..[program, reference].into() };
            test.run(contestants, |_, _| {}).await.map(Ok)
        }
        (_, Err(refused)) => Ok(Err(NoResult::Reference(refused))),
        // The same program was compiled before, so the compiler or its sandbox died.
        (Err(refused), _) => Err(SandboxFault::Lost(refused.because)),
    }
}

/// Converts the findings to a report's message.
fn found(test: &StressTest, end: StressEnd, options: &Options) -> StressResult {
    let agreed = test.agreed.iter().map(|(&size, &inputs)| StressedSize { size, inputs });
    let end = match end {
        StressEnd::Inputs => PublishedEnd::Inputs,
        StressEnd::Time => PublishedEnd::Time,
        StressEnd::NoMoreInputs => PublishedEnd::NoMoreInputs,
        StressEnd::NotRepeated => PublishedEnd::NotRepeated,
        // Only a checker in C++ can fail to judge, and such a job has none. A generator failed
        // after a difference had been found.
        StressEnd::NotJudged | StressEnd::NotGenerated => PublishedEnd::Unspecified,
    };
    StressResult {
        inputs: test.tried,
        agreed: agreed.collect(),
        seconds: test.took.as_secs_f64(),
        end: end.into(),
        difference: test.difference.as_ref().and_then(|found| difference(found, options)),
        reference_compile: None,
        coverage: test.coverage(),
    }
}

/// Converts a difference between two programs.
fn difference(found: &Difference, options: &Options) -> Option<StressDifference> {
    let Difference { input, number, answers, again, .. } = found;
    let ([answer, expected], [answer_again, expected_again]) = (&answers[..], &again[..]) else {
        return None;
    };
    let have_words = answer.is_ok() && expected.is_ok();
    let Options { checker, tolerance, .. } = *options;
    let word = answer.first_rejected(expected, checker, tolerance).filter(|_| have_words);
    Some(StressDifference {
        size: input.n,
        candidate: u32::try_from(input.candidate).unwrap_or(u32::MAX),
        seed: input.is_declared().then_some(input.genome.seed),
        number: *number,
        input: beginning(&input.bytes),
        input_bytes: input.bytes.len() as u64,
        answer: Some(published(answer, answer_again)),
        expected: Some(published(expected, expected_again)),
        word: word.map(|word| word as u64),
    })
}

fn published(answer: &Answer, again: &Answer) -> StressAnswer {
    let Answer { verdict, written, .. } = answer;
    StressAnswer {
        outcome: verdict.outcome.into(),
        evidence: verdict.published_evidence(),
        stdout: beginning(&written.stdout_head),
        stdout_bytes: written.stdout_bytes,
        stderr_tail: String::from_utf8_lossy(&written.stderr_tail).into_owned(),
        varies: !answer.is_repeated_by(again),
    }
}

fn beginning(bytes: &[u8]) -> Vec<u8> {
    bytes.iter().copied().take(ANSWER_BYTES).collect()
}
