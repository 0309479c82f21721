//! The plan's acceptance tests P-1, P-3, P-4 and P-5, in a real sandbox. P-2, the regular
//! expressions, is tested in the core.

use crate::{Check, check};
use libtest_mimic::Trial;
use profiler_core::limits::{MAX_SIZES, MIB, PATIENCE};
use profiler_proto::v1::{ErrorCode, HotspotsMethod, Outcome, SizeResult, Warning, WarningCode};
use profiler_tests::harness::{Backend, SIZE};

/// Maximum difference from GNU time's peak resident set, in MiB.
const GNU_TIME_MB: f64 = 2.0;
/// Large enough for about ten samples of gprof, which takes one every 10 ms.
const SAMPLED_SIZE: u64 = 100;
/// Number of times `hot_line.cpp` executes its line at n = 1.
const ROUNDS: u64 = 1_000_000;
/// In milliseconds.
const SAMPLED_TIMEOUT: u32 = 10_000 * PATIENCE;
/// The runner's resident set at the start of a program, about 1.0 MiB, plus the error of the
/// kernel's figure. The kernel counts file, heap and shared pages in batches of 32 for each core
/// (since Linux 6.2). Libraries take another 2 MiB.
const LITTLE_MB: f64 = 1.1 + 3.0 * 0.125;
/// More than the start-up differs from run to run, in milliseconds.
const NOISE_MS: f64 = 20.0;
/// The container's memory in the plan's P-3.
const P3_MEMORY_MB: u32 = 64;

/// The acceptance tests as trials.
pub(crate) fn trials(trial: impl Fn(&str, Check) -> Trial) -> [Trial; 9] {
    [
        trial("p1_hello_world_is_measured", check(p1)),
        trial("p3_memory_limit_is_a_sandbox_error", check(p3)),
        trial("p4_crash_is_infinite_and_warned_of", check(p4)),
        trial("little_memory_is_seen_as_little", check(little)),
        trial("every_exit_code_is_told", check(exit_codes)),
        trial("macros_cannot_slow_the_empty_program", check(slow_empty)),
        trial("p5_debug_gives_hotspots", check(p5)),
        trial("p5_lines_are_counted_in_runs_of_a_millisecond", check(p5_exact)),
        trial("p5_what_cannot_be_counted_is_sampled", check(p5_sampled)),
    ]
}

async fn p1(backend: &Backend) {
    let sizes = [0, 1, 1000];
    let ended = backend.profile("hello").sizes(&sizes).await;
    assert_eq!(ended.error(), None);
    let report = ended.report();
    let measured: Vec<u64> = report.sizes.iter().map(|result| result.size).collect();
    assert_eq!(measured, sizes);
    assert_eq!(report.host.as_ref().expect("a host").backend, backend.name());
    for result in &report.sizes {
        assert_eq!(result.outcome(), Outcome::Ok, "{result:#?}");
        assert!(result.runtime_ms() > 0.0, "{result:#?}");
        assert!(result.gnu_time.is_some(), "time ended normally");
        assert_eq!(gnu_time_contradicts(result), None);
    }
}

/// Describes a difference from the peak that GNU time saw, if GNU time lived to report it. This
/// would expose a program that writes text like GNU time's.
pub(crate) fn gnu_time_contradicts(result: &SizeResult) -> Option<String> {
    let gnu_time = result.gnu_time.filter(|_| result.outcome() == Outcome::Ok)?;
    // GNU time saw the warm-up alone.
    let peak_mb = result.warm_up?.peak_rss_bytes as f64 / MIB as f64;
    let difference = peak_mb - gnu_time.max_resident_mb;
    (difference.abs() > GNU_TIME_MB).then(|| format!("GNU time saw another peak: {result:#?}"))
}

async fn p3(backend: &Backend) {
    let profiling = backend.profile("eats_memory").memory_mb(P3_MEMORY_MB);
    let ended = profiling.sizes(&[SIZE, SIZE + 1]).await;
    assert_eq!(ended.error_code(), Some(ErrorCode::Memory), "{ended:#?}");
    let partial = ended.report();
    assert_eq!(partial.sizes.len(), 1, "the failing size is the last one");
    assert_eq!(ended.outcome(SIZE), Outcome::MemoryLimit);
    assert!(partial.sizes[0].peak_memory_mb().is_infinite());
}

async fn p4(backend: &Backend) {
    let ended = backend.profile("segfault").sizes(&[1, SIZE]).await;
    assert_eq!(ended.error(), None);
    let report = ended.report();
    assert_eq!(report.sizes.len(), 2, "the loop goes on after a crash");
    for result in &report.sizes {
        assert!(result.runtime_ms().is_infinite(), "{result:#?}");
        assert!(result.peak_memory_mb().is_infinite(), "{result:#?}");
    }
    assert_eq!(report.hotspots["_crash"], "SIGSEGV");
    assert!(!report.warnings.is_empty());
}

/// A static program needs less memory than the libraries of others do, so the runner's own memory
/// would show.
async fn little(backend: &Backend) {
    let ended = backend.profile("nothing").flags(&["-O2", "-static"]).await;
    assert_eq!(ended.outcome(SIZE), Outcome::Ok, "{ended:#?}");
    let peak = ended.size(SIZE).peak_memory_mb();
    assert!(peak < LITTLE_MB, "{peak}");
}

/// Exit codes 1 to 255, including those that shells give to signals.
async fn exit_codes(backend: &Backend) {
    let codes: Vec<u64> = (1..=255).collect();
    for codes in codes.chunks(MAX_SIZES) {
        let ended = backend.profile("exit_codes").sizes(codes).await;
        for &code in codes {
            let result = ended.size(code);
            assert_eq!(result.outcome(), Outcome::RuntimeError, "{result:#?}");
            let evidence = result.evidence.as_ref().expect("evidence");
            assert_eq!(evidence.exit_code, i32::try_from(code).ok(), "{result:#?}");
            assert_eq!(evidence.signal, None, "{result:#?}");
        }
    }
}

/// The macro is a `main` that takes 100 ms, and the program undefines it. The empty program must
/// not have it, because its time is taken from every net figure.
async fn slow_empty(backend: &Backend) {
    let slow = "-Dmain()=main(){for(volatile/**/long/**/i=0;i<50000000;i++);}int/**/unused()";
    let source = "#undef main\nint main() {}\n";
    let profiling = backend.profile_source("slow_empty", source).flags(&["-O2", slow]);
    let ended = profiling.await;
    assert_eq!(ended.outcome(SIZE), Outcome::Ok, "{ended:#?}");
    let net = ended.size(SIZE).net_runtime_ms;
    assert!(net.is_some_and(|ms| ms > -NOISE_MS), "{net:?}");
}

async fn p5(backend: &Backend) {
    let profiling = backend.profile("hot_line").timeout_ms(SAMPLED_TIMEOUT);
    let ended = profiling.sizes(&[SAMPLED_SIZE]).debug().await;
    assert_eq!(ended.error(), None);
    let hotspots = &ended.report().hotspots;
    let hot = hotspots.get(&format!("line_{}", hot_line()));
    assert!(hot.is_some_and(|share| share.contains('%')), "{hotspots:#?}");
}

/// The line of `hot_line.cpp` that takes the time, from 1.
fn hot_line() -> u32 {
    let lines = include_str!("../programs/hot_line.cpp").lines();
    let mut numbered = lines.zip(1..);
    let hot = numbered.find(|(line, _)| line.contains("// the hot line"));
    hot.expect("the program marks its hot line").1
}

/// Also with the plan's limit of address space, which leaves no room for the counter.
async fn p5_exact(backend: &Backend) {
    let profiling = backend.profile("hot_line").sizes(&[1]).address_space_mb(512);
    let ended = profiling.debug().instructions().await;
    assert_eq!(ended.error(), None);
    let report = ended.report();
    let size = ended.size(1);
    let start_up = report.start_up.and_then(|start_up| start_up.instructions);
    let net = size.instructions.zip(start_up).map(|(all, start_up)| all - start_up);
    assert!(net.is_some() && size.net_instructions == net, "{size:#?} {:#?}", report.warnings);
    assert!(size.own_instructions.is_some() && size.own_instructions < size.instructions);
    assert_eq!(report.hotspots_method(), HotspotsMethod::Instructions, "{:#?}", report.warnings);
    // The line shares the loop with the line of the `for`.
    let hot = report.hotspot_lines.iter().take(2).find(|line| line.line == hot_line());
    let hot = hot.unwrap_or_else(|| panic!("{report:#?}"));
    assert_eq!(hot.count, Some(ROUNDS), "{report:#?}");
    assert!(hot.self_share > 0.3 && hot.self_share <= hot.inclusive_share(), "{report:#?}");
    let main = report.hotspot_functions.iter().find(|function| function.name == "main");
    let main = main.unwrap_or_else(|| panic!("{report:#?}"));
    assert_eq!(main.calls, Some(1));
    assert!(main.inclusive_share > 0.99, "{report:#?}");
    // Library functions have frames of their own.
    let scanf =
        report.call_stacks.iter().find(|stack| stack.frames.iter().any(|f| f.contains("scanf")));
    assert!(scanf.is_some_and(|stack| stack.frames[0] == "main"), "{report:#?}");
}

async fn p5_sampled(backend: &Backend) {
    let ended = backend.profile("threads").sizes(&[1]).debug().await;
    assert_eq!(ended.error(), None);
    let report = ended.report();
    assert_ne!(report.hotspots_method(), HotspotsMethod::Instructions);
    let codes: Vec<_> = report.warnings.iter().map(Warning::code).collect();
    assert!(codes.contains(&WarningCode::InstructionsUnsupported), "{codes:?}");
}
