//! Submissions, and the events that are appended. Every event says who wrote it, so that the model
//! knows its writer without asking the log.

use crate::model::history::{Act, Entry, Signature};
use profiler_fleet::{Followed, NewRun, Origin};
use profiler_proto::v1;
use profiler_proto::v1::event::Kind;
use prost::Message;
use std::hash::{DefaultHasher, Hasher};

/// Sizes of a default job.
const SIZES: u32 = 7;
/// The number of the compilation among the steps of a worker.
const COMPILED: u32 = 1;
/// The number of the report.
const FINISHED: u32 = COMPILED + SIZES + 1;
/// The number of an ending that is no report.
const FAILED: u32 = FINISHED + 1;

/// A run of a default job.
pub fn run(run_id: &str, caller: &str, request_id: &str, pool: &str) -> NewRun {
    let row = v1::Run {
        run_id: run_id.into(),
        caller: caller.into(),
        request_id: request_id.into(),
        ..v1::Run::default()
    };
    let origin = Origin {
        run: Some(row),
        owner: caller.into(),
        // All jobs are the same.
        digest: vec![0; 32],
        pool: pool.into(),
        ..Origin::default()
    };
    NewRun { origin, job: job().encode_to_vec(), defaults: Vec::new(), queue_position: 0 }
}

/// A job of the default sizes.
fn job() -> v1::Job {
    let code = v1::CodeMessage {
        task_id: "chaos".into(),
        code_cpp: "int main() {}".into(),
        ..v1::CodeMessage::default()
    };
    v1::Job { code: Some(code), ..v1::Job::default() }
}

/// The events that a worker appends to a run that it began, in order.
pub(crate) fn steps(claim: &str) -> impl Iterator<Item = Kind> {
    let compiled = v1::CompileStep { command: claim.into(), ..v1::CompileStep::default() };
    let measured = (0..SIZES).map(|number| {
        Kind::SizeMeasured(v1::SizeResult {
            size: 1000 << number,
            candidate: COMPILED + 1 + number,
            runtime_ms: Some(1.0),
            peak_memory_mb: Some(3.5),
            stderr_tail: claim.into(),
            ..v1::SizeResult::default()
        })
    });
    let report = v1::ProfileReport {
        task_id: claim.into(),
        iteration: FINISHED,
        input_sizes: (0..SIZES).map(|number| 1000 << number).collect(),
        runtime_ms: vec![1.0; SIZES as usize],
        ..v1::ProfileReport::default()
    };
    std::iter::once(Kind::Compiled(compiled)).chain(measured).chain([Kind::Finished(report)])
}

/// An ending without a report.
pub(crate) fn failed(claim: &str, code: v1::ErrorCode) -> v1::SandboxError {
    v1::SandboxError { code: code.into(), message: claim.into(), ..v1::SandboxError::default() }
}

/// The writer of an event.
pub(crate) fn signature(kind: &Kind) -> Signature {
    let (claim, step) = match kind {
        Kind::Compiled(step) => (&step.command, COMPILED),
        Kind::SizeMeasured(size) => (&size.stderr_tail, size.candidate),
        Kind::Finished(report) => (&report.task_id, report.iteration),
        // The crate interrupts a run itself, with an error that has no claim.
        Kind::Failed(error) if !error.message.is_empty() => (&error.message, FAILED),
        _ => return Signature::default(),
    };
    Signature { claim: claim.clone(), step: step.into() }
}

/// An event as the model takes it.
pub(crate) fn entry(followed: &Followed) -> Entry {
    let Followed { position, event, origin, worker, .. } = followed;
    let act = match &event.kind {
        Some(Kind::Accepted(_)) => Act::Accepted,
        Some(Kind::Started(started)) => Act::Started(started.attempt),
        Some(Kind::Restarted(restarted)) => Act::Restarted(restarted.attempt),
        Some(Kind::Finished(_) | Kind::Failed(_)) => Act::Ended,
        _ => Act::Step,
    };
    let request = origin.as_ref().and_then(|origin| origin.run.as_ref());
    let mut hash = DefaultHasher::new();
    hash.write(&event.encode_to_vec());
    Entry {
        position: *position,
        run: event.run_id.clone(),
        number: event.sequence,
        act,
        worker: worker.clone(),
        signed: event.kind.as_ref().map(signature).unwrap_or_default(),
        request: request.map(|run| run.request_id.clone()).unwrap_or_default(),
        hash: hash.finish(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_step_has_a_signature_of_its_own() {
        let signatures: HashSet<_> = steps("claim").map(|kind| signature(&kind)).collect();
        assert_eq!(signatures.iter().filter(|signed| signed.is_report()).count(), 1);
        assert_eq!(u64::from(FINISHED), Signature::REPORT);
        assert_eq!(signatures.len(), SIZES as usize + 2);
        assert!(signatures.iter().all(|signed| signed.claim == "claim"));
    }
}
