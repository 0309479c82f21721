//! Costs of programs in the fake, and hooks for tests that change answers or record requests.

use runner_protocol::{Ending, Execution, InteractorRun, Request, Response, Sample};
use std::sync::{Arc, Mutex};

/// Text that keeps a source from compiling.
pub const DOES_NOT_COMPILE: &str = "#error";
/// Resident memory of every program, in bytes.
pub const BASE_RSS: u64 = 3 << 20;
/// Time of every program in addition to its model, in nanoseconds.
pub const BASE_NS: u64 = 1_000_000;
/// Time of an empty program, in nanoseconds.
pub const EMPTY_NS: u64 = 750_000;
/// Processor time of an interactor, in nanoseconds.
pub const INTERACTOR_NS: u64 = 2_000_000;
/// Time of a checker, in nanoseconds.
pub const CHECKER_NS: u64 = 3_000_000;
/// Time of a generator, in nanoseconds.
pub(super) const GENERATOR_NS: u64 = 3_000_000;
/// The piece of stdout that a runner returns, whatever the program wrote.
pub const STDOUT: &[u8] = b"7\n";
/// The end of stderr of a program that fails in its build with sanitizers.
pub const SANITIZER_REPORT: &str = "\
==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x6040000000c0 at pc 0x5555
READ of size 4 at 0x6040000000c0 thread T0
    #0 0x55555563a14f in f /tmp/main.cpp:3

SUMMARY: AddressSanitizer: heap-buffer-overflow /tmp/main.cpp:3 in f
";
/// Time of the calibration's fixed piece of work, in nanoseconds.
pub const CALIBRATION_NS: u64 = 1_250_000;
/// Instructions counted for each nanosecond of a run.
pub const INSTRUCTIONS_PER_NS: u64 = 3;

/// Model that gives the result of a run with input size n. `None` for a run that goes on until it
/// is killed.
pub type CostModel = dyn Fn(u64) -> Option<Execution> + Send + Sync;

/// Hook that changes an answer before it is sent. If it returns `None`, the runner ends instead.
pub type Bend = dyn Fn(Response) -> Option<Response> + Send + Sync;

/// The requests that runners received, in order, without the files that they were given.
pub type Heard = Arc<Mutex<Vec<Request>>>;

/// A run that exits with 0 after `ns`, having used `rss` bytes.
pub fn ok(ns: u64, rss: u64) -> Execution {
    ended(Ending::Exited(0), ns, rss)
}

/// A run that ends with `ending` after `ns`, having used `rss` bytes.
pub fn ended(ending: Ending, ns: u64, rss: u64) -> Execution {
    let sample = Sample {
        wall_ns: ns,
        cpu_ns: Some(ns),
        user_ns: ns,
        run_delay_ns: Some(0),
        peak_rss_bytes: rss,
        ..Sample::default()
    };
    Execution { ending, sample, oom_kills: 0, output_full: false }
}

/// An interactor that accepts every answer. It ends [`INTERACTOR_NS`] after the program.
pub(super) fn accepting(program: &Execution) -> InteractorRun {
    let wall_ns = program.sample.wall_ns + INTERACTOR_NS;
    InteractorRun {
        execution: ok(INTERACTOR_NS, BASE_RSS),
        left_first: false,
        silent: false,
        wall_ns,
        lines: None,
    }
}
