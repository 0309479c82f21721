//! Pages of reports with hostile strings and figures.

use crate::{all, read, sample};
use profiler_export::html::page;
use profiler_export::{Check, Ending, Run, TextOptions, export};
use profiler_growth::Class;
use profiler_proto::v1::{self, ExportFormat};
use proptest::prelude::*;
use prost::Message;
use prost_reflect::{DescriptorPool, DynamicMessage, MapKey, ReflectMessage, Value};
use scraper::Html;
use std::collections::BTreeMap;

/// Pieces from which a hostile string is put together.
const PIECES: &[&str] = &[
    "<script>alert(1)</script>",
    "</script>",
    "</style>",
    "</title>",
    "</svg>",
    "</pre>",
    "-->",
    "<!--",
    "]]>",
    "\"",
    "'",
    "`",
    "\" onload=\"alert(1)",
    "' style='x",
    "<img src=x onerror=alert(1)>",
    "<a href=\"javascript:alert(1)\">",
    "&lt;",
    "&#60;",
    "&",
    "<",
    ">",
    "=",
    "/",
    "\0",
    "\u{1b}[31m",
    "\u{202e}",
    "\u{feff}",
    "\n",
    "\r",
    "\t",
    " ",
    "a",
    "operator<",
    "0",
    "ß",
    "名",
    "🙂",
];

/// Formats that people read. In JSON, text is what it was.
const READ: [ExportFormat; 9] = [
    ExportFormat::Text,
    ExportFormat::Html,
    ExportFormat::Csv,
    ExportFormat::CsvLong,
    ExportFormat::Folded,
    ExportFormat::FlameGraph,
    ExportFormat::Junit,
    ExportFormat::Sarif,
    ExportFormat::Github,
];

/// Puts strings into every string of a message, those of later versions included.
fn fill(message: &mut DynamicMessage, next: &mut dyn FnMut() -> String) {
    let fields: Vec<_> = message.fields().map(|(field, _)| field).collect();
    for field in fields {
        fill_value(message.get_field_mut(&field), next);
    }
}

fn fill_value(value: &mut Value, next: &mut dyn FnMut() -> String) {
    match value {
        Value::String(string) => *string = next(),
        Value::Bytes(bytes) => *bytes = next().into(),
        Value::Message(message) => fill(message, next),
        Value::List(list) => list.iter_mut().for_each(|value| fill_value(value, next)),
        Value::Map(map) => {
            *map = map.values().map(|_| (MapKey::String(next()), Value::String(next()))).collect();
        }
        _ => {}
    }
}

fn filled(report: &v1::ProfileReport, next: &mut dyn FnMut() -> String) -> v1::ProfileReport {
    let pool = DescriptorPool::decode(profiler_proto::DESCRIPTOR).unwrap();
    let kind = pool.get_message_by_name("swiftsolve.profiler.v1.ProfileReport").unwrap();
    let mut message = DynamicMessage::decode(kind, report.encode_to_vec().as_slice()).unwrap();
    assert!(message.descriptor().fields().len() >= 30);
    fill(&mut message, next);
    v1::ProfileReport::decode(message.encode_to_vec().as_slice()).unwrap()
}

/// The same text with harmless letters, one for each character that could mean something.
fn harmless(text: &str) -> String {
    let letter = |c: char| match c {
        '\n' | '\r' | '\t' | ' ' => c,
        c if c.is_alphanumeric() || !c.is_ascii() => c,
        c => char::from_u32(0x4e00 + u32::from(c)).unwrap(),
    };
    text.chars().map(letter).collect()
}

/// Counts the elements of the page by their parent, their name and the names of their attributes.
fn skeleton(page: &Html) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for element in page.root_element().descendent_elements() {
        let parent = element
            .parent()
            .and_then(scraper::ElementRef::wrap)
            .map_or("", |parent| parent.value().name());
        let mut attributes: Vec<_> = element.value().attrs().map(|(name, _)| name).collect();
        attributes.sort_unstable();
        *counts
            .entry(format!("{parent} {} {attributes:?}", element.value().name()))
            .or_default() += 1;
    }
    counts
}

fn hostile() -> impl Strategy<Value = Vec<String>> {
    let string = prop::collection::vec(prop::sample::select(PIECES), 0..5)
        .prop_map(|pieces| pieces.concat());
    prop::collection::vec(string, 1..40)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    /// Every string of the report is hostile; what a browser reads is what it reads of harmless
    /// ones.
    #[test]
    fn no_element_and_no_attribute_comes_from_the_report(strings in hostile(), failed in any::<bool>()) {
        let (partial, _) = sample::failed();
        let mut report = if failed { partial } else { sample::report() };
        // A map of few blocks: most of a page's time is spent on it, and it has no strings of its
        // own.
        report.allocations.iter_mut().for_each(|allocations| allocations.events.truncate(50));
        let mut written = Vec::new();
        for change in [str::to_owned, harmless] as [fn(&str) -> String; 2] {
            // No two strings are the same, or the flame graph would join them.
            let mut count = 0;
            let mut next = || {
                count += 1;
                change(&format!("{count}{}", strings[count % strings.len()]))
            };
            let report = filled(&report, &mut next);
            let error = v1::SandboxError { message: next(), ..Default::default() };
            written.push(page(&report, Some(&error)));
        }
        let (hostile, harmless) = (read(&written[0]), read(&written[1]));
        prop_assert_eq!(skeleton(&hostile), skeleton(&harmless));
        prop_assert_eq!(all(&hostile, "script").len(), 1);
        for element in hostile.root_element().descendent_elements() {
            for (name, value) in element.value().attrs() {
                prop_assert!(!name.starts_with("on") && name != "style" && name != "src");
                prop_assert!(name != "href" || value.starts_with('#'));
            }
        }
    }

    /// Whatever the strings of a report are, no format acts on the terminal that shows it.
    #[test]
    fn no_string_reaches_a_terminal_as_a_command(strings in hostile(), failed in any::<bool>()) {
        let (partial, _) = sample::failed();
        let mut report = if failed { partial } else { sample::report() };
        report.allocations.iter_mut().for_each(|allocations| allocations.events.truncate(50));
        let mut count = 0;
        let mut next = || {
            count += 1;
            strings[count % strings.len()].clone()
        };
        let report = filled(&report, &mut next);
        let partial = Some(report.clone());
        let error = v1::SandboxError { message: next(), partial, ..Default::default() };
        let (source, sentence) = (next(), next());
        let checks = [Check { name: "check".into(), sentence, is_failure: true }];
        for ending in [Ending::Report(Box::new(report)), Ending::Error(Box::new(error))] {
            let run = Run { ending: &ending, source: &source, checks: &checks, note: None };
            for format in READ {
                let Ok(exported) = export(run, format, &TextOptions::default()) else { continue };
                let text = String::from_utf8(exported.content).unwrap();
                let acts = |&c: &char| c == '\u{202e}' || c.is_control() && !"\n\t".contains(c);
                prop_assert_eq!(text.chars().find(acts), None, "{:?}", format);
            }
        }
    }

    /// Figures of any value make a page.
    #[test]
    fn figures_of_any_value_make_a_page(figures in prop::collection::vec(any::<f64>(), 24)) {
        let mut report = sample::report();
        let mut at = 0;
        let mut next = || {
            at += 1;
            figures[at % figures.len()]
        };
        for size in &mut report.sizes {
            size.runtime_ms = Some(next());
            size.peak_memory_mb = Some(next());
            let headline = size.figures.as_mut().unwrap().headline.as_mut().unwrap();
            headline.interval = Some(v1::Interval { low: next(), high: next(), level: next() });
        }
        report.hotspot_lines.iter_mut().for_each(|line| line.self_share = next());
        let allocations = report.allocations.as_mut().unwrap();
        allocations.events.truncate(100);
        allocations.snapshots.truncate(100);
        allocations.snapshots.iter_mut().for_each(|snapshot| snapshot.time_ms = next());
        let growth = report.growth.as_mut().unwrap().time.as_mut().unwrap();
        (growth.confidence, growth.runner_up_confidence) = (Some(next()), Some(next()));
        growth.curve = Some(v1::GrowthCurve { function: Some(Class::Factorial.into()), constant: next(), coefficient: next() });
        let limit = v1::GrowthPrediction { size: 7, value: next(), interval: None, limit: next(), fits: None };
        growth.prediction = Some(limit);
        let written = page(&report, None);
        prop_assert!(!written.contains("NaN") && !written.contains("inf\""));
    }
}
