//! SARIF 2.1.0, the results format of static analysis: a result for each finding.

use super::finding::{Finding, Level, findings};
use crate::ending::Run;
use profiler_proto::json;
use serde_json::{Value, json};
use std::collections::BTreeSet;

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
/// Line of a finding about the whole program, because code scanning on GitHub requires a line.
const FIRST_LINE: u32 = 1;

/// The findings of all runs as one run of the tool.
pub(super) fn document(runs: &[Run<'_>]) -> Result<Vec<u8>, json::Error> {
    let found: Vec<_> = runs.iter().map(|run| (run.source, findings(run))).collect();
    let all = || found.iter().flat_map(|(source, found)| found.iter().map(move |it| (source, it)));
    let rules: BTreeSet<&str> = all().map(|(_, finding)| finding.rule.as_str()).collect();
    let rules: Vec<_> = rules.into_iter().map(|id| json!({ "id": id })).collect();
    let results: Vec<_> = all().map(|(source, finding)| result(source, finding)).collect();
    let driver =
        json!({ "name": "swiftprof", "version": env!("CARGO_PKG_VERSION"), "rules": rules });
    let log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": driver },
            // g++ counts columns in code points.
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    Ok(serde_json::to_vec_pretty(&log)?)
}

fn result(source: &str, finding: &Finding) -> Value {
    let level = match finding.level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Note => "note",
    };
    let mut region = json!({ "startLine": finding.line.unwrap_or(FIRST_LINE).max(FIRST_LINE) });
    if let Some(column) = finding.column.filter(|column| *column > 0) {
        region["startColumn"] = column.into();
    }
    json!({
        "ruleId": finding.rule,
        "level": level,
        // Otherwise, "[a](b)" in a message is a link.
        "message": { "text": finding.message.replace("](", "] (") },
        "locations": [{ "physicalLocation": {
            "artifactLocation": { "uri": uri(source) },
            "region": region,
        } }],
    })
}

/// A path as a URI reference: a relative path stays relative.
fn uri(path: &str) -> String {
    let scheme = if path.starts_with('/') { "file://" } else { "" };
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
    path.bytes().fold(scheme.to_owned(), |uri, byte| {
        if plain(byte) { format!("{uri}{}", char::from(byte)) } else { format!("{uri}%{byte:02X}") }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn message_has_no_link() {
        let finding = Finding {
            rule: "wrong_answer".into(),
            level: Level::Error,
            line: None,
            column: None,
            message: "test 1 printed [a](https://b)".into(),
        };
        let found = result("a.cpp", &finding);
        assert_eq!(found["message"]["text"], "test 1 printed [a] (https://b)");
    }

    #[test]
    fn path_is_a_uri() {
        assert_eq!(uri("src/a b:ä.cpp"), "src/a%20b%3A%C3%A4.cpp");
        assert_eq!(uri("/src/a.cpp"), "file:///src/a.cpp");
    }
}
