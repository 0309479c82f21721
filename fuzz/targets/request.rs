//! The bytes of a request: they are counted, and give a job, or every reason why not.

#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};
use profiler_core::job::Inputs;
use profiler_core::limits::{MAX_SIZES, MAX_VIOLATIONS, MIN_TIMEOUT};
use profiler_proto::{json, v1};
use profiler_server::message_limit::{Refused, Walk};
use profiler_wire as wire;
use profiler_wire::Defaults;
use prost::{Message, Name};

/// Counts a request, with the same result in any pieces.
fn counted<'a>(bytes: usize, pieces: impl IntoIterator<Item = &'a [u8]>) -> Result<(), Refused> {
    let job =
        json::descriptors().ok().and_then(|all| all.get_message_by_name(&v1::Job::full_name()));
    let mut walk = Walk::new(job.expect("a job is a message"), bytes as u64);
    pieces.into_iter().try_for_each(|piece| walk.take(piece))
}

fuzz_target!(|bytes: &[u8]| -> Corpus {
    assert_eq!(counted(bytes.len(), [bytes]), counted(bytes.len(), bytes.chunks(1)));
    let Ok(request) = v1::Job::decode(bytes) else {
        return Corpus::Reject;
    };
    match wire::job(request, &Defaults::default()) {
        Ok(job) => {
            let sizes = job.sizes.requested();
            let least = usize::from(!job.options.reward && job.stress.is_none());
            assert!((least..=MAX_SIZES).contains(&job.sizes.promised().unwrap_or(1)));
            assert!(sizes.windows(2).all(|pair| pair[0] < pair[1]));
            if let Inputs::Explicit(inputs) = &job.inputs {
                assert!(inputs.keys().eq(sizes));
            }
            assert!(job.limits.timeout >= MIN_TIMEOUT && job.limits.memory_bytes > 0);
            assert!(!job.flags.is_empty() && !job.task_id.is_empty());
        }
        Err(violations) => {
            assert!((1..=MAX_VIOLATIONS + 1).contains(&violations.len()));
            assert!(violations.iter().all(|v| !v.problem.is_empty()));
            // What comes after the first ones only says that there are more.
            assert!(violations.iter().take(MAX_VIOLATIONS).all(|v| !v.field.is_empty()));
        }
    }
    Corpus::Keep
});
