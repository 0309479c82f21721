//! The JSON mapping, as other languages read it.

#![cfg(feature = "json")]

use profiler_proto::{json, v1};
use std::collections::BTreeMap;

fn report() -> v1::ProfileReport {
    v1::ProfileReport {
        r#type: "profile_report".into(),
        task_id: "two_sum".into(),
        timestamp_utc: Some(prost_types::Timestamp::date_time(2026, 1, 2, 3, 4, 5).unwrap()),
        schema_version: "1.0.0".into(),
        input_sizes: vec![1, 1000],
        runtime_ms: vec![0.5, f64::INFINITY],
        peak_memory_mb: vec![3.5, f64::INFINITY],
        hotspots: BTreeMap::from([("_crash".into(), "SIGSEGV".into())]),
        run_id: "full form alone".into(),
        sizes: vec![v1::SizeResult {
            samples: vec![v1::Sample { wall_ns: 1 << 60, ..Default::default() }],
            ..Default::default()
        }],
        ..Default::default()
    }
}

#[test]
fn strict_report_has_exactly_its_keys() {
    let strict: serde_json::Value =
        serde_json::from_str(&json::strict(&report()).unwrap()).unwrap();
    assert_eq!(
        strict.to_string(),
        r#"{"type":"profile_report","task_id":"two_sum","iteration":0,"#.to_owned()
            + r#""timestamp_utc":"2026-01-02T03:04:05Z","schema_version":"1.0.0","#
            + r#""input_sizes":[1,1000],"runtime_ms":[0.5,"Infinity"],"#
            + r#""peak_memory_mb":[3.5,"Infinity"],"hotspots":{"_crash":"SIGSEGV"}}"#
    );
}

#[test]
fn infinity_is_a_string() {
    let written = json::to_string(&report()).unwrap();
    assert!(written.contains(r#""runtime_ms":[0.5,"Infinity"]"#), "{written}");
}

#[test]
fn counts_of_64_bits_are_strings() {
    let written = json::to_string(&report()).unwrap();
    assert!(written.contains(r#""wall_ns":"1152921504606846976""#), "{written}");
}

/// The largest size.
const LARGEST: u64 = 1_000_000_000_000_000_000;

#[test]
fn sizes_are_numbers_however_large() {
    let result = v1::SizeResult { size: LARGEST, ..Default::default() };
    let warning = v1::Warning { size: Some(LARGEST), ..Default::default() };
    let large = v1::ProfileReport {
        input_sizes: vec![0, LARGEST],
        sizes: vec![result],
        warnings: vec![warning],
        ..report()
    };
    let written = json::to_string(&large).unwrap();
    assert!(written.contains(r#""input_sizes":[0,1000000000000000000]"#), "{written}");
    assert_eq!(written.matches(r#""size":1000000000000000000"#).count(), 2, "{written}");
    assert_eq!(json::parse::<v1::ProfileReport>(&written).unwrap(), large);
    let strict = json::strict(&large).unwrap();
    assert!(strict.contains(&format!("\n    {LARGEST}\n")), "{strict}");
}

#[test]
fn sizes_are_read_from_numbers_and_strings() {
    for written in ["1000000000000000000", r#""1000000000000000000""#, "1e18"] {
        let job: v1::Job = json::parse(&format!(r#"{{"input_sizes": [{written}]}}"#)).unwrap();
        assert_eq!(job.input_sizes, [LARGEST], "{written}");
    }
}

#[test]
fn indented_counts_are_numbers_and_fractions_are_short() {
    let count = |wall_ns| v1::Sample { wall_ns, ..v1::Sample::default() };
    let message = v1::SizeResult {
        runtime_ms: Some(0.1 + 0.2),
        peak_memory_mb: Some(f64::INFINITY),
        samples: vec![count(1_500_000), count(1 << 60)],
        ..v1::SizeResult::default()
    };
    let written = json::to_string_pretty(&message).unwrap();
    for line in [
        "\n  \"runtime_ms\": 0.3,\n",
        "\n  \"peak_memory_mb\": \"Infinity\",\n",
        "\n      \"wall_ns\": 1500000,\n",
        "\n      \"wall_ns\": \"1152921504606846976\",\n",
    ] {
        assert!(written.contains(line), "{line:?} is not in\n{written}");
    }
    let read: v1::SizeResult = json::parse(&written).unwrap();
    assert_eq!(read, v1::SizeResult { runtime_ms: Some(0.3), ..message });
}

#[test]
fn unmeasured_figure_is_absent() {
    let written = json::to_string(&v1::SizeResult::default()).unwrap();
    assert!(!written.contains("runtime_ms"), "{written}");
}

#[test]
fn zero_is_written() {
    let written = json::to_string(&report()).unwrap();
    assert!(written.contains(r#""iteration":0"#), "{written}");
}

#[test]
fn written_report_is_read_back() {
    let written = json::to_string_pretty(&report()).unwrap();
    assert_eq!(json::parse::<v1::ProfileReport>(&written).unwrap(), report());
}

#[test]
fn unknown_field_is_refused() {
    let refused = json::parse::<v1::Job>(r#"{"sizes": [1]}"#).unwrap_err();
    assert!(refused.to_string().contains("sizes"), "{refused}");
}
