//! Counts at primes, if the input is n alone.

use super::{SHORT, SIZES, counted, forked_sizes};
use crate::pipeline::harness::*;
use profiler_core::sandbox::fake::{BASE_NS, BASE_RSS, Fake, ok};
use runner_protocol::Response;

/// The default sizes have small factors only.
#[tokio::test]
async fn work_that_depends_on_the_factors_of_n_has_no_single_class() {
    let is_prime = |n: u64| n > 1 && (2..=n.isqrt()).all(|factor| !n.is_multiple_of(factor));
    let test = Fake::new(move |n| {
        let steps = if is_prime(n) { n.isqrt() } else { 1 };
        Some(ok(BASE_NS + 10_000 * steps, BASE_RSS))
    });
    let time = counted(&SIZES, test).await.time_growth().clone();
    assert_eq!(time.class(), None, "{time:?}");
    let reason = "a constant at round n, √n at primes: the work depends on the factors of n";
    assert_eq!(time.undecided_reason, reason);
}

/// A program could do other work, and write something else, where nobody compares.
#[tokio::test]
async fn count_at_a_prime_needs_a_run_with_the_same_output() {
    let pretending = linear().bending(|mut response| {
        if let Response::Counted(counted) = &mut response
            && !is_of_empty(counted)
            && !counted.execution.sample.cpu_ns.is_some_and(|ns| ns.is_multiple_of(100_000))
        {
            counted.written.stdout_sha256 = [7; 32];
        }
        Some(response)
    });
    let told = counted(&SHORT, pretending).await;
    let time = told.time_growth();
    assert_eq!((time.class(), told.warnings()), (None, vec![]));
    assert!(time.undecided_reason.contains("none of the primes"), "{}", time.undecided_reason);
}

#[tokio::test]
async fn brief_job_has_time_for_primes() {
    let draft = asking(over(&SHORT), |job| job.precision = Some(0.1));
    let told = profile(draft, linear()).await;
    let is_prime = |n: &&u64| !n.is_multiple_of(10);
    assert!(forked_sizes(&told).iter().filter(is_prime).count() > 0, "{:?}", forked_sizes(&told));
}
