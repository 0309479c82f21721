//! A file of specs, up to the bytes of its inputs: an accepted spec's input is within its estimate.

#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};
use profiler_input::limits::{MAX_N, MAX_PROBLEMS};
use profiler_input::{Plan, Scope};
use profiler_proto::file::{Format, parse};
use std::collections::BTreeMap;

/// Larger inputs are only measured, because writing them takes the fuzzer's time.
const MAX_WRITTEN: u64 = 1 << 16;
/// The sizes.
const SIZES: [u64; 6] = [0, 1, 2, 13, 200, MAX_N];

fuzz_target!(|text: &str| -> Corpus {
    let yaml = parse(text, Format::Yaml);
    let Ok(specs) = parse(text, Format::Json).or(yaml) else {
        return Corpus::Reject;
    };
    let bounds = BTreeMap::from([("n".to_owned(), 1000), ("k".to_owned(), 7)]);
    let scope = Scope { bounds, size_variable: "m".to_owned() };
    for spec in specs {
        let plan = match Plan::new(&spec, &scope) {
            Ok(plan) => plan,
            Err(problems) => {
                assert!(!problems.is_empty());
                assert!(problems.iter().take(MAX_PROBLEMS).all(|problem| !problem.path.is_empty()));
                continue;
            }
        };
        for n in SIZES {
            match plan.check(n) {
                Ok(estimate) if estimate.bytes <= MAX_WRITTEN => {
                    let mut input = Vec::new();
                    let bytes = plan.write(n, &mut input).expect("what is checked can be written");
                    assert_eq!(bytes, input.len() as u64);
                    assert!(bytes <= estimate.bytes, "{bytes} of {estimate:?}");
                }
                Ok(_) => {}
                Err(problems) => assert!(!problems.is_empty()),
            }
        }
    }
    Corpus::Keep
});
