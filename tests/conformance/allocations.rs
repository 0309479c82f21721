//! Record of a program's allocations, on every backend.

use crate::{Check, check};
use libtest_mimic::Trial;
use profiler_core::limits::PATIENCE;
use profiler_proto::v1::{AllocationReport, LeftBlocks, LeftKind, Outcome, Warning, WarningCode};
use profiler_tests::harness::{Backend, Ended, SIZE};

/// Long enough even on a busy machine, in milliseconds.
const TIMEOUT_MS: u32 = 10_000 * PATIENCE;
/// The flags with which valgrind saw the programs in `allocations/left`.
const FLAGS: [&str; 3] = ["-O2", "-std=c++17", "-pthread"];

/// The tests as trials.
pub(crate) fn trials(trial: impl Fn(&str, Check) -> Trial) -> [Trial; 12] {
    [
        trial("of_every_kind", check(everything)),
        trial("with_odd_flags", check(odd_flags)),
        trial("of_threads", check(threads)),
        trial("in_great_number", check(many)),
        trial("that_move", check(moves)),
        trial("of_a_recursion", check(recursion)),
        trial("until_a_crash", check(crashes)),
        trial("of_an_own_malloc", check(own_malloc)),
        trial("of_an_own_new", check(own_new)),
        trial("written_over", check(hostile)),
        trial("left_as_valgrind_says", check(valgrind)),
        trial("left_of_unknown_kind", check(unknown)),
    ]
}

async fn recorded(backend: &Backend, program: &str, flags: &[&str]) -> Ended {
    let profiling = backend.profile_file(&format!("tests/allocations/{program}.cpp"));
    let profiling = profiling.flags(flags).timeout_ms(TIMEOUT_MS).allocations();
    // Everything but the record is others' to judge.
    let ended = profiling.timed().untried().repetitions(1).await;
    assert_eq!(ended.outcome(SIZE), Outcome::Ok, "{ended:#?}");
    ended
}

fn told(ended: &Ended) -> &AllocationReport {
    ended.report().allocations.as_ref().unwrap_or_else(|| panic!("nothing is told: {ended:#?}"))
}

/// The text of the only warning about allocations.
fn warning(ended: &Ended, code: WarningCode) -> &str {
    let mut found = ended.report().warnings.iter().filter(|warning| warning.code() == code);
    let only = found.next().unwrap_or_else(|| panic!("no {code:?}: {ended:#?}"));
    &only.message
}

/// The blocks of a kind that are left.
fn left(left: &[LeftBlocks], kind: LeftKind) -> (u64, u64) {
    let found = left.iter().find(|part| part.kind() == kind);
    found.map_or((0, 0), |part| (part.blocks, part.bytes))
}

fn assert_sums(told: &AllocationReport) {
    assert_eq!((told.allocations, told.frees), (13, 10), "{told:#?}");
    let lost = LeftBlocks { kind: LeftKind::Lost.into(), blocks: 3, bytes: 506 };
    assert_eq!(told.left, [lost], "{told:#?}");
    assert_eq!(told.allocated_bytes, 104_883, "{told:#?}");
    assert_eq!(told.peak_bytes, 4000 + 400 + 100_000, "{told:#?}");
    let calls = told.sites.iter().map(|site| site.allocations).sum::<u64>();
    let peak = told.sites.iter().map(|site| site.peak_bytes).sum::<u64>();
    assert_eq!((calls, peak), (13, told.peak_bytes), "the sites are all of it");
    let largest = told.snapshots.iter().map(|snapshot| snapshot.live_bytes).max();
    assert_eq!(largest, Some(told.peak_bytes));
}

async fn everything(backend: &Backend) {
    let ended = recorded(backend, "everything", &[]).await;
    let told = told(&ended);
    assert_sums(told);
    let source = include_str!("../allocations/everything.cpp").lines();
    for (line, text) in source.enumerate().filter(|(_, text)| text.contains("// leaks ")) {
        let bytes = text.split(' ').rev().nth(1).and_then(|bytes| bytes.parse::<u64>().ok());
        let at = |line: u32| {
            let mut sites = told.sites.iter().filter(|site| !site.left.is_empty());
            sites.find(|site| site.trace.iter().any(|frame| frame.line == line))
        };
        let site = u32::try_from(line + 1).ok().and_then(at);
        let lost = site.map(|site| left(&site.left, LeftKind::Lost).1);
        assert_eq!(lost, bytes, "{text}: {told:#?}");
    }
    let functions: Vec<_> = told.events.iter().map(|event| event.function.as_str()).collect();
    for expected in
        ["new", "malloc", "realloc", "posix_memalign", "aligned_alloc", "calloc", "free", "delete"]
    {
        assert!(functions.contains(&expected), "{expected}: {functions:?}");
    }
    let given: u64 = told.events.iter().map(|event| event.bytes).sum();
    assert_eq!((given, told.events_dropped), (told.allocated_bytes, 0));
}

/// A program makes the same requests whatever its flags.
async fn odd_flags(backend: &Backend) {
    for flags in [
        &["-O0", "-std=c++11"][..],
        &["-Ofast", "-std=c++20", "-static"],
        &["-O3", "-fomit-frame-pointer", "-g0", "-pthread", "-fno-exceptions"],
        &["-Os", "-std=gnu++23", "-fno-inline", "-Wall", "-Werror", "-fvisibility=hidden"],
    ] {
        assert_sums(told(&recorded(backend, "everything", flags).await));
    }
}

async fn threads(backend: &Backend) {
    let ended = recorded(backend, "threads", &["-O2", "-pthread"]).await;
    let told = told(&ended);
    let of_blocks = |allocations: &u64| *allocations >= 100_000;
    let blocks = told.sites.iter().map(|site| site.allocations).find(of_blocks);
    assert_eq!(blocks, Some(100_000), "{told:#?}");
    assert!(told.left.is_empty(), "{told:#?}");
    assert!(told.peak_bytes >= 1000 * 16);
    assert_eq!(told.events.len() as u64 + told.events_dropped, told.allocations + told.frees);
}

async fn many(backend: &Backend) {
    let ended = recorded(backend, "many", &[]).await;
    let told = told(&ended);
    assert_eq!((told.allocations, told.frees), (1_000_000, 1_000_000));
    let blocks = told.snapshots.iter().map(|snapshot| snapshot.live_blocks).max();
    assert_eq!((told.peak_bytes, blocks), (16_000_000, Some(1_000_000)));
    assert!(told.left.is_empty(), "{:?}", told.left);
    let mut codes = ended.report().warnings.iter().map(Warning::code);
    assert!(codes.all(|code| code != WarningCode::AllocationsLowerBounds));
}

/// A move counts as two calls, and still appears in the snapshots.
async fn moves(backend: &Backend) {
    let ended = recorded(backend, "moves", &[]).await;
    let told = told(&ended);
    assert_eq!((told.allocations, told.frees), (2002, 1001));
    let largest = told.snapshots.iter().map(|snapshot| snapshot.live_bytes).max();
    assert!(largest > Some(39 * 1001), "{:#?}", told.snapshots);
}

/// Every depth of a recursion is the same place.
async fn recursion(backend: &Backend) {
    let ended = recorded(backend, "recursion", &["-O2", "-fno-inline"]).await;
    let sites = &told(&ended).sites;
    let source = include_str!("../allocations/recursion.cpp").lines();
    for (line, text) in source.enumerate().filter(|(_, text)| text.ends_with(" nodes")) {
        let expected = text.split(' ').rev().nth(1).and_then(|count| count.parse::<u64>().ok());
        let at = |line: u32| sites.iter().filter(move |site| site.trace[0].line == line);
        let found: u64 =
            u32::try_from(line + 1).into_iter().flat_map(at).map(|it| it.allocations).sum();
        assert_eq!(Some(found), expected, "{text}: {sites:#?}");
    }
    assert!(sites.len() <= 8, "{sites:#?}");
}

async fn crashes(backend: &Backend) {
    let ended = recorded(backend, "crashes", &[]).await;
    assert!(warning(&ended, WarningCode::AllocationsPartial).contains("SIGKILL"), "{ended:#?}");
    let site = &told(&ended).sites;
    assert!(site.iter().any(|site| left(&site.left, LeftKind::Unknown) == (50, 5000)), "{site:#?}");
}

async fn own_malloc(backend: &Backend) {
    let ended = recorded(backend, "own_malloc", &[]).await;
    let why = warning(&ended, WarningCode::NoAllocations);
    assert!(why.contains("multiple definition"), "{ended:#?}");
    assert_eq!(ended.report().allocations, None);
}

async fn own_new(backend: &Backend) {
    let ended = recorded(backend, "own_new", &[]).await;
    let told = told(&ended);
    assert_eq!((told.allocations, told.allocated_bytes), (5, 250), "{told:#?}");
}

/// Whatever a hostile program writes into the record, the run ends with a report.
async fn hostile(backend: &Backend) {
    let ended = recorded(backend, "hostile", &[]).await;
    assert_eq!(ended.error(), None);
    assert!(told(&ended).sites.len() <= 512);
}

/// The table was made by `tests/allocations/left/valgrind.sh`.
async fn valgrind(backend: &Backend) {
    let table = include_str!("../allocations/left/valgrind.txt").lines();
    for line in table.filter(|line| !line.starts_with('#')) {
        let (program, expected) = line.split_once(' ').expect("a program and its blocks");
        let ended = recorded(backend, &format!("left/{program}"), &FLAGS).await;
        let [lost, indirectly, possibly, reachable, streams, unknown] = [
            LeftKind::Lost,
            LeftKind::IndirectlyLost,
            LeftKind::PossiblyLost,
            LeftKind::Reachable,
            LeftKind::StreamBuffer,
            LeftKind::Unknown,
        ]
        .map(|kind| left(&told(&ended).left, kind));
        // Valgrind does not tell the streams' buffers apart.
        let reachable = (reachable.0 + streams.0, reachable.1 + streams.1);
        let found = [lost, indirectly, possibly, reachable]
            .map(|(blocks, bytes)| format!("{blocks}/{bytes}"))
            .join(" ");
        assert_eq!((found.as_str(), unknown), (expected, (0, 0)), "{program}: {ended:#?}");
        let buffers = if program == "sync_with_stdio" { (6, 120 << 10) } else { (0, 0) };
        assert_eq!(streams, buffers, "{program}: {ended:#?}");
    }
}

/// Blocks that cannot be told apart are unknown, and the program ends as it would have.
async fn unknown(backend: &Backend) {
    // A thread that goes on has a block of its own besides the program's.
    for (program, blocks, streams) in [("at_once", 1, 6), ("goes_on", 2, 0), ("protects", 1, 0)] {
        let ended = recorded(backend, program, &FLAGS).await;
        let all = &told(&ended).left;
        let of = |kind| left(all, kind).0;
        let found = (of(LeftKind::Unknown), of(LeftKind::StreamBuffer));
        assert_eq!(found, (blocks, streams), "{program}: {ended:#?}");
        let kinds = 1 + usize::from(streams > 0);
        assert_eq!(all.len(), kinds, "{program}: {ended:#?}");
    }
}
