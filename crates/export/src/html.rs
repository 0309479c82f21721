//! The report as one self-contained page. Charts are SVG; the script is a convenience, and
//! everything is readable without it.
//!
//! Any string of a report may come from a hostile program, so each goes through `escape`. The
//! page's content security policy allows only its own script and style, by their hashes.

#![allow(
    clippy::format_push_string,
    clippy::format_collect,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a page is built from strings; floats become positions, ticks and steps, and casts saturate"
)]

mod charts;
mod definitions;
mod elements;
mod escape;
mod number;
mod sections;

use base64::{Engine, prelude::BASE64_STANDARD};
use escape::escaped;
pub(crate) use escape::escaped_up_to;
use profiler_proto::v1;
pub(crate) use sections::flame_graph_svg;
use sha2::{Digest, Sha256};

const STYLE: &str = concat!(include_str!("html/style.css"), include_str!("html/flame.css"));
const SCRIPT: &str = concat!(include_str!("html/script.js"), include_str!("html/flame.js"));

/// The page of a report. `error` is the error of a run that ended early; its message comes first.
/// Equal reports give equal bytes, of about 2 MB at most.
pub fn page(report: &v1::ProfileReport, error: Option<&v1::SandboxError>) -> String {
    let mut links = String::new();
    let mut bodies = String::new();
    for (anchor, title, body) in sections(report).into_iter().filter(|it| !it.2.is_empty()) {
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

/// Anchors, titles and bodies of the sections. A body is empty if the report has no data for it.
fn sections(report: &v1::ProfileReport) -> [(&'static str, &'static str, String); 14] {
    [
        ("warnings", "Warnings", sections::warnings(report)),
        ("plots", "Time and memory", sections::plots(report)),
        ("growth", "Growth", sections::growth(report)),
        ("worst", "Worst input", sections::worst_input(report)),
        ("advice", "Advice", sections::advice(report)),
        ("source", "Source", sections::source(report)),
        ("functions", "Functions", sections::functions(report)),
        ("flame", "Flame graph", sections::flame_graph(report)),
        ("allocations", "Allocations", sections::allocations(report)),
        ("heap", "Heap map", sections::heap_map(report)),
        ("sizes", "Sizes", sections::sizes(report)),
        ("tests", "Test cases", sections::test_cases(report)),
        ("facts", "Conditions", sections::conditions(report)),
        ("definitions", "Definitions", definitions::definitions()),
    ]
}

/// The hash of a script or style in the content security policy.
fn hash(content: &str) -> String {
    format!("sha256-{}", BASE64_STANDARD.encode(Sha256::digest(content)))
}
