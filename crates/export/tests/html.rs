//! The page, read as a browser would read it.

#![allow(clippy::unwrap_used, reason = "tests may panic")]

#[path = "html/sample.rs"]
mod sample;

use profiler_export::html::page;
use profiler_growth::Class;
use profiler_proto::v1;
use proptest::prelude::*;
use prost::Message;
use prost_reflect::{DescriptorPool, DynamicMessage, MapKey, ReflectMessage, Value};
use scraper::{Html, Selector};
use std::collections::BTreeMap;

/// What the page of the largest report may take.
const MAX_PAGE_BYTES: usize = 2_500_000;
/// What a hostile string is put together from.
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

fn read(page: &str) -> Html {
    Html::parse_document(page)
}

fn all<'a>(page: &'a Html, selector: &str) -> Vec<scraper::ElementRef<'a>> {
    page.select(&Selector::parse(selector).unwrap()).collect()
}

fn anchors(page: &Html) -> Vec<String> {
    all(page, "section").iter().map(|section| section.attr("id").unwrap().to_owned()).collect()
}

#[test]
fn a_full_report_has_every_section() {
    let page = read(&page(&sample::report(), None));
    let sections = [
        "warnings",
        "plots",
        "growth",
        "source",
        "functions",
        "flame",
        "allocations",
        "heap",
        "sizes",
        "tests",
        "facts",
        "definitions",
    ];
    assert_eq!(anchors(&page), sections);
    assert_eq!(all(&page, "#plots svg.log").len(), 2);
    assert_eq!(all(&page, "#plots svg.linear").len(), 2);
    assert_eq!(all(&page, "#plots svg.log.time .measured").len(), 10);
    assert_eq!(all(&page, "#plots svg.log.time .other").len(), 10);
    assert_eq!(all(&page, "#plots svg.log .predicted").len(), 2);
    assert_eq!(all(&page, "#plots svg.log.time path.limit").len(), 1);
    assert_eq!(all(&page, "#plots svg .curve").len(), 4);
    assert_eq!(all(&page, "#sizes tbody tr").len(), 20);
    assert_eq!(all(&page, "#source tbody tr").len(), sample::report().code_cpp.lines().count());
    assert_eq!(all(&page, "#L15.h9").len(), 1);
    assert_eq!(all(&page, "#growth .signals figure").len(), 7);
}

/// Not the library's, whose lines are known too.
#[test]
fn who_asked_for_memory_is_a_line_of_the_source() {
    let page = read(&page(&sample::report(), None));
    let asked = all(&page, "#allocations summary");
    assert!(!asked.is_empty());
    for summary in asked {
        let text = summary.text().collect::<String>();
        assert!(text.contains(" line ") && !text.contains("stl_vector.h"), "{text}");
    }
}

/// Where the figures do not decide, both likely classes are drawn and named.
#[test]
fn rivals_are_drawn_and_named() {
    let mut report = sample::report();
    let time = report.growth.as_mut().and_then(|growth| growth.time.as_mut()).unwrap();
    (time.function, time.curve) = (None, None);
    let rival = |class: Class, confidence| v1::GrowthRival {
        curve: Some(v1::GrowthCurve {
            function: Some(class.into()),
            constant: 0.4,
            coefficient: 1e-5,
        }),
        confidence,
    };
    time.confidence = Some(0.5);
    (time.runner_up, time.runner_up_confidence) = (Some(Class::Linear.into()), Some(0.5));
    time.rivals = vec![rival(Class::Linear, 0.5), rival(Class::Linearithmic, 0.4)];
    let shares = |page: &Html| -> Vec<String> {
        let keys = all(page, "#growth .time .probability li");
        keys.iter().map(|it| it.text().collect()).collect()
    };
    let two = read(&page(&report, None));
    assert_eq!(all(&two, "#plots .time svg .rival").len(), 4);
    assert_eq!(shares(&two), ["n 0.50", "n log n 0.40", "others 0.10"]);
    let time = report.growth.as_mut().and_then(|growth| growth.time.as_mut()).unwrap();
    time.rivals.pop();
    assert_eq!(shares(&read(&page(&report, None))), ["n 0.50", "others 0.50"]);
}

#[test]
fn the_verdict_is_a_sentence() {
    let page = read(&page(&sample::report(), None));
    let verdict: String = all(&page, ".verdict")[0].text().collect();
    assert_eq!(
        verdict,
        "Time grows like n log n (confidence 0.97); at n = 10⁶ about 318 ms: over the limit of 250 ms; \
         memory grows like n (confidence 0.93); line 15 takes 37.2\u{202f}%."
    );
}

#[test]
fn a_size_that_failed_is_marked_and_the_error_stands_on_top() {
    let (report, error) = sample::failed();
    let page = read(&page(&report, Some(&error)));
    assert_eq!(
        anchors(&page),
        ["warnings", "plots", "growth", "source", "sizes", "facts", "definitions"]
    );
    let message: String = all(&page, "header .error")[0].text().collect();
    assert!(message.contains("memory") && message.contains(&error.message), "{message}");
    assert_eq!(all(&page, "#plots svg.log .failed").len(), 2);
    let last: String = all(&page, "#sizes tbody tr").last().unwrap().text().collect();
    assert!(last.contains("MEMORY_LIMIT") && last.contains('∞'), "{last}");
    let undecided: String = all(&page, "#growth").first().unwrap().text().collect();
    assert!(undecided.contains("cannot tell"), "{undecided}");
}

#[test]
fn the_errors_of_a_program_stand_on_top_with_a_flag_in_the_hint() {
    let error_text = "main.cpp:1:1: error: larger sizes\n\
                      hint: this needs C++20: compile with -std=c++20";
    let step = v1::CompileStep { error_text: error_text.into(), ..Default::default() };
    let report = v1::ProfileReport { compile: Some(step), ..Default::default() };
    let error = v1::SandboxError { code: v1::ErrorCode::Compile.into(), ..Default::default() };
    let page = read(&page(&report, Some(&error)));
    let errors: String = all(&page, "header .error pre")[0].text().collect();
    assert_eq!(
        errors,
        "main.cpp:1:1: error: larger sizes\nhint: this needs C++20: compile with --std c++20"
    );
}

#[test]
fn an_empty_report_is_a_page() {
    let page = read(&page(&v1::ProfileReport::default(), None));
    assert_eq!(anchors(&page), ["facts", "definitions"]);
}

#[test]
fn strict_lists_alone_are_plotted() {
    let report = v1::ProfileReport {
        input_sizes: vec![1, 10, 100],
        runtime_ms: vec![1.0, 2.0, f64::INFINITY],
        peak_memory_mb: vec![3.0, 3.0, f64::INFINITY],
        ..Default::default()
    };
    let page = read(&page(&report, None));
    assert_eq!(all(&page, "#plots svg.log.time .measured").len(), 2);
    assert_eq!(all(&page, "#plots svg.log.memory .failed").len(), 1);
}

#[test]
fn every_link_leads_somewhere_on_the_page() {
    let page = read(&page(&sample::report(), None));
    let links = all(&page, "a");
    assert!(links.len() > 50);
    for link in links {
        let target = link.attr("href").unwrap().strip_prefix('#').unwrap();
        assert_eq!(all(&page, &format!("[id=\"{target}\"]")).len(), 1, "{target}");
    }
}

#[test]
fn nothing_is_loaded_and_no_other_script_runs() {
    let written = page(&sample::report(), None);
    assert!(!written.contains("http:") && !written.contains("https:") && !written.contains("url("));
    let page = read(&written);
    assert!(all(&page, "[src], link, img, iframe, object, embed, base, form, [style]").is_empty());
    let policy =
        all(&page, "meta[http-equiv=\"Content-Security-Policy\"]")[0].attr("content").unwrap();
    assert!(
        policy.starts_with("default-src 'none'; script-src 'sha256-") && !policy.contains("unsafe")
    );
}

#[test]
fn the_same_report_gives_the_same_bytes() {
    assert_eq!(page(&sample::report(), None), page(&sample::report(), None));
}

#[test]
fn the_largest_report_gives_a_page_that_a_browser_can_open() {
    let quotes = "\"".repeat(300);
    let mut report = sample::report();
    report.code_cpp = format!("{}\n", "\"".repeat(200)).repeat(3000);
    report.hotspot_lines = (1..=3000)
        .map(|line| v1::Hotspot {
            line,
            function: quotes.clone(),
            self_share: 2e-4,
            inclusive_share: Some(1.0),
            ..report.hotspot_lines[0].clone()
        })
        .collect();
    report.hotspot_functions =
        vec![v1::HotspotFunction { name: quotes.clone(), ..Default::default() }; 1000];
    report.call_stacks = (0..400)
        .map(|at| v1::CallStack { frames: vec![format!("{at}(){quotes}"); 80], instructions: 1000 })
        .collect();
    let size = v1::SizeResult {
        outcome: v1::Outcome::RuntimeError.into(),
        stderr_tail: quotes.clone(),
        ..report.sizes[9].clone()
    };
    report.sizes = (0..1000).map(|at| v1::SizeResult { size: at, ..size.clone() }).collect();
    report.warnings = vec![v1::Warning { message: quotes.clone(), ..Default::default() }; 1000];
    let allocations = report.allocations.as_mut().unwrap();
    let frame = v1::AllocationFrame { function: quotes.clone(), file: quotes.clone(), line: 7 };
    allocations.sites =
        vec![v1::AllocationSite { trace: vec![frame; 100], ..Default::default() }; 500];
    let event = |at: u64| v1::AllocationEvent {
        time_ns: at * 1000,
        address: at << 20,
        bytes: 1 << 16,
        site: u32::try_from(at).unwrap(),
        ..Default::default()
    };
    allocations.events = (0..20_000).map(event).collect();
    let snapshot = |at: u32| v1::AllocationSnapshot {
        time_ms: at.into(),
        live_bytes: at.into(),
        live_blocks: 1,
    };
    allocations.snapshots = (0..20_000).map(snapshot).collect();
    report.compile.as_mut().unwrap().output = quotes.repeat(200);
    let written = page(&report, None);
    assert!(written.len() <= MAX_PAGE_BYTES, "{}", written.len());
    let page = read(&written);
    assert!(all(&page, "#heap rect").len() >= 1000);
    assert!(all(&page, "#flames svg").len() >= 500);
}

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

/// How often each element stands on the page, by what it stands in and the names of its attributes.
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
