use super::*;
use runner_protocol::{Execution, Sample};

/// Output of g++ 12.2 under `LC_ALL=C`.
const ERROR: &str = "\
main.cpp: In function 'int main()':
main.cpp:4:5: error: expected initializer before 'return'
    4 |     return x;
      |     ^~~~~~
";
const NO_MAIN: &str = "\
/usr/bin/ld: /usr/lib/gcc/x86_64-linux-gnu/12/../../../x86_64-linux-gnu/Scrt1.o: in function `_start':
(.text+0x17): undefined reference to `main'
collect2: error: ld returned 1 exit status
";
const OUT_OF_TIME: &str = "\
g++: internal compiler error: CPU time limit exceeded signal terminated program cc1plus
Please submit a full bug report, with preprocessed source (by using -freport-bug).
See <file:///usr/share/doc/gcc-12/README.Bugs> for instructions.
";
const FILE_TOO_LARGE: &str = "\
g++: internal compiler error: File size limit exceeded signal terminated program as
Please submit a full bug report, with preprocessed source (by using -freport-bug).
";
const REFUSED_MEMORY: &str = "
cc1plus: out of memory allocating 6933093280 bytes after a total of 50016256 bytes
";
const AS_REFUSED_MEMORY: &str = "
as: out of memory allocating 46000000001 bytes after a total of 135168 bytes
";
const MEMORY_EXHAUSTED: &str = "\
virtual memory exhausted: Cannot allocate memory
";
const SCRATCH_FULL: &str = "\
/usr/bin/ld: final link failed: No space left on device
collect2: error: ld returned 1 exit status
";
/// A source that quotes the message of a limit.
const QUOTED: &str = "\
main.cpp:1:2: error: #error out of memory allocating 1 bytes, No space left on device
    1 | #error out of memory allocating 1 bytes, No space left on device
      |  ^~~~~
";
const KILLED: &str = "\
g++: fatal error: Killed signal terminated program cc1plus
compilation terminated.
";

const BINARY: Binary = Binary { bytes: 9, segment_bytes: 8 };

/// A compilation without a binary.
fn ended(ending: Ending, output: &str) -> Compiled {
    let sample = Sample {
        wall_ns: 1_500_000,
        cpu_ns: Some(1_000_000),
        peak_rss_bytes: MIB,
        ..Sample::default()
    };
    let execution = Execution { ending, sample, oom_kills: 0, output_full: false };
    Compiled {
        command: "g++ main.cpp".into(),
        compiler: "12.2.0".into(),
        execution,
        output: output.into(),
        truncated: false,
        binary: None,
        dependencies: Vec::new(),
    }
}

/// The limits of every job.
fn usual() -> CompileLimits {
    CompileLimits::default()
}

/// Returns the reason for the missing binary.
fn why(compiled: &Compiled) -> String {
    step_and_binary(compiled, usual()).1.unwrap_err()
}

fn out_of_memory() -> Compiled {
    let mut compiled = ended(Ending::Exited(1), KILLED);
    compiled.execution.oom_kills = 1;
    compiled
}

fn out_of_cpu() -> Compiled {
    let mut compiled = ended(Ending::Exited(4), OUT_OF_TIME);
    compiled.execution.sample.cpu_ns = Some(nanoseconds(COMPILE_CPU) - 1_000_000);
    compiled
}

#[test]
fn compiler_that_died_is_tried_again() {
    for (ending, output) in [
        (Ending::Signaled(11), ""),
        (Ending::Exited(4), "main.cpp:1:1: internal compiler error: Segmentation fault\n"),
        (Ending::Exited(1), KILLED),
    ] {
        assert!(died(&ended(ending, output), usual()), "{ending:?}");
    }
}

/// Compilations that met a limit, each with the limit's name in the message.
fn limited() -> [(Compiled, &'static str); 12] {
    let polled = Breach::Resident(3 << 30);
    [
        (out_of_memory(), "2048 MiB of memory"),
        (ended(Ending::Stopped(polled), ""), "2048 MiB of memory"),
        (out_of_cpu(), "10 s of processor time"),
        // The kernel's ticks ran ahead of the exact processor time.
        (ended(Ending::Exited(4), OUT_OF_TIME), "10 s of processor time"),
        (ended(Ending::Stopped(Breach::Wall(1)), ""), "20 s of wall clock time"),
        (ended(Ending::Signaled(Signal::SIGXFSZ as i32), ""), "64 MiB in one file"),
        (ended(Ending::Exited(4), FILE_TOO_LARGE), "64 MiB in one file"),
        (ended(Ending::Exited(1), FILE_TOO_LARGE), "64 MiB in one file"),
        (ended(Ending::Exited(1), REFUSED_MEMORY), "4096 MiB of address space"),
        (ended(Ending::Exited(1), AS_REFUSED_MEMORY), "4096 MiB of address space"),
        (ended(Ending::Exited(1), MEMORY_EXHAUSTED), "4096 MiB of address space"),
        (ended(Ending::Exited(1), SCRATCH_FULL), "96 MiB of files"),
    ]
}

#[test]
fn compiler_that_refused_did_not_die() {
    for compiled in [
        ended(Ending::Exited(0), ""),
        ended(Ending::Exited(1), ERROR),
        ended(Ending::Exited(1), QUOTED),
    ] {
        assert!(!died(&compiled, usual()), "{:?}", compiled.execution);
    }
}

#[test]
fn compiler_that_met_a_limit_did_not_die() {
    for (compiled, limit) in limited() {
        assert!(!died(&compiled, usual()), "{limit}: {:?}", compiled.execution);
    }
}

#[test]
fn limit_that_the_compiler_met_is_named() {
    for (compiled, limit) in limited() {
        let sentence = format!("the compiler exceeded {limit}");
        assert_eq!(why(&compiled), sentence);
    }
}

#[test]
fn message_names_the_limit_that_applied() {
    let second = Duration::from_secs(1);
    let limits = CompileLimits { cpu: 2 * second, wall: 3 * second };
    let mut quiet = ended(Ending::Exited(4), "");
    quiet.execution.sample.cpu_ns = Some(nanoseconds(limits.cpu) - 1_000_000);
    for (compiled, limit) in [
        (quiet, "2 s of processor time"),
        (ended(Ending::Exited(4), OUT_OF_TIME), "2 s of processor time"),
        (ended(Ending::Stopped(Breach::Wall(1)), ""), "3 s of wall clock time"),
    ] {
        let why = step_and_binary(&compiled, limits).1.unwrap_err();
        assert_eq!(why, format!("the compiler exceeded {limit}"));
    }
}

#[test]
fn failure_is_one_sentence() {
    for (compiled, sentence) in [
        (ended(Ending::Signaled(11), ""), "the compiler was ended by SIGSEGV"),
        (ended(Ending::Exited(1), ERROR), "line 4: expected initializer before 'return'"),
        (
            ended(Ending::Exited(1), QUOTED),
            "line 1: #error out of memory allocating 1 bytes, No space left \
             on device",
        ),
        (ended(Ending::Exited(1), NO_MAIN), "undefined reference to `main'"),
        (ended(Ending::Exited(0), ""), "the compiler produced no binary"),
    ] {
        assert_eq!(why(&compiled), sentence);
    }
}

#[test]
fn errors_are_counted_as_far_as_they_are_seen() {
    let mut compiled = ended(Ending::Exited(1), &format!("{ERROR}\n{ERROR}"));
    let sentence = why(&compiled);
    assert!(sentence.starts_with("2 errors, the first in line 4: "), "{sentence}");
    compiled.truncated = true;
    assert_eq!(why(&compiled), format!("at least {sentence}"));
}

#[test]
fn step_has_the_errors_for_people() {
    let compiled = ended(Ending::Exited(1), ERROR);
    let (_, without_function) = ERROR.split_once('\n').unwrap();
    assert_eq!(step_and_binary(&compiled, usual()).0.error_text, without_function.trim_end());
}

#[test]
fn build_that_made_a_binary_has_no_errors() {
    let mut compiled = ended(Ending::Exited(0), "/usr/bin/ld: skipping incompatible libm.so\n");
    compiled.binary = Some(BINARY);
    let (step, binary) = step_and_binary(&compiled, usual());
    assert_eq!((step.error_text.as_str(), binary), ("", Ok(BINARY)));
    assert_eq!(step.diagnostics[0].severity(), v1::Severity::Note);
}

#[test]
fn step_has_the_cost_of_compiling() {
    let mut compiled = ended(Ending::Exited(0), "");
    compiled.binary = Some(BINARY);
    let expected = CompileStep {
        command: "g++ main.cpp".into(),
        compiler: "12.2.0".into(),
        wall_ms: 1.5,
        cpu_ms: Some(1.0),
        peak_memory_mb: 1.0,
        binary_bytes: Some(9),
        diagnostics: Vec::new(),
        error_text: String::new(),
        remedies: Vec::new(),
        output: String::new(),
        truncated: false,
        cached: false,
    };
    assert_eq!(step_and_binary(&compiled, usual()), (expected, Ok(BINARY)));
}

#[test]
fn compilers_limits_are_those_of_the_specification() {
    let limits = usual().for_runner();
    assert_eq!(
        (limits.cpu_s, limits.wall_ns, limits.resident_bytes),
        (10, 20_000_000_000, 2 << 30)
    );
}
