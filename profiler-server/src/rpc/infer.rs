//! `InferInputs`: a spec for sample inputs.

mod inference_turns;

pub(crate) use inference_turns::{InferenceTurns, Turn};

use super::message_limit::Held;
use super::status::CallError;
use profiler_core::error::{Violation, Violations};
use profiler_infer::limits::{MAX_SAMPLE_BYTES, MAX_SAMPLES};
use profiler_infer::{Inferred, Proposal, Refusal};
use profiler_proto::v1::infer_inputs_response::Answer;
use profiler_proto::v1::{InferInputsResponse, InputProposal, InputRefusal};
use tokio::task::spawn_blocking;

/// Refuses a request with no samples or too many, and samples that are empty or too long.
pub(crate) fn check(samples: &[String]) -> Result<(), CallError> {
    let mut bad = Violations::default();
    if samples.is_empty() || samples.len() > MAX_SAMPLES {
        let problem = format!("must have 1 to {MAX_SAMPLES} samples, not {}", samples.len());
        bad.push(Violation { field: "samples".into(), problem });
    }
    for (at, sample) in samples.iter().enumerate().take(MAX_SAMPLES) {
        if sample.is_empty() || sample.len() > MAX_SAMPLE_BYTES {
            let bytes = sample.len();
            let problem = format!("must have 1 to {MAX_SAMPLE_BYTES} bytes, not {bytes}");
            bad.push(Violation { field: format!("samples[{at}]"), problem });
        }
    }
    if bad.is_empty() { Ok(()) } else { Err(CallError::Invalid(bad)) }
}

/// Infers on a blocking thread, because a search would hold up other tasks. The turn lasts, and the
/// bytes of the message count, until the inference ends.
pub(crate) async fn infer(
    samples: Vec<String>,
    turn: Turn,
    held: Option<Held>,
) -> Result<InferInputsResponse, CallError> {
    let inferred = spawn_blocking(move || {
        let _until_the_end = (turn, held);
        let samples: Vec<&str> = samples.iter().map(String::as_str).collect();
        answer(profiler_infer::infer(&samples))
    });
    inferred.await.map_err(|error| CallError::InferenceFailed(error.to_string()))
}

fn answer(inferred: Result<Inferred, Refusal>) -> InferInputsResponse {
    match inferred {
        Ok(inferred) => InferInputsResponse {
            answer: Some(Answer::Proposal(proposal(inferred.proposal))),
            others: inferred.others.into_iter().map(proposal).collect(),
        },
        Err(refusal) => {
            let refusal = InputRefusal { reason: refusal.to_string(), readings: Vec::new() };
            InferInputsResponse { answer: Some(Answer::Refusal(refusal)), others: Vec::new() }
        }
    }
}

fn proposal(proposed: Proposal) -> InputProposal {
    InputProposal { spec: Some(proposed.spec), assumptions: proposed.assumptions }
}
