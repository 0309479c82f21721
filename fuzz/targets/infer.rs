//! A sample input: every spec that is proposed for it can be read, and accepts it.

#![no_main]

use libfuzzer_sys::fuzz_target;
use profiler_infer::{accept, infer};
use profiler_proto::file::{Format, parse};

fuzz_target!(|sample: &str| {
    let Ok(inferred) = infer(&[sample]) else { return };
    for proposal in inferred.others.iter().chain([&inferred.proposal]) {
        accept(&proposal.spec, sample).expect("a proposed spec accepts the sample");
        parse(&proposal.yaml, Format::Yaml).expect("a proposed spec can be read");
    }
});
