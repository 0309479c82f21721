//! The source, with the cost of each line.

use crate::html::definitions::term;
use crate::html::elements::{heads, share_bar, truncation_note};
use crate::html::escape::{escaped, escaped_up_to};
use crate::html::number::{self, ABSENT, percent};
use crate::report::{line_name, line_share, slow_lines};
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

/// The program's files with their hotspots; either may be missing. Of the files besides the source,
/// only those with hotspots are shown.
pub(in crate::html) fn source(report: &ProfileReport) -> String {
    if report.code_cpp.is_empty() && report.hotspot_lines.is_empty() {
        return String::new();
    }
    let others =
        report.files.iter().enumerate().filter(|(_, file)| {
            report.hotspot_lines.iter().any(|hotspot| hotspot.file == file.path)
        });
    let others = others.map(|(at, file)| {
        let table = table(report, &file.text, &anchor(Some(at)), |hot| hot.file == file.path);
        format!("<h3>{}</h3>{table}", escaped(&file.path))
    });
    let is_other = |hot: &Hotspot| report.files.iter().any(|file| file.path == hot.file);
    let main = table(report, &report.code_cpp, &anchor(None), |hot| !is_other(hot));
    let summary = if report.hotspot_lines.is_empty() { String::new() } else { summary(report) };
    format!("{summary}{main}{}", others.collect::<String>())
}

/// Beginning of the ids of the lines of a file: the source, or the file with this index.
fn anchor(file: Option<usize>) -> String {
    file.map_or_else(|| "L".into(), |at| format!("F{at}L"))
}

/// A link to a line of the program.
pub(in crate::html) fn line_link(report: &ProfileReport, file: &str, line: u32) -> String {
    let anchor = anchor(report.files.iter().position(|it| it.path == file));
    format!("<a href=\"#{anchor}{line}\">{}</a>", escaped(&line_name(file, line)))
}

/// The lines of a file with those hotspots that are in it.
fn table(
    report: &ProfileReport,
    text: &str,
    anchor: &str,
    is_in: impl Fn(&Hotspot) -> bool,
) -> String {
    let mut hot: BTreeMap<u32, &Hotspot> = BTreeMap::new();
    for hotspot in report.hotspot_lines.iter().rev().filter(|hotspot| is_in(hotspot)) {
        hot.insert(hotspot.line, hotspot);
    }
    let hottest = report.hotspot_lines.iter().map(|hotspot| hotspot.self_share).fold(0.0, f64::max);
    let mut rows = String::new();
    let mut shown = 0;
    let lines = lines(text, &hot);
    let around = |line: u32| line.saturating_sub(CONTEXT)..=line.saturating_add(CONTEXT);
    for (number, line) in &lines {
        let wanted = lines.len() <= MAX_LINES
            || hot.is_empty()
            || hot.range(around(*number)).next().is_some();
        if wanted && rows.len() < MAX_SOURCE_BYTES {
            let id = format!("{anchor}{number}");
            rows += &row((*number, &id), line, hot.get(number).copied(), hottest, !hot.is_empty());
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
    table
}

/// The numbered lines of the source; only the hotspots if there is no source.
fn lines<'a>(text: &'a str, hot: &BTreeMap<u32, &Hotspot>) -> Vec<(u32, &'a str)> {
    if text.is_empty() {
        return hot.keys().map(|line| (*line, "")).collect();
    }
    (1..).zip(text.lines()).collect()
}

fn summary(report: &ProfileReport) -> String {
    let hottest = report.hotspot_lines.iter().take(MAX_HOTTEST).map(|hotspot| {
        let link = line_link(report, &hotspot.file, hotspot.line);
        let share = percent(hotspot.self_share);
        format!("{}<b>{share}</b></a>", link.trim_end_matches("</a>"))
    });
    let method = match report.hotspots_method() {
        HotspotsMethod::Instructions => format!("by {}", term("exact", "exact counts")),
        HotspotsMethod::Gprof => format!("by {}", term("exact", "samples of gprof")),
        HotspotsMethod::Unspecified => String::new(),
    };
    let hottest = hottest.collect::<String>();
    let slow = slow_lines(report)
        .into_iter()
        .take(MAX_HOTTEST)
        .map(|hotspot| format!("<p class=\"note\">{}</p>", escaped(&line_share(report, hotspot))));
    let slow = slow.collect::<String>();
    format!("<p class=\"hottest\"><span>Hottest {method}</span>{hottest}</p>{slow}")
}

fn row(
    (number, id): (u32, &str),
    line: &str,
    hotspot: Option<&Hotspot>,
    hottest: f64,
    costs: bool,
) -> String {
    let code = escaped_up_to(line, MAX_LINE_BYTES);
    let Some(hotspot) = hotspot else {
        let (before, after) =
            if costs { ("<td></td><td></td>", "<td></td><td></td><td></td>") } else { ("", "") };
        return format!(
            "<tr id=\"{id}\"><th>{number}</th>{before}<td class=\"words\">{code}</td>{after}</tr>"
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
        "<tr id=\"{id}\" class=\"h{tint}\"><th>{number}</th>{}<td>{}</td>\
         <td class=\"words\" title=\"{}\">{code}</td><td>{}</td>{}{}</tr>",
        share_bar(hotspot.self_share, inclusive),
        percent(hotspot.self_share),
        escaped_up_to(&hotspot.function, MAX_NAME_BYTES),
        inclusive.map_or(ABSENT.into(), percent),
        count(hotspot.count),
        count(hotspot.instructions)
    )
}
