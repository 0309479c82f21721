//! The compile step: which flags are allowed, and what the compiler said.

use crate::error::Violation;
use crate::limits::{MAX_FLAG_BYTES, MAX_FLAGS};
use regex::Regex;
use runner_protocol::Compiled;
use std::sync::LazyLock;

/// g++'s flags where the CodeMessage names none.
pub const DEFAULT_FLAGS: [&str; 2] = ["-O2", "-std=c++17"];

/// Flags that take exactly these forms.
const ALLOWED: &str = r"^(?x:
    -O[0123sg] | -Ofast
  | -std=(c|gnu)\+\+(11|14|17|20|23|1z|2a|2b)
  | -[Wg][A-Za-z0-9=+_-]*
  | -[DU][A-Za-z_][A-Za-z0-9_]*(\([A-Za-z0-9_,\ .]*\))?(=.*)?
  | -[mf][a-z0-9][A-Za-z0-9=+_.:-]*
  | -pthread | -static
)$";

/// Flags of an allowed form that load, write or read files, change what is measured, or hand options
/// to another program. A flag is refused if it begins with one of these.
const REFUSED: [&str; 27] = [
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
    "-fdiagnostics-format",
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
    "-fcompare-debug",
    "-fpch",
    "-gsplit-dwarf",
];

/// Flags that make reports of different machines or programs incomparable.
const INCOMPARABLE: [&str; 4] = ["-march=native", "-mtune=native", "-ffast-math", "-Ofast"];

/// `file:line:column: severity: message`, as GCC has printed it since 4.
const DIAGNOSTIC: &str =
    r"(?m)^([^:\n]+):(\d+):(?:(\d+):)? (fatal error|error|warning|note): (.*)$";
/// What the linker and the driver print: without a place in the source.
const TOOL_DIAGNOSTIC: &str = r"(?m)^(g\+\+|cc1plus|collect2|/\S*ld[^:\n]*):.*?(?:(fatal error|error|warning): )?([^:\n]*undefined reference[^\n]*|ld returned[^\n]*|[^\n]*)$";

#[expect(
    clippy::expect_used,
    reason = "the patterns are constants, and every test compiles them"
)]
static PATTERNS: LazyLock<[Regex; 3]> = LazyLock::new(|| {
    [ALLOWED, DIAGNOSTIC, TOOL_DIAGNOSTIC].map(|p| Regex::new(p).expect("constant pattern"))
});

/// Checks a CodeMessage's flags; none given are the default ones.
pub fn flags(given: Vec<String>) -> Result<Vec<String>, Vec<Violation>> {
    if given.is_empty() {
        return Ok(DEFAULT_FLAGS.map(String::from).into());
    }
    let mut bad = Vec::new();
    if given.len() > MAX_FLAGS {
        let problem = format!("{} flags are over the limit of {MAX_FLAGS}", given.len());
        bad.push(Violation {
            field: "code.compiler_flags".into(),
            problem,
        });
    }
    for (at, flag) in given.iter().enumerate() {
        let formed = PATTERNS[0].is_match(flag) && flag.len() <= MAX_FLAG_BYTES;
        if !formed || REFUSED.iter().any(|refused| flag.starts_with(refused)) {
            bad.push(Violation {
                field: format!("code.compiler_flags[{at}]"),
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
pub fn incomparable(flags: &[String]) -> impl Iterator<Item = &str> {
    flags
        .iter()
        .map(String::as_str)
        .filter(|flag| INCOMPARABLE.contains(flag))
}

/// What compiling cost, and what the compiler said.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct CompileStep {
    /// The command line.
    pub command: String,
    /// The compiler's version.
    pub compiler: String,
    /// Wall clock, in milliseconds.
    pub wall_ms: f64,
    /// Processor time, in milliseconds.
    pub cpu_ms: Option<f64>,
    /// Largest peak resident set of one of the compiler's processes, in MiB.
    pub peak_memory_mb: f64,
    /// Size of the binary, in bytes.
    pub binary_bytes: Option<u64>,
    /// The compiler's messages as data.
    pub diagnostics: Vec<Diagnostic>,
    /// The beginning of the compiler's output.
    pub output: String,
    /// Whether that was cut.
    pub truncated: bool,
}

/// One message of the compiler.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Diagnostic {
    /// `fatal error`, `error`, `warning` or `note`.
    pub severity: String,
    /// The file, as the compiler names it.
    pub file: String,
    /// From 1; absent for what the linker says.
    pub line: Option<u32>,
    /// From 1.
    pub column: Option<u32>,
    /// The text.
    pub message: String,
}
