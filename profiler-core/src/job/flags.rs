//! Which flags of g++ a job may have.

use crate::error::Violation;
use crate::limits::{MAX_FLAG_BYTES, MAX_FLAGS};
use regex::Regex;
use std::sync::LazyLock;

/// g++'s flags where the `CodeMessage` names none.
pub const DEFAULT_FLAGS: [&str; 2] = runner_protocol::PRECOMPILED_FLAGS;

/// Flags that take exactly these forms.
const ALLOWED: &str = r"^(?x:
    -O[0123sg] | -Ofast
  | -std=(c|gnu)\+\+(11|14|17|20|23|1z|2a|2b)
  | -[Wg][A-Za-z0-9=+_-]*
  | -[DU][A-Za-z_][A-Za-z0-9_]*(\([A-Za-z0-9_,\ .]*\))?(=.*)?
  | -[mf][a-z0-9][A-Za-z0-9=+_.:-]*
  | -pthread | -static
)$";

/// Flags of an allowed form that load, write or read files, change what is measured, or hand
/// options to another program. A flag is refused if it begins with one of these.
const REFUSED: [&str; 29] = [
    "-Wa,",
    "-Wl,",
    "-Wp,",
    "-fplugin",
    "-fdump",
    "-fprofile",
    "-fsanitize",
    "-fauto-profile",
    "-fbranch-probabilities",
    "-fcallgraph-info",
    "-fdiagnostics",
    "-fdirectives-only",
    "-ffile-prefix-map",
    "-finstrument",
    "-flto",
    "-fmacro-prefix-map",
    "-fmodule",
    "-fopt-info",
    "-fpatchable",
    "-fsave-optimization-record",
    "-fstack-usage",
    "-ftest-coverage",
    "-fuse-ld",
    "-fdebug-prefix-map",
    "-fdeps",
    "-foffload",
    "-fcompare-debug",
    "-fpch",
    "-gsplit-dwarf",
];

/// Flags that make reports of different machines or programs incomparable.
const INCOMPARABLE: [&str; 4] = ["-march=native", "-mtune=native", "-ffast-math", "-Ofast"];

#[expect(clippy::expect_used, reason = "the pattern is a constant, and every test compiles it")]
static PATTERN: LazyLock<Regex> = LazyLock::new(|| Regex::new(ALLOWED).expect("constant pattern"));

/// Checks a `CodeMessage`'s flags; none given are the default ones.
pub fn check(field: &str, given: Vec<String>) -> Result<Vec<String>, Vec<Violation>> {
    if given.is_empty() {
        return Ok(DEFAULT_FLAGS.map(String::from).into());
    }
    let mut bad = Vec::new();
    if given.len() > MAX_FLAGS {
        let problem = format!("{} flags are over the limit of {MAX_FLAGS}", given.len());
        bad.push(Violation { field: field.into(), problem });
    }
    for (at, flag) in given.iter().enumerate() {
        let formed = PATTERN.is_match(flag) && flag.len() <= MAX_FLAG_BYTES;
        if !formed || REFUSED.iter().any(|refused| flag.starts_with(refused)) {
            bad.push(Violation {
                field: format!("{field}[{at}]"),
                problem: format!(
                    "{flag:?} is not allowed; allowed are -O*, -std=(c|gnu)++11..23, -W*, -g*, -D*, \
                     -U*, -m*, -f* but those that read or write files, -pthread and -static"
                ),
            });
        }
    }
    if bad.is_empty() { Ok(given) } else { Err(bad) }
}

/// The flags among `flags` that make figures incomparable with others.
pub(crate) fn incomparable(flags: &[String]) -> impl Iterator<Item = &str> {
    flags.iter().map(String::as_str).filter(|flag| INCOMPARABLE.contains(flag))
}

#[cfg(test)]
mod tests;
