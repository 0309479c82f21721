//! The table of programs and their right endings, group by group.

use super::case::{Case, Evidence, Expected, Group};
use super::cheats::{CHEATS, VARIANTS};
use super::checked::CHECKED;
use super::endings::{
    BAD_ALLOC, COMPILE, COMPILE_LIMIT, FAILURE, KILLED, MEMORY, OK, OUTPUT, REFUSED, SEGMENTS,
    SHORT_MS, STACK, TIME, case, exit, holding, saying, signal,
};
use super::interactive::INTERACTIVE;
use super::patterns::{
    COMPILE_TIME, EXPECTED_FILE, KEPT_OUTPUT, OUTPUT_MEMORY, OUTSIDE_MAIN, UNSEEN_MEMORY,
};
use profiler_proto::v1::KilledBy;

/// Every case.
pub const CASES: &[(Group, &[Case])] = &[
    (Group::Ordinary, ORDINARY),
    (Group::Compile, COMPILING),
    (Group::Time, TIMES),
    (Group::Figures, FIGURES),
    (Group::Memory, MEMORIES),
    (Group::Stack, STACKS),
    (Group::Processes, PROCESSES),
    (Group::Output, OUTPUTS),
    (Group::Reach, REACH),
    (Group::Ending, ENDINGS),
    (Group::Interactive, INTERACTIVE),
    (Group::Checked, CHECKED),
    (Group::Cheats, CHEATS),
    (Group::Variants, VARIANTS),
];

const ORDINARY: &[Case] = &[case("hello", &[OK]), case("sort", &[OK]), case("threads", &[OK])];

/// The compiler's own limit of processor time.
const COMPUTES: Expected = saying(" s of processor time");

const COMPILING: &[Case] = &[
    case("does_not_compile", &[COMPILE]),
    case("no_main", &[saying("undefined reference to `main'")]),
    case("link_error", &[saying("undefined reference to `nowhere(int)'")]),
    case("binary_source", &[COMPILE]),
    case("includes_random", &[COMPILE]).short_limit(),
    case("includes_zero", &[COMPILE_LIMIT]),
    case("includes_streams", &[COMPILE]),
    case("includes_itself", &[COMPILE_LIMIT]),
    case("includes_shadow", &[COMPILE]).never(SECRETS),
    case("includes_files", &[COMPILE, OK]).never(SECRETS).cheats(&[EXPECTED_FILE]),
    case("incbin_shadow", &[COMPILE]).never(SECRETS),
    case("incbin_files", &[COMPILE, OK]).never(SECRETS).cheats(&[EXPECTED_FILE]),
    case("incbin_zero", &[COMPILE]),
    case("line_directives", &[COMPILE]).never(SECRETS),
    case("asks_for_files", &[OK]),
    case("macro_bomb", &[COMPILE_LIMIT]),
    case("template_recursion", &[COMPILE]),
    case("template_sieve", &[COMPUTES]).short_limit().cheats(&[COMPILE_TIME]),
    case("arrow_recursion", &[COMPILE]),
    case("constexpr_loop", &[COMPILE]),
    case("initialised_array", &[COMPILE_LIMIT]),
    case("local_pairs", &[OK]),
    case("floods_errors", &[Expected { truncated: true, ..COMPILE }]),
    case("floods_warnings", &[Expected { truncated: true, ..OK }]),
    case("assembler_repeat", &[COMPILE_LIMIT]),
    case("assembler_space", &[COMPILE_LIMIT]),
    case("assembler_fill", &[COMPILE_LIMIT]),
    case("assembler_segments", &[SEGMENTS, COMPILE]),
    case("assembler_sections", &[COMPILE, OK, FAILURE]),
    case("long_symbol", &[COMPILE, OK]),
    case("pragmas", &[COMPILE, OK]),
];

/// Texts that no answer may quote. They are from `/etc/passwd`, `/etc/shadow`, `/etc/resolv.conf`
/// and `/etc/hosts`, from the environments of the host and the compiler, from paths on the host,
/// and from the runner's own code.
const SECRETS: &[&str] =
    &["root:", "nameserver", "localhost", "CARGO_", "TMPDIR", "overlay", "swiftprof-runner: "];

const TIMES: &[Case] = &[
    case("endless_loop", &[TIME]).ms(SHORT_MS),
    case("endless_child", &[TIME]).ms(SHORT_MS),
    case("endless_threads", &[TIME]).ms(SHORT_MS),
    case("yields_to_child", &[Expected { limits: &["time"], ..TIME }]).ms(SHORT_MS),
    case("pauses", &[WALL]).ms(SHORT_MS),
    case("sleeps", &[WALL]).ms(SHORT_MS),
    case("selects", &[WALL]).ms(SHORT_MS),
    case("stops_itself", &[WALL]).ms(SHORT_MS),
    case("ignores_signals", &[TIME]).ms(SHORT_MS),
    case("drips", &[TIME]).ms(SHORT_MS),
    case("thread_execs", &[TIME]).ms(SHORT_MS),
    case("waits_for_vfork", &[TIME]).ms(SHORT_MS),
    case("executes_itself", &[TIME]).ms(SHORT_MS),
    case("timer_flood", &[TIME, FAILURE]).ms(SHORT_MS),
];

const FIGURES: &[Case] = &[
    case("warm_memory", &[holding(100.0)]).repeated(),
    case("writes_much", &[Expected { peak_mb: (0.0, 8.0), ..OK }]).mb(16).repeated(),
];

/// A sleeping program uses no processor time, so only the hard stop ends it.
const WALL: Expected =
    Expected { limits: &["time", "wall"], killed_by: Some(KilledBy::Profiler), ..TIME };

const MEMORIES: &[Case] = &[
    case("eats_memory", &[MEMORY]).mb(64),
    case("grows_vector", &[MEMORY]).mb(64),
    case("touches_array", &[MEMORY]),
    case("huge_bss", &[SEGMENTS]),
    case("touches_bss", &[SEGMENTS]),
    case("child_eats_memory", &[MEMORY]).mb(64),
    case("orphan_eats_memory", &[MEMORY]).mb(64),
    case("children_eat_memory", &[MEMORY]),
    case("shared_memory", &[MEMORY, REFUSED]).mb(64).cheats(&[UNSEEN_MEMORY]),
    case("shared_window", &[MEMORY, REFUSED]).mb(64),
    case("shared_late", &[MEMORY, REFUSED]).mb(64),
    case("shares_unprobed", &[MEMORY, REFUSED]).mb(16),
    case("shared_zero", &[MEMORY, REFUSED]).mb(64),
    case("splices_pages", &[MEMORY, REFUSED]).mb(64),
    case("scratch_store", &[MEMORY]).mb(64).needs_cgroup(),
    case("deleted_store", &[MEMORY]).mb(64).needs_cgroup(),
    case("reaped_child_memory", &[MEMORY]).mb(64),
    case("many_children_hold", &[MEMORY]).mb(64).cheats(&[UNSEEN_MEMORY]),
    case("page_tables", &[OK, MEMORY]),
    case("many_mappings", &[OK, FAILURE]),
    case("pipe_memory", &[OK, FAILURE, MEMORY]).mb(64),
    case("spares_itself", &[OK]),
    case("locks_memory", &[OK]),
    case("hides_peak", &[holding(64.0)]),
    case("impossible_allocation", &[BAD_ALLOC]),
    case("malloc_null", &[exit(1)]),
    case("maps_untouched", &[OK]),
    case("spawns_from_large", &[OK]).mb(512),
    case("fills_scratch", &[OUTPUT, FAILURE]),
];

const STACKS: &[Case] = &[
    case("deep_stack", &[OK]),
    case("endless_recursion", &[STACK]).mb(512),
    case("large_frame", &[signal("SIGSEGV")]),
];

const PROCESSES: &[Case] = &[
    case("fork_bomb", &[TIME, FAILURE]).ms(SHORT_MS),
    case("thread_bomb", &[TIME, FAILURE]).ms(SHORT_MS),
    case("counts_processes", &[OK]),
    case("takes_timers", &[OK]),
    case("leaves_child", &[OK]).cheats(&[OUTSIDE_MAIN]),
    case("leaves_zombies", &[OK]),
    case("leaves_bomb", &[OK]),
    case("kills_everyone", &[OK, FAILURE]),
    case("stops_parent", &[OK]),
    case("signals_runner", &[OK]),
    case("signals_by_proxy", &[OK, FAILURE]),
    case("joins_runner", &[OK]),
    case("makes_namespaces", &[OK]),
    case("becomes_reaper", &[OK]),
    case("daemon_writes", &[OK]).cheats(&[OUTSIDE_MAIN]),
    case("leader_leaves", &[exit(3)]),
];

const OUTPUTS: &[Case] = &[
    case("floods_stdout", &[OUTPUT]),
    case("floods_stderr", &[OUTPUT]),
    case("floods_spaces", &[OUTPUT]),
    case("sparse_file", &[OUTPUT, FAILURE]),
    case("allocates_file", &[OUTPUT, FAILURE]),
    case("leaves_files", &[OK]).cheats(&[KEPT_OUTPUT]),
    case("leaves_queues", &[OK]),
    case("remembers", &[OK]).cheats(&[KEPT_OUTPUT]),
    case("flags_files", &[OK]),
    case("dates_files", &[OK]),
    case("touches_files", &[OK]),
    case("counts_ids", &[OK]),
    case("many_files", &[OK, FAILURE, TIME]).ms(SHORT_MS),
    case("many_links", &[OK, FAILURE, TIME]).ms(SHORT_MS),
    case("odd_bytes", &[OK]),
    case("closes_stdout", &[OK]),
    case("closes_everything", &[OK]),
    case("writes_everywhere", &[OK]),
    case("reopens_stdout", &[OK]),
    case("reads_its_output", &[OK]).cheats(&[OUTPUT_MEMORY]),
    case("locks_files", &[OK]),
    case("deep_tree", &[OK]),
    case("odd_files", &[OK]),
    case("odd_profile", &[OK]).asking(Evidence::Hotspots),
    case("forges_time", &[OK]),
];

const REACH: &[Case] = &[
    case("forbidden_calls", &[OK]),
    case("other_architecture", &[OK]),
    case("speaks_to_nobody", &[OK]),
    case("reaches_out", &[OK]),
    case("reads_proc", &[OK]),
    case("watches_files", &[OK]),
    case("reads_environment", &[OK]),
    case("writes_to_proc", &[OK]),
    case("owns_files", &[OK]),
    case("executes_tools", &[OK]),
];

const ENDINGS: &[Case] = &[
    case("bad_interpreter", &[exit(127)]).flags(&["-static"]),
    case("exit_seven", &[exit(7)]),
    case("exit_in_destructor", &[exit(9)]),
    case("handles_signal", &[exit(1)]),
    case("segfault", &[signal("SIGSEGV")]),
    case("divides_by_zero", &[signal("SIGFPE")]),
    case("aborts", &[signal("SIGABRT")]),
    case("uncaught_exception", &[Expected { says: "std::runtime_error", ..signal("SIGABRT") }]),
    case("raises_sigxcpu", &[signal("SIGXCPU")]),
    case("illegal_instruction", &[signal("SIGILL")]),
    case("kills_itself", &[KILLED]),
    case("killed_by_child", &[KILLED]),
];
