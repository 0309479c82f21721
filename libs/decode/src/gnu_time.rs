//! The output of `/usr/bin/time -v`, read with the regular expressions of the project's plan.

use regex::Regex;
use std::sync::LazyLock;

/// Pattern of `h:mm:ss`, which GNU time prints from one hour on. The plan's `_RX_WALL` does not
/// match it, so this pattern is tried first.
const HOURS: &str = r"Elapsed \(wall clock\) time.*?:\s*(\d+):(\d+):(\d+)";
/// The plan's `_RX_WALL`.
const MINUTES: &str = r"Elapsed \(wall clock\) time.*?:\s*(\d+):(\d+\.\d+)";
/// The plan's `_RX_RSS`.
const RESIDENT: &str = r"Maximum resident set size \(kbytes\):\s*(\d+)";

#[expect(clippy::expect_used, reason = "the patterns are constants, and every test compiles them")]
static PATTERNS: LazyLock<[Regex; 3]> = LazyLock::new(|| {
    [HOURS, MINUTES, RESIDENT].map(|pattern| Regex::new(pattern).expect("constant pattern"))
});

/// Measurements of a run by GNU time: information, never a verdict.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GnuTime {
    /// Elapsed wall clock, in milliseconds; its resolution is 10 ms.
    pub elapsed_ms: f64,
    /// Maximum resident set, in MiB.
    pub max_resident_mb: f64,
}

/// A field is missing in GNU time's output; the value is its name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("/usr/bin/time printed no readable {0:?}")]
pub struct ParseError(pub &'static str);

impl GnuTime {
    /// Reads the output of `/usr/bin/time -v`.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        let [hours, minutes, resident] = &*PATTERNS;
        let number = |text: &str| text.parse::<f64>().ok().filter(|v| v.is_finite());
        let elapsed = hours.captures(text).or_else(|| minutes.captures(text));
        let seconds = elapsed.and_then(|found| {
            let mut parts = found.iter().skip(1).flatten();
            parts.try_fold(0.0, |sum, part| Some(sum * 60.0 + number(part.as_str())?))
        });
        // Numbers can be finite even if their sum in milliseconds is not.
        let elapsed_ms = seconds.map(|seconds| seconds * 1000.0).filter(|ms| ms.is_finite());
        let kilobytes = resident.captures(text).and_then(|found| number(&found[1]));
        Ok(Self {
            elapsed_ms: elapsed_ms.ok_or(ParseError("Elapsed (wall clock) time"))?,
            max_resident_mb: kilobytes.ok_or(ParseError("Maximum resident set size"))? / 1024.0,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(elapsed: &str, resident: &str) -> String {
        format!(
            "\tCommand being timed: \"./main.out\"\n\tUser time (seconds): 0.00\n\
             \tElapsed (wall clock) time (h:mm:ss or m:ss): {elapsed}\n\
             \tMaximum resident set size (kbytes): {resident}\n\tExit status: 0\n"
        )
    }

    #[test]
    fn p2_the_plans_expressions_read_floats() {
        let parsed = |elapsed, resident| GnuTime::parse(&text(elapsed, resident));
        let exact = |elapsed_ms, max_resident_mb| Ok(GnuTime { elapsed_ms, max_resident_mb });
        assert_eq!(parsed("0:00.08", "3584"), exact(80.0, 3.5));
        assert_eq!(parsed("1:02.50", "1024"), exact(62_500.0, 1.0));
        assert_eq!(parsed("1:02:03", "0"), exact(3_723_000.0, 0.0));
    }

    #[test]
    fn p2_a_missing_field_is_named() {
        let missing = |elapsed, resident| GnuTime::parse(&text(elapsed, resident)).unwrap_err().0;
        assert_eq!(missing("soon", "1"), "Elapsed (wall clock) time");
        assert_eq!(missing("0:00.01", "many"), "Maximum resident set size");
    }
}
