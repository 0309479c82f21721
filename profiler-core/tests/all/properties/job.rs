//! A draft becomes a job, or every reason why not.

use crate::properties::config;
use profiler_core::job::SizeLists;
use profiler_core::job::{Draft, Inputs, Job, Options};
use profiler_core::limits::{
    MAX_MEMORY_MB, MAX_SIZES, MAX_TIMEOUT, MIB, MIN_MEMORY_MB, MIN_TIMEOUT, MOST_REPETITIONS,
};
use profiler_proto::v1::OnMemoryLimit;
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
            let options = Options {
                on_memory_limit: if record { OnMemoryLimit::Record } else { OnMemoryLimit::Abort },
                repetitions: repetitions.filter(is_short),
                debug,
                instructions: count,
                raw_samples: raw,
                stdout_bytes: head,
                ..Options::default()
            };
            let inputs = input.map(|data| exact.iter().map(|&size| (size, data.clone())).collect());
            Draft {
                task_id,
                iteration,
                source: source.into(),
                inputs: inputs.unwrap_or_default(),
                sizes: SizeLists { exact, ..SizeLists::default() },
                timeout_ms: limits.0,
                runtime_limit_ms: limits.1,
                memory_mb: limits.2,
                address_space_mb: limits.3,
                options,
                ..Draft::default()
            }
        },
    )
}

/// One way to break a draft, and the field that is named for it.
type Break = (&'static str, fn(&mut Draft));

const BREAKS: [Break; 10] = [
    ("code.type", |draft| draft.message_type = "coda".into()),
    ("code.schema_version", |draft| draft.schema_version = "2.0.0".into()),
    ("code.task_id", |draft| draft.task_id = " \t".into()),
    ("code.code_cpp", |draft| draft.source = b"\n \n".into()),
    ("code.compiler_flags[1]", |draft| draft.flags = vec!["-O1".into(), "-o/etc/passwd".into()]),
    ("input_bounds[\"n\"]", |draft| draft.bounds = BTreeMap::from([("n".into(), -1)])),
    ("limits.timeout_ms", |draft| draft.timeout_ms = Some(f64::NAN)),
    ("limits.runtime_limit_ms", |draft| draft.runtime_limit_ms = Some(-1.0)),
    ("limits.memory_mb", |draft| draft.memory_mb = Some(0)),
    ("limits.address_space_mb", |draft| draft.address_space_mb = Some(u32::MAX)),
];

/// The draft that says explicitly what a job has.
fn explicit(job: Job) -> Draft {
    let mib = |bytes: u64| u32::try_from(bytes / MIB).ok();
    Draft {
        task_id: job.task_id,
        iteration: job.iteration,
        source: job.source,
        flags: job.flags,
        bounds: job
            .sizes
            .n_max()
            .map(|n| (job.sizes.variable().into(), n.cast_signed()))
            .into_iter()
            .collect(),
        sizes: SizeLists { exact: job.sizes.requested().into(), ..SizeLists::default() },
        inputs: match job.inputs {
            Inputs::Explicit(inputs) => inputs.into_iter().collect(),
            Inputs::Size | Inputs::Described(_) => Vec::new(),
        },
        runtime_limit_ms: job.runtime_limit.map(|limit| limit.as_secs_f64() * 1000.0),
        timeout_ms: Some(job.limits.timeout.as_secs_f64() * 1000.0),
        memory_mb: mib(job.limits.memory_bytes),
        address_space_mb: job.limits.address_space_bytes.and_then(mib),
        clock: job.limits.clock,
        options: job.options,
        ..Draft::default()
    }
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
        let sizes = SizeLists { exact: lists.0, scales: lists.1, corner_cases: lists.2, auto };
        let (timeout_ms, runtime_limit_ms, memory_mb, address_space_mb) = limits;
        match Job::try_from(Draft {
            message_type, task_id, schema_version, source, flags, bounds, sizes, inputs,
            timeout_ms, runtime_limit_ms, memory_mb, address_space_mb,
            ..Draft::default()
        }) {
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
