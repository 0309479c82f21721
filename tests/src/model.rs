//! The model: what must come out of every program, on every backend. "Or" means that each of the
//! listed endings is right. A program that tries something forbidden, is refused and lives on is OK:
//! it looks itself whether the attempt had an effect, and exits with another code if it had.

use profiler_core::outcome::{KilledBy, Outcome};
use profiler_core::report::SizeResult;

/// A program of `programs/`, its limits, and its right endings.
#[derive(Debug, Clone, Copy)]
pub struct Case {
    /// The file's name without `.cpp`.
    pub program: &'static str,
    /// Time limit.
    pub timeout_ms: u32,
    /// Limit of the resident set.
    pub memory_mb: u32,
    /// g++'s flags; the default ones, if none.
    pub flags: &'static [&'static str],
    /// Whether it says nothing about a sandbox without a memory cgroup.
    pub needs_cgroup: bool,
    /// What may come out.
    pub expected: &'static [Expected],
}

/// A right ending. An empty list and `None` leave open what they are about.
#[derive(Debug, Clone, Copy)]
pub struct Expected {
    /// `None`: the program does not compile.
    pub outcome: Option<Outcome>,
    /// Names of the limit that was met.
    pub limits: &'static [&'static str],
    /// How that was seen.
    pub methods: &'static [&'static str],
    /// The signal.
    pub signal: Option<&'static str>,
    /// The exit code.
    pub exit_code: Option<i32>,
    /// The hint.
    pub hint: Option<&'static str>,
    /// Who ended it.
    pub killed_by: Option<KilledBy>,
}

/// Long enough for a program that ends, short enough for one that does not.
const SHORT_MS: u32 = 400;
/// For a program whose end the machine's load must not turn into a time limit.
const LONG_MS: u32 = 5_000;
/// Enough for every program that is not about memory.
const MEMORY_MB: u32 = 256;

const ANY: Expected = Expected {
    outcome: None,
    limits: &[],
    methods: &[],
    signal: None,
    exit_code: None,
    hint: None,
    killed_by: None,
};
const COMPILE: Expected = ANY;
const OK: Expected = ending(Outcome::Ok);
const FAILURE: Expected = ending(Outcome::RuntimeError);
const TIME: Expected = Expected { limits: &["time", "wall", "cpu"], ..ending(Outcome::TimeLimit) };
const MEMORY: Expected = Expected {
    limits: &["memory"],
    methods: &["oom_kill", "peak_rss", "polled"],
    ..ending(Outcome::MemoryLimit)
};
const SEGMENTS: Expected = Expected { methods: &["p_memsz"], ..MEMORY };
const OUTPUT: Expected = Expected { limits: &["output"], ..ending(Outcome::OutputLimit) };
const STACK: Expected = Expected { hint: Some("stack"), ..signal("SIGSEGV") };
const BAD_ALLOC: Expected = Expected { hint: Some("bad_alloc"), ..signal("SIGABRT") };
const KILLED: Expected = Expected { killed_by: Some(KilledBy::Itself), ..signal("SIGKILL") };

/// Every case.
pub const CASES: &[Case] = &[
    // Ordinary programs.
    case("hello", &[OK]),
    case("sort", &[OK]),
    case("threads", &[OK]),
    // Compile.
    case("does_not_compile", &[COMPILE]),
    case("no_main", &[COMPILE]),
    case("includes_random", &[COMPILE]),
    case("includes_shadow", &[COMPILE]),
    case("template_recursion", &[COMPILE]),
    case("includes_zero", &[COMPILE]),
    case("floods_errors", &[COMPILE]),
    case("binary_source", &[COMPILE]),
    // Time.
    case("endless_loop", &[TIME]).ms(SHORT_MS),
    case("endless_child", &[TIME]).ms(SHORT_MS),
    case("endless_threads", &[TIME]).ms(SHORT_MS),
    case("sleeps", &[TIME]).ms(SHORT_MS),
    case("stops_itself", &[TIME]).ms(SHORT_MS),
    case("ignores_signals", &[TIME]).ms(SHORT_MS),
    case("drips", &[TIME]).ms(SHORT_MS),
    case("thread_execs", &[TIME]).ms(SHORT_MS),
    case("waits_for_vfork", &[TIME]).ms(SHORT_MS),
    // Memory.
    case("eats_memory", &[MEMORY]).mb(64),
    case("grows_vector", &[MEMORY]).mb(64),
    case("touches_array", &[MEMORY]),
    case("huge_bss", &[SEGMENTS]),
    case("children_eat_memory", &[MEMORY]),
    case("shared_memory", &[MEMORY]).mb(64).needs_cgroup(),
    case("spares_itself", &[OK]),
    case("impossible_allocation", &[BAD_ALLOC]),
    case("malloc_null", &[exit(1)]),
    case("maps_untouched", &[OK]),
    case("fills_scratch", &[OUTPUT, FAILURE]),
    // Stack.
    case("deep_stack", &[OK]),
    case("endless_recursion", &[STACK]).mb(512),
    case("large_frame", &[signal("SIGSEGV")]),
    // Processes.
    case("fork_bomb", &[TIME, FAILURE]).ms(SHORT_MS),
    case("thread_bomb", &[TIME, FAILURE]).ms(SHORT_MS),
    case("leaves_child", &[OK]),
    case("kills_everyone", &[OK, FAILURE]),
    case("stops_parent", &[OK]),
    case("signals_runner", &[OK]),
    case("daemon_writes", &[OK]),
    case("leader_leaves", &[exit(3)]),
    // Output.
    case("floods_stdout", &[OUTPUT]),
    case("floods_stderr", &[OUTPUT]),
    case("sparse_file", &[OUTPUT, FAILURE]),
    case("leaves_files", &[OK]),
    case("many_files", &[OK, FAILURE, TIME]).ms(SHORT_MS),
    case("odd_bytes", &[OK]),
    case("closes_stdout", &[OK]),
    case("closes_everything", &[OK]),
    case("reopens_stdout", &[OK]),
    case("deep_tree", &[OK]),
    case("odd_files", &[OK]),
    case("forges_time", &[OK]),
    // Reach.
    case("forbidden_calls", &[OK]),
    case("reaches_out", &[OK]),
    case("owns_files", &[OK]),
    case("executes_tools", &[OK]),
    // Ending.
    case("bad_interpreter", &[exit(127)]).flags(&["-static"]),
    case("exit_seven", &[exit(7)]),
    case("segfault", &[signal("SIGSEGV")]),
    case("divides_by_zero", &[signal("SIGFPE")]),
    case("aborts", &[signal("SIGABRT")]),
    case("uncaught_exception", &[signal("SIGABRT")]),
    case("raises_sigxcpu", &[signal("SIGXCPU")]),
    case("illegal_instruction", &[signal("SIGILL")]),
    case("kills_itself", &[KILLED]),
];

const fn case(program: &'static str, expected: &'static [Expected]) -> Case {
    Case {
        program,
        timeout_ms: LONG_MS,
        memory_mb: MEMORY_MB,
        flags: &[],
        needs_cgroup: false,
        expected,
    }
}

const fn ending(outcome: Outcome) -> Expected {
    Expected { outcome: Some(outcome), ..ANY }
}

const fn signal(name: &'static str) -> Expected {
    Expected { signal: Some(name), ..FAILURE }
}

const fn exit(code: i32) -> Expected {
    Expected { exit_code: Some(code), ..FAILURE }
}

impl Case {
    const fn ms(mut self, limit: u32) -> Self {
        self.timeout_ms = limit;
        self
    }

    const fn mb(mut self, limit: u32) -> Self {
        self.memory_mb = limit;
        self
    }

    const fn flags(mut self, flags: &'static [&'static str]) -> Self {
        self.flags = flags;
        self
    }

    const fn needs_cgroup(mut self) -> Self {
        self.needs_cgroup = true;
        self
    }
}

impl Expected {
    /// Whether this is what came out at a size.
    pub fn admits(&self, result: &SizeResult) -> bool {
        let evidence = &result.evidence;
        let met = evidence.met.as_ref();
        self.outcome == Some(result.outcome)
            && one_of(self.limits, met.map(|met| met.name))
            && one_of(self.methods, met.map(|met| met.method))
            && (self.signal.is_none() || self.signal == evidence.signal)
            && (self.exit_code.is_none() || self.exit_code == evidence.exit_code)
            && (self.hint.is_none() || self.hint == evidence.hint)
            && self.killed_by.is_none_or(|who| who == evidence.killed_by)
    }
}

fn one_of(allowed: &[&str], found: Option<&str>) -> bool {
    allowed.is_empty() || found.is_some_and(|found| allowed.contains(&found))
}

#[cfg(test)]
mod tests {
    use super::CASES;
    use std::collections::BTreeSet;
    use std::{fs, path::Path};

    #[test]
    fn every_program_is_in_the_table() {
        let programs = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("programs"));
        let files: BTreeSet<String> = programs
            .unwrap()
            .map(|file| file.unwrap().file_name().into_string().unwrap())
            .filter(|name| !ACCEPTANCE_ONLY.contains(&name.as_str()))
            .collect();
        let listed = CASES.iter().map(|case| format!("{}.cpp", case.program));
        assert_eq!(files, listed.collect());
    }

    /// Looked at by the acceptance tests alone.
    const ACCEPTANCE_ONLY: [&str; 2] = ["hot_line.cpp", "nothing.cpp"];
}
