//! The bytes of a request: they give a job, or every reason why not.

#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};
use profiler_core::job::Inputs;
use profiler_core::limits::{MAX_SIZES, MIN_TIMEOUT};
use profiler_proto::v1;
use profiler_server::config::Defaults;
use profiler_server::wire;
use prost::Message;

fuzz_target!(|bytes: &[u8]| -> Corpus {
    let Ok(request) = v1::Job::decode(bytes) else {
        return Corpus::Reject;
    };
    match wire::job(request, &Defaults::default()) {
        Ok(job) => {
            let sizes = job.sizes.requested();
            assert!((1..=MAX_SIZES).contains(&job.sizes.promised().unwrap_or(1)));
            assert!(sizes.windows(2).all(|pair| pair[0] < pair[1]));
            if let Inputs::Explicit(inputs) = &job.inputs {
                assert!(inputs.keys().eq(sizes));
            }
            assert!(job.limits.timeout >= MIN_TIMEOUT && job.limits.memory_bytes > 0);
            assert!(!job.flags.is_empty() && !job.task_id.is_empty());
        }
        Err(violations) => {
            assert!(!violations.0.is_empty());
            assert!(violations.0.iter().all(|v| !v.field.is_empty() && !v.problem.is_empty()));
        }
    }
    Corpus::Keep
});
