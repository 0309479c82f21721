//! The report as one page: a file that needs nothing beside it. Pictures are drawn here, as SVG; the
//! script only adds comfort, and without it everything can be read.
//!
//! Whatever a report holds may have been written by a hostile program, so every string of it goes through
//! `text`, and the page's policy runs no script and no style but the two that stand in it, by their hashes.

#![allow(
    clippy::format_push_string,
    clippy::format_collect,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a page is put together from strings; what floats are cast to are places, ticks and steps, and casts saturate"
)]

mod charts;
mod definitions;
mod elements;
mod escape;
mod number;
mod sections;

use base64::{Engine, prelude::BASE64_STANDARD};
use escape::escaped;
use profiler_proto::v1;
use sha2::{Digest, Sha256};

const STYLE: &str = include_str!("html/style.css");
const SCRIPT: &str = include_str!("html/script.js");

/// A part of the page: its anchor, its title, and what stands under it. Empty where the report has nothing for it.
struct Section {
    anchor: &'static str,
    title: &'static str,
    body: String,
}

/// The page of a report, or of what an error left of one, with the error's message above it. The same report
/// gives the same bytes, of about 2 MB at most.
pub fn page(report: &v1::ProfileReport, error: Option<&v1::SandboxError>) -> String {
    let mut sections = sections(report);
    sections.retain(|section| !section.body.is_empty());
    let mut links = String::new();
    let mut bodies = String::new();
    for Section { anchor, title, body } in sections {
        links += &format!("<a href=\"#{anchor}\">{title}</a>");
        bodies += &format!("<section id=\"{anchor}\"><h2>{title}</h2>{body}</section>\n");
    }
    let header = sections::header(report, error);
    let title = escaped(&report.task_id);
    let (script, style) = (hash(SCRIPT), hash(STYLE));
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src '{script}'; \
         style-src '{style}'; base-uri 'none'; form-action 'none'\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta name=\"referrer\" content=\"no-referrer\"><meta name=\"color-scheme\" content=\"light dark\">\
         <title>{title} – swiftprof</title><style>{STYLE}</style></head>\n\
         <body>{header}<nav aria-label=\"Sections\">{links}</nav>\n<main>{bodies}</main>\n\
         <div id=\"tip\" popover></div><script>{SCRIPT}</script></body></html>\n"
    )
}

fn sections(report: &v1::ProfileReport) -> Vec<Section> {
    let section = |anchor, title, body| Section { anchor, title, body };
    vec![
        section("warnings", "Warnings", sections::warnings(report)),
        section("plots", "Time and memory", sections::plots(report)),
        section("growth", "Growth", sections::growth(report)),
        section("source", "Source", sections::source(report)),
        section("functions", "Functions", sections::functions(report)),
        section("flame", "Flame graph", sections::flame_graph(report)),
        section("allocations", "Allocations", sections::allocations(report)),
        section("heap", "Heap map", sections::heap_map(report)),
        section("sizes", "Sizes", sections::sizes(report)),
        section("tests", "Test cases", sections::test_cases(report)),
        section("facts", "Circumstances", sections::conditions(report)),
        section("definitions", "Definitions", definitions::definitions()),
    ]
}

/// How a policy names a script or a style.
fn hash(content: &str) -> String {
    format!("sha256-{}", BASE64_STANDARD.encode(Sha256::digest(content)))
}
