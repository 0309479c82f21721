//! Runs test binaries one after the other and keeps what they did.
//!
//! It is a small part of cargo-nextest, which would take longer to build on a bare machine than it
//! saves. It reads the same file, `.config/nextest.toml`: how long a suite may take, and how often
//! a failed test is retried (never).

use super::binaries::Binary;
use crate::steps::failure::Failure;
use crate::steps::shell::{command, root, watch};
use crate::steps::tally::Tally;
use std::collections::HashMap;
use std::fs;
use std::time::{Duration, Instant};

/// The file that nextest reads too.
const CONFIG: &str = ".config/nextest.toml";
/// How many tests the list of the slowest names.
const SLOWEST: usize = 20;
/// Lets the harness of a stable toolchain report times. It is set when tests run, never when they
/// are built.
const UNSTABLE: (&str, &str) = ("RUSTC_BOOTSTRAP", "1");

/// What has run so far.
pub(crate) struct Suites {
    /// How long one suite may take, in seconds.
    limit_seconds: u64,
    pub(crate) tally: Tally,
    finished: Vec<(Duration, String)>,
    tests: Vec<(Duration, String)>,
}

impl Suites {
    /// Reads the limits.
    pub(crate) fn read() -> Result<Self, Failure> {
        let text = fs::read_to_string(root().join(CONFIG)).map_err(Failure::file(CONFIG))?;
        let limit_seconds = limit_seconds(&text)
            .ok_or_else(|| Failure::Missing(format!("{CONFIG} has no slow-timeout or retries")))?;
        Ok(Self { limit_seconds, tally: Tally::default(), finished: Vec::new(), tests: Vec::new() })
    }

    /// Runs test binaries with these variables, and ends at the first one that fails.
    pub(crate) fn run(
        &mut self,
        binaries: &[Binary],
        variables: &[(String, String)],
    ) -> Result<(), Failure> {
        binaries.iter().try_for_each(|binary| self.run_one(binary, variables))
    }

    fn run_one(&mut self, binary: &Binary, variables: &[(String, String)]) -> Result<(), Failure> {
        let mut test = command("timeout", [self.limit_seconds.to_string()]);
        test.arg(&binary.executable).current_dir(&binary.folder);
        // What cargo sets for the tests that it runs.
        test.env("CARGO_MANIFEST_DIR", &binary.folder).envs(variables.iter().cloned());
        if binary.has_harness {
            test.args(["-Zunstable-options", "--report-time"]).env(UNSTABLE.0, UNSTABLE.1);
        }
        let suite = format!("{} {}", binary.package, binary.name);
        let begun = Instant::now();
        let mut last = begun;
        let mut under_way = String::new();
        let mut durations: HashMap<String, Duration> = HashMap::new();
        let done = watch(test, |line| {
            self.tally.see(line);
            if let Some((name, told)) = finished_test(line, &mut under_way) {
                // A table of rows runs one row after the other, and does not say for how long.
                durations.insert(name, told.unwrap_or_else(|| last.elapsed()));
                last = Instant::now();
            }
        });
        self.finished.push((begun.elapsed(), suite.clone()));
        let tests = durations.into_iter();
        self.tests.extend(tests.map(|(name, took)| (took, format!("{suite}: {name}"))));
        done
    }

    /// Prints the time of every suite, the slowest tests and the sums.
    pub(crate) fn summarise(&mut self) {
        println!("\nsuites");
        for (took, name) in &self.finished {
            println!("{:8.1} s  {name}", took.as_secs_f64());
        }
        self.tests.sort_by(|a, b| b.cmp(a));
        println!("\nslowest tests");
        for (took, name) in self.tests.iter().take(SLOWEST) {
            println!("{:8.1} s  {name}", took.as_secs_f64());
        }
        println!("\n{}", self.tally);
    }
}

/// The name of the test that a line says has finished, and how long it took where the line says so.
/// A log may come between a test's name and its ending; the name is kept in `under_way` meanwhile.
fn finished_test(line: &str, under_way: &mut String) -> Option<(String, Option<Duration>)> {
    if matches!(line, "ok" | "FAILED") && !under_way.is_empty() {
        return Some((std::mem::take(under_way), None));
    }
    let (name, ending) = line.strip_prefix("test ")?.split_once(" ... ")?;
    let seconds = ending.split_once('<').and_then(|(_, time)| time.split_once("s>"));
    let seconds = seconds.and_then(|(seconds, _)| seconds.parse().ok());
    if ending.starts_with("ok") || ending.starts_with("FAILED") {
        under_way.clear();
        return Some((name.trim_end().into(), seconds.map(Duration::from_secs_f64)));
    }
    name.trim_end().clone_into(under_way);
    None
}

/// How long a suite may take: `period` times `terminate-after`. `None` unless `retries` is 0,
/// because this runner retries nothing.
fn limit_seconds(text: &str) -> Option<u64> {
    let config: toml::Table = toml::from_str(text).ok()?;
    let default = config.get("profile")?.get("default")?;
    let timeout = default.get("slow-timeout")?;
    let period: u64 = timeout.get("period")?.as_str()?.strip_suffix('s')?.parse().ok()?;
    let after = u64::try_from(timeout.get("terminate-after")?.as_integer()?).ok()?;
    (default.get("retries")?.as_integer()? == 0).then_some(period * after)
}

#[cfg(test)]
mod tests {
    use super::{Suites, finished_test, limit_seconds};
    use std::time::Duration;

    #[test]
    fn the_lines_of_both_harnesses_are_read() {
        let mut under_way = String::new();
        let mut see = |line| finished_test(line, &mut under_way);
        let told = see("test a::b ... ok <0.250s>");
        assert_eq!(told, Some(("a::b".into(), Some(Duration::from_millis(250)))));
        let padded = see("test docker::fork_bomb   ... ok");
        assert_eq!(padded, Some(("docker::fork_bomb".into(), None)));
        for other in ["ok", "test result: ok. 1 passed", "a test ... ok", "test a ... ignored"] {
            assert_eq!(see(other), None, "{other}");
        }
        for log in ["test daemon::hangs    ...  INFO a server's log", " INFO its second line"] {
            assert_eq!(see(log), None, "{log}");
        }
        assert_eq!(see("ok"), Some(("daemon::hangs".into(), None)));
    }

    #[test]
    fn the_policy_of_this_repository_is_readable_and_retries_nothing() {
        assert!(Suites::read().is_ok());
        let retrying = "[profile.default]\nretries = 1\n\
            slow-timeout = { period = \"60s\", terminate-after = 2 }";
        assert_eq!(limit_seconds(retrying), None);
        assert_eq!(limit_seconds(&retrying.replace("= 1", "= 0")), Some(120));
    }
}
