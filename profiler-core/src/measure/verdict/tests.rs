use super::KilledBy::{Itself, KernelOom, KernelRlimit, Profiler};
use super::Outcome::{MemoryLimit, Ok, OutputLimit, RuntimeError, TimeLimit};
use super::*;
use crate::limits::MIB;
use profiler_proto::Word;
use profiler_proto::v1::Unit;
use runner_protocol::Sample;

const LIMITS: RunLimits = RunLimits {
    timeout: Duration::from_secs(2),
    grace: Duration::ZERO,
    memory_bytes: 512 * MIB,
    address_space_bytes: None,
    clock: None,
};
const SECOND_NS: u64 = 1_000_000_000;

/// A run of one second and 4 MiB.
fn ended(ending: Ending) -> Execution {
    Execution {
        ending,
        sample: Sample {
            wall_ns: SECOND_NS,
            cpu_ns: Some(SECOND_NS),
            run_delay_ns: Some(0),
            peak_rss_bytes: 4 * MIB,
            ..Sample::default()
        },
        oom_kills: 0,
        output_full: false,
    }
}

fn died(signal: Signal) -> Execution {
    ended(Ending::Signaled(signal as i32))
}

/// Returns `execution` after `change`.
fn with(mut execution: Execution, change: impl FnOnce(&mut Execution)) -> Execution {
    change(&mut execution);
    execution
}

fn lasting(ns: u64) -> Execution {
    with(ended(Ending::Exited(0)), |e| e.sample.wall_ns = ns)
}

fn oom_killed() -> Execution {
    with(died(Signal::SIGKILL), |e| e.oom_kills = 1)
}

fn out_of_cpu(signal: Signal) -> Execution {
    with(died(signal), |e| {
        e.sample.cpu_ns = Some(u64::try_from(LIMITS.cpu().as_nanos()).unwrap());
    })
}

/// The outcome, the kind and method of the limit that was met, and who killed the program.
type Row = (Outcome, Option<(&'static str, &'static str)>, KilledBy);

fn row(execution: &Execution) -> Row {
    let Verdict { outcome, evidence } = judge(execution, &LIMITS, b"");
    let met = evidence.limit_value.map(|_| (evidence.limit().word(), evidence.method().word()));
    (outcome, met, evidence.killed_by())
}

/// Checks that each execution gets the verdict in its row.
fn check(table: impl IntoIterator<Item = (&'static str, Execution, Row)>) {
    for (rule, execution, expected) in table {
        assert_eq!(row(&execution), expected, "{rule}");
    }
}

#[test]
fn ending_decides_without_a_limit() {
    check([
        ("ok", ended(Ending::Exited(0)), (Ok, None, Itself)),
        ("exit code", ended(Ending::Exited(3)), (RuntimeError, None, Itself)),
        ("signal", died(Signal::SIGFPE), (RuntimeError, None, Itself)),
        ("killed", died(Signal::SIGKILL), (RuntimeError, None, Itself)),
    ]);
}

#[test]
fn every_rule_of_memory() {
    check([
        ("oom", oom_killed(), (MemoryLimit, Some(("memory", "oom_kill")), KernelOom)),
        (
            "oom of a child",
            with(ended(Ending::Exited(1)), |e| e.oom_kills = 1),
            (MemoryLimit, Some(("memory", "oom_kill")), Itself),
        ),
        (
            "polled",
            ended(Ending::Stopped(Breach::Resident(513 * MIB))),
            (MemoryLimit, Some(("memory", "polled")), Profiler),
        ),
        (
            "peak",
            with(ended(Ending::Exited(0)), |e| {
                e.sample.peak_rss_bytes = 512 * MIB + 1;
            }),
            (MemoryLimit, Some(("memory", "peak_rss")), Itself),
        ),
        (
            "held by several",
            with(ended(Ending::Exited(0)), |e| {
                e.sample.held_bytes = 512 * MIB + HELD_SLACK_BYTES + 1;
            }),
            (MemoryLimit, Some(("memory", "cgroup_peak")), Itself),
        ),
        (
            "held, with the kernel's own memory",
            with(ended(Ending::Exited(0)), |e| {
                e.sample.held_bytes = 512 * MIB + HELD_SLACK_BYTES;
            }),
            (Ok, None, Itself),
        ),
    ]);
}

#[test]
fn every_rule_of_output() {
    check([
        (
            "full file",
            with(ended(Ending::Exited(0)), |e| e.output_full = true),
            (OutputLimit, Some(("output", "file_size")), Itself),
        ),
        ("SIGXFSZ", died(Signal::SIGXFSZ), (OutputLimit, Some(("output", "rlimit")), KernelRlimit)),
    ]);
}

#[test]
fn every_rule_of_time() {
    check([
        (
            "timer",
            ended(Ending::Stopped(Breach::Time(2 * SECOND_NS))),
            (TimeLimit, Some(("time", "timer")), Profiler),
        ),
        (
            "hard stop",
            ended(Ending::Stopped(Breach::Wall(5 * SECOND_NS))),
            (TimeLimit, Some(("wall", "timer")), Profiler),
        ),
        (
            "a moment too late",
            lasting(2 * SECOND_NS + 1),
            (TimeLimit, Some(("time", "timer")), Itself),
        ),
        ("just in time", lasting(2 * SECOND_NS), (Ok, None, Itself)),
        (
            "SIGXCPU",
            out_of_cpu(Signal::SIGXCPU),
            (TimeLimit, Some(("cpu", "rlimit")), KernelRlimit),
        ),
        ("SIGXCPU of its own", died(Signal::SIGXCPU), (RuntimeError, None, Itself)),
        (
            "SIGXCPU ignored",
            out_of_cpu(Signal::SIGKILL),
            (TimeLimit, Some(("cpu", "rlimit")), KernelRlimit),
        ),
    ]);
}

#[test]
fn memory_is_judged_before_output_and_time() {
    let all = with(oom_killed(), |e| {
        e.output_full = true;
        e.sample.wall_ns = 9 * SECOND_NS;
    });
    assert_eq!(row(&all).0, MemoryLimit);
}

#[test]
fn output_is_judged_before_time() {
    let both = with(lasting(9 * SECOND_NS), |e| e.output_full = true);
    assert_eq!(row(&both).0, OutputLimit);
}

#[test]
fn time_is_judged_before_the_exit_code() {
    let both = with(lasting(9 * SECOND_NS), |e| e.ending = Ending::Exited(1));
    assert_eq!(row(&both).0, TimeLimit);
}

#[test]
fn oom_kill_is_better_evidence_than_the_peak() {
    let both = with(oom_killed(), |e| e.sample.peak_rss_bytes = 600 * MIB);
    assert_eq!(row(&both).1, Some(("memory", "oom_kill")));
}

#[test]
fn waiting_for_a_processor_does_not_count() {
    let waited = with(lasting(3 * SECOND_NS), |e| {
        e.sample.run_delay_ns = Some(2 * SECOND_NS);
    });
    assert_eq!(row(&waited).0, Ok);
}

#[test]
fn waiting_for_the_programs_own_children_counts() {
    let yielded = with(lasting(3 * SECOND_NS), |e| {
        e.sample.run_delay_ns = Some(2 * SECOND_NS);
        e.sample.cpu_ns = Some(3 * SECOND_NS);
        e.sample.concurrent = true;
    });
    assert_eq!(row(&yielded).0, TimeLimit);
}

#[test]
fn wall_time_counts_without_run_delay() {
    let unknown = with(lasting(3 * SECOND_NS), |e| e.sample.run_delay_ns = None);
    assert_eq!(row(&unknown).0, TimeLimit);
}

#[test]
fn chosen_clock_counts() {
    let limits = RunLimits { clock: Some(RuntimeClock::Cpu), ..LIMITS };
    assert_eq!(judge(&lasting(3 * SECOND_NS), &limits, b"").outcome, Ok);
}

#[test]
fn limit_and_what_met_it_are_named() {
    let met = judge(&lasting(3 * SECOND_NS), &LIMITS, b"").evidence;
    assert_eq!((met.limit_value, met.met_value), (Some(2_000.0), Some(3_000.0)));
    assert_eq!((met.unit(), met.grace), (Unit::Ms, None));
}

#[test]
fn widened_limit_names_its_grace() {
    let limits = RunLimits { grace: Duration::from_millis(250), ..LIMITS };
    let met = judge(&lasting(3 * SECOND_NS), &limits, b"").evidence;
    assert_eq!((met.limit_value, met.grace), (Some(2_000.0), Some(250.0)));
    let full = judge(&ended(Ending::Stopped(Breach::Resident(513 * MIB))), &limits, b"");
    assert_eq!(full.evidence.grace, None);
}

#[test]
fn polled_breach_names_what_was_sampled() {
    let polled = ended(Ending::Stopped(Breach::Resident(513 * MIB)));
    let met = judge(&polled, &LIMITS, b"").evidence;
    assert_eq!((met.limit_value, met.met_value), (Some(512.0), Some(513.0)));
    assert_eq!(met.unit(), Unit::Mib);
}

#[test]
fn value_that_met_a_limit_is_not_below_it() {
    // The kernel killed a child; the measured process is small.
    let child = with(ended(Ending::Exited(1)), |e| e.oom_kills = 1);
    let stopped =
        [Breach::Resident(513 * MIB), Breach::Time(2 * SECOND_NS), Breach::Wall(5 * SECOND_NS)];
    let stopped = stopped.map(|breach| ended(Ending::Stopped(breach)));
    for execution in stopped.into_iter().chain([child, oom_killed()]) {
        let met = judge(&execution, &LIMITS, b"").evidence;
        assert!(met.met_value.unwrap() >= met.limit_value.unwrap(), "{met:?}");
    }
}

#[test]
fn exit_code_is_evidence() {
    let evidence = judge(&ended(Ending::Exited(3)), &LIMITS, b"").evidence;
    assert_eq!((evidence.exit_code, evidence.signal), (Some(3), None));
}

#[test]
fn signal_is_evidence() {
    let evidence = judge(&died(Signal::SIGSEGV), &LIMITS, b"").evidence;
    assert_eq!((evidence.exit_code, evidence.signal.as_deref()), (None, Some("SIGSEGV")));
}

fn hint(execution: &Execution, stderr: &[u8]) -> FailureHint {
    let limits = RunLimits { memory_bytes: 1024 * MIB, ..LIMITS };
    judge(execution, &limits, stderr).evidence.hint()
}

#[test]
fn every_hint() {
    const SAID: &[u8] = b"terminate called after throwing an instance of 'std::bad_alloc'\n";
    let deep = |signal| with(died(signal), |e| e.sample.peak_rss_bytes = STACK_BYTES);
    for (execution, stderr, expected) in [
        (deep(Signal::SIGSEGV), &b""[..], FailureHint::Stack),
        (died(Signal::SIGSEGV), b"", FailureHint::Unspecified),
        (deep(Signal::SIGFPE), b"", FailureHint::Unspecified),
        (died(Signal::SIGABRT), SAID, FailureHint::BadAlloc),
        (died(Signal::SIGABRT), b"assertion failed", FailureHint::Unspecified),
        (died(Signal::SIGSEGV), SAID, FailureHint::Unspecified),
        (ended(Ending::Exited(0)), SAID, FailureHint::Unspecified),
    ] {
        assert_eq!(hint(&execution, stderr), expected, "{execution:?}");
    }
}

fn of_segments(segment_bytes: u64) -> Option<Outcome> {
    let binary = Binary { bytes: 1, segment_bytes };
    judge_binary(binary, &LIMITS).map(|verdict| verdict.outcome)
}

#[test]
fn segments_that_fit_are_no_verdict() {
    assert_eq!(of_segments(512 * MIB), None);
}

#[test]
fn segments_that_do_not_fit_are_the_memory_limit() {
    assert_eq!(of_segments(512 * MIB + 1), Some(MemoryLimit));
}

#[test]
fn real_time_signal_has_no_name_of_its_own() {
    assert_eq!(signal_name(40), "SIGRT");
}
