//! Variants of the patterns of cheating. `cargo xtask test` runs the first variant of each pattern
//! in native sandboxes of root, and `cargo xtask test --all` runs every variant on every backend.
//! Variants that attack the host as well are in other groups, which run on every backend.

use super::case::{Case, Evidence, Expected};
use super::checked::checked;
use super::endings::{OK, REFUSED, case, ending, holding};
use super::patterns::{
    ANSWER_TABLE, BESIDE_MALLOC, CLOCKS, COMPILE_TIME, INPUT_HASH, KEPT_OUTPUT, KERNEL_WORK,
    KNOWN_INPUTS, LATER_GROWTH, LESS_WHEN_COUNTED, OUTPUT_MEMORY, OUTSIDE_MAIN, OVERWRITTEN,
    PROBE_MEMORY, PROBE_WORK, SECOND_PROCESS, UNCOUNTED_CODE, UNSEEN_MEMORY, WRONG_WHEN_LARGE,
};
use profiler_proto::v1::{Outcome, WarningCode};

/// Goes unnoticed: the report shows less time than the honest work takes.
const UNNOTICED: Expected = Expected { most_ms: 50.0, ..OK };
/// The report shows the time of the work.
const SHOWN: Expected = shown(100.0);
/// Nothing of the work is in the count, and all of it in the times.
const KERNELS: Expected = Expected { most_instructions: Some(20_000_000), ..shown(20.0) };
/// Ended well, and has no count because it cannot be counted.
const UNCOUNTABLE: Expected = Expected { warns: &[WarningCode::InstructionsUnsupported], ..SHOWN };
/// Ended well, and the count is that of the work.
const COUNTED: Expected = Expected { least_instructions: Some(1_000_000_000), ..OK };
/// Ended well, and its count is refused.
const REFUSED_COUNT: Expected = Expected { warns: &[WarningCode::NotCounted], ..OK };
/// The checker judges no output of the size, because the run whose output it gets wrote another one
/// than the timed runs.
const UNJUDGED: Expected = Expected { unjudged: Some("is not that of every timed run"), ..OK };
/// The size has no figures, because a run in a new sandbox wrote another output.
const OTHER_OUTPUT: Expected =
    Expected { warns: &[WarningCode::TwoWays], ..ending(Outcome::NotRun) };
/// The peak includes what is in no record of allocations.
const UNRECORDED: Expected = Expected { most_recorded_mb: Some(16.0), ..holding(64.0) };

/// Maximum by which a run's account may fall short of what it holds, in MiB. A cgroup is charged 64
/// pages ahead on every processor (`MEMCG_CHARGE_BATCH` in the kernel), so the charge that is left
/// of the previous run counts as held before this run. For a sandbox of two processors, that is
/// half a MiB.
const STOCK_MB: f64 = 1.0;

/// Ended well, with a report that shows at least `ms` milliseconds.
const fn shown(ms: f64) -> Expected {
    Expected { least_ms: ms, ..OK }
}

/// Caught, with a report that shows at least `ms` milliseconds.
const fn two_ways(ms: f64) -> Expected {
    Expected { warns: &[WarningCode::TwoWays], ..shown(ms) }
}

pub(super) const CHEATS: &[Case] = &[
    // The first row of a group is measured with all that growth needs, so it takes any size.
    case("works_before_main", &[SHOWN]).cheats(&[OUTSIDE_MAIN]),
    case("knows_the_size", &[UNNOTICED]).cheats(&[KNOWN_INPUTS]),
    case("answers_from_a_table", &[UNNOTICED]).cheats(&[ANSWER_TABLE]),
    case("hashes_the_input", &[UNNOTICED]).cheats(&[INPUT_HASH]),
    case("wrong_when_large", &[OK]).against("sort").cheats(&[WRONG_WHEN_LARGE]),
    case("grows_later", &[UNNOTICED]).cheats(&[LATER_GROWTH]),
    case("hides_child", &[shown(200.0)]).repeated().cheats(&[SECOND_PROCESS]),
    case("computes_at_compile_time", &[UNNOTICED]).cheats(&[COMPILE_TIME]),
    case("works_in_a_thread", &[UNCOUNTABLE])
        .asking(Evidence::Instructions)
        .cheats(&[UNCOUNTED_CODE]),
    case("zeroes_counts", &[COUNTED]).asking(Evidence::Instructions).cheats(&[OVERWRITTEN]),
    case("tells_the_counter", &[REFUSED_COUNT])
        .asking(Evidence::Instructions)
        .cheats(&[LESS_WHEN_COUNTED]),
    case("copies_in_the_kernel", &[KERNELS]).asking(Evidence::Instructions).cheats(&[KERNEL_WORK]),
    case("maps_beside_malloc", &[UNRECORDED])
        .asking(Evidence::Allocations)
        .cheats(&[BESIDE_MALLOC]),
    case("replaces_clocks", &[SHOWN]).cheats(&[CLOCKS]),
    case("answers_at_a_smaller_size", &[Expected { least_ms: 100.0, ..OK }])
        .after(&[1])
        .repeated()
        .cheats(&[KEPT_OUTPUT]),
    case(
        "tells_the_probe",
        &[Expected { least_ms: 20.0, warns: &[WarningCode::ProbeDiffers], ..holding(20.0) }],
    )
    .after(&[1])
    .then(&[100])
    .repeated()
    .cheats(&[PROBE_WORK, PROBE_MEMORY]),
    case(
        "shared_pieces",
        &[Expected { warns: &[WarningCode::MemoryBeside], ..holding(100.0 - STOCK_MB) }, REFUSED],
    )
    .repeated()
    .cheats(&[UNSEEN_MEMORY]),
];

pub(super) const VARIANTS: &[Case] = &[
    case("works_after_main", &[SHOWN]).cheats(&[OUTSIDE_MAIN]),
    case("knows_the_input", &[UNNOTICED]).cheats(&[KNOWN_INPUTS]),
    case("answers_from_text", &[UNNOTICED]).cheats(&[ANSWER_TABLE]),
    case("hashes_a_few_bytes", &[UNNOTICED]).cheats(&[INPUT_HASH]),
    case("guesses_when_large", &[OK]).against("sort").cheats(&[WRONG_WHEN_LARGE]),
    case("pads_small_sizes", &[UNNOTICED]).cheats(&[LATER_GROWTH]),
    checked("right_when_judged", ("right_when_judged", "compares"), &[UNJUDGED])
        .then(&[50, 100])
        .judged_by("answers")
        .cheats(&[WRONG_WHEN_LARGE]),
    case("works_after_the_answer", &[SHOWN]).cheats(&[OUTSIDE_MAIN]),
    case("works_in_a_child", &[UNCOUNTABLE])
        .asking(Evidence::Instructions)
        .cheats(&[SECOND_PROCESS]),
    case("works_in_another_program", &[UNCOUNTABLE])
        .asking(Evidence::Instructions)
        .cheats(&[SECOND_PROCESS]),
    case("makes_code", &[UNCOUNTABLE]).asking(Evidence::Instructions).cheats(&[UNCOUNTED_CODE]),
    case("divides_counts", &[COUNTED]).asking(Evidence::Instructions).cheats(&[OVERWRITTEN]),
    case("writes_its_count", &[COUNTED]).asking(Evidence::Instructions).cheats(&[OVERWRITTEN]),
    case("overwrites_allocations", &[holding(64.0)])
        .asking(Evidence::Allocations)
        .cheats(&[OVERWRITTEN]),
    case("finds_the_counter", &[REFUSED_COUNT])
        .asking(Evidence::Instructions)
        .cheats(&[LESS_WHEN_COUNTED]),
    case("moves_its_work", &[REFUSED_COUNT])
        .asking(Evidence::Instructions)
        .cheats(&[LESS_WHEN_COUNTED]),
    case("copies_in_one_instruction", &[KERNELS])
        .asking(Evidence::Instructions)
        .cheats(&[KERNEL_WORK]),
    case("clears_in_the_kernel", &[KERNELS]).asking(Evidence::Instructions).cheats(&[KERNEL_WORK]),
    case("allocates_beside_malloc", &[UNRECORDED])
        .asking(Evidence::Allocations)
        .cheats(&[BESIDE_MALLOC]),
    case("overwrites_the_vdso", &[SHOWN]).cheats(&[CLOCKS]),
    case("works_in_warm_up", &[two_ways(100.0)]).repeated().cheats(&[KEPT_OUTPUT]),
    case("works_in_most_runs", &[two_ways(100.0)]).repeated().cheats(&[KEPT_OUTPUT]),
    case("works_in_one_repetition", &[two_ways(100.0)]).repeated().cheats(&[KEPT_OUTPUT]),
    // Two thirds of the slowest run's time, which is the warm-up's.
    case("works_less_each_run", &[two_ways(66.0)]).repeated().cheats(&[KEPT_OUTPUT]),
    case("answers_before_the_last_size", &[Expected { least_ms: 100.0, ..OK }])
        .after(&[1])
        .then(&[100])
        .repeated()
        .cheats(&[KEPT_OUTPUT]),
    case("answers_otherwise_when_new", &[OTHER_OUTPUT])
        .after(&[1])
        .then(&[100])
        .repeated()
        .cheats(&[KEPT_OUTPUT]),
    // In native sandboxes, process ids are the same in every run, so every run works.
    case("remembers_by_pid", &[SHOWN]).repeated().cheats(&[KEPT_OUTPUT]),
    case("remembers_by_inode", &[two_ways(100.0)]).repeated().cheats(&[KEPT_OUTPUT]),
    case("works_in_the_probe", &[shown(20.0)])
        .after(&[1])
        .then(&[100])
        .repeated()
        .cheats(&[PROBE_WORK]),
    case(
        "holds_less_in_the_probe",
        &[Expected { warns: &[WarningCode::ProbeDiffers], ..holding(32.0) }],
    )
    .repeated()
    .cheats(&[PROBE_MEMORY]),
    case("stores_in_stderr", &[OK]).cheats(&[OUTPUT_MEMORY]),
];
