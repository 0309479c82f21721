//! The alerts: what promtool says of them, and that the runbook has each.

use crate::prometheus::tool;
use profiler_tests::swiftprof::file;
use std::fs;
use std::process::Command;

/// The rules.
pub(crate) const RULES: &str = "packaging/prometheus/alerts.yml";
/// Cases in which each alert fires, and cases in which it does not.
const TESTS: &str = "tests/telemetry/alerts.test.yml";

/// The names of the alerts.
fn names(rules: &str) -> Vec<&str> {
    rules.lines().filter_map(|line| line.trim().strip_prefix("- alert: ")).collect()
}

#[test]
fn runbook_and_the_tests_have_every_alert() {
    let [rules, tests, runbook] = [RULES, TESTS, "docs/runbook.md"]
        .map(|path| fs::read_to_string(file(path)).expect("it is there"));
    let names = names(&rules);
    assert!(names.len() > 5, "{names:?}");
    for name in &names {
        let anchor = format!("runbook: docs/runbook.md#{}\n", name.to_lowercase());
        assert!(rules.contains(&anchor), "{anchor}");
        assert!(runbook.contains(&format!("\n## {name}\n")), "{name} is not in the runbook");
        let fires = format!("alertname=\"{name}\", alertstate=\"firing\", instance=\"bad\"");
        assert!(tests.contains(&fires), "{name} is not tested");
    }
    let headings = runbook.lines().filter(|line| line.starts_with("## ")).count();
    assert_eq!(headings, names.len(), "the runbook has an alert that does not exist");
}

#[test]
fn promtool_accepts_the_alerts_and_their_tests() {
    let Some(promtool) = tool("promtool") else { return };
    for (words, path) in [(["check", "rules"], RULES), (["test", "rules"], TESTS)] {
        let output = Command::new(&promtool).args(words).arg(file(path)).output();
        let output = output.expect("promtool starts");
        assert!(output.status.success(), "{output:?}");
    }
}
