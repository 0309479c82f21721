//! Sizes that a growing schedule chooses from the results.

use crate::pipeline::harness::{Told, asking, linear, over, profile};
use crate::pipeline::input_candidates::{described, line};
use profiler_core::job::Draft;
use profiler_core::sandbox::fake::{BASE_NS, BASE_RSS, Fake, ended, ok};
use profiler_proto::v1::{Outcome, Schedule};
use runner_protocol::Ending;

fn growing(n_max: i64) -> Draft {
    asking(over(&[]), |job| {
        job.schedule = Schedule::Auto.into();
        job.input_bounds = [("n".into(), n_max)].into();
    })
}

fn sizes(told: &Told) -> Vec<u64> {
    told.report().sizes.iter().map(|result| result.size).collect()
}

fn end(told: &Told) -> &str {
    told.report().schedule_end.as_deref().unwrap_or_default()
}

#[tokio::test]
async fn linear_program_grows_to_its_bound() {
    let told = profile(growing(20_000), linear()).await;
    assert_eq!(sizes(&told), [0, 1, 10, 15, 22, 33, 40, 160, 630, 2_500, 10_000, 20_000]);
    assert_eq!(
        end(&told),
        "n = 20000 is the bound; up to n = 2500, the time cannot be told from that of an empty program"
    );
}

/// Work that the program does at every size is no growth, however far it is above the start-up.
#[tokio::test]
async fn constant_program_grows_by_fixed_factors() {
    let constant = Fake::new(|_| Some(ok(BASE_NS + 20_000_000, BASE_RSS)));
    let told = profile(growing(1_000), constant).await;
    assert_eq!(sizes(&told), [0, 1, 10, 15, 22, 33, 40, 160, 630, 1_000]);
    assert!(end(&told).contains("; up to n = 1000, the time cannot be told"), "{}", end(&told));
}

#[tokio::test]
async fn constant_program_that_is_slow_spends_the_budget() {
    let slow = Fake::new(|_| Some(ok(11_000_000_000, BASE_RSS)));
    let draft = asking(growing(1_000), |job| {
        job.limits.get_or_insert_default().timeout_ms = Some(30_000.0);
    });
    let told = profile(draft, slow).await;
    assert_eq!(sizes(&told), [0, 1, 10]);
    assert!(end(&told).starts_with("the time budget is spent;"), "{}", end(&told));
}

#[tokio::test]
async fn time_limit_includes_what_the_program_does_at_every_size() {
    let late = Fake::new(|n| Some(ok(1_500_000_000 + 1_100 * n, BASE_RSS)));
    let told = profile(growing(10_000_000), late).await;
    let mut results = told.report().sizes.iter();
    assert!(results.all(|result| result.outcome() == Outcome::Ok), "{:?}", sizes(&told));
    assert!(end(&told).starts_with("n = 500000 would exceed the time limit"), "{}", end(&told));
}

#[tokio::test]
async fn exponential_program_is_seen_at_several_sizes() {
    let exponential = Fake::new(|n| Some(ok(BASE_NS + (1 << n.min(40)), BASE_RSS)));
    let told = profile(growing(1_000_000), exponential).await;
    assert_eq!(sizes(&told)[..5], [0, 1, 10, 15, 22]);
    assert!(sizes(&told).len() >= 8, "{:?}", sizes(&told));
    assert!(end(&told).contains("; up to n = 15, the time cannot be told"), "{}", end(&told));
}

/// An exponential program that is stopped at the time limit of 2 s.
fn stopped_exponential() -> Fake {
    Fake::new(|n| {
        let stopped = Ending::Stopped(runner_protocol::Breach::Time(2_000_000_000));
        let late = ended(stopped, 2_000_000_000, BASE_RSS);
        Some(if n < 30 { ok(BASE_NS + (1 << n), BASE_RSS) } else { late })
    })
}

#[tokio::test]
async fn default_sizes_of_an_exponential_program_are_joined_by_sizes_that_end() {
    let draft = asking(over(&[]), |job| {
        job.fit_sizes = true;
        job.skip_after_limits = true;
    });
    let told = profile(draft.clone(), stopped_exponential()).await;
    let sizes = sizes(&told);
    assert!(sizes.is_sorted_by(|a, b| a < b), "{sizes:?}");
    assert_eq!(sizes[..5], [0, 1, 10, 15, 22]);
    assert!(sizes.ends_with(&[1_000, 5_000, 10_000, 50_000, 100_000]), "{sizes:?}");
    let ended_ok = told.report().sizes.iter().filter(|it| it.outcome() == Outcome::Ok);
    assert!(ended_ok.count() >= 6, "{sizes:?}");
    assert_eq!(told.report().schedule_end, None);
    for unchanged in [
        asking(draft.clone(), |job| job.fit_sizes = false),
        asking(draft, |job| job.repetitions = Some(2)),
    ] {
        let told = profile(unchanged, stopped_exponential()).await;
        assert_eq!(told.report().sizes.len(), 7);
    }
}

/// The third size would be 15, for which the spec has no input.
#[tokio::test]
async fn size_without_an_input_does_not_end_the_added_sizes() {
    let spec = line("", "n + 1 + 1 / (n - 15)");
    let draft = asking(described(&[], vec![spec]), |job| {
        job.fit_sizes = true;
        job.skip_after_limits = true;
    });
    let told = profile(draft, stopped_exponential()).await;
    let sizes = sizes(&told);
    assert_eq!(sizes[..4], [0, 1, 10, 14]);
    assert!((15..1_000).contains(&sizes[4]), "{sizes:?}");
}

#[tokio::test]
async fn enough_default_sizes_are_not_joined_by_others() {
    let quadratic = Fake::new(|n| {
        let stopped = Ending::Stopped(runner_protocol::Breach::Time(2_000_000_000));
        let late = ended(stopped, 2_000_000_000, BASE_RSS);
        Some(if n < 50_000 { ok(BASE_NS + n * n, BASE_RSS) } else { late })
    });
    let told = profile(asking(over(&[]), |job| job.fit_sizes = true), quadratic).await;
    assert_eq!(sizes(&told), [0, 1, 1_000, 5_000, 10_000, 50_000, 100_000]);
}

#[tokio::test]
async fn cubic_program_is_seen_as_often_as_a_linear_one() {
    let cubic = Fake::new(|n| Some(ok(BASE_NS + n.pow(3), BASE_RSS)));
    let told = profile(growing(1_000_000), cubic).await;
    let seen = told.report().sizes.iter().filter(|s| s.below_noise_floor == Some(false));
    assert!(seen.count() >= 6, "{:?}", sizes(&told));
    assert!(end(&told).starts_with("n = 1600 would exceed the time limit"), "{}", end(&told));
}

#[tokio::test]
async fn program_that_meets_its_limit_ends_there() {
    let stops = Fake::new(|n| {
        let late = ended(
            Ending::Stopped(runner_protocol::Breach::Time(2_000_000_000)),
            2_000_000_000,
            BASE_RSS,
        );
        Some(if n < 30 { ok(BASE_NS, BASE_RSS) } else { late })
    });
    let told = profile(growing(1_000_000), stops).await;
    assert_eq!(sizes(&told), [0, 1, 10, 15, 22, 33]);
    assert_eq!(
        end(&told),
        "n = 33 ended with TIME_LIMIT; up to n = 22, the time cannot be told from that of an empty program"
    );
}

#[tokio::test]
async fn list_has_no_end_to_tell() {
    assert_eq!(profile(over(&[1]), linear()).await.report().schedule_end, None);
}

#[tokio::test]
async fn size_that_the_schedule_chose_ends_it_at_the_memory_limit() {
    let hungry = Fake::new(|n| Some(ok(BASE_NS, BASE_RSS + (n << 20))));
    let draft = asking(growing(1_000_000), |job| {
        job.limits.get_or_insert_default().memory_mb = Some(20);
    });
    let told = profile(draft, hungry).await;
    assert_eq!(told.error(), "none");
    assert_eq!(sizes(&told), [0, 1, 10, 15, 22]);
    assert!(end(&told).starts_with("n = 22 ended with MEMORY_LIMIT"), "{}", end(&told));
}
