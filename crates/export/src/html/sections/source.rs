//! The source, with the cost of each line.

use crate::html::definitions::term;
use crate::html::elements::{heads, share_bar, truncation_note};
use crate::html::escape::escaped_up_to;
use crate::html::number::{self, ABSENT, percent};
use profiler_proto::v1::{Hotspot, HotspotsMethod, ProfileReport};
use std::collections::BTreeMap;

/// Maximum length of a line, in bytes.
const MAX_LINE_BYTES: usize = 240;
/// Maximum length of a function name, in bytes.
const MAX_NAME_BYTES: usize = 120;
/// Maximum size of all rows, in bytes.
const MAX_SOURCE_BYTES: usize = 600_000;
/// Maximum number of lines of a source that is shown whole. A longer one shows only the hotspots
/// and the lines around them.
const MAX_LINES: usize = 1500;
/// Number of lines shown before and after a hotspot.
const CONTEXT: u32 = 8;
/// Maximum number of hotspots named above the source.
const MAX_HOTTEST: usize = 7;
/// Number of tints of a line.
const TINTS: f64 = 9.0;

/// The source with its hotspots; either may be missing.
pub(in crate::html) fn source(report: &ProfileReport) -> String {
    if report.code_cpp.is_empty() && report.hotspot_lines.is_empty() {
        return String::new();
    }
    let mut hot: BTreeMap<u32, &Hotspot> = BTreeMap::new();
    for hotspot in report.hotspot_lines.iter().rev() {
        hot.insert(hotspot.line, hotspot);
    }
    let hottest = report.hotspot_lines.iter().map(|hotspot| hotspot.self_share).fold(0.0, f64::max);
    let mut rows = String::new();
    let mut shown = 0;
    let lines = lines(report, &hot);
    let around = |line: u32| line.saturating_sub(CONTEXT)..=line.saturating_add(CONTEXT);
    for (number, line) in &lines {
        let wanted = lines.len() <= MAX_LINES
            || hot.is_empty()
            || hot.range(around(*number)).next().is_some();
        if wanted && rows.len() < MAX_SOURCE_BYTES {
            rows += &row(*number, line, hot.get(number).copied(), hottest, !hot.is_empty());
            shown += 1;
        }
    }
    let heads = heads([
        ("inclusive", "inclusive"),
        ("executions", "count"),
        ("instructions", "instructions"),
    ]);
    let own = format!("<th scope=\"col\" colspan=\"2\">{}</th>", term("self", "self"));
    let (own, heads) = if hot.is_empty() { Default::default() } else { (own, heads) };
    let table = format!(
        "<div class=\"wide code\" tabindex=\"0\"><table><thead><tr><th scope=\"col\">line</th>{own}<th scope=\"col\" class=\"words\">source</th>{heads}</tr></thead>\
         <tbody>{rows}</tbody></table></div>{}",
        truncation_note(lines.len(), shown, "lines")
    );
    if hot.is_empty() {
        return format!("<details><summary>lines: {}</summary>{table}</details>", lines.len());
    }
    format!("{}{table}", summary(report))
}

/// The numbered lines of the source; only the hotspots if there is no source.
fn lines<'a>(report: &'a ProfileReport, hot: &BTreeMap<u32, &Hotspot>) -> Vec<(u32, &'a str)> {
    if report.code_cpp.is_empty() {
        return hot.keys().map(|line| (*line, "")).collect();
    }
    (1..).zip(report.code_cpp.lines()).collect()
}

fn summary(report: &ProfileReport) -> String {
    let hottest = report.hotspot_lines.iter().take(MAX_HOTTEST).map(|hotspot| {
        let (line, share) = (hotspot.line, percent(hotspot.self_share));
        format!("<a href=\"#L{line}\">line {line}<b>{share}</b></a>")
    });
    let method = match report.hotspots_method() {
        HotspotsMethod::Instructions => format!("by {}", term("exact", "exact counts")),
        HotspotsMethod::Gprof => format!("by {}", term("exact", "samples of gprof")),
        HotspotsMethod::Unspecified => String::new(),
    };
    format!("<p class=\"hottest\"><span>Hottest {method}</span>{}</p>", hottest.collect::<String>())
}

fn row(number: u32, line: &str, hotspot: Option<&Hotspot>, hottest: f64, costs: bool) -> String {
    let code = escaped_up_to(line, MAX_LINE_BYTES);
    let Some(hotspot) = hotspot else {
        let (before, after) =
            if costs { ("<td></td><td></td>", "<td></td><td></td><td></td>") } else { ("", "") };
        return format!(
            "<tr id=\"L{number}\"><th>{number}</th>{before}<td class=\"words\">{code}</td>{after}</tr>"
        );
    };
    let tint = (hotspot.self_share / hottest * TINTS).ceil().clamp(0.0, TINTS) as u8;
    let inclusive = hotspot.inclusive_share;
    let count = |value: Option<u64>| match value {
        Some(value) => {
            format!("<td title=\"{}\">{}</td>", number::count(value), number::short(value as f64))
        }
        None => format!("<td>{ABSENT}</td>"),
    };
    format!(
        "<tr id=\"L{number}\" class=\"h{tint}\"><th>{number}</th>{}<td>{}</td>\
         <td class=\"words\" title=\"{}\">{code}</td><td>{}</td>{}{}</tr>",
        share_bar(hotspot.self_share, inclusive),
        percent(hotspot.self_share),
        escaped_up_to(&hotspot.function, MAX_NAME_BYTES),
        inclusive.map_or(ABSENT.into(), percent),
        count(hotspot.count),
        count(hotspot.instructions)
    )
}
