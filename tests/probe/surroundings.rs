//! Differences between runs that a program can see. `surroundings.cpp` prints what it finds, and
//! its lines are compared. What may differ is in [`DIFFERENCES`], and the security model has the
//! same list.

pub(crate) mod channels;
pub(crate) mod neighbours;

use crate::subject::{Flavour, Subject};
use nix::sched::{CpuSet, sched_getaffinity};
use nix::unistd::Pid;
use profiler_core::limits::COUNTER_ADDRESS_BYTES;
use runner_protocol::ask::{Count, Probe, Repeat};
use runner_protocol::{Budget, File, MAX_STDOUT_HEAD_BYTES, Run, Stop};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::Path;
use std::time::Duration;

/// Time limit of every run.
const TIMEOUT: Duration = Duration::from_secs(8);
/// Time of the batches, in which all runs have room.
const BUDGET: Duration = Duration::from_secs(20);
/// Repetitions that are compared.
const REPETITIONS: u32 = 3;
/// The heading of the list in the security model.
const HEADING: &str = "## How runs differ";

/// The kinds of runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    WarmUp,
    /// Compared with an earlier repetition, so what differs here differs in every kind.
    Repetition,
    Probe,
    Count,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::WarmUp => "warm-up",
            Self::Repetition => "every run",
            Self::Probe => "memory probe",
            Self::Count => "count",
        })
    }
}

/// Permitted difference in runs of a kind: its name in the security model, and the beginnings of
/// its keys.
struct Difference {
    kind: Kind,
    name: &'static str,
    keys: &'static [&'static str],
    /// Whether it differs in containers alone.
    in_docker: bool,
}

const fn differs(kind: Kind, name: &'static str, keys: &'static [&'static str]) -> Difference {
    Difference { kind, name, keys, in_docker: false }
}

const fn in_docker(kind: Kind, name: &'static str, keys: &'static [&'static str]) -> Difference {
    Difference { in_docker: true, ..differs(kind, name, keys) }
}

const DIFFERENCES: &[Difference] = &[
    differs(Kind::Repetition, "inode numbers of new files", &["new.file"]),
    differs(Kind::Repetition, "places of new files in their folder", &["new.place"]),
    differs(Kind::Repetition, "inode numbers of pipes", &["new.pipe", "self.fdinfo.3"]),
    // Only `channels.cpp` makes such a mapping.
    differs(Kind::Repetition, "inode numbers of shared mappings", &[]),
    differs(Kind::Repetition, "inode numbers of process descriptors", &["new.process"]),
    differs(Kind::Repetition, "the number of its autogroup", &["self.autogroup"]),
    differs(Kind::Repetition, "the runner's processor time", &["runner.time"]),
    differs(
        Kind::Repetition,
        "figures of the machine",
        &["machine", "links./proc", "self.net.softnet_stat"],
    ),
    differs(Kind::Repetition, "when it started", &["self.stat.22."]),
    differs(
        Kind::Repetition,
        "times of the input, the outputs, folders and what is in `/dev`",
        &[
            "times.input",
            "times.stdout",
            "times.stderr",
            "times./tmp",
            "times./code/own",
            "times./dev",
        ],
    ),
    differs(
        Kind::Repetition,
        "its own use of memory and processors",
        &[
            "status.VmHWM",
            "status.VmRSS",
            "status.RssAnon",
            "status.RssFile",
            "status.RssShmem",
            "status.VmPTE",
            "status.voluntary_ctxt_switches",
            "status.nonvoluntary_ctxt_switches",
            "self.sched",
            "self.smaps_rollup",
            "self.numa_maps",
            "self.statm",
            "self.io",
            "self.arch_status",
            // page faults, processor times, the resident set, the processor, waits for a disk
            "self.stat.10.",
            "self.stat.12.",
            "self.stat.14.",
            "self.stat.15.",
            "self.stat.24.",
            "self.stat.39.",
            "self.stat.42.",
        ],
    ),
    differs(Kind::WarmUp, "the parent's id", &["parent", "status.PPid", "self.stat.4."]),
    differs(
        Kind::WarmUp,
        "room for descriptors, and a flag of its process",
        &["status.FDSize", "self.stat.9."],
    ),
    differs(Kind::WarmUp, "the cgroup", &["self.cgroup", "self.cpuset"]),
    differs(Kind::Probe, "limits", &["limit.", "self.limits"]),
    differs(Kind::Probe, "the cgroup", &["self.cgroup", "self.cpuset"]),
    differs(Kind::Probe, "the waiting system call", &["self.syscall"]),
    differs(Kind::Count, "limits", &["limit.", "self.limits"]),
    differs(Kind::Count, "free space of /code", &["space.code", "file./code/own", "names.own"]),
    differs(
        Kind::Count,
        "the counter around the program",
        &[
            "argument",
            "auxiliary.",
            "descriptor.",
            "environment",
            "disposition",
            "file.binary",
            "links.binary",
            "times.binary",
            "self.",
            "status.",
            "option.",
            "umask",
        ],
    ),
    in_docker(
        Kind::Repetition,
        "process ids",
        &["pid", "thread", "group", "session", "status.", "self.syscall", "self.stat."],
    ),
    in_docker(Kind::Repetition, "the runner and the host", &["runner.", "host.", "names.proc"]),
    in_docker(Kind::WarmUp, "the parent", &["parent."]),
];

/// The lines of one run, by their keys.
type Seen = BTreeMap<String, Vec<String>>;

/// Compares a warm-up, a memory probe, a count and some repetitions with one repetition.
pub(crate) async fn holds(subject: &mut Subject, flavour: Flavour) {
    subject.compile("surroundings").await;
    subject.put(File::Counter, sandbox_image::COUNTER).await;
    let run = subject.run("input", TIMEOUT).await;
    let run = Run { stdout_head: MAX_STDOUT_HEAD_BYTES, stop: stop(0), ..run };
    let warm_up = subject.ask(Repeat(Run { warm_up: true, gnu_time: true, ..run.clone() })).await;
    assert!(warm_up.warm_up.as_ref().is_some_and(|run| run.ending.is_success()), "{warm_up:?}");
    let warm_up = seen(&warm_up.written.stdout_head);
    let mut longer = run.clone();
    longer.limits.cpu_s += 1;
    longer.limits.address_space_bytes += COUNTER_ADDRESS_BYTES;
    // Before the repetitions, which would find what a count leaves.
    let counted = subject.ask(Count(longer)).await;
    assert!(counted.instructions.is_ok(), "{counted:?}");
    let count = seen(&counted.written.stdout_head);
    let mut repetitions = Vec::new();
    for _ in 0..=REPETITIONS {
        let batch = subject.ask(Repeat(Run { stop: stop(1), ..run.clone() })).await;
        repetitions.push(seen(&batch.written.stdout_head));
    }
    let mut longer = run.clone();
    longer.limits.cpu_s += 1;
    let probed = subject.ask(Probe(longer)).await;
    assert!(probed.execution.ending.is_success(), "{probed:?}");
    // A batch of no runs has the output of the run before.
    let probe = seen(&subject.ask(Repeat(run)).await.written.stdout_head);

    let first = repetitions.remove(0);
    // The last lines are there, so no line was cut off.
    assert!(first.contains_key("new.place"), "{first:?}");
    let mut unnamed = Vec::new();
    let others = repetitions.iter().map(|seen| (Kind::Repetition, seen));
    for (kind, seen) in [(Kind::WarmUp, &warm_up), (Kind::Probe, &probe), (Kind::Count, &count)]
        .into_iter()
        .chain(others)
    {
        let keys: BTreeSet<&String> = first.keys().chain(seen.keys()).collect();
        let differing = keys.into_iter().filter(|&key| first.get(key) != seen.get(key));
        unnamed.extend(
            differing
                .filter(|key| !may_differ(key, kind, flavour))
                .map(|key| format!("{kind}: {key}: {:?}, not {:?}", seen.get(key), first.get(key))),
        );
    }
    assert!(unnamed.is_empty(), "{}", unnamed.join("\n"));
    if !matches!(flavour, Flavour::Docker) {
        assert_eq!(first["pid"], ["10"]);
        for (key, found) in first.iter().filter(|(key, _)| key.starts_with("host.")) {
            assert_eq!(found, &["closed"], "{key}");
        }
        for (key, found) in first.iter().filter(|(key, _)| key.starts_with("runner.")) {
            assert!(found == &["closed"] || key == "runner.time", "{key}: {found:?}");
        }
    }
}

/// The first three cells of a row of the list.
type Cells = [String; 3];

/// The list in the security model.
fn listed() -> Vec<Cells> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/security-model.md");
    let page = std::fs::read_to_string(path).expect("the page is there");
    let (_, section) = page.split_once(HEADING).expect("the page has the list");
    let section = section.split("\n## ").next().unwrap_or(section);
    let rows = section.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| what"));
    let cells = rows.filter_map(|row| {
        let mut cells = row.split('|').skip(1).map(|cell| cell.trim().to_owned());
        Some([cells.next()?, cells.next()?, cells.next()?])
    });
    cells.collect()
}

/// The security model names the same differences.
pub(crate) fn are_documented() {
    let listed: BTreeSet<(String, String)> =
        listed().into_iter().map(|[what, kind, _]| (what, kind)).collect();
    let named: BTreeSet<(String, String)> = DIFFERENCES
        .iter()
        .map(|it| {
            let docker = if it.in_docker { ", Docker" } else { "" };
            (it.name.to_owned(), format!("{}{docker}", it.kind))
        })
        .collect();
    assert_eq!(listed, named);
}

/// Returns the figures that a program prints when it does `what`. It runs on one processor, because
/// each has a part of some counters to itself.
async fn said(subject: &mut Subject, what: &str) -> Seen {
    let allowed = sched_getaffinity(Pid::this()).expect("the kernel lists processors");
    let core = (0..CpuSet::count()).find(|&core| allowed.is_set(core).unwrap_or(false));
    let core = core.and_then(|core| u32::try_from(core).ok());
    let run = subject.run(what, TIMEOUT).await;
    let run = Run { core, stdout_head: MAX_STDOUT_HEAD_BYTES, stop: stop(1), ..run };
    let batch = subject.ask(Repeat(run)).await;
    assert!(batch.repetitions.iter().all(|run| run.ending.is_success()), "{batch:?}");
    seen(&batch.written.stdout_head)
}

fn number(seen: &Seen, key: &str) -> Option<u64> {
    seen.get(key)?.first()?.parse().ok()
}

fn stop(most: u32) -> Stop {
    let budget_ns = u64::try_from(BUDGET.as_nanos()).expect("it fits");
    Stop { least: 0, most, precision_ppm: 0, budget: Budget::Whole(budget_ns) }
}

fn seen(stdout: &[u8]) -> Seen {
    let mut seen = Seen::new();
    for line in String::from_utf8_lossy(stdout).lines() {
        let (key, found) = line.split_once(' ').unwrap_or((line, ""));
        seen.entry(key.to_owned()).or_default().push(found.to_owned());
    }
    seen
}

fn may_differ(key: &str, kind: Kind, flavour: Flavour) -> bool {
    let here = |it: &&Difference| {
        (it.kind == kind || it.kind == Kind::Repetition)
            && (!it.in_docker || matches!(flavour, Flavour::Docker))
    };
    DIFFERENCES.iter().filter(here).flat_map(|it| it.keys).any(|begin| key.starts_with(begin))
}
