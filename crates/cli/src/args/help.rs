//! The texts after the options in the help of commands.

use crate::exit::CODES;

/// What people do with `run`.
pub(super) const RUN_EXAMPLES: &str = "\
Examples:
  swiftprof run a.cpp                                  table, plots and growth
  swiftprof run a.cpp --input-spec in.yaml             the program reads more than n
  swiftprof run a.cpp --hotspots -o report.html        a page with the lines that cost most
  swiftprof run - --std c++20 < a.cpp                  the program from stdin
  swiftprof run a.cpp b.cpp c.cpp --sizes 100000       a ranking of three programs";

/// What people do with `report`.
pub(super) const REPORT_EXAMPLES: &str = "\
Examples:
  swiftprof run a.cpp -o a.json
  swiftprof report a.json -o a.html";

/// The end of the long help of `run`.
pub(super) fn run_long() -> String {
    format!("{RUN_EXAMPLES}\n\n{}", exit_codes())
}

/// The end of the help of `compare`.
pub(super) fn compare() -> String {
    format!("Two programs run in turn, with the same options.\n\n{}", exit_codes())
}

fn exit_codes() -> String {
    let codes = CODES.map(|(code, meaning)| format!("  {code:>3}  {meaning}"));
    format!("Exit codes:\n{}", codes.join("\n"))
}
