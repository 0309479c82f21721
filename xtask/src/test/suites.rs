//! Runs test binaries one after the other and keeps what they did.
//!
//! It is a small part of cargo-nextest, which would take longer to build on a bare machine than it
//! saves. It reads the same file, `.config/nextest.toml`: how long a suite may take, and how often
//! a failed test runs again.

use super::binaries::Binary;
use crate::steps::failure::Failure;
use crate::steps::shell::{command, root, watch};
use crate::steps::tally::Tally;
use std::collections::HashMap;
use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

/// The file that nextest reads too.
const CONFIG: &str = ".config/nextest.toml";
/// How many tests the list of the slowest names.
const SLOWEST: usize = 20;
/// Lets the harness of a stable toolchain report times. It is set when tests run, never when they
/// are built.
const UNSTABLE: (&str, &str) = ("RUSTC_BOOTSTRAP", "1");

/// If more tests of a suite fail than this, no accident explains it, and none runs again.
const MAX_ACCIDENTS: usize = 3;

/// What the file says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Policy {
    /// How long one suite may take, in seconds.
    limit_seconds: u64,
    /// How often a failed test runs again.
    retries: u32,
}

/// What has run so far.
pub(crate) struct Suites {
    policy: Policy,
    pub(crate) tally: Tally,
    finished: Vec<(Duration, String)>,
    tests: Vec<(Duration, String)>,
}

impl Suites {
    /// Reads the limits.
    pub(crate) fn read() -> Result<Self, Failure> {
        let text = fs::read_to_string(root().join(CONFIG)).map_err(Failure::file(CONFIG))?;
        let policy = policy(&text)
            .ok_or_else(|| Failure::Missing(format!("{CONFIG} has no slow-timeout or retries")))?;
        Ok(Self { policy, tally: Tally::default(), finished: Vec::new(), tests: Vec::new() })
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
        let mut test = self.command(binary, variables);
        if binary.has_harness {
            test.args(["-Zunstable-options", "--report-time"]).env(UNSTABLE.0, UNSTABLE.1);
        }
        let suite = format!("{} {}", binary.package, binary.name);
        let begun = Instant::now();
        let mut last = begun;
        let mut under_way = String::new();
        let mut durations: HashMap<String, Duration> = HashMap::new();
        let mut failed = Vec::new();
        let done = watch(test, |line| {
            self.tally.see(line);
            if let Some(Finished { name, passed, took }) = finished_test(line, &mut under_way) {
                if !passed {
                    failed.push(name.clone());
                }
                // A table of rows runs one row after the other, and does not say for how long.
                durations.insert(name, took.unwrap_or_else(|| last.elapsed()));
                last = Instant::now();
            }
        });
        let done = done.or_else(|failure| self.run_again(binary, variables, &failed, failure));
        self.finished.push((begun.elapsed(), suite.clone()));
        let tests = durations.into_iter();
        self.tests.extend(tests.map(|(name, took)| (took, format!("{suite}: {name}"))));
        done
    }

    /// Runs failed tests again, each alone. Fails as before unless all of them pass.
    fn run_again(
        &mut self,
        binary: &Binary,
        variables: &[(String, String)],
        failed: &[String],
        failure: Failure,
    ) -> Result<(), Failure> {
        if !binary.may_fail_by_accident() || !(1..=MAX_ACCIDENTS).contains(&failed.len()) {
            return Err(failure);
        }
        for name in failed {
            let passes = |_| {
                let mut test = self.command(binary, variables);
                test.args(["--exact", name]);
                watch(test, |_| ()).is_ok()
            };
            if !(0..self.policy.retries).any(passes) {
                return Err(failure);
            }
            println!("{name} failed, and has passed again");
            self.tally.has_passed_again();
        }
        Ok(())
    }

    fn command(&self, binary: &Binary, variables: &[(String, String)]) -> Command {
        let mut test = command("timeout", [self.policy.limit_seconds.to_string()]);
        test.arg(&binary.executable).current_dir(&binary.folder);
        // What cargo sets for the tests that it runs.
        test.env("CARGO_MANIFEST_DIR", &binary.folder).envs(variables.iter().cloned());
        test
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

/// A test that has finished.
#[derive(Debug, PartialEq, Eq)]
struct Finished {
    name: String,
    passed: bool,
    /// How long it took, where the line says so.
    took: Option<Duration>,
}

/// The test that a line says has finished. A log may come between a test's name and its ending; the
/// name is kept in `under_way` meanwhile.
fn finished_test(line: &str, under_way: &mut String) -> Option<Finished> {
    if matches!(line, "ok" | "FAILED") && !under_way.is_empty() {
        return Some(Finished {
            name: std::mem::take(under_way),
            passed: line == "ok",
            took: None,
        });
    }
    let (name, ending) = line.strip_prefix("test ")?.split_once(" ... ")?;
    let seconds = ending.split_once('<').and_then(|(_, time)| time.split_once("s>"));
    let seconds = seconds.and_then(|(seconds, _)| seconds.parse().ok());
    if ending.starts_with("ok") || ending.starts_with("FAILED") {
        under_way.clear();
        return Some(Finished {
            name: name.trim_end().into(),
            passed: ending.starts_with("ok"),
            took: seconds.map(Duration::from_secs_f64),
        });
    }
    name.trim_end().clone_into(under_way);
    None
}

/// The policy of the default profile. A suite may take `period` times `terminate-after`.
fn policy(text: &str) -> Option<Policy> {
    let config: toml::Table = toml::from_str(text).ok()?;
    let default = config.get("profile")?.get("default")?;
    let timeout = default.get("slow-timeout")?;
    let period: u64 = timeout.get("period")?.as_str()?.strip_suffix('s')?.parse().ok()?;
    let after = u64::try_from(timeout.get("terminate-after")?.as_integer()?).ok()?;
    let retries = u32::try_from(default.get("retries")?.as_integer()?).ok()?;
    Some(Policy { limit_seconds: period * after, retries })
}

#[cfg(test)]
mod tests {
    use super::{Finished, Policy, Suites, finished_test, policy};
    use crate::test::binaries::Binary;
    use std::fs;
    use std::os::unix::fs::PermissionsExt;
    use std::time::Duration;

    #[test]
    fn the_lines_of_both_harnesses_are_read() {
        let mut under_way = String::new();
        let mut see = |line| finished_test(line, &mut under_way);
        let finished =
            |name: &str, passed, took| Some(Finished { name: name.into(), passed, took });
        let quarter = Some(Duration::from_millis(250));
        assert_eq!(see("test a::b ... ok <0.250s>"), finished("a::b", true, quarter));
        assert_eq!(see("test a::b ... FAILED <0.250s>"), finished("a::b", false, quarter));
        let padded = see("test docker::fork_bomb   ... ok");
        assert_eq!(padded, finished("docker::fork_bomb", true, None));
        for other in ["ok", "test result: ok. 1 passed", "a test ... ok", "test a ... ignored"] {
            assert_eq!(see(other), None, "{other}");
        }
        for log in ["test daemon::hangs    ...  INFO a server's log", " INFO its second line"] {
            assert_eq!(see(log), None, "{log}");
        }
        assert_eq!(see("ok"), finished("daemon::hangs", true, None));
    }

    #[test]
    fn the_policy_of_this_repository_is_readable() {
        assert!(Suites::read().is_ok());
        let text = "[profile.default]\nretries = 1\n\
            slow-timeout = { period = \"60s\", terminate-after = 2 }";
        assert_eq!(policy(text), Some(Policy { limit_seconds: 120, retries: 1 }));
        assert_eq!(policy(&text.replace("retries", "tries")), None);
    }

    /// A suite of one test, which fails `times` times.
    fn run_failing(times: usize, name: &str) -> (bool, String) {
        let folder = tempfile::tempdir().unwrap();
        let executable = folder.path().join("suite");
        let script = format!(
            "#!/bin/sh\necho >> runs\nif [ $(wc -l < runs) -gt {times} ]; then\n\
             echo 'test a ... ok'; echo 'test result: ok. 1 passed; 0 failed'\nelse\n\
             echo 'test a ... FAILED'; echo 'test result: FAILED. 0 passed; 1 failed'; exit 101\n\
             fi\n"
        );
        fs::write(&executable, script).unwrap();
        fs::set_permissions(&executable, fs::Permissions::from_mode(0o755)).unwrap();
        let mut suites = Suites::read().unwrap();
        let passes = suites.run(&[Binary::stated(name, executable)], &[]).is_ok();
        (passes, suites.tally.to_string())
    }

    #[test]
    fn an_accident_is_told_and_a_failure_stays_one() {
        let again = "1 passed, 0 failed, 0 skipped, 1 retried";
        assert_eq!(run_failing(1, "fleet"), (true, again.into()));
        let failed = "0 passed, 1 failed, 0 skipped, 0 retried";
        assert_eq!(run_failing(2, "fleet"), (false, failed.into()));
        // What an attack achieves once is achieved.
        assert_eq!(run_failing(1, "probe"), (false, failed.into()));
    }
}
