//! The page, read as a browser would read it.

#![allow(clippy::unwrap_used, reason = "tests may panic")]

mod hostile;
mod sample;

use profiler_export::html::page;
use profiler_growth::Class;
use profiler_proto::v1;
use scraper::{Html, Selector};

/// Maximum size of the page of the largest report.
const MAX_PAGE_BYTES: usize = 2_500_000;

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
fn full_report_has_every_section() {
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

#[test]
fn own_and_net_instructions_have_columns_beside_those_of_the_start_up() {
    let text = |page: &Html, selector| -> String {
        all(page, selector).iter().flat_map(scraper::ElementRef::text).collect()
    };
    let counted = read(&page(&sample::report(), None));
    let mut report = sample::report();
    for size in &mut report.sizes {
        (size.own_instructions, size.net_instructions) = (None, None);
    }
    let uncounted = read(&page(&report, None));
    for title in ["own instructions", "net instructions"] {
        let shown = [&counted, &uncounted].map(|page| text(page, "#sizes thead").contains(title));
        assert_eq!(shown, [true, false], "{title}");
    }
    let facts = text(&counted, "#facts");
    assert!(facts.contains("2\u{202f}104\u{202f}000 instructions"), "{facts}");
}

#[test]
fn test_cases_have_their_words_and_figures() {
    let page = read(&page(&sample::report(), None));
    let row = |row: &scraper::ElementRef<'_>| row.text().collect::<Vec<_>>().join("|");
    let rows: Vec<_> = all(&page, "#tests tbody tr").iter().map(row).collect();
    assert_eq!(rows, ["1|AC|1.250|3.50", "2|PE|–|–|0 17\n", "3|NOT_RUN|–|–|an earlier one failed"]);
    let mut counted = sample::report();
    counted.test_cases[0].instructions = Some(2_104_000);
    let counted = read(&profiler_export::html::page(&counted, None));
    let rows: Vec<_> = all(&counted, "#tests tbody tr").iter().map(row).collect();
    assert_eq!(rows[..2], ["1|AC|1.250|3.50|2\u{202f}104\u{202f}000", "2|PE|–|–|–|0 17\n"]);
    assert_eq!(all(&page, "#tests .good, #tests .bad").len(), 2);
    let first: String = all(&page, "header .error")[0].text().collect();
    assert_eq!(first, "wrong on 1 of 3 tests (1 not run).");
    let mut right = sample::report();
    right.test_cases.truncate(1);
    let right = read(&profiler_export::html::page(&right, None));
    let first: String = all(&right, "header .good")[0].text().collect();
    assert_eq!(first, "correct on 1 of 1 test.");
    assert!(all(&right, "header .error").is_empty());
}

/// Lines of the library are known too, but say less.
#[test]
fn memory_request_is_from_a_line_of_the_source() {
    let page = read(&page(&sample::report(), None));
    let asked = all(&page, "#allocations summary");
    assert!(!asked.is_empty());
    for summary in asked {
        let text = summary.text().collect::<String>();
        assert!(text.contains(" line ") && !text.contains("stl_vector.h"), "{text}");
    }
}

/// Both likely classes are drawn and named where the figures do not decide.
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
fn verdict_is_a_sentence() {
    let page = read(&page(&sample::report(), None));
    let verdict: String = all(&page, ".verdict")[0].text().collect();
    assert_eq!(
        verdict,
        "Time grows like n log n (confidence 0.97); at n = 1000000 about 318 ms: over the limit of 250 ms; \
         memory grows like n (confidence 0.93); \
         2 blocks (11.7 KiB) lost in line 55; line 15 takes 37.2\u{202f}% of the \
         instructions."
    );
}

#[test]
fn size_that_failed_is_marked_and_the_error_stands_on_top() {
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
fn errors_of_a_program_stand_on_top_with_a_flag_in_the_hint() {
    let error_text = "main.cpp:1:1: error: larger sizes\n\
                      hint: this needs C++20: compile with -std=c++20";
    let kind = v1::RemedyKind::Standard.into();
    let remedies = vec![v1::Remedy { kind, argument: "c++20".into() }];
    let step = v1::CompileStep { error_text: error_text.into(), remedies, ..Default::default() };
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
fn empty_report_is_a_page() {
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
fn page_loads_nothing_and_runs_no_other_script() {
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
fn same_report_gives_the_same_bytes() {
    assert_eq!(page(&sample::report(), None), page(&sample::report(), None));
}

#[test]
fn largest_report_gives_a_page_that_a_browser_can_open() {
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
