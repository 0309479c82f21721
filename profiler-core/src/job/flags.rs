//! Flags of g++ that a job may use.

use crate::error::Violations;
use crate::limits::{MAX_FLAG_BYTES, MAX_FLAGS};
use regex::Regex;
use std::sync::LazyLock;

/// Default flags for g++, used if the `CodeMessage` names no flags.
pub const DEFAULT_FLAGS: [&str; 2] = runner_protocol::DEFAULT_FLAGS;

/// Pattern of the allowed flags.
const ALLOWED: &str = r"^(?x:
    -O[0123sg] | -Ofast
  | -std=(c|gnu)\+\+(11|14|17|20|23|1z|2a|2b)
  | -[Wg][A-Za-z0-9=+_-]*
  | -[DU][A-Za-z_][A-Za-z0-9_]*(\([A-Za-z0-9_,\ .]*\))?(=.*)?
  | -[mf][a-z0-9][A-Za-z0-9=+_.:-]* | -fPI[CE]
  | -pthread | -static
)$";

const FILES: &str = "it reads or writes files";
const MEASURED: &str = "it changes what is measured";
const PASSED_ON: &str = "it passes options to another program";

/// Prefixes of flags that are refused even if they match [`ALLOWED`], with the reasons.
const REFUSED: [(&str, &str); 29] = [
    ("-Wa,", PASSED_ON),
    ("-Wl,", PASSED_ON),
    ("-Wp,", PASSED_ON),
    ("-fplugin", "it loads a library into the compiler"),
    ("-fdump", FILES),
    ("-fprofile", FILES),
    ("-fsanitize", MEASURED),
    ("-fauto-profile", FILES),
    ("-fbranch-probabilities", FILES),
    ("-fcallgraph-info", FILES),
    ("-fdiagnostics", "it changes how errors are printed"),
    ("-fdirectives-only", "its output is not a program"),
    ("-ffile-prefix-map", "it changes the names of files"),
    ("-finstrument", MEASURED),
    ("-flto", PASSED_ON),
    ("-fmacro-prefix-map", "it changes the names of files"),
    ("-fmodule", FILES),
    ("-fopt-info", FILES),
    ("-fpatchable", MEASURED),
    ("-fsave-optimization-record", FILES),
    ("-fstack-usage", FILES),
    ("-ftest-coverage", FILES),
    ("-fuse-ld", PASSED_ON),
    ("-fdebug-prefix-map", "it changes the names of files"),
    ("-fdeps", FILES),
    ("-foffload", PASSED_ON),
    ("-fcompare-debug", FILES),
    ("-fpch", FILES),
    ("-gsplit-dwarf", FILES),
];

/// Flags that make reports of different machines or programs incomparable.
const INCOMPARABLE: [&str; 4] = ["-march=native", "-mtune=native", "-ffast-math", "-Ofast"];

#[expect(clippy::expect_used, reason = "the pattern is a constant, and every test compiles it")]
static PATTERN: LazyLock<Regex> = LazyLock::new(|| Regex::new(ALLOWED).expect("constant pattern"));

/// Checks the flags of `field`. An empty list becomes the default flags.
pub fn check(field: &str, given: Vec<String>) -> Result<Vec<String>, Violations> {
    if given.is_empty() {
        return Ok(DEFAULT_FLAGS.map(String::from).into());
    }
    let mut bad = Violations::default();
    if given.len() > MAX_FLAGS {
        bad.add(field, format!("must have at most {MAX_FLAGS} flags, not {}", given.len()));
    }
    for (at, flag) in given.iter().enumerate().take(MAX_FLAGS) {
        let formed = PATTERN.is_match(flag) && flag.len() <= MAX_FLAG_BYTES;
        let refused = REFUSED.iter().find(|(prefix, _)| flag.starts_with(prefix));
        let why = match refused {
            Some((_, why)) => format!(", because {why}"),
            None if !formed => "; the allowed flags are -O*, -std=(c|gnu)++11..23, -W*, -g*, -D*, \
                                -U*, -m*, most -f*, -pthread and -static"
                .into(),
            None => continue,
        };
        bad.add(format!("{field}[{at}]"), format!("{flag:?} is not allowed{why}"));
    }
    bad.or(given)
}

/// Returns the flags that make figures incomparable with those of other hosts or programs.
pub(crate) fn incomparable(flags: &[String]) -> impl Iterator<Item = &str> {
    flags.iter().map(String::as_str).filter(|flag| INCOMPARABLE.contains(flag))
}

/// Returns the flags without those that define or undefine a macro.
pub(crate) fn without_macros(flags: &[String]) -> Vec<String> {
    let is_macro = |flag: &&String| flag.starts_with("-D") || flag.starts_with("-U");
    flags.iter().filter(|flag| !is_macro(flag)).cloned().collect()
}

#[cfg(test)]
mod tests;
