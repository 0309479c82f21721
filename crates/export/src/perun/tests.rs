//! Requirements of Perun on a profile. The tests of the whole system load profiles into the real
//! Perun.

use crate::tests::sample_reports::whole;
use profiler_proto::v1::ProfileReport;
use serde_json::Value;

fn parsed(profile: Result<Vec<u8>, crate::Error>) -> Value {
    serde_json::from_slice(&profile.unwrap()).unwrap()
}

/// The profile with only the first of its snapshots, and of that only the first resource.
fn first_resource(mut profile: Value) -> Value {
    profile["snapshots"].as_array_mut().unwrap().truncate(1);
    profile["snapshots"][0]["resources"].as_array_mut().unwrap().truncate(1);
    profile
}

fn resources(profile: &Value) -> Vec<&Value> {
    let snapshots = profile["snapshots"].as_array().unwrap();
    snapshots.iter().flat_map(|it| it["resources"].as_array().unwrap()).collect()
}

#[test]
fn time_of_every_repetition() {
    let mut report = whole();
    report.growth = None;
    report.sizes.truncate(3);
    let profile = parsed(super::time(&report));
    let uids: Vec<_> = resources(&profile).iter().map(|it| it["uid"].as_str().unwrap()).collect();
    assert_eq!(uids.len(), 18, "three sizes, three figures, two repetitions");
    assert_eq!(uids[..6], ["runtime", "runtime", "real", "real", "user", "user"]);
    insta::with_settings!({sort_maps => true}, {
        insta::assert_json_snapshot!(first_resource(profile));
    });
}

/// The kernel counts the time of system calls in ticks. Perun's regression fails on a figure that
/// is above 0 at one size only.
#[test]
fn figure_that_is_above_0_at_one_size_is_left_out() {
    let mut report = whole();
    for (at, size) in report.sizes.iter_mut().enumerate() {
        for sample in &mut size.samples {
            sample.user_ns = Some(if at == 2 { 4_000_000 } else { 0 });
        }
    }
    let uids = |report: &ProfileReport| {
        let profile = parsed(super::time(report));
        let uid = |it: &Value| it["uid"].as_str().unwrap().to_owned();
        resources(&profile).into_iter().map(uid).collect::<std::collections::BTreeSet<_>>()
    };
    assert_eq!(uids(&report), ["real".into(), "runtime".into()].into());
    report.sizes.truncate(2);
    assert!(uids(&report).contains("user"));
}

#[test]
fn runtime_over_the_size() {
    let mut report = whole();
    report.sizes.iter_mut().for_each(|size| size.samples.clear());
    let profile = parsed(super::mixed(&report));
    let resources = profile["snapshots"][0]["resources"].as_array().unwrap();
    let amounts: Vec<_> = resources.iter().map(|it| it["amount"].as_u64().unwrap()).collect();
    assert_eq!(amounts, [412_000, 409_000, 550_000, 1_900_000]);
    assert_eq!(profile["header"]["units"]["mixed(time delta)"], "ns");
    assert_eq!(
        profile["swiftprof"]["growth"]["time"]["function"]["growth_class"],
        "GROWTH_CLASS_LINEARITHMIC"
    );
    let models = profile["models"].as_array().unwrap();
    let names: Vec<_> = models.iter().map(|it| it["model"].as_str().unwrap()).collect();
    let all = ["linear", "logarithmic", "quadratic", "power", "exponential", "constant"];
    assert_eq!(names, all);
    assert!(models.iter().all(|it| it["uid"] == "main" && it["x_end"] == 10_000));
    assert_eq!(profile["postprocessors"][0]["name"], "regression_analysis");
}

/// A candidate that Perun cannot model would cost the other candidates their models.
#[test]
fn candidate_of_few_sizes_is_left_out() {
    let mut report = whole();
    report.candidates = vec!["random".into(), "worst".into()];
    let mut worst = report.sizes.iter().find(|size| size.runtime_ms.is_some()).unwrap().clone();
    worst.candidate = 1;
    report.sizes.push(worst);
    let profile = parsed(super::mixed(&report));
    let resources = profile["snapshots"][0]["resources"].as_array().unwrap();
    assert!(resources.iter().all(|it| it["uid"] == "main (random)"));
    assert_eq!(profile["models"].as_array().unwrap().len(), 6);
    let profile = parsed(super::time(&report));
    let resources = profile["snapshots"][0]["resources"].as_array().unwrap();
    assert!(resources.iter().all(|it| it.get("structure-unit-size").is_none()));
}

#[test]
fn every_call_with_its_trace() {
    let mut report = whole();
    report.growth = None;
    let profile = parsed(super::memory(&report));
    let calls: Vec<_> = resources(&profile)
        .iter()
        .map(|it| (it["subtype"].as_str().unwrap(), it["amount"].as_u64().unwrap()))
        .collect();
    assert_eq!(calls, [("new", 4096), ("free", 0), ("malloc", 240)]);
    assert!(resources(&profile).iter().all(|it| it["trace"].as_array().unwrap().len() == 4));
    insta::with_settings!({sort_maps => true}, {
        insta::assert_json_snapshot!(first_resource(profile));
    });
}

/// Two sizes are not a series: Perun's regression would divide by zero.
#[test]
fn few_sizes_are_not_called_sizes() {
    let mut report = whole();
    report.sizes.truncate(2);
    let profile = parsed(super::time(&report));
    for resource in profile["snapshots"][0]["resources"].as_array().unwrap() {
        assert!(resource.get("structure-unit-size").is_none() && resource.get("n").is_some());
    }
}

#[test]
fn program_cannot_make_a_profile_too_large() {
    let mut report = whole();
    let allocations = report.allocations.as_mut().unwrap();
    allocations.sites[0].trace[0].function = "x".repeat(1 << 20);
    let event = allocations.events[0].clone();
    allocations.events = vec![event; 100];
    assert!(matches!(super::memory(&report), Err(crate::Error::TooLarge)));
}
