//! Texts that the help of a command prints after its options.

use crate::exit::CODES;

/// Examples of `run`.
pub(super) const RUN_EXAMPLES: &str = "\
Examples:
  swiftprof run a.cpp                                  table, plots and growth
  swiftprof run a.cpp --input-spec in.yaml             the program reads more than n
  swiftprof run a.cpp --hotspots -o report.html        a page with the lines that cost most
  swiftprof run a.cpp --quick                          a first look: every size runs once
  swiftprof run a.cpp b.cpp c.cpp --sizes 100000       a ranking of three programs";

/// Examples of `report`.
pub(super) const REPORT_EXAMPLES: &str = "\
Examples:
  swiftprof run a.cpp -o a.json
  swiftprof report a.json -o a.html";

/// Examples of `check`, the place where it runs, and its exit codes.
pub(super) fn check() -> String {
    let codes = exit_codes([
        (0, "no difference was found"),
        (1, "the programs write different words, or at least one of them did not end OK"),
        (
            4,
            "cannot tell: a program does not compile or does not repeat its answer, or nothing was run",
        ),
    ]);
    format!(
        "\
Both programs run in sandboxes of this host: there is no --endpoint.

Examples:
  swiftprof check fast.cpp brute.cpp --input-spec in.yaml
  swiftprof check fast.cpp brute.cpp --input-spec in.yaml --n-max 200 --time 60s -o bad.txt

{codes}"
    )
}

/// Examples of `worst`, the place where it runs, and its exit codes.
pub(super) fn worst() -> String {
    let codes = exit_codes([
        (0, "an input was found and measured"),
        (1, "the program does not compile, or ends OK on no input"),
        (4, "cannot tell: the program's instructions cannot be counted"),
    ]);
    format!(
        "\
The program runs in a sandbox of this host: there is no --endpoint.

Examples:
  swiftprof worst a.cpp --input-spec in.yaml
  swiftprof worst a.cpp --input-spec in.yaml --n 20000 --output-spec worst.json
  swiftprof run a.cpp --input-spec worst.json

{codes}"
    )
}

/// Examples of `input`, and its exit codes.
pub(super) fn input() -> String {
    let codes = exit_codes([
        (0, "the input, the spec or the list was written"),
        (1, "the program does not compile, or does not read exactly the proposed inputs"),
        (4, "the samples have no reading, or the program's runs do not decide"),
    ]);
    format!(
        "\
Examples:
  swiftprof input --infer sample1.txt sample2.txt --program program.cpp > spec.yaml
  swiftprof input spec.yaml --n 10
  swiftprof run program.cpp --input-spec spec.yaml

{codes}"
    )
}

/// The end of the long help of `run`.
pub(super) fn run_long() -> String {
    format!("{RUN_EXAMPLES}\n\n{}", exit_codes([]))
}

/// The end of the help of `compare`.
pub(super) fn compare() -> String {
    format!("Two programs run in turn, with the same options.\n\n{}", exit_codes([]))
}

/// Lists all exit codes. `own` replaces the meanings of some codes for one command.
fn exit_codes<const N: usize>(own: [(u8, &str); N]) -> String {
    let codes = CODES.map(|(code, meaning)| {
        let own = own.iter().find(|it| it.0 == code);
        format!("  {code:>3}  {}", own.map_or(meaning, |it| it.1))
    });
    format!("Exit codes:\n{}", codes.join("\n"))
}
