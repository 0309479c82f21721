//! Results of tests, from the JUnit files that cargo-nextest and pytest write.

use crate::steps::failure::Failure;
use roxmltree::{Document, Node};
use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// Beginning of a line that a test prints if it finds at run time that a tool is missing. The test
/// then passes, and counts as skipped.
const SKIPPED: &str = "skipped for want of ";
/// Middle of the line in which the table of hostile programs counts its rows.
const HOSTILE: &str = " hostile cases as expected on ";
/// Beginning of a line for a row of that table that ran a second time.
const RETRIED_ROW: &str = "retried ";
/// Number of tests in the list of the slowest.
const SLOWEST: usize = 20;
/// Number of lines of a failed or retried test that are printed again at the end, and of characters
/// in a line. Sometimes only the end of a log is kept.
const REPEATED_LINES: usize = 12;
const REPEATED_CHARACTERS: usize = 300;

/// Sums over all files that were read.
#[derive(Debug, Default)]
pub(crate) struct Results {
    passed: usize,
    failed: usize,
    skipped: usize,
    retried: usize,
    /// Rows as expected and all rows of the table of hostile programs, by backend.
    hostile: BTreeMap<String, (usize, usize)>,
    /// Outputs of failed and retried tests.
    repeated: Vec<String>,
    /// Time of each suite: the sum of its tests' times, which may have run in parallel.
    suites: BTreeMap<String, Duration>,
    tests: Vec<(Duration, String)>,
}

impl Results {
    /// Adds the results in a JUnit file.
    pub(crate) fn read(&mut self, file: &Path) -> Result<(), Failure> {
        let what = || format!("read the results in {}", file.display());
        let text = fs::read_to_string(file).map_err(Failure::file(what()))?;
        self.add(&text).map_err(|cause| Failure::Missing(format!("{}: {cause}", what())))
    }

    fn add(&mut self, text: &str) -> Result<(), roxmltree::Error> {
        let document = Document::parse(text)?;
        let tests = document.descendants().filter(|node| node.has_tag_name("testcase"));
        tests.for_each(|test| self.add_test(test));
        Ok(())
    }

    fn add_test(&mut self, test: Node<'_, '_>) {
        let of = |name| test.attribute(name).unwrap_or_default();
        let (suite, name) = (of("classname"), format!("{} {}", of("classname"), of("name")));
        let has = |tag| test.children().any(|child| child.has_tag_name(tag));
        let texts = test.descendants().filter(Node::is_text).filter_map(|node| node.text());
        let lines: Vec<&str> = texts.flat_map(str::lines).collect();
        if has("failure") || has("error") {
            self.failed += 1;
            self.repeat(&name, "failed", &lines);
        } else if has("skipped") || lines.iter().any(|line| line.starts_with(SKIPPED)) {
            self.skipped += 1;
        } else {
            self.passed += 1;
        }
        if has("flakyFailure") {
            self.retried += 1;
            self.repeat(&name, "failed, and passed again", &lines);
        }
        for line in lines {
            if line.starts_with(RETRIED_ROW) {
                self.retried += 1;
                self.repeat(&name, "has a row that ran again", &[line]);
            }
            self.add_rows(line);
        }
        let took = of("time").parse().ok().and_then(|time| Duration::try_from_secs_f64(time).ok());
        let took = took.unwrap_or_default();
        *self.suites.entry(suite.into()).or_default() += took;
        self.tests.push((took, name));
    }

    /// Adds a line such as `8 of 8 hostile cases as expected on docker`.
    fn add_rows(&mut self, line: &str) {
        let Some((counts, backend)) = line.split_once(HOSTILE) else { return };
        let numbers = counts.split_once(" of ");
        let numbers = numbers.and_then(|(of, all)| Some((of.parse().ok()?, all.parse().ok()?)));
        let (good, all): (usize, usize) = numbers.unwrap_or_default();
        let backend = backend.split(' ').next().unwrap_or(backend);
        let sum = self.hostile.entry(backend.into()).or_default();
        *sum = (sum.0 + good, sum.1 + all);
    }

    fn repeat(&mut self, name: &str, how: &str, lines: &[&str]) {
        self.repeated.push(format!("---- {name} {how}"));
        let said = lines.iter().filter(|line| !line.trim().is_empty()).take(REPEATED_LINES);
        self.repeated.extend(said.map(|line| line.chars().take(REPEATED_CHARACTERS).collect()));
    }

    /// Time of each suite.
    pub(crate) fn suites(&self) -> &BTreeMap<String, Duration> {
        &self.suites
    }

    /// Prints the slowest tests.
    pub(crate) fn print_slowest(&mut self) {
        self.tests.sort_by(|a, b| b.cmp(a));
        println!("\nslowest tests");
        for (took, name) in self.tests.iter().take(SLOWEST) {
            println!("{:8.1} s  {name}", took.as_secs_f64());
        }
    }
}

impl fmt::Display for Results {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in &self.repeated {
            writeln!(f, "{line}")?;
        }
        for (backend, (good, all)) in &self.hostile {
            writeln!(f, "{good} of {all}{HOSTILE}{backend}")?;
        }
        let Self { passed, failed, skipped, retried, .. } = self;
        write!(f, "{passed} passed, {failed} failed, {skipped} skipped, {retried} retried")
    }
}

#[cfg(test)]
mod tests {
    use super::Results;

    /// Written by cargo-nextest 0.9, and shortened.
    const NEXTEST: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="nextest-run" tests="5" failures="1" errors="0" time="9.0">
  <testsuite name="profiler-tests::conformance" tests="5">
    <testcase name="docker::time::1" classname="profiler-tests::conformance" time="2.5">
      <system-out>retried docker::sleeps: the machine stands still
8 of 8 hostile cases as expected on docker (1 retried)</system-out>
    </testcase>
    <testcase name="docker::time::2" classname="profiler-tests::conformance" time="1.5">
      <system-out>2 of 3 hostile cases as expected on docker</system-out>
      <failure type="test failure">expected one of</failure>
    </testcase>
    <testcase name="again" classname="profiler-tests::serve" time="1">
      <flakyFailure timestamp="" time="1" type="test failure">late
        <system-err>it was late</system-err></flakyFailure>
    </testcase>
    <testcase name="calls" classname="profiler-tests::grpcurl" time="0.1">
      <system-err>skipped for want of grpcurl: it is not set</system-err>
    </testcase>
    <testcase name="plain" classname="profiler-core" time="0.1"/>
  </testsuite>
</testsuites>"#;
    /// Written by pytest 8, and shortened.
    const PYTEST: &str = r#"<?xml version="1.0" encoding="utf-8"?><testsuites><testsuite>
<testcase classname="tests.test_job" name="test_a" time="0.5"/>
<testcase classname="tests.test_mcp" name="test_b" time="0"><skipped type="pytest.skip"/></testcase>
</testsuite></testsuites>"#;

    #[test]
    fn results_are_sums_over_files() {
        let mut results = Results::default();
        results.add(NEXTEST).unwrap();
        results.add(PYTEST).unwrap();
        let printed = results.to_string();
        let last: Vec<_> = printed.lines().rev().take(2).collect();
        assert_eq!(last[0], "4 passed, 1 failed, 2 skipped, 2 retried");
        assert_eq!(last[1], "10 of 11 hostile cases as expected on docker");
        for said in ["expected one of", "it was late", "the machine stands still"] {
            assert!(printed.contains(said), "{said} in {printed}");
        }
        let conformance = results.suites()["profiler-tests::conformance"];
        assert!((conformance.as_secs_f64() - 4.0).abs() < 1e-9);
    }
}
