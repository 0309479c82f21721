//! Annotations of GitHub Actions: workflow commands, one on each line.

use super::finding::{Finding, Level, findings};
use crate::ending::Run;
use crate::report::readable;

/// Renders the annotations of all runs; empty if there are no findings.
pub(super) fn annotations(runs: &[Run<'_>]) -> String {
    let lines = runs.iter().flat_map(|run| {
        findings(run).into_iter().map(move |finding| annotation(&finding, run.source) + "\n")
    });
    lines.collect()
}

fn annotation(finding: &Finding, source: &str) -> String {
    let command = match finding.level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Note => "notice",
    };
    let number = |name, number: Option<u32>| number.map(|number| format!("{name}={number}"));
    let properties = [
        Some(format!("file={}", property(source))),
        number("line", finding.line),
        number("col", finding.column),
        Some(format!("title={}", property(&format!("swiftprof ({})", finding.rule)))),
    ];
    let properties = properties.into_iter().flatten().collect::<Vec<_>>().join(",");
    format!("::{command} {properties}::{}", message(&finding.message))
}

/// Escapes a message as GitHub's runner reads it.
fn message(text: &str) -> String {
    readable(text).replace('%', "%25").replace('\n', "%0A")
}

/// Escapes a property, which ends at a colon or a comma.
fn property(text: &str) -> String {
    message(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_with_meaning_in_a_command_are_escaped() {
        let finding = Finding {
            rule: "a,b:c".into(),
            level: Level::Warning,
            line: Some(4),
            column: Some(2),
            message: "50 %: x, y\r\n::error::no".into(),
        };
        assert_eq!(
            annotation(&finding, "a,b:c%.cpp"),
            "::warning file=a%2Cb%3Ac%25.cpp,line=4,col=2,title=swiftprof (a%2Cb%3Ac)::\
             50 %25: x, y␍%0A::error::no"
        );
    }
}
