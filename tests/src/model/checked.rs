//! Test cases that a checker judges, and their right endings. The program, the checker and the
//! validator of the input may be hostile.

use super::case::{Case, Expected};
use super::endings::{OK, OUTPUT, case};
use profiler_proto::v1::Outcome;

/// The checker accepts the answer.
const ACCEPTED: Expected = Expected { tested: Some((Outcome::Ok, Some(true))), ..OK };
/// The checker does not accept the answer.
const REJECTED: Expected = Expected { tested: Some((Outcome::Ok, Some(false))), ..OK };
/// The checker does not compile, so the case is not run.
const NOT_RUN: Expected =
    says("does not compile", Expected { tested: Some((Outcome::NotRun, None)), ..OK });
/// The validator does not accept the input, so the case is not run.
const INVALID: Expected = Expected { tested: Some((Outcome::NotRun, None)), ..OK };
/// The reason for that.
const REJECTION: &str = "its input is invalid: wrong [31manswer";
/// The output is too long for a checker.
const TOO_LONG: Option<(Outcome, Option<bool>)> = Some((Outcome::OutputLimit, None));

pub(super) const CHECKED: &[Case] = &[
    checked("checker_compares", ("answers", "compares"), &[says("ok 7", ACCEPTED)]),
    checked("checker_rejects", ("answers", "rejects"), &[says("wrong [31manswer", REJECTED)]),
    checked("checker_reaches_out", ("answers", "reaches"), &[ACCEPTED]),
    checked("checker_leaves_processes", ("answers", "forks"), &[ACCEPTED]),
    checked("checker_prints_megabytes", ("answers", "prints_megabytes"), &[says("bbb", ACCEPTED)]),
    checked("checker_floods_stderr", ("answers", "floods_stderr"), &[fault("OUTPUT_LIMIT")]),
    checked("checker_loops", ("answers", "loops"), &[fault("TIME_LIMIT")]).short_limit(),
    checked("checker_crashes", ("answers", "crashes"), &[fault("SIGABRT")]),
    checked("checker_eats_memory", ("answers", "eats"), &[fault("MEMORY_LIMIT")]),
    checked("checker_does_not_compile", ("answers", "broken"), &[NOT_RUN]),
    checked(
        "checked_output_is_too_long",
        ("prints_much", "compares"),
        &[Expected { tested: TOO_LONG, ..OK }],
    ),
    checked(
        "checked_output_floods",
        ("floods", "compares"),
        &[Expected { tested: TOO_LONG, ..OUTPUT }],
    ),
    validated("validator_rejects", "rejects", &[says(REJECTION, INVALID)]),
    validated("validator_crashes", "crashes", &[says("ok 7", ACCEPTED)]),
    validated("validator_eats_memory", "eats", &[says("ok 7", ACCEPTED)]),
];

/// The checker failed and says why, so there is no verdict.
const fn fault(why: &'static str) -> Expected {
    says(why, Expected { tested: Some((Outcome::Ok, None)), ..OK })
}

const fn says(checker_says: &'static str, expected: Expected) -> Expected {
    Expected { checker_says, ..expected }
}

pub(super) const fn checked(
    name: &'static str,
    pair: (&'static str, &'static str),
    expected: &'static [Expected],
) -> Case {
    Case { checked: Some(pair), ..case(name, expected) }
}

const fn validated(
    name: &'static str,
    validator: &'static str,
    expected: &'static [Expected],
) -> Case {
    Case { validator: Some(validator), ..checked(name, ("answers", "compares"), expected) }
}
