//! A request becomes a job, or every reason why not.

use crate::config::Defaults;
use profiler_core::error::{Violation, Violations};
use profiler_core::job::{Draft, Job, OnMemoryLimit};
use profiler_core::measure::RuntimeClock;
use profiler_core::schedule::SizeLists;
use profiler_proto::v1;

/// What a request can say and this server refuses as not supported yet.
pub const UNSUPPORTED: [&str; 1] = ["growth"];

/// Longest request id, in bytes.
pub const MAX_REQUEST_ID_BYTES: usize = 128;

/// The job that a request asks for, with the server's defaults where it leaves a field out. What the
/// wire alone can get wrong is reported together with what [`Job`] refuses.
pub fn job(wire: v1::Job, defaults: &Defaults) -> Result<Job, Violations> {
    let mut bad = Vec::new();
    refuse(&wire, &mut bad);
    let mut draft = draft(wire, &mut bad);
    defaults.apply(&mut draft);
    match Job::try_from(draft) {
        Ok(job) if bad.is_empty() => Ok(job),
        Ok(_) => Err(Violations(bad)),
        Err(Violations(more)) => Err(Violations(bad.into_iter().chain(more).collect())),
    }
}

fn draft(wire: v1::Job, bad: &mut Vec<Violation>) -> Draft {
    let on_memory_limit = known("on_memory_limit", wire.on_memory_limit, bad);
    let clock = known("runtime_clock", wire.runtime_clock, bad);
    let code = wire.code.unwrap_or_default();
    let limits = wire.limits.unwrap_or_default();
    Draft {
        message_type: code.r#type,
        task_id: code.task_id,
        iteration: code.iteration,
        schema_version: code.schema_version,
        source: code.code_cpp.into_bytes(),
        flags: code.compiler_flags,
        bounds: wire.input_bounds,
        size_variable: wire.size_variable,
        sizes: SizeLists {
            exact: wire.input_sizes,
            scales: wire.input_scales.map(|list| list.values),
            corner_cases: wire.extra_corner_cases.map(|list| list.values),
        },
        inputs: wire.inputs.into_iter().map(|i| (i.size, i.data)).collect(),
        timeout_ms: limits.timeout_ms,
        runtime_limit_ms: limits.runtime_limit_ms,
        memory_mb: limits.memory_mb,
        address_space_mb: limits.address_space_mb,
        on_memory_limit: match on_memory_limit {
            v1::OnMemoryLimit::Unspecified | v1::OnMemoryLimit::Abort => OnMemoryLimit::Abort,
            v1::OnMemoryLimit::Record => OnMemoryLimit::Record,
        },
        clock: match clock {
            v1::RuntimeClock::Unspecified => None,
            v1::RuntimeClock::Unloaded => Some(RuntimeClock::Unloaded),
            v1::RuntimeClock::Wall => Some(RuntimeClock::Wall),
            v1::RuntimeClock::Cpu => Some(RuntimeClock::Cpu),
        },
        debug: wire.debug,
        instructions: wire.instructions,
        raw_samples: wire.raw_samples,
        stdout_bytes: wire.stdout_bytes,
    }
}

/// Refuses what no job carries, and what is not supported yet.
fn refuse(wire: &v1::Job, bad: &mut Vec<Violation>) {
    known::<v1::OnDisconnect>("on_disconnect", wire.on_disconnect, bad);
    let growth = known::<v1::Growth>("growth", wire.growth, bad);
    let mut refuse = |field: &str, problem: String| {
        bad.push(Violation { field: field.into(), problem });
    };
    if growth != v1::Growth::Unspecified {
        refuse("growth", "not supported yet: leave it out".into());
    }
    let id_bytes = wire.request_id.len();
    if id_bytes > MAX_REQUEST_ID_BYTES {
        refuse(
            "request_id",
            format!("{id_bytes} bytes are over the limit of {MAX_REQUEST_ID_BYTES}"),
        );
    }
}

/// The value of an enum field. One that this server does not know is refused: to take it for the
/// default would do something else than was asked for.
fn known<E: TryFrom<i32> + Default>(field: &str, value: i32, bad: &mut Vec<Violation>) -> E {
    E::try_from(value).unwrap_or_else(|_| {
        bad.push(Violation { field: field.into(), problem: format!("unknown value {value}") });
        E::default()
    })
}
