//! Reads what `swiftprof fleet --format json` says, however its objects are nested.

use serde_json::{Map, Value};

/// Key that only the object of a worker has.
const CORES: &str = "cores";
/// Possible keys of the worker's name in that object.
const NAMES: [&str; 2] = ["worker", "name"];

/// The objects of the workers.
pub(super) fn workers(said: &Value) -> Vec<&Map<String, Value>> {
    match said {
        Value::Object(object) if name(object).is_some() && object.contains_key(CORES) => {
            vec![object]
        }
        Value::Object(object) => object.values().flat_map(workers).collect(),
        Value::Array(list) => list.iter().flat_map(workers).collect(),
        _ => Vec::new(),
    }
}

/// Whether the worker whose name ends with this process ID measures a run.
pub(super) fn measures(said: &Value, pid: u32, run_id: &str) -> bool {
    let pid = pid.to_string();
    workers(said).into_iter().any(|worker| {
        let runs = worker.get("runs").map(ToString::to_string).unwrap_or_default();
        let mut numbers = name(worker).unwrap_or_default().rsplit(|c: char| !c.is_ascii_digit());
        // A host's name may have numbers too, and comes first.
        let own = numbers.find(|number| !number.is_empty());
        runs.contains(run_id) && own == Some(pid.as_str())
    })
}

fn name(object: &Map<String, Value>) -> Option<&str> {
    NAMES.iter().find_map(|key| object.get(*key)?.as_str())
}

#[cfg(test)]
mod tests {
    use super::{measures, workers};
    use serde_json::json;

    #[test]
    fn worker_of_a_run_is_found() {
        let one = json!({ "worker": "host2-17", "cores": 1, "runs": ["a"] });
        let two = json!({ "worker": "host2-2", "cores": 1, "runs": [] });
        let said = json!({ "pools": [{ "pool": "p", "cores": 2, "hosts": [one, two] }] });
        assert_eq!(workers(&said).len(), 2);
        assert!(measures(&said, 17, "a"));
        assert!(!measures(&said, 2, "a") && !measures(&said, 17, "b"));
    }
}
