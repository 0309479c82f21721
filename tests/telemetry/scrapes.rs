//! The page of the metrics, read without Prometheus.

use profiler_core::sandbox::Choice;
use profiler_test_support::require;
use profiler_test_support::wait::until;
use profiler_tests::harness::Backend;
use profiler_tests::jobs;
use profiler_tests::server::PATIENCE;
use profiler_tests::swiftprof::{Served, file};
use std::collections::BTreeSet;
use std::fs;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

/// Before the address of the metrics in the log.
const METRICS: &str = "metrics on http://";
/// Scrapes of one server, and how many go on at the same time.
const SCRAPES: usize = 10_000;
const AT_ONCE: usize = 8;
/// Text on the page once a run has finished.
const AFTER_A_RUN: [&str; 5] = [
    "profiler_runs_total{ending=\"finished\"} 1",
    "profiler_runs_total{ending=\"internal\"} 0",
    "profiler_serving 1",
    "profiler_live_runs 0",
    "rpc_method=\"swiftsolve.profiler.v1.ProfilerService/ProfileStream\",rpc_response_status_code=\"OK\"} 1",
];
/// Maximum growth of the server's memory by the scrapes, in KiB.
const GROWTH_KB: u64 = 8 << 10;

/// A native server whose metrics can be read, and their address. `None` without native sandboxes.
pub(crate) async fn served(settings: &[(&str, &str)]) -> Option<(Served, String)> {
    require::or_skip("native", Backend::select(Choice::Native).await)?;
    let settings = [settings, &[("PROFILER_METRICS", "127.0.0.1:0")]].concat();
    let served = Served::start("native", &settings).await;
    let line = served.until_logged(METRICS).await;
    let (_, address) = line.split_once(METRICS).expect("it was found");
    let address = address.split('/').next().unwrap_or_default().to_owned();
    Some((served, address))
}

/// Runs a job on the server to its report.
pub(crate) async fn profile(served: &Served) {
    let (job, _) = jobs::computing_ms(1);
    let run = served.client().await.submit(job).await.expect("accepted");
    run.wait().await.expect("a report");
}

/// Returns the server's answer to a request with this first line.
async fn ask(address: &str, line: &str) -> String {
    let mut stream = TcpStream::connect(address).await.expect("the port is open");
    let request = format!("{line} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.expect("it reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.expect("it answers");
    answer
}

/// The names and kinds in the table of the document.
fn documented() -> BTreeSet<(String, String)> {
    let page = fs::read_to_string(file("docs/service.md")).expect("the document");
    let table = page.split("| metric |").nth(1).expect("the table of metrics");
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    let cells = rows.map(|row| row.split('|').map(str::trim).collect::<Vec<_>>());
    cells.map(|cells| (cells[1].trim_matches('`').to_owned(), cells[2].to_owned())).collect()
}

#[tokio::test]
async fn page_has_the_metrics_of_the_document_and_no_others() {
    let Some((served, address)) = served(&[]).await else { return };
    profile(&served).await;
    // The caller has the report before the server has closed the run's record.
    let page = async || {
        let page = ask(&address, "GET /metrics").await;
        AFTER_A_RUN.iter().all(|line| page.contains(line)).then_some(page)
    };
    let page = until(&format!("the page has {AFTER_A_RUN:?}"), PATIENCE, page).await;
    let mut lines = page.lines();
    let calibration = lines.find_map(|line| line.strip_prefix("profiler_calibration_seconds "));
    let calibration: f64 = calibration.expect("it is there").parse().expect("a number");
    assert!(calibration > 0.0, "{page}");
    let types = page.lines().filter_map(|line| line.strip_prefix("# TYPE ")?.split_once(' '));
    let (own, exported): (BTreeSet<_>, BTreeSet<_>) = types
        .map(|(name, kind)| (name.into(), kind.into()))
        .partition(|(name, _): &(String, String)| name.starts_with("process_"));
    assert_eq!(exported, documented());
    assert_eq!(own.len(), 6, "the document names them together: {own:?}");
    assert!(served.stop().await.success());
}

#[tokio::test]
async fn anything_but_a_scrape_is_refused() {
    let Some((served, address)) = served(&[]).await else { return };
    for (line, status) in [
        ("GET /", "404"),
        ("POST /metrics", "405"),
        ("GET /metrics", "200"),
        ("GET /livez", "200"),
        ("GET /readyz", "200"),
        ("HEAD /metrics", "200"),
    ] {
        let answer = ask(&address, line).await;
        assert_eq!(answer.split(' ').nth(1), Some(status), "{line}: {answer}");
    }
    assert!(served.stop().await.success());
}

#[tokio::test]
async fn ten_thousand_scrapes_do_no_harm() {
    let Some((served, address)) = served(&[]).await else { return };
    profile(&served).await;
    let before = served.peak_kb();
    let mut scrapers = JoinSet::new();
    for _ in 0..AT_ONCE {
        let address = address.clone();
        scrapers.spawn(async move {
            for _ in 0..SCRAPES / AT_ONCE {
                let page = ask(&address, "GET /metrics").await;
                assert!(page.contains("profiler_uptime_seconds"), "{page}");
            }
        });
    }
    while let Some(done) = scrapers.join_next().await {
        done.expect("every scrape is answered");
    }
    let after = served.peak_kb();
    assert!(after < before + GROWTH_KB, "{before} KiB before, {after} KiB after");
    profile(&served).await;
    assert!(served.stop().await.success());
}
