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

/// What people do with `check`, where it runs, and its exit codes.
pub(super) const CHECK: &str = "\
Both programs run in sandboxes of this host: there is no --endpoint.

Examples:
  swiftprof check fast.cpp brute.cpp --input-spec in.yaml
  swiftprof check fast.cpp brute.cpp --input-spec in.yaml --n-max 200 --seconds 60 -o bad.txt

Exit code 0: no difference was found
          1: the programs differ: other words, or an ending that is not OK
          2: wrong options or files
          3: internal error, or a fault of the host
          4: cannot tell: a program does not compile or repeat its answer, or nothing could be run
        130: interrupted by Ctrl-C";

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
