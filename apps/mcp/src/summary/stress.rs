//! The result of a stress test as figures.

use super::rows::rounded;
use crate::tool_result::{clipped, known};
use profiler_export::{explain_outcome, readable, stress_end};
use profiler_proto::v1::{
    CompileStep, Outcome, SandboxError, StressAnswer, StressDifference, StressResult,
};
use serde_json::{Value, json};

/// Maximum number of bytes of an input or an answer that are shown.
const SHOWN_BYTES: usize = 600;
/// Beginning of the sentence that a stress test's reference does not compile.
const REFERENCE: &str = "the reference ";

/// Returns the input with different answers, and both answers.
pub(super) fn difference(found: &StressDifference) -> Value {
    let answers = [&found.answer, &found.expected].map(|it| it.as_ref().map(answer));
    known(json!({
        "n": found.size,
        "input": text(&found.input),
        "input_bytes": found.input_bytes,
        "answer": answers[0],
        "expected": answers[1],
        "first_different_word": found.word,
        "seed": found.seed,
    }))
    .into()
}

/// Returns the effort of the search.
pub(super) fn effort(found: &StressResult) -> Value {
    let agreed: u64 = found.agreed.iter().map(|it| u64::from(it.inputs)).sum();
    json!({
        "inputs_tried": found.inputs,
        "inputs_agreed": agreed,
        "largest_n_agreed": found.agreed.iter().map(|it| it.size).max(),
        "seconds": rounded(Some(found.seconds), 1),
        "ended_by": stress_end(found),
    })
}

fn answer(answer: &StressAnswer) -> Value {
    match answer.outcome() {
        Outcome::Ok => text(&answer.stdout).into(),
        outcome => {
            let why = explain_outcome(outcome, answer.evidence.as_ref(), &answer.stderr_tail);
            clipped(&why, SHOWN_BYTES).into()
        }
    }
}

fn text(bytes: &[u8]) -> String {
    clipped(&readable(&String::from_utf8_lossy(bytes)), SHOWN_BYTES)
}

/// Returns the compile step that gave no binary, after the beginning of a sentence that names its
/// program. The sentence of the job's own program has no beginning.
pub(super) fn refused_step(error: &SandboxError) -> (&'static str, Option<&CompileStep>) {
    let Some(partial) = &error.partial else { return ("", None) };
    let reference = partial.stress.as_ref().and_then(|it| it.reference_compile.as_ref());
    match reference {
        Some(step) => (REFERENCE, Some(step)),
        None => ("", partial.compile.as_ref()),
    }
}
