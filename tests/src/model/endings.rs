//! The endings that a case can have, and the default limits of cases.

use super::case::{Case, Evidence, Expected};
use profiler_core::limits::PATIENCE;
use profiler_proto::v1::{KilledBy, Outcome};

/// Long enough for a program that ends, short enough for one that does not.
pub(super) const SHORT_MS: u32 = 400;
/// For programs that must end by themselves even on a loaded machine.
const LONG_MS: u32 = 5_000 * PATIENCE;
/// Enough for every program that does not test memory.
const MEMORY_MB: u32 = 256;

const ANY: Expected = Expected {
    outcome: None,
    limits: &[],
    methods: &[],
    signal: None,
    exit_code: None,
    hint: None,
    killed_by: None,
    says: "",
    interactor: None,
    interactor_says: "",
    tested: None,
    unjudged: None,
    checker_says: "",
    truncated: false,
    least_ms: 0.0,
    most_ms: f64::INFINITY,
    peak_mb: (0.0, f64::INFINITY),
    least_instructions: None,
    most_instructions: None,
    most_recorded_mb: None,
    warns: &[],
};
pub(super) const COMPILE: Expected = ANY;
pub(super) const COMPILE_LIMIT: Expected = Expected { says: "the compiler exceeded ", ..COMPILE };
pub(super) const OK: Expected = ending(Outcome::Ok);
pub(super) const FAILURE: Expected = ending(Outcome::RuntimeError);
pub(super) const TIME: Expected =
    Expected { limits: &["time", "wall", "cpu"], ..ending(Outcome::TimeLimit) };
pub(super) const MEMORY: Expected = Expected {
    limits: &["memory"],
    methods: &["oom_kill", "peak_rss", "polled", "cgroup_peak"],
    ..ending(Outcome::MemoryLimit)
};
pub(super) const SEGMENTS: Expected = Expected { methods: &["p_memsz"], ..MEMORY };
pub(super) const OUTPUT: Expected =
    Expected { limits: &["output"], ..ending(Outcome::OutputLimit) };
pub(super) const STACK: Expected = Expected { hint: Some("stack"), ..signal("SIGSEGV") };
pub(super) const BAD_ALLOC: Expected = Expected { hint: Some("bad_alloc"), ..signal("SIGABRT") };
/// Exit code by which a program says that a call was refused.
pub(super) const REFUSED: Expected = exit(3);
pub(super) const KILLED: Expected =
    Expected { killed_by: Some(KilledBy::Itself), ..signal("SIGKILL") };

pub(super) const fn case(program: &'static str, expected: &'static [Expected]) -> Case {
    Case {
        program,
        interactive: None,
        checked: None,
        reference: None,
        against: None,
        patterns: &[],
        validator: None,
        timeout_ms: LONG_MS,
        memory_mb: MEMORY_MB,
        flags: &[],
        before: &[],
        later: &[],
        evidence: Evidence::Usual,
        repeated: false,
        short_limit: false,
        needs_cgroup: false,
        retry: None,
        secrets: &[],
        expected,
    }
}

pub(super) const fn ending(outcome: Outcome) -> Expected {
    Expected { outcome: Some(outcome), ..ANY }
}

pub(super) const fn saying(says: &'static str) -> Expected {
    Expected { says, ..COMPILE }
}

pub(super) const fn signal(name: &'static str) -> Expected {
    Expected { signal: Some(name), ..FAILURE }
}

pub(super) const fn exit(code: i32) -> Expected {
    Expected { exit_code: Some(code), ..FAILURE }
}

/// Ended well with a peak of at least `mb` MiB.
pub(super) const fn holding(mb: f64) -> Expected {
    Expected { peak_mb: (mb, f64::INFINITY), ..OK }
}
