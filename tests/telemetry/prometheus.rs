//! A real Prometheus that reads a real server, and is asked what the dashboard and the alerts ask.

use crate::alerts::RULES;
use crate::scrapes::{profile, served};
use profiler_test_support::{require, wait::until};
use profiler_tests::swiftprof::file;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use tokio::task::JoinHandle;

/// Prometheus reads its data and the first pages within this time.
const PATIENCE: Duration = Duration::from_secs(60);
/// Before the address in Prometheus's log.
const LISTENING: &str = "msg=\"Listening on\" address=";
/// Variables that Grafana replaces in queries, with values.
const VARIABLES: [(&str, &str); 2] = [("$__rate_interval", "1m"), ("$instance", ".*")];

/// The path of one of Prometheus's programs, if the host has them.
pub(crate) fn tool(name: &str) -> Option<PathBuf> {
    let folder = require::tool("prometheus", "PROFILER_TEST_PROMETHEUS")?;
    Some(Path::new(&folder).join(name))
}

/// A Prometheus that reads one server.
struct Prometheus {
    promtool: PathBuf,
    url: String,
    _child: Child,
    _reading: JoinHandle<()>,
    _folder: TempDir,
}

impl Prometheus {
    async fn start(target: &str) -> Option<Self> {
        let (program, promtool) = (tool("prometheus")?, tool("promtool")?);
        let folder = tempfile::tempdir().expect("a folder");
        let settings = folder.path().join("prometheus.yml");
        let text = format!(
            "global: {{ scrape_interval: 1s, evaluation_interval: 1s }}\n\
             rule_files: ['{}']\n\
             scrape_configs:\n  - job_name: swiftprof\n    static_configs: [{{ targets: ['{target}'] }}]\n",
            file(RULES)
        );
        fs::write(&settings, text).expect("written");
        let mut child = Command::new(program)
            .arg(format!("--config.file={}", settings.display()))
            .arg(format!("--storage.tsdb.path={}", folder.path().join("data").display()))
            .arg("--web.listen-address=127.0.0.1:0")
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .expect("prometheus starts");
        let mut lines = BufReader::new(child.stderr.take().expect("it is piped")).lines();
        let address = loop {
            let line = lines.next_line().await.expect("text").expect("prometheus listens");
            if let Some((_, address)) = line.split_once(LISTENING) {
                break address.to_owned();
            }
        };
        let reading =
            tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
        let url = format!("http://{address}");
        Some(Self { promtool, url, _child: child, _reading: reading, _folder: folder })
    }

    /// The series that a query returns, or what is wrong with it.
    async fn query(&self, query: &str) -> Result<Vec<String>, String> {
        let mut command = Command::new(&self.promtool);
        let output = command.args(["query", "instant", &self.url, query]).output().await;
        let output = output.expect("promtool starts");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        if !output.status.success() {
            return Err(format!("{query}: {}", text(&output.stderr)));
        }
        Ok(text(&output.stdout).lines().map(String::from).collect())
    }
}

/// The values of a key anywhere in a document.
fn values<'a>(document: &'a Value, key: &str, found: &mut Vec<&'a str>) {
    match document {
        Value::Object(fields) => {
            found.extend(fields.get(key).and_then(Value::as_str));
            fields.values().for_each(|field| values(field, key, found));
        }
        Value::Array(items) => items.iter().for_each(|item| values(item, key, found)),
        _ => {}
    }
}

/// The queries of a dashboard.
fn dashboard(name: &str) -> Vec<String> {
    let path = file(&format!("packaging/grafana/{name}.json"));
    let text = fs::read_to_string(path).expect("it is there");
    let document = serde_json::from_str(&text).expect("the dashboard is JSON");
    let mut found = Vec::new();
    values(&document, "expr", &mut found);
    let filled = found.into_iter().map(|query| {
        VARIABLES.iter().fold(query.to_owned(), |query, (name, value)| query.replace(name, value))
    });
    filled.collect()
}

/// The names of metrics in a query.
fn metrics(query: &str) -> impl Iterator<Item = &str> {
    let words = query.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    words.filter(|word| word.starts_with("profiler_") || word.starts_with("rpc_server"))
}

#[tokio::test]
async fn prometheus_answers_every_query_of_the_dashboard() {
    let Some((served, address)) = served(&[]).await else { return };
    let Some(prometheus) = Prometheus::start(&address).await else {
        return assert!(served.stop().await.success());
    };
    profile(&served).await;
    let finished = "profiler_runs_total{ending=\"finished\"} == 1";
    let scraped = async || prometheus.query(finished).await.ok().filter(|found| found.len() == 1);
    until("Prometheus has read the server", PATIENCE, scraped).await;
    let queries = ["swiftprof", "swiftprof-fleet"].map(dashboard).concat();
    assert!(queries.len() > 20, "{queries:?}");
    for query in &queries {
        prometheus.query(query).await.unwrap_or_else(|why| panic!("{why}"));
        // Only a gateway has the metrics of a fleet.
        for metric in metrics(query).filter(|metric| !metric.contains("_fleet_")) {
            let found = prometheus.query(metric).await.unwrap_or_else(|why| panic!("{why}"));
            assert!(!found.is_empty(), "{metric} is no metric: {query}");
        }
    }
    let rules = fs::read_to_string(file(RULES)).expect("it is there");
    let asked = rules.lines().filter(|line| !line.trim_start().starts_with("summary"));
    for metric in asked.flat_map(metrics).filter(|metric| !metric.contains("_fleet_")) {
        let found = prometheus.query(metric).await.unwrap_or_else(|why| panic!("{why}"));
        assert!(!found.is_empty(), "{metric} is no metric, and an alert asks for it");
    }
    let firing = prometheus.query("ALERTS").await.unwrap_or_else(|why| panic!("{why}"));
    assert!(firing.iter().all(|alert| !alert.contains("ProfilerNotServing")), "{firing:?}");
    assert!(served.stop().await.success());
}
