//! Pieces of markup that several sections share.

use super::definitions::term;
use super::escape::escaped_up_to;
use super::number::{self, figure};
use crate::report::{AT_LEAST, has_largest_process_only, widened};
use profiler_proto::Word;
use profiler_proto::v1::{Evidence, SizeResult};

/// Maximum length of one word of an outcome's evidence on the page, in bytes.
pub(super) const MAX_WORD_BYTES: usize = 80;

/// Renders a note if only some of the items are shown.
pub(super) fn truncation_note(there: usize, shown: usize, what: &str) -> String {
    if there <= shown {
        return String::new();
    }
    format!("<p class=\"note\">{shown} of {there} {what} are shown.</p>")
}

/// Heads of columns, each with the anchor of its definition and its title.
pub(super) fn heads<const N: usize>(columns: [(&str, &str); N]) -> String {
    columns
        .map(|(anchor, title)| format!("<th scope=\"col\">{}</th>", term(anchor, title)))
        .concat()
}

/// A table cell with a bar of the self share over the inclusive share.
pub(super) fn share_bar(own: f64, inclusive: Option<f64>) -> String {
    let width = |share: f64| if share.is_finite() { share.clamp(0.0, 1.0) * 100.0 } else { 0.0 };
    format!(
        "<td class=\"share\"><svg viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" aria-hidden=\"true\">\
         <rect class=\"inclusive\" width=\"{:.1}\" height=\"10\"/><rect class=\"self\" width=\"{:.1}\" height=\"10\"/></svg></td>",
        width(inclusive.unwrap_or(0.0)),
        width(own)
    )
}

/// The labels of a time axis below a stretched picture.
pub(super) fn time_axis(end_ms: f64) -> String {
    let (middle, end) = (number::time(end_ms / 2.0), number::time(end_ms));
    format!("<div class=\"axis\"><span>0</span><span>{middle}</span><span>{end}</span></div>")
}

/// Returns the mark of a peak that is only the largest process's.
pub(super) fn at_least(size: &SizeResult) -> String {
    if has_largest_process_only(size) { format!("{AT_LEAST} ") } else { String::new() }
}

/// The evidence for an outcome, in words.
pub(super) fn evidence(evidence: &Evidence) -> String {
    let mut words = Vec::new();
    words.extend(evidence.signal.as_deref().map(|signal| escaped_up_to(signal, MAX_WORD_BYTES)));
    words.extend(evidence.exit_code.map(|code| format!("exit code {code}")));
    if let Some((met, limit)) = evidence.met_value.zip(evidence.limit_value) {
        let unit = evidence.unit().word();
        words.push(format!(
            "{} of {} {unit}{}",
            figure(met, 1),
            figure(limit, 1),
            widened(evidence)
        ));
    }
    let named = [
        ("hint: ", evidence.hint().word()),
        ("ended by ", evidence.killed_by().word()),
        ("seen by ", evidence.method().word()),
    ];
    words.extend(
        named
            .into_iter()
            .filter(|named| !named.1.is_empty())
            .map(|(what, name)| format!("{what}{name}")),
    );
    words.join(", ")
}
