//! The log: one event a line, and who has to act.

use crate::scrapes::profile;
use profiler_client::v1::{Job, RunLimits};
use profiler_core::sandbox::Choice;
use profiler_test_support::require;
use profiler_tests::harness::Backend;
use profiler_tests::jobs;
use profiler_tests::swiftprof::Served;
use serde_json::Value;

/// A time limit that an endless program exceeds soon.
const LIMIT_MS: f64 = 100.0;
/// Text in the source of a program, and in no log.
const SECRET: &str = "nobody_logs_this";

/// The lines of the log, each of which has to be an event in JSON.
fn events(served: &Served) -> Vec<Value> {
    let lines = served.log().into_iter();
    let parsed = lines.map(|line| serde_json::from_str(&line).unwrap_or_else(|_| panic!("{line}")));
    let events: Vec<Value> = parsed.collect();
    for event in &events {
        for field in ["timestamp", "level", "target", "message"] {
            assert!(event[field].is_string(), "{field}: {event}");
        }
        let flat = |field: &Value| !field.is_object() && !field.is_array();
        assert!(event.as_object().expect("an object").values().all(flat), "{event}");
    }
    events
}

#[tokio::test]
async fn every_line_is_an_event_and_every_run_has_its_line() {
    if require::or_skip("native", Backend::select(Choice::Native).await).is_none() {
        return;
    }
    let settings = [("PROFILER_LOG_FORMAT", "json"), ("LOG_LEVEL", "debug")];
    let served = Served::start("native", &settings).await;
    profile(&served).await;
    let too_slow = Job {
        limits: Some(RunLimits { timeout_ms: Some(LIMIT_MS), ..RunLimits::default() }),
        ..jobs::endless().0
    };
    let not_cpp = jobs::job(&format!("{SECRET} is not C++"));
    let mut deleted = String::new();
    for job in [too_slow, not_cpp] {
        let run = served.client().await.submit(job).await.expect("accepted");
        run.id().clone_into(&mut deleted);
        // One has a report, the other a compile error.
        let _ = run.wait().await;
    }
    served.until_logged("\"ending\":\"compile\"").await;
    served.client().await.delete(&deleted).await.expect("deleted");
    served.until_logged("a caller deleted a run").await;
    let events = events(&served);
    let of = |message: &str| {
        events.iter().filter(|event| event["message"] == message).collect::<Vec<_>>()
    };
    let ended = of("run ended");
    let endings: Vec<_> = ended.iter().map(|event| event["ending"].as_str()).collect();
    assert_eq!(endings, [Some("finished"), Some("finished"), Some("compile")]);
    for event in ended {
        for field in ["run_id", "caller", "peer", "task"] {
            assert!(event[field].as_str().is_some_and(|text| !text.is_empty()), "{field}: {event}");
        }
        for field in ["queue_ms", "run_ms"] {
            assert!(event[field].is_u64(), "{field}: {event}");
        }
    }
    let audit = of("a caller deleted a run");
    assert_eq!(audit.len(), 1);
    assert_eq!(audit[0]["run_id"], deleted.as_str());
    for field in ["caller", "owner", "peer"] {
        assert!(
            audit[0][field].as_str().is_some_and(|text| !text.is_empty()),
            "{field}: {audit:?}"
        );
    }
    let slow = of("measured").into_iter().find(|event| event["outcome"] == "TIME_LIMIT");
    let slow = slow.expect("the endless program was measured");
    assert!(slow["limit"].is_string() && slow["limit_value"].is_f64(), "{slow}");
    assert!(slow["run_id"].is_string(), "{slow}");
    assert!(events.iter().all(|event| event["level"] != "ERROR"), "{events:#?}");
    // What programs do asks nothing of the operator.
    let warned = |event: &&Value| event["level"] == "WARN" && event["run_id"].is_string();
    assert_eq!(events.iter().find(warned), None);
    assert!(served.log().iter().all(|line| !line.contains(SECRET)));
    assert!(served.stop().await.success());
}
