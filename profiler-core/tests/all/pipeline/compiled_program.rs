//! Programs that the caller has compiled.

use crate::pipeline::harness::*;
use profiler_core::job::Draft;
use profiler_proto::v1::{Growth, GrowthFunction};
use profiler_test_support::elf::executable;
use runner_protocol::{LOADER, Request, Response, Variant};

const SIZES: [u64; 5] = [1_000, 2_000, 4_000, 8_000, 16_000];

fn compiled() -> Draft {
    asking(Draft { source: Vec::new(), ..over(&SIZES) }, |job| {
        job.code.get_or_insert_default().program = executable(LOADER, &["libc.so.6"]);
    })
}

/// The class of memory. That of time depends on what the host has time to count.
fn class(told: &Told) -> Option<GrowthFunction> {
    told.memory_growth().function
}

#[tokio::test]
async fn compiled_program_is_placed_and_measured_as_its_source_would_be() {
    let told = profile(compiled(), linear()).await;
    let of_source = profile(over(&SIZES), linear()).await;
    assert_eq!((told.kinds(), class(&told)), (of_source.kinds(), class(&of_source)));
    let builds = told.heard.iter().filter_map(|request| match request {
        Request::Compile(compile) => Some(compile.variant),
        _ => None,
    });
    assert_eq!(builds.collect::<Vec<_>>(), [Variant::Empty]);
    let placed = executable(LOADER, &["libc.so.6"]).len() as u64;
    let step = told.report().compile.as_ref();
    let step = step.map(|step| (step.command.as_str(), step.binary_bytes));
    assert_eq!(step, Some(("", Some(placed))));
}

#[tokio::test]
async fn full_growth_of_a_compiled_program_records_no_allocations() {
    let told = profile(asking(compiled(), |job| job.growth = Growth::Full.into()), linear()).await;
    let asks = |request: &Request| matches!(request, Request::Allocate(_));
    assert!(told.ended.is_ok() && !told.heard.iter().any(asks));
}

#[tokio::test]
async fn hotspots_of_a_compiled_program_are_never_sampled() {
    let uncountable = linear().bending(|mut response| {
        if let Response::Traced(traced) = &mut response {
            traced.trace = Err("it starts a thread".into());
        }
        Some(response)
    });
    let told = profile(asking(compiled(), |job| job.debug = true), uncountable).await;
    assert!(told.warnings().contains(&"no_hotspots"), "{:?}", told.warnings());
    assert!(!told.heard.iter().any(|request| matches!(request, Request::Profile(_))));
}
