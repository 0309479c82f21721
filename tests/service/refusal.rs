//! Requests that are refused before a run is accepted.

use crate::{endless_from, stub, unary};
use profiler_client::spec::{Spec, array, graph};
use profiler_client::v1::{
    ExplicitInput, InputSpec, Interactor, Job, RunLimits, Schedule, SizeList, TestCase,
};
use profiler_core::limits::{
    MAX_ANSWER_BYTES, MAX_FLAGS, MAX_INPUT_BYTES, MAX_SIZE, MAX_SIZES, MAX_SOURCE_BYTES,
    MAX_TEST_CASES,
};
use profiler_proto::v1::CodeMessage;
use profiler_server::MAX_MESSAGE_BYTES;
use profiler_server::status::DOMAIN;
use profiler_tests::jobs::plain;
use profiler_tests::server::Server;
use profiler_wire::MAX_REQUEST_ID_BYTES;
use std::sync::atomic::Ordering;
use tonic::{Code, Status};
use tonic_types::StatusExt;

async fn refusal(job: Job) -> Status {
    let server = Server::over_tcp(endless_from(0)).await;
    stub(&server).await.profile(unary(job)).await.unwrap_err()
}

/// A job in which every field is bad.
fn all_bad() -> Job {
    Job {
        code: Some(CodeMessage {
            r#type: "poem".into(),
            task_id: "  ".into(),
            schema_version: "2.0.0".into(),
            compiler_flags: vec!["-O2".into(), "-o/etc/passwd".into()],
            ..CodeMessage::default()
        }),
        input_sizes: vec![5, 5],
        request_id: "x".repeat(MAX_REQUEST_ID_BYTES + 1),
        growth: 77,
        on_disconnect: 77,
        runtime_clock: 77,
        ..Job::default()
    }
}

#[tokio::test]
async fn every_bad_field_is_named_at_once() {
    let status = refusal(all_bad()).await;
    assert_eq!(status.code(), Code::InvalidArgument);
    let bad = status.get_details_bad_request().expect("a BadRequest");
    let mut fields: Vec<_> = bad.field_violations.into_iter().map(|bad| bad.field).collect();
    fields.sort();
    let expected = [
        "code.code_cpp",
        "code.compiler_flags[1]",
        "code.schema_version",
        "code.task_id",
        "code.type",
        "growth",
        "input_sizes[1]",
        "on_disconnect",
        "request_id",
        "runtime_clock",
    ];
    assert_eq!(fields, expected);
}

/// A change that makes a good job bad, and the field that is then bad.
type Row = (fn(&mut Job), &'static str);

/// Mistakes that a careless or hostile caller may send, one at a time.
const ROWS: &[Row] = &[
    (|job| job.code = None, "code.code_cpp"),
    (|job| code(job).code_cpp = String::new(), "code.code_cpp"),
    (|job| code(job).code_cpp = " \n\t".into(), "code.code_cpp"),
    (|job| code(job).code_cpp = "/".repeat(MAX_SOURCE_BYTES + 1), "code.code_cpp"),
    (|job| code(job).task_id = "\u{2003}".into(), "code.task_id"),
    (|job| code(job).task_id = "t".repeat(100_000), "code.task_id"),
    (|job| code(job).compiler_flags = vec!["-O2".into(); MAX_FLAGS + 1], "code.compiler_flags"),
    (|job| code(job).compiler_flags = vec!["@/etc/passwd".into()], "code.compiler_flags[0]"),
    (|job| code(job).compiler_flags = vec!["-O2\n-o".into()], "code.compiler_flags[0]"),
    (|job| job.input_sizes = vec![5, 3], "input_sizes[1]"),
    (|job| job.input_sizes = vec![3, 3], "input_sizes[1]"),
    (|job| job.input_sizes = vec![1, MAX_SIZE + 1], "input_sizes[1]"),
    // A caller who sends a size of -1 as a number of 32 bits.
    (|job| job.input_sizes = vec![u64::MAX], "input_sizes[0]"),
    (|job| job.input_sizes = (0..5_000).collect(), "input_sizes"),
    (|job| job.input_scales = Some(SizeList { values: vec![2, 1] }), "input_scales.values[1]"),
    (|job| job.input_scales = Some(first(MAX_SIZES + 1)), "input_scales.values"),
    (|job| job.extra_corner_cases = Some(first(5_000)), "extra_corner_cases.values"),
    (|job| bound(job, "n", -1), "input_bounds[\"n\"]"),
    (|job| bound(job, "n", i64::MAX), "input_bounds[\"n\"]"),
    (|job| job.size_variable = Some("m".into()), "size_variable"),
    (|job| limits(job).timeout_ms = Some(f64::NAN), "limits.timeout_ms"),
    (|job| limits(job).timeout_ms = Some(f64::INFINITY), "limits.timeout_ms"),
    (|job| limits(job).timeout_ms = Some(-1.0), "limits.timeout_ms"),
    (|job| limits(job).timeout_ms = Some(-0.0), "limits.timeout_ms"),
    (|job| limits(job).timeout_ms = Some(f64::MAX), "limits.timeout_ms"),
    (|job| limits(job).runtime_limit_ms = Some(f64::NAN), "limits.runtime_limit_ms"),
    (|job| limits(job).runtime_limit_ms = Some(f64::NEG_INFINITY), "limits.runtime_limit_ms"),
    (|job| limits(job).memory_mb = Some(0), "limits.memory_mb"),
    (|job| limits(job).memory_mb = Some(u32::MAX), "limits.memory_mb"),
    (|job| limits(job).address_space_mb = Some(u32::MAX), "limits.address_space_mb"),
    (|job| job.on_memory_limit = 3, "on_memory_limit"),
    (|job| job.runtime_clock = -1, "runtime_clock"),
    (|job| job.growth = i32::MAX, "growth"),
    (|job| job.on_disconnect = i32::MIN, "on_disconnect"),
    (|job| job.stdout_bytes = u32::MAX, "stdout_bytes"),
    (|job| job.repetitions = Some(0), "repetitions"),
    (|job| job.repetitions = Some(101), "repetitions"),
    (|job| inputs(job, &[(7, 0)]), "inputs[0].size"),
    (|job| inputs(job, &[(1, MAX_INPUT_BYTES + 1)]), "inputs[0].data"),
    (|job| inputs(job, &[(1, 0), (1, 0)]), "inputs[1].size"),
    (|job| job.schedule = 3, "schedule"),
    (|job| (job.schedule, job.input_sizes) = (AUTO, vec![1]), "input_sizes"),
    (|job| (job.schedule, job.input_scales) = (AUTO, Some(first(2))), "input_scales"),
    (|job| described(job, "10^10"), "input_specs[0].vars[0].array.len"),
    (|job| described(job, "n * 10^9"), "input_specs[0].vars[0].array.len"),
    (|job| described(job, "1 / (n - 1)"), "input_specs[0].vars[0].array.len"),
    (|job| described(job, "2^62 * 4"), "input_specs[0].vars[0].array.len"),
    (|job| described(job, "-1"), "input_specs[0].vars[0].array.len"),
    (|job| described(job, "a"), "input_specs[0].vars[0].array.len"),
    (|job| described(job, &"(".repeat(10_000)), "input_specs[0].vars[0].array.len"),
    (|job| described(job, &"-".repeat(100_000)), "input_specs[0].vars[0].array.len"),
    (|job| joined(job, "n", "n * n"), "input_specs[0].vars[0].graph.edges"),
    (|job| specs(job, vec![InputSpec::default()]), "input_specs[0].layout"),
    (|job| specs(job, vec![InputSpec::default(); 100]), "input_specs"),
    (|job| (inputs(job, &[(1, 0)]), described(job, "n")).1, "input_specs"),
    (|job| job.interactor = Some(Interactor::default()), "interactor.code_cpp"),
    (|job| job.test_cases = vec![TestCase::default(); MAX_TEST_CASES + 1], "test_cases"),
    (|job| answer(job, "7".repeat(MAX_ANSWER_BYTES + 1)), "test_cases[0].output"),
];
const AUTO: i32 = Schedule::Auto as i32;

fn specs(job: &mut Job, specs: Vec<InputSpec>) {
    job.input_specs = specs;
}

/// An array of this length, for a job of the default sizes.
fn described(job: &mut Job, len: &str) {
    specs(job, vec![Spec::new("").var("a", array(len).between(0, 9)).line(["a"]).into()]);
}

/// A simple graph with these numbers of nodes and edges.
fn joined(job: &mut Job, nodes: &str, edges: &str) {
    specs(
        job,
        vec![Spec::new("").var("g", graph(nodes).edges(edges).simple()).lines(["g"]).into()],
    );
}

fn answer(job: &mut Job, output: String) {
    job.test_cases = vec![TestCase { output, ..TestCase::default() }];
}

fn code(job: &mut Job) -> &mut CodeMessage {
    job.code.get_or_insert_default()
}

fn limits(job: &mut Job) -> &mut RunLimits {
    job.limits.get_or_insert_default()
}

fn first(sizes: usize) -> SizeList {
    SizeList { values: (0..).take(sizes).collect() }
}

fn bound(job: &mut Job, name: &str, most: i64) {
    job.input_bounds.insert(name.into(), most);
}

/// Inputs by size and length, for a job of size 1.
fn inputs(job: &mut Job, of: &[(u64, usize)]) {
    job.input_sizes = vec![1];
    job.inputs =
        of.iter().map(|&(size, bytes)| ExplicitInput { size, data: vec![0; bytes] }).collect();
}

/// No sandbox is ever started for any of them, so nothing is compiled.
#[tokio::test]
async fn each_bad_field_is_named_before_anything_is_started() {
    let fake = endless_from(0);
    let started = fake.alive();
    let server = Server::over_tcp(fake).await;
    let mut stub = stub(&server).await;
    for (spoil, field) in ROWS {
        let mut job = plain();
        spoil(&mut job);
        let status = stub.profile(unary(job.clone())).await.unwrap_err();
        assert_eq!(status.code(), Code::InvalidArgument, "{field}: {status:?}");
        assert!(named(&status).iter().any(|bad| bad == field), "{field}: {:?}", named(&status));
        let status = stub.profile_stream(crate::stream(job)).await.unwrap_err();
        assert_eq!(status.code(), Code::InvalidArgument, "{field}, streamed: {status:?}");
        assert_eq!(started.load(Ordering::SeqCst), 0, "{field}");
    }
}

/// The bad fields that a status names.
fn named(status: &Status) -> Vec<String> {
    let bad = status.get_details_bad_request().into_iter();
    bad.flat_map(|bad| bad.field_violations).map(|bad| bad.field).collect()
}

/// Error details travel in trailers, which have a limit of their own.
#[tokio::test]
async fn thousands_of_bad_fields_still_arrive() {
    let mut job = plain();
    job.input_sizes = vec![1; 5_000];
    let status = refusal(job).await;
    assert_eq!(status.code(), Code::InvalidArgument, "{status:?}");
    assert!(named(&status).iter().any(|bad| bad.starts_with("input_sizes")), "{status:?}");
}

#[tokio::test]
async fn message_that_is_too_long_is_refused() {
    let mut job = plain();
    code(&mut job).code_cpp = "/".repeat(MAX_MESSAGE_BYTES + 1);
    let status = refusal(job).await;
    assert_eq!(status.code(), Code::ResourceExhausted, "{status:?}");
    assert_eq!(status.get_details_error_info().unwrap().reason, "MESSAGE_TOO_LONG");
}

#[tokio::test]
async fn refusal_has_a_reason_for_programs() {
    let info = refusal(all_bad()).await.get_details_error_info();
    let info = info.expect("an ErrorInfo");
    assert_eq!((info.reason.as_str(), info.domain.as_str()), ("INVALID_REQUEST", DOMAIN));
}

#[tokio::test]
async fn request_without_a_job_is_refused() {
    let server = Server::over_tcp(endless_from(0)).await;
    let request = profiler_proto::v1::ProfileRequest { job: None };
    let status = stub(&server).await.profile(request).await.unwrap_err();
    assert_eq!(status.code(), Code::InvalidArgument);
}
