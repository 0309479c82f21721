//! Host of a worker: its pool and its speed.

use profiler_core::cancel::cancel_signal;
use profiler_core::error::SandboxFault;
use profiler_core::report::Events;
use profiler_core::{Profiler, Turn, run_job};
use profiler_proto::v1;

/// Measures an empty program to find out the properties of this host. The result has a fingerprint,
/// which names its pool.
///
/// # Errors
/// If the program cannot be measured, or the host has no fingerprint.
pub async fn find_place(profiler: &Profiler) -> Result<v1::Host, SandboxFault> {
    let job = v1::Job {
        code: Some(v1::CodeMessage {
            task_id: "calibration".into(),
            code_cpp: "int main() {}".into(),
            ..v1::CodeMessage::default()
        }),
        input_sizes: vec![1],
        growth: v1::Growth::Timed.into(),
        ..v1::Job::default()
    };
    let broken = |cause| SandboxFault::Failed { stage: "measure an empty program", cause };
    let job = profiler_wire::job(job, &profiler_wire::Defaults::default())
        .map_err(|bad| broken(bad.to_string()))?;
    let (mut events, mut emitted) = Events::new("calibration");
    let (_canceller, mut token) = cancel_signal();
    let drained = async { while emitted.recv().await.is_some() {} };
    let measured = async move {
        Box::pin(run_job(&job, profiler, &mut events, &mut token, Turn::now())).await
    };
    let (ended, ()) = tokio::join!(measured, drained);
    let report = ended.map_err(|error| broken(error.message))?;
    let host = report.host.filter(|host| host.fingerprint.is_some());
    host.ok_or_else(|| broken("the host has no fingerprint".into()))
}
