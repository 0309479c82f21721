//! The warnings.

use crate::html::elements::truncation_note;
use crate::html::escape::escaped;
use crate::html::number;
use crate::text::{explain_warning, flag};
use profiler_proto::Word;
use profiler_proto::v1::{ProfileReport, Warning};

/// Maximum number of warnings that are shown.
const MAX_WARNINGS: usize = 200;
/// The number of warnings that are shown without a click.
const OPEN_WARNINGS: usize = 5;

/// The warnings; the first ones are open.
pub(in crate::html) fn warnings(report: &ProfileReport) -> String {
    if report.warnings.is_empty() {
        return String::new();
    }
    let items: Vec<_> =
        report.warnings.iter().take(MAX_WARNINGS).map(|warning| item(report, warning)).collect();
    let (open, more) = items.split_at(items.len().min(OPEN_WARNINGS));
    let mut body = format!("<ul class=\"warnings\">{}</ul>", open.concat());
    if !more.is_empty() {
        let (count, more) = (more.len(), more.concat());
        body += &format!(
            "<details><summary>{count} more</summary><ul class=\"warnings\">{more}</ul></details>"
        );
    }
    body + &truncation_note(report.warnings.len(), MAX_WARNINGS, "warnings")
}

fn item(report: &ProfileReport, warning: &Warning) -> String {
    let candidate = warning.candidate.and_then(|at| report.candidates.get(at as usize));
    let candidate = candidate.map(|name| format!(", {}", escaped(name))).unwrap_or_default();
    let place =
        warning.size.map(|size| format!("<span>n = {}{candidate}</span>", number::size(size)));
    let (code, message) = (warning.code().word(), escaped(&explain_warning(warning, flag)));
    format!("<li><code>{code}</code><p>{}{message}</p></li>", place.unwrap_or_default())
}
