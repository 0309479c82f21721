//! Events that a server makes itself: heartbeats, and the endings of lost runs.

use profiler_core::report::{REPORT_TYPE, SCHEMA_VERSION};
use profiler_proto::v1::{self, event::Kind};
use std::time::SystemTime;

/// Makes the last event of a run that an earlier process left unfinished. `had` holds the run's
/// stored events.
pub fn interrupted(run: &v1::Run, had: Vec<v1::Event>) -> v1::Event {
    let message = "the server ended before the run did";
    v1::Event {
        run_id: run.run_id.clone(),
        sequence: run.last_sequence + 1,
        time: Some(SystemTime::now().into()),
        kind: Some(Kind::Failed(ended_early(run, had, v1::ErrorCode::Interrupted, message))),
    }
}

/// Makes the error of a run whose end the measuring host did not report. `had` holds the run's
/// events.
pub fn ended_early(
    run: &v1::Run,
    had: Vec<v1::Event>,
    code: v1::ErrorCode,
    message: &str,
) -> v1::SandboxError {
    let now = SystemTime::now();
    let mut partial = v1::ProfileReport {
        r#type: REPORT_TYPE.into(),
        task_id: run.task_id.clone(),
        iteration: run.iteration,
        timestamp_utc: Some(now.into()),
        schema_version: SCHEMA_VERSION.into(),
        run_id: run.run_id.clone(),
        ..v1::ProfileReport::default()
    };
    for kind in had.into_iter().filter_map(|event| event.kind) {
        match kind {
            Kind::Compiled(step) => partial.compile = Some(step),
            Kind::SizeMeasured(size) => partial.sizes.push(size),
            Kind::Accepted(_)
            | Kind::Started(_)
            | Kind::CoreAwaited(_)
            | Kind::Heartbeat(_)
            | Kind::Finished(_)
            | Kind::Failed(_) => {}
            // The results of the lost worker are void. The next worker compiles and measures from
            // the beginning.
            Kind::Restarted(_) => {
                partial.compile = None;
                partial.sizes.clear();
            }
        }
    }
    // Sizes that are added below a limit have later events than larger ones.
    partial.sizes.sort_by_key(|it| (it.size, it.candidate));
    partial.summarize();
    v1::SandboxError { code: code.into(), message: message.into(), partial: Some(partial) }
}

/// Makes a heartbeat of run `run_id` after its event `sequence`.
pub fn heartbeat(run_id: &str, sequence: u64, queue_position: u32) -> v1::Event {
    v1::Event {
        run_id: run_id.into(),
        sequence,
        time: Some(SystemTime::now().into()),
        kind: Some(Kind::Heartbeat(v1::Heartbeat { queue_position })),
    }
}
