//! Counts the tests of many `cargo test` binaries, and pytest's, from what they print.

use std::fmt;

/// A binary's closing line begins with this.
const RESULT: &str = "test result:";
/// What a test prints that finds at run time that it has nothing to do; it then counts as passed.
const SKIPPED: &str = "skipped for want of ";

/// What the table of hostile programs prints of every row that it runs a second time. Each such row
/// declares why.
const RETRIED: &str = "retried ";

/// How the table of hostile programs ends, with how many there were on each backend.
const HOSTILE: &str = " hostile cases as expected on ";

/// What a failed test said comes after a line that begins and ends so, with its name between.
const SAID: (&str, &str) = ("---- ", " ----");
/// What ends it: the list of the failed tests.
const SAID_ALL: &str = "failures:";
/// How many lines of it are repeated at the end, the name's among them, and of how many characters.
/// A log may be kept by its end alone.
const SAID_LINES: usize = 12;
const SAID_CHARACTERS: usize = 300;

/// Sums over all binaries.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally {
    passed: u32,
    failed: u32,
    ignored: u32,
    skipped: u32,
    retried: u32,
    hostile: Option<String>,
    said: Vec<String>,
    /// How many more lines of a failed test are kept.
    to_keep: usize,
}

impl Tally {
    /// Looks at one line.
    pub(crate) fn see(&mut self, line: &str) {
        if line.starts_with(SAID.0) && line.ends_with(SAID.1) {
            self.to_keep = SAID_LINES;
        } else if line == SAID_ALL {
            self.to_keep = 0;
        }
        if self.to_keep > 0 && !line.is_empty() {
            self.to_keep -= 1;
            self.said.push(line.chars().take(SAID_CHARACTERS).collect());
        }
        if line.contains(SKIPPED) {
            self.skipped += 1;
        }
        if line.starts_with(RETRIED) {
            self.retried += 1;
        }
        if line.contains(HOSTILE) {
            self.hostile = Some(line.to_owned());
        }
        let Some(counts) = line.split_once(RESULT).map(|(_, counts)| counts).or(pytest(line))
        else {
            return;
        };
        self.passed += count(counts, " passed");
        self.failed += count(counts, " failed");
        self.ignored += count(counts, " ignored") + count(counts, " skipped");
    }

    /// A failed test ran again and has passed. What it said stays in the summary.
    pub(crate) fn has_passed_again(&mut self) {
        self.failed = self.failed.saturating_sub(1);
        self.passed += 1;
        self.retried += 1;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let passed = self.passed.saturating_sub(self.skipped);
        let skipped = self.ignored + self.skipped;
        for line in self.said.iter().chain(&self.hostile) {
            writeln!(f, "{line}")?;
        }
        let Self { failed, retried, .. } = self;
        write!(f, "{passed} passed, {failed} failed, {skipped} skipped, {retried} retried")
    }
}

/// A closing line of pytest's: `93 passed, 2 skipped in 12.31s`, perhaps with `=` around it.
fn pytest(line: &str) -> Option<&str> {
    let (counts, time) = line.rsplit_once(" in ")?;
    let seconds = time.split(' ').next()?.strip_suffix('s')?;
    let counts = (counts.contains(" passed") || counts.contains(" failed")).then_some(counts)?;
    seconds.parse::<f64>().is_ok().then_some(counts)
}

/// The number in front of `what`.
fn count(counts: &str, what: &str) -> u32 {
    let number = counts.split_once(what).map(|(before, _)| before);
    let number = number.and_then(|before| before.rsplit(' ').next());
    number.and_then(|digits| digits.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::Tally;

    #[test]
    fn binaries_are_added_up_and_skips_are_no_passes() {
        let mut tally = Tally::default();
        for line in [
            "running 12 tests",
            "skipped for want of grpcurl: PROFILER_TEST_GRPCURL is not set",
            "test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out",
            "test result: FAILED. 3 passed; 2 failed; 0 ignored; 0 measured; 7 filtered out",
        ] {
            tally.see(line);
        }
        assert_eq!(tally.to_string(), "14 passed, 2 failed, 2 skipped, 0 retried");
    }

    #[test]
    fn the_first_lines_of_failed_tests_are_repeated() {
        let mut tally = Tally::default();
        let numbers: Vec<_> = (0..20).map(|number| number.to_string()).collect();
        let said = ["failures:", "", "---- first stdout ----", "", "a reason"];
        let all = said.into_iter().chain(["---- second ----"]).chain(numbers.iter().map(|n| &**n));
        for line in all.chain(["failures:", "    first", "test result: FAILED. 0 passed; 2 failed"])
        {
            tally.see(line);
        }
        let kept = format!(
            "---- first stdout ----\na reason\n---- second ----\n{}",
            numbers[..11].join("\n")
        );
        let sums = "0 passed, 2 failed, 0 skipped, 0 retried";
        assert_eq!(tally.to_string(), format!("{kept}\n{sums}"));
    }

    #[test]
    fn pytest_is_counted_too() {
        let mut tally = Tally::default();
        for line in [
            "93 passed in 12.31s",
            "=== 2 failed, 3 passed, 1 skipped in 75.50s (0:01:15) ===",
            "what passed in a while is no count",
        ] {
            tally.see(line);
        }
        assert_eq!(tally.to_string(), "96 passed, 2 failed, 1 skipped, 0 retried");
    }

    #[test]
    fn the_end_of_the_table_of_hostile_programs_and_its_retries_are_repeated() {
        let mut tally = Tally::default();
        let end = "9 of 9 hostile cases as expected on docker (1 retried)";
        tally.see("retried docker::sleeps: the machine stands still: Ended {");
        tally.see(end);
        let sums = "0 passed, 0 failed, 0 skipped, 1 retried";
        assert_eq!(tally.to_string(), format!("{end}\n{sums}"));
    }
}
