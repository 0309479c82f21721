//! Requests of callers: each becomes a job, or an error that names every bad field.

use profiler_core::job::{Inputs, Job};
use profiler_proto::v1;
use profiler_wire::{self as wire, Defaults};
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use prost::Message;

/// The same cases in every run; `cargo xtask fuzz` finds new cases.
fn config() -> ProptestConfig {
    ProptestConfig {
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(5),
        ..ProptestConfig::default()
    }
}

/// Every field that a caller can set, in and out of its bounds.
fn request() -> impl Strategy<Value = v1::Job> {
    let envelope = ("(code)?", "[a-z]{0,3}", any::<u32>(), "(1.0.0|2)?", "[a-z{} \n]{0,9}");
    let code = (envelope, vec("-O[0-4]|-o|-Wall", 0..3)).prop_map(
        |((kind, task_id, iteration, schema_version, code_cpp), compiler_flags)| v1::CodeMessage {
            r#type: kind,
            task_id,
            iteration,
            schema_version,
            code_cpp,
            compiler_flags,
            ..v1::CodeMessage::default()
        },
    );
    let list = vec(0..5_u64, 0..4);
    let lists = (list.clone(), prop::option::of(list.clone()), prop::option::of(list));
    let inputs = vec((0..5_u64, any::<Vec<u8>>()), 0..3);
    let limits = any::<(Option<f64>, Option<f64>, Option<u32>, Option<u32>)>();
    let bounds = (btree_map("[mn]", any::<i64>(), 0..3), prop::option::of("[mno]"));
    let enums = [-1..4_i32, -1..5, -1..4, -1..5];
    let rest = (enums, any::<[bool; 3]>(), 0..8192_u32, "[a-z]?");
    (prop::option::of(code), lists, inputs, prop::option::of(limits), bounds, rest).prop_map(
        |(code, lists, inputs, limits, bounds, (enums, options, stdout_bytes, request_id))| {
            let [on_memory_limit, runtime_clock, growth, on_disconnect] = enums;
            let [debug, instructions, raw_samples] = options;
            v1::Job {
                code,
                input_bounds: bounds.0.into_iter().collect(),
                size_variable: bounds.1,
                input_sizes: lists.0,
                input_scales: lists.1.map(|values| v1::SizeList { values }),
                extra_corner_cases: lists.2.map(|values| v1::SizeList { values }),
                inputs: inputs
                    .into_iter()
                    .map(|(size, data)| v1::ExplicitInput { size, data })
                    .collect(),
                limits: limits.map(
                    |(timeout_ms, runtime_limit_ms, memory_mb, address_space_mb)| v1::RunLimits {
                        timeout_ms,
                        runtime_limit_ms,
                        memory_mb,
                        address_space_mb,
                    },
                ),
                on_memory_limit,
                runtime_clock,
                growth,
                on_disconnect,
                debug,
                instructions,
                raw_samples,
                stdout_bytes,
                request_id,
                ..v1::Job::default()
            }
        },
    )
}

/// The bad fields, or the job.
fn mapped(request: v1::Job) -> Result<Job, Vec<String>> {
    let refused =
        |bad: profiler_core::error::Violations| bad.into_iter().map(|v| v.field).collect();
    wire::job(request, &Defaults::default()).map_err(refused)
}

/// A request that is a job.
fn good() -> v1::Job {
    v1::Job {
        code: Some(v1::CodeMessage {
            task_id: "sum".into(),
            code_cpp: "int main() {}".into(),
            ..v1::CodeMessage::default()
        }),
        ..v1::Job::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn any_request_is_a_job_that_says_what_it_said_or_names_fields(request in request()) {
        match mapped(request.clone()) {
            Ok(job) => {
                let code = request.code.expect("without a source there is no job");
                prop_assert_eq!((job.task_id.as_str(), job.iteration), (code.task_id.trim(), code.iteration));
                prop_assert_eq!(job.source, code.code_cpp.into_bytes());
                prop_assert_eq!(job.options.stdout_bytes, request.stdout_bytes);
                prop_assert_eq!([job.options.debug, job.options.instructions, job.options.raw_samples],
                    [request.debug, request.instructions, request.raw_samples]);
                prop_assert!(request.input_sizes.is_empty() || request.input_sizes == job.sizes.requested());
                let inputs = match &job.inputs {
                    Inputs::Explicit(inputs) => inputs.len(),
                    Inputs::Size | Inputs::Described(_) => 0,
                };
                prop_assert_eq!(inputs, request.inputs.len());
            }
            Err(named) => prop_assert!(!named.is_empty() && named.iter().all(|field| !field.is_empty())),
        }
    }

    #[test]
    fn value_that_no_enum_has_is_named_whatever_else_is_bad(request in request(), value in 9..i32::MAX) {
        let unknown = v1::Job { input_experiment: value, on_memory_limit: value, runtime_clock: -value, growth: value, on_disconnect: -value, ..request };
        let named = mapped(unknown).expect_err("nobody knows these");
        for field in ["input_experiment", "on_memory_limit", "runtime_clock", "growth", "on_disconnect"] {
            prop_assert_eq!(named.iter().filter(|named| *named == field).count(), 1);
        }
    }

    #[test]
    fn setting_stands_for_what_is_left_out_alone(
        asked in prop::option::of(4..1024_u32),
        set in prop::option::of(4..1024_u32),
        sizes in prop::option::of(vec(1..9_u64, 1..=1)),
    ) {
        let input_scales = sizes.clone().map(|values| v1::SizeList { values });
        let defaults = Defaults { sandbox_mem_mb: set, input_scales, ..Defaults::default() };
        let limits = asked.map(|mb| v1::RunLimits { memory_mb: Some(mb), ..v1::RunLimits::default() });
        let job = wire::job(v1::Job { limits, ..good() }, &defaults).expect("it is good");
        prop_assert_eq!(job.limits.memory_bytes, u64::from(asked.or(set).unwrap_or(512)) << 20);
        let scales = job.sizes.requested().last().copied();
        prop_assert_eq!(scales, Some(sizes.map_or(100_000, |sizes| sizes[0])));
    }

    #[test]
    fn bytes_off_the_wire_are_a_request_or_refused(request in request(), flips in vec((any::<prop::sample::Index>(), any::<u8>()), 0..4)) {
        let mut bytes = request.encode_to_vec();
        prop_assert_eq!(v1::Job::decode(&bytes[..]).expect("it was encoded"), request);
        for (at, byte) in flips {
            if !bytes.is_empty() {
                let at = at.index(bytes.len());
                bytes[at] = byte;
            }
        }
        if let Ok(other) = v1::Job::decode(&bytes[..]) {
            prop_assert!(mapped(other).err().is_none_or(|named| !named.is_empty()));
        }
    }
}
