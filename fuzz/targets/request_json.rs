//! A request as proto3 JSON: what was read can be written, and read again as the same request.

#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};
use profiler_proto::{json, v1};
use profiler_wire::{self as wire, Defaults};

fuzz_target!(|text: &str| -> Corpus {
    let Ok(request) = json::parse::<v1::Job>(text) else {
        return Corpus::Reject;
    };
    let written = json::to_string(&request).expect("what was read can be written");
    let again = json::parse::<v1::Job>(&written).expect("what was written can be read");
    // Compare the texts and not the messages, because NaN does not equal itself.
    let job = |request| wire::job(request, &Defaults::default());
    assert_eq!(job(request), job(again));
    Corpus::Keep
});
