//! Cost by function.

use super::source::line_link;
use crate::html::definitions::term;
use crate::html::elements::{heads, share_bar, truncation_note};
use crate::html::escape::escaped_up_to;
use crate::html::number::{self, ABSENT, percent};
use crate::report::slow_reading;
use profiler_proto::v1::ProfileReport;

/// Maximum number of functions shown.
const MAX_FUNCTIONS: usize = 100;
/// Maximum length of a function name, in bytes.
const MAX_NAME_BYTES: usize = 200;

/// The functions in the order of the report: the largest inclusive share first.
pub(in crate::html) fn functions(report: &ProfileReport) -> String {
    if report.hotspot_functions.is_empty() {
        return String::new();
    }
    let heads =
        heads([("self", "self"), ("executions", "calls"), ("instructions", "instructions")]);
    let count = |value: Option<u64>| value.map_or(ABSENT.into(), number::count);
    let rows = report.hotspot_functions.iter().take(MAX_FUNCTIONS).map(|function| {
        let line = match function.line {
            0 => String::new(),
            line => format!(" {}", line_link(report, &function.file, line)),
        };
        format!(
            "<tr><th scope=\"row\" class=\"name\"><code>{}</code>{line}</th>{}<td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            escaped_up_to(&function.name, MAX_NAME_BYTES),
            share_bar(function.self_share, Some(function.inclusive_share)),
            percent(function.inclusive_share),
            percent(function.self_share),
            count(function.calls),
            count(function.instructions)
        )
    });
    let rows: String = rows.collect();
    let hint = slow_reading(report).map(|hint| format!("<p class=\"note\">{hint}</p>"));
    let hint = hint.unwrap_or_default();
    format!(
        "{hint}<div class=\"wide\" tabindex=\"0\"><table class=\"figures\"><thead><tr><th scope=\"col\" class=\"name\">function</th><th scope=\"col\" colspan=\"2\">{}</th>{heads}</tr></thead>\
         <tbody>{rows}</tbody></table></div>{}",
        term("inclusive", "inclusive"),
        truncation_note(report.hotspot_functions.len(), MAX_FUNCTIONS, "functions")
    )
}
