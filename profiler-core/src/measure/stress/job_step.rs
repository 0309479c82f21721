//! The stress test as a step of a job.

use super::{Difference, InputSeries, StressBudget, StressEnd, StressTest};
use crate::build::Builder;
use crate::error::SandboxFault;
use crate::job::{Job, Options, StressPlan};
use crate::measure::answer::Answer;
use crate::measure::program_session::{NotCompiled, ProgramSession};
use crate::sandbox::Pool;
use profiler_proto::v1::{
    StressAnswer, StressDifference, StressEnd as PublishedEnd, StressResult, StressedSize,
};

/// Maximum number of bytes that a report shows of an input or an answer.
const SHOWN_BYTES: usize = 4 << 10;

/// Runs the stress test of `job`, with a sandbox for each program. If the reference does not
/// compile, returns the reason.
pub(crate) async fn run(
    plan: &StressPlan,
    job: &Job,
    (pool, builder): (&Pool, &Builder),
) -> Result<Result<StressResult, NotCompiled>, SandboxFault> {
    let specs = plan.specs.iter().cloned().enumerate().collect();
    let seed = job.options.input_seed;
    let inputs = InputSeries::try_new(specs, plan.scope.clone(), &plan.sizes, seed);
    // The plan was checked with its job.
    let inputs = inputs.map_err(|bad| SandboxFault::Lost(bad.to_string()))?;
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
    let ended = search(&mut programs, builder, &mut test).await;
    let [program, reference] = programs;
    tokio::join!(program.end(), reference.end());
    Ok(ended?.map(|end| found(&test, end, &job.options)))
}

async fn search(
    [program, reference]: &mut [ProgramSession; 2],
    builder: &Builder,
    test: &mut StressTest,
) -> Result<Result<StressEnd, NotCompiled>, SandboxFault> {
    match tokio::try_join!(program.compile(builder), reference.compile(builder))? {
        (Ok(()), Ok(())) => test.run([program, reference], |_, _| {}).await.map(Ok),
        (_, Err(refused)) => Ok(Err(refused)),
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
        // Only a checker in C++ can fail to judge, and such a job has none.
        StressEnd::NotJudged => PublishedEnd::Unspecified,
    };
    StressResult {
        inputs: test.tried,
        agreed: agreed.collect(),
        seconds: test.took.as_secs_f64(),
        end: end.into(),
        difference: test.difference.as_ref().and_then(|found| difference(found, options)),
        reference_compile: None,
    }
}

/// Converts a difference between two programs.
fn difference(found: &Difference, options: &Options) -> Option<StressDifference> {
    let Difference { input, number, answers, again, .. } = found;
    let ([answer, expected], [answer_again, expected_again]) = (&answers[..], &again[..]) else {
        return None;
    };
    let have_words = answer.is_ok() && expected.is_ok();
    let word = answer.first_rejected(expected, options).filter(|_| have_words);
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
    bytes.iter().copied().take(SHOWN_BYTES).collect()
}
