//! Sizes that a growing schedule chooses from the results.

use crate::harness::{Told, linear, over, profile};
use profiler_core::job::Draft;
use profiler_core::job::SizeLists;
use profiler_core::report::EventKind;
use profiler_core::sandbox::fake::{BASE_NS, BASE_RSS, Fake, ended, ok};
use runner_protocol::Ending;

fn growing(n_max: i64) -> Draft {
    let sizes = SizeLists { auto: true, ..SizeLists::default() };
    Draft { sizes, bounds: [("n".into(), n_max)].into(), ..over(&[1]) }
}

fn sizes(told: &Told) -> Vec<u64> {
    told.report().sizes.iter().map(|result| result.size).collect()
}

fn end(told: &Told) -> &str {
    told.report().schedule_end.as_deref().unwrap_or_default()
}

#[tokio::test]
async fn a_linear_program_grows_to_its_bound() {
    let told = profile(growing(20_000), linear()).await;
    assert_eq!(sizes(&told), [0, 1, 2_500, 10_000, 12_500, 16_000, 20_000]);
    assert_eq!(end(&told), "n = 20000 is the bound");
}

#[tokio::test]
async fn sizes_that_cannot_be_told_from_no_work_are_left_out() {
    let told = profile(growing(10_000_000), linear()).await;
    let sizes = sizes(&told);
    assert_eq!(sizes[..4], [0, 1, 10_000, 20_000], "{sizes:?}");
    let heard = told.events.iter().filter_map(|event| match &event.kind {
        EventKind::SizeMeasured(result) => Some(result.size),
        _ => None,
    });
    assert_eq!(heard.collect::<Vec<_>>(), sizes);
}

#[tokio::test]
async fn a_program_that_never_takes_longer_has_all_sizes() {
    let constant = Fake::new(|_| Some(ok(BASE_NS, BASE_RSS)));
    let told = profile(growing(1_000), constant).await;
    assert_eq!(sizes(&told), [0, 1, 10, 16, 22, 28, 34, 40, 160, 630, 1_000]);
    assert_eq!(end(&told), "n = 1000 is the bound");
}

/// What the program does at any size is no growth, however far it is above the start-up.
#[tokio::test]
async fn a_constant_part_is_not_told_as_growth() {
    let late = Fake::new(|n| Some(ok(BASE_NS + 20_000_000 + 100 * n, BASE_RSS)));
    let told = profile(growing(10_000_000), late).await;
    let sizes = sizes(&told);
    assert!(sizes[2] > 100_000 && sizes.len() >= 7, "{sizes:?}");
}

#[tokio::test]
async fn a_cubic_program_is_seen_as_often_as_a_linear_one() {
    let cubic = Fake::new(|n| Some(ok(BASE_NS + n.pow(3), BASE_RSS)));
    let told = profile(growing(1_000_000), cubic).await;
    let seen = told.report().sizes.iter().filter(|s| s.below_noise_floor == Some(false));
    assert!(seen.count() >= 6, "{:?}", sizes(&told));
    assert_eq!(end(&told), "n = 1600 would be over the time limit");
}

#[tokio::test]
async fn a_program_that_meets_its_limit_ends_there() {
    let stops = Fake::new(|n| {
        let late = ended(
            Ending::Stopped(runner_protocol::Breach::Time(2_000_000_000)),
            2_000_000_000,
            BASE_RSS,
        );
        Some(if n < 30 { ok(BASE_NS, BASE_RSS) } else { late })
    });
    let told = profile(growing(1_000_000), stops).await;
    assert_eq!(sizes(&told), [0, 1, 10, 16, 22, 28, 34]);
    assert_eq!(end(&told), "n = 34 ended with TIME_LIMIT");
}

#[tokio::test]
async fn a_list_has_no_end_to_tell() {
    assert_eq!(profile(over(&[1]), linear()).await.report().schedule_end, None);
}

#[tokio::test]
async fn a_size_that_the_schedule_chose_ends_it_at_the_memory_limit() {
    let hungry = Fake::new(|n| Some(ok(BASE_NS, BASE_RSS + (n << 20))));
    let draft = Draft { memory_mb: Some(20), ..growing(1_000_000) };
    let told = profile(draft, hungry).await;
    assert_eq!(told.error(), "none");
    assert_eq!(sizes(&told), [0, 1, 10, 16, 22]);
    assert_eq!(end(&told), "n = 22 ended with MEMORY_LIMIT");
}
