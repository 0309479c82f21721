//! Findings of a memory probe in programs with known memory.

use crate::subject::Subject;
use profiler_core::limits::{COMPILE_MEMORY_BYTES, MIB, STACK_BYTES};
use runner_protocol::Ending::{Exited, Signaled, Stopped};
use runner_protocol::ask::Probe;
use runner_protocol::{Breach, Ending, Memory, Probed};
use std::mem::discriminant;
use std::time::{Duration, Instant};

/// Time limit of a program that ends.
const LONG: Duration = Duration::from_secs(8);
/// Time limit of a program that does not end.
const SHORT: Duration = Duration::from_millis(200);
/// Longest time of any of these probes, even on a busy machine.
const AT_MOST: Duration = Duration::from_secs(15);
/// More than a C++ program needs for itself, in MiB.
const ITSELF: u64 = 4;
/// `VmData` includes a thread's whole stack, of which little is resident.
const STACK: u64 = STACK_BYTES / MIB;
const SIGABRT: i32 = 6;
const SIGKILL: i32 = 9;
const SIGSEGV: i32 = 11;

/// Expected ending of a program, and the memory that it used, in MiB.
pub(crate) struct Row {
    pub(crate) way: &'static str,
    timeout: Duration,
    ending: Ending,
    holds: fn(&Memory) -> bool,
}

const fn row(way: &'static str, ending: Ending, holds: fn(&Memory) -> bool) -> Row {
    let timeout = if matches!(ending, Stopped(_)) { SHORT } else { LONG };
    Row { way, timeout, ending, holds }
}

/// Whether `bytes` are between `mb` and `mb + more`, in MiB.
fn about(bytes: u64, mb: u64, more: u64) -> bool {
    (mb * MIB..=(mb + more) * MIB).contains(&bytes)
}

fn heap(memory: &Memory, mb: u64, more: u64) -> bool {
    memory.heap_bytes.is_some_and(|bytes| about(bytes, mb, more))
}

fn stack(memory: &Memory, mb: u64, more: u64) -> bool {
    memory.stack_bytes.is_some_and(|bytes| about(bytes, mb, more))
}

pub(crate) const ROWS: &[Row] = &[
    row("hello", Exited(0), |m| {
        about(m.data_stack_bytes, 0, ITSELF) && about(m.resident_bytes, 1, ITSELF)
    }),
    row("freed", Exited(0), |m| {
        about(m.data_stack_bytes, 100, ITSELF)
            && about(m.statm_bytes[1], 100, 2 * ITSELF)
            && about(m.resident_bytes, 1, ITSELF)
    }),
    row("small", Exited(0), |m| heap(m, 1, 1) && about(m.data_stack_bytes, 2, ITSELF)),
    row("deep", Exited(0), |m| stack(m, 8, 2) && about(m.data_stack_bytes, 8, ITSELF)),
    row("bss", Exited(0), |m| {
        about(m.data_stack_bytes, 64, ITSELF)
            && about(m.resident_bytes, 64, ITSELF)
            && heap(m, 0, 1)
    }),
    row("threads", Exited(0), |m| about(m.data_stack_bytes, 80 + 4 * STACK, ITSELF)),
    row("forks", Exited(0), |m| about(m.data_stack_bytes, 10, ITSELF)),
    row("leaves_child", Exited(0), |m| about(m.data_stack_bytes, 0, ITSELF)),
    row("aborts", Signaled(SIGABRT), |m| {
        about(m.data_stack_bytes, 50, ITSELF) && about(m.resident_bytes, 50, 2 * ITSELF)
    }),
    row("crashes", Signaled(SIGSEGV), |m| about(m.data_stack_bytes, 50, ITSELF)),
    // A reading every millisecond sees most of the 256 MiB that the stack may have.
    row("overflows", Signaled(SIGSEGV), |m| about(m.data_stack_bytes, 128, 128 + ITSELF)),
    row("endless", Stopped(Breach::Wall(0)), |m| about(m.resident_bytes, 50, 2 * ITSELF)),
    row("stops_itself", Stopped(Breach::Wall(0)), |m| about(m.resident_bytes, 1, ITSELF)),
    row("maps_for_ever", Stopped(Breach::Wall(0)), |m| about(m.data_stack_bytes, 1, ITSELF)),
    row("frees_often", Exited(0), |m| about(m.data_stack_bytes, 1, ITSELF)),
    row("maps_often", Exited(0), |m| about(m.data_stack_bytes, 1, ITSELF) && m.readings >= 20_000),
    row("many_mappings", Exited(0), |m| about(m.size_bytes, 234, 10 * ITSELF)),
    row("leader_leaves", Exited(3), |m| about(m.data_stack_bytes, 60 + STACK, ITSELF)),
    row("becomes_another", Exited(0), |m| {
        about(m.data_stack_bytes, 70, ITSELF) && about(m.resident_bytes, 1, ITSELF)
    }),
    row("interrupted", Exited(0), |m| about(m.data_stack_bytes, 1, ITSELF)),
    row("confined", Exited(0), |m| about(m.data_stack_bytes, 0, ITSELF)),
];

/// Checks that the program ends as the row says, and that the memory is right and plausible.
pub(crate) async fn holds(subject: &mut Subject, row: &Row) {
    subject.compile(if row.way == "bss" { "bss" } else { "memory" }).await;
    let request = Probe(subject.run(row.way, row.timeout).await);
    let begun = Instant::now();
    let probed = subject.ask(request).await;
    let took = begun.elapsed();
    let as_expected = match (probed.execution.ending, row.ending) {
        // The clock's value differs from run to run.
        (Stopped(breach), Stopped(expected)) => discriminant(&breach) == discriminant(&expected),
        (ending, expected) => ending == expected,
    };
    assert!(as_expected, "{probed:#?}");
    assert!(took < AT_MOST, "{took:?}");
    let memory = probed.memory.expect("this sandbox may look");
    assert!((row.holds)(&memory), "{memory:#?}");
    let [size, resident, shared, text, _, data, _] = memory.statm_bytes;
    assert!(resident <= probed.execution.sample.peak_rss_bytes + MIB, "{probed:#?}");
    assert!(text > 0 && memory.text_bytes > 0 && shared <= resident && resident <= size);
    assert!(data <= memory.data_stack_bytes && size <= memory.size_bytes, "{memory:#?}");
    assert!(memory.data_stack_bytes <= memory.size_bytes && memory.readings > 0, "{memory:#?}");
    assert!(memory.heap_bytes.is_some() && memory.stack_bytes > Some(0), "{memory:#?}");
    let anonymous = memory.anonymous_bytes.expect("this sandbox may open smaps");
    let parts = memory.heap_bytes.max(memory.stack_bytes);
    let peak = probed.execution.sample.peak_rss_bytes;
    assert!(Some(anonymous) >= parts && anonymous <= peak + MIB, "{probed:#?}");
}

/// Checks that the counts of a cgroup belong to one run, and exist if the sandbox has a cgroup. The
/// limit is still the sandbox's, and a kill by it is counted.
pub(crate) async fn peaks(subject: &mut Subject) {
    subject.compile("memory").await;
    let probe = async |subject: &mut Subject, way| {
        let request = Probe(subject.run(way, LONG).await);
        subject.ask(request).await
    };
    let of = |probed: Probed| probed.memory.expect("this sandbox may look").cgroup_peak_bytes;
    let large = of(probe(subject, "keeps").await);
    let small = of(probe(subject, "hello").await);
    if subject.cgroup_version().is_none() {
        assert_eq!((large, small), (None, None));
        return;
    }
    // The kernel charges pages in batches, so a difference of two readings can be too small.
    assert!(large.is_some_and(|bytes| about(bytes + MIB, 64, 17)), "{large:?}");
    assert!(small.is_some_and(|bytes| about(bytes, 0, 16)), "{small:?}");
    subject.limit_memory(64 * MIB).await;
    let killed = probe(subject, "freed").await.execution;
    subject.limit_memory(COMPILE_MEMORY_BYTES).await;
    // A kernel that kills a whole cgroup counts its first victim twice.
    assert_eq!(killed.ending, Signaled(SIGKILL), "{killed:?}");
    assert!((1..=2).contains(&killed.oom_kills), "{killed:?}");
}

/// A second request ends a probe at once, even if its program makes call after call.
pub(crate) async fn stops(subject: &mut Subject) {
    subject.compile("memory").await;
    let request = Probe(subject.run("maps_for_ever", LONG).await);
    let begun = Instant::now();
    assert!(subject.is_stopped(request, SHORT).await);
    assert!(begun.elapsed() < LONG, "{:?}", begun.elapsed());
}
