//! A draft becomes a job, or an error that lists every violation.

use crate::properties::config;
use profiler_core::job::{Draft, Inputs, Job};
use profiler_core::limits::{
    MAX_MEMORY_MB, MAX_SIZES, MAX_TIMEOUT, MIB, MIN_MEMORY_MB, MIN_TIMEOUT, MOST_REPETITIONS,
};
use profiler_proto::v1::{self, OnMemoryLimit, Schedule};
use proptest::collection::{btree_set, vec};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::time::Duration;

/// Runs that take less than an hour at the longest time limit, which is a minute.
const RUNS_OF_AN_HOUR: usize = 29;

/// A draft that is a job.
fn valid() -> impl Strategy<Value = Draft> {
    let sizes = btree_set(0..1_000_u64, 1..8).prop_map(Vec::from_iter);
    let inputs = any::<Option<Vec<u8>>>();
    let limits = (
        prop::option::of(1.0..60_000.0),
        prop::option::of(1.0..60_000.0),
        prop::option::of(MIN_MEMORY_MB..=MAX_MEMORY_MB),
        prop::option::of(MIN_MEMORY_MB..=MAX_MEMORY_MB),
    );
    let repetitions = prop::option::of(1..=MOST_REPETITIONS);
    let options = (any::<[bool; 4]>(), 0..=4096_u32, repetitions);
    ("[a-z]{1,9}", any::<u32>(), "[!-~]{1,40}", sizes, inputs, limits, options).prop_map(
        |(
            task_id,
            iteration,
            source,
            exact,
            input,
            limits,
            ([record, debug, count, raw], head, repetitions),
        )| {
            let is_short = |count: &u32| exact.len() * (*count as usize + 1) <= RUNS_OF_AN_HOUR;
            let on_memory_limit = if record { OnMemoryLimit::Record } else { OnMemoryLimit::Abort };
            let repetitions = repetitions.filter(is_short);
            let input_of = |&size: &u64| Some(v1::ExplicitInput { size, data: input.clone()? });
            let (timeout_ms, runtime_limit_ms, memory_mb, address_space_mb) = limits;
            let request = v1::Job {
                code: Some(v1::CodeMessage { task_id, iteration, ..v1::CodeMessage::default() }),
                inputs: exact.iter().filter_map(input_of).collect(),
                input_sizes: exact,
                limits: Some(v1::RunLimits {
                    timeout_ms,
                    runtime_limit_ms,
                    memory_mb,
                    address_space_mb,
                }),
                on_memory_limit: on_memory_limit.into(),
                repetitions,
                debug,
                instructions: count,
                raw_samples: raw,
                stdout_bytes: head,
                ..v1::Job::default()
            };
            Draft { request, source: source.into(), ..Draft::default() }
        },
    )
}

/// One way to break a draft, and the field that is named for it.
type Break = (&'static str, fn(&mut Draft));

const BREAKS: [Break; 10] = [
    ("code.type", |draft| code(draft).r#type = "coda".into()),
    ("code.schema_version", |draft| code(draft).schema_version = "2.0.0".into()),
    ("code.task_id", |draft| code(draft).task_id = " \t".into()),
    ("code.code_cpp", |draft| draft.source = b"\n \n".into()),
    ("code.compiler_flags[1]", |draft| {
        code(draft).compiler_flags = vec!["-O1".into(), "-o/etc/passwd".into()];
    }),
    ("input_bounds[\"n\"]", |draft| draft.request.input_bounds = [("n".into(), -1)].into()),
    ("limits.timeout_ms", |draft| limits(draft).timeout_ms = Some(f64::NAN)),
    ("limits.runtime_limit_ms", |draft| limits(draft).runtime_limit_ms = Some(-1.0)),
    ("limits.memory_mb", |draft| limits(draft).memory_mb = Some(0)),
    ("limits.address_space_mb", |draft| limits(draft).address_space_mb = Some(u32::MAX)),
];

fn code(draft: &mut Draft) -> &mut v1::CodeMessage {
    draft.request.code.get_or_insert_default()
}

fn limits(draft: &mut Draft) -> &mut v1::RunLimits {
    draft.request.limits.get_or_insert_default()
}

/// The draft that says explicitly what a job has.
fn explicit(job: Job) -> Draft {
    let mib = |bytes: u64| u32::try_from(bytes / MIB).ok();
    let inputs = match job.inputs {
        Inputs::Explicit(inputs) => inputs,
        Inputs::Size | Inputs::Described(_) => BTreeMap::new(),
    };
    let request = v1::Job {
        code: Some(v1::CodeMessage {
            task_id: job.task_id,
            iteration: job.iteration,
            compiler_flags: job.flags,
            ..v1::CodeMessage::default()
        }),
        input_bounds: job
            .sizes
            .n_max()
            .map(|n| (job.sizes.variable().into(), n.cast_signed()))
            .into_iter()
            .collect(),
        input_sizes: job.sizes.requested().into(),
        inputs: inputs.into_iter().map(|(size, data)| v1::ExplicitInput { size, data }).collect(),
        limits: Some(v1::RunLimits {
            runtime_limit_ms: job.runtime_limit.map(|limit| limit.as_secs_f64() * 1000.0),
            timeout_ms: Some(job.limits.timeout.as_secs_f64() * 1000.0),
            memory_mb: mib(job.limits.memory_bytes),
            address_space_mb: job.limits.address_space_bytes.and_then(mib),
        }),
        on_memory_limit: job.options.on_memory_limit.into(),
        repetitions: job.options.repetitions,
        debug: job.options.debug,
        instructions: job.options.instructions,
        raw_samples: job.options.raw_samples,
        stdout_bytes: job.options.stdout_bytes,
        ..v1::Job::default()
    };
    Draft { request, source: job.source, ..Draft::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn every_bad_field_is_named_and_no_other(draft in valid(), broken in btree_set(0..BREAKS.len(), 0..=BREAKS.len())) {
        let mut draft = draft;
        for &at in &broken {
            BREAKS[at].1(&mut draft);
        }
        let named = match Job::try_from(draft) {
            Ok(_) => Vec::new(),
            Err(violations) => violations.into_iter().map(|v| v.field).collect(),
        };
        let mut expected: Vec<&str> = broken.iter().map(|&at| BREAKS[at].0).collect();
        let mut named: Vec<&str> = named.iter().map(String::as_str).collect();
        expected.sort_unstable();
        named.sort_unstable();
        prop_assert_eq!(named, expected);
    }

    #[test]
    fn job_said_again_is_the_same_job(draft in valid()) {
        let job = Job::try_from(draft).expect("it is valid");
        let again = Job::try_from(explicit(job.clone()));
        // A timeout has gone through milliseconds in a float; a runtime limit may be widened past
        // what a request could ask for itself.
        let (before, after) = match again {
            Ok(again) => (job.limits.timeout, again.limits.timeout),
            Err(violations) => {
                prop_assert!(job.limits.timeout > MAX_TIMEOUT, "{}", violations);
                return Ok(());
            }
        };
        prop_assert!(before.abs_diff(after) <= Duration::from_nanos(1));
        let again = Job::try_from(explicit(job.clone())).expect("as before");
        let grace = job.limits.grace;
        let limits = profiler_core::job::RunLimits { timeout: before, grace, ..again.limits };
        let same = Job { limits, runtime_limit: job.runtime_limit, ..again };
        prop_assert_eq!(job, same);
    }

    #[test]
    fn any_draft_is_a_job_within_bounds_or_refused(
        texts in ("\\PC*", "\\PC*", "\\PC*"),
        source: Vec<u8>,
        flags in vec("\\PC*", 0..4),
        bounds in prop::collection::btree_map("[mn]", any::<i64>(), 0..3),
        lists in (vec(any::<u64>(), 0..4), any::<Option<Vec<u64>>>(), any::<Option<Vec<u64>>>()),
        inputs in vec((0..4_u64, any::<Vec<u8>>()), 0..4),
        limits in (any::<Option<f64>>(), any::<Option<f64>>(), any::<Option<u32>>(), any::<Option<u32>>()),
        auto: bool,
    ) {
        let (message_type, task_id, schema_version) = texts;
        let schedule = if auto { Schedule::Auto } else { Schedule::List };
        let list = |values: Option<Vec<u64>>| values.map(|values| v1::SizeList { values });
        let (timeout_ms, runtime_limit_ms, memory_mb, address_space_mb) = limits;
        let request = v1::Job {
            code: Some(v1::CodeMessage {
                r#type: message_type,
                task_id,
                schema_version,
                compiler_flags: flags,
                ..v1::CodeMessage::default()
            }),
            input_bounds: bounds,
            input_sizes: lists.0,
            input_scales: list(lists.1),
            extra_corner_cases: list(lists.2),
            schedule: schedule.into(),
            inputs: inputs.into_iter().map(|(size, data)| v1::ExplicitInput { size, data }).collect(),
            limits: Some(v1::RunLimits {
                timeout_ms,
                runtime_limit_ms,
                memory_mb,
                address_space_mb,
            }),
            ..v1::Job::default()
        };
        match Job::try_from(Draft { request, source, ..Draft::default() }) {
            Ok(job) => {
                let sizes = job.sizes.requested();
                prop_assert!((1..=MAX_SIZES).contains(&job.sizes.promised().unwrap_or(1)));
                prop_assert!(sizes.windows(2).all(|pair| pair[0] < pair[1]));
                if let Inputs::Explicit(inputs) = &job.inputs {
                    prop_assert!(inputs.keys().eq(sizes));
                }
                prop_assert!(job.limits.timeout >= MIN_TIMEOUT && !job.task_id.is_empty());
            }
            Err(violations) => prop_assert!(!violations.is_empty()),
        }
    }
}
