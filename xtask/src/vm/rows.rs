//! What is tried, on which kinds of host, and what must come of it.

use super::machine::{Machine, User};
use super::{PROGRAMS, SUITE};
use crate::steps::failure::Failure;
use crate::steps::shell::root;
use serde_json::Value;
use std::time::{Duration, Instant};

/// A way to start swiftprof.
struct Host {
    name: &'static str,
    user: User,
    /// What stands before each command.
    prefix: &'static str,
    /// What `doctor` says of the memory cgroup.
    doctor: &'static str,
    /// How a program that takes too much memory is noticed.
    notices: &'static str,
    /// The memory limit of that program, in MiB.
    limit_mb: u32,
    tries: &'static [Try],
}

/// What is tried.
#[derive(Debug, Clone, Copy)]
enum Try {
    /// `swiftprof doctor`.
    Doctor,
    /// A benign program.
    Benign,
    /// A program that takes memory without end.
    Hog,
    /// The first row of each group of the suite of hostile programs.
    Hostile,
    /// What is left of the control groups of sandboxes.
    Left,
}

const ALL: [Try; 5] = [Try::Doctor, Try::Benign, Try::Hog, Try::Hostile, Try::Left];

/// The kernel has killed the program, as the cgroup says.
const KERNEL: &str = "OOM_KILL";
/// The runner has found the program's resident set too large.
const POLLED: &str = "POLLED";

const HOSTS: [Host; 6] = [
    Host {
        name: "root, ssh session",
        user: User::Root,
        prefix: "",
        doctor: "at the root of the tree",
        notices: KERNEL,
        limit_mb: 64,
        tries: &ALL,
    },
    Host {
        name: "root, service",
        user: User::Root,
        prefix: "systemd-run --quiet --wait --pipe -E HOME=/root -p Delegate=yes",
        doctor: "delegated",
        notices: KERNEL,
        limit_mb: 64,
        tries: &ALL,
    },
    // The unit's limit is the smaller one, and binds.
    Host {
        name: "root, service of 400 MiB",
        user: User::Root,
        prefix: "systemd-run --quiet --wait --pipe -E HOME=/root -p Delegate=yes \
                 -p MemoryMax=400M -p MemorySwapMax=0",
        doctor: "delegated",
        notices: KERNEL,
        limit_mb: 2000,
        tries: &[Try::Hog, Try::Left],
    },
    Host {
        name: "user, ssh session",
        user: User::Ordinary,
        prefix: "",
        doctor: "none",
        notices: POLLED,
        limit_mb: 64,
        tries: &ALL,
    },
    Host {
        name: "user, scope",
        user: User::Ordinary,
        prefix: "systemd-run --quiet --user --scope -p Delegate=yes",
        doctor: "delegated",
        notices: KERNEL,
        limit_mb: 64,
        tries: &ALL,
    },
    Host {
        name: "user, service",
        user: User::Ordinary,
        prefix: "systemd-run --quiet --wait --pipe --user -p Delegate=yes",
        doctor: "delegated",
        notices: KERNEL,
        limit_mb: 64,
        tries: &[Try::Doctor, Try::Hog, Try::Left],
    },
];

impl Try {
    /// The command, to be run in the repository's root.
    fn command(self, host: &Host) -> String {
        let prefix = host.prefix;
        let run = |source: &str, mb: u32| {
            format!(
                "{prefix} {PROGRAMS}/swiftprof run {} --backend native --sizes 1 --timeout 20s \
                 --memory-mb {mb} --format json",
                root().join(source).display()
            )
        };
        match self {
            Self::Doctor => format!("{prefix} {PROGRAMS}/swiftprof doctor"),
            Self::Benign => run("tests/programs/hello.cpp", 512),
            Self::Hog => run("tests/programs/eats_memory.cpp", host.limit_mb),
            Self::Hostile => format!(
                "{prefix} env PROFILER_TEST_ROWS=first PROFILER_TEST_REQUIRE=native \
                 {PROGRAMS}/{SUITE} native::"
            ),
            Self::Left => "find /sys/fs/cgroup -type d -name 'box-*'".into(),
        }
    }

    /// What the command's output says, in short, and whether it is right.
    fn judge(self, host: &Host, printed: &str) -> (String, bool) {
        let line = |starts: &str| {
            let found = printed.lines().find_map(|line| line.trim().strip_prefix(starts));
            found.map(|rest| rest.trim().to_owned()).unwrap_or_default()
        };
        match self {
            Self::Doctor => {
                let said = line("memory cgroup");
                let is_right = said.contains(host.doctor);
                (said, is_right)
            }
            Self::Benign => judge_run(printed, "OK", ""),
            Self::Hog => judge_run(printed, "MEMORY_LIMIT", host.notices),
            Self::Hostile => {
                let said = line("test result:");
                let is_right = said.starts_with("ok.");
                (said, is_right)
            }
            Self::Left => (printed.trim().to_owned(), printed.trim().is_empty()),
        }
    }
}

/// Judges the report of a run of one size.
fn judge_run(printed: &str, outcome: &str, method: &str) -> (String, bool) {
    // Progress comes first.
    let begin = printed.find("{\n").unwrap_or_default();
    let report: Value = serde_json::from_str(&printed[begin..]).unwrap_or_default();
    let size = &report["sizes"][0];
    let word = |value: &Value, prefix: &str| {
        let text = value.as_str().unwrap_or("?");
        text.strip_prefix(prefix).unwrap_or(text).to_owned()
    };
    let found = word(&size["outcome"], "OUTCOME_");
    let by = word(&size["evidence"]["method"], "DETECTION_METHOD_");
    let lacking = report["host"]["not_enforced"].as_array().map_or(0, Vec::len);
    let is_right = found == outcome && (method.is_empty() || by == method);
    (format!("{found} by {by}, {lacking} not enforced"), is_right)
}

/// A cell of the table.
pub(super) struct Cell {
    host: &'static str,
    tried: Try,
    found: String,
    is_right: bool,
    took: Duration,
}

/// Tries everything on each kind of host, or on those whose name contains `only`.
pub(super) fn fill(machine: &Machine, only: Option<&str>) -> Result<Vec<Cell>, Failure> {
    let mut cells = Vec::new();
    for host in HOSTS.iter().filter(|host| only.is_none_or(|only| host.name.contains(only))) {
        for &tried in host.tries {
            let begun = Instant::now();
            let printed = machine.printed(host.user, &tried.command(host))?;
            let (found, is_right) = tried.judge(host, &printed);
            let took = begun.elapsed();
            println!("{}, {tried:?}: {found}", host.name);
            if !is_right {
                println!("{printed}");
            }
            cells.push(Cell { host: host.name, tried, found, is_right, took });
        }
    }
    Ok(cells)
}

/// Prints the table. Fails if a cell is wrong.
pub(super) fn print(cells: &[Cell]) -> Result<(), Failure> {
    println!();
    for Cell { host, tried, found, is_right, took } in cells {
        let mark = if *is_right { "  " } else { "! " };
        let tried = format!("{tried:?}");
        println!("{mark}{host:26}{tried:10}{:6.1} s  {found}", took.as_secs_f64());
    }
    match cells.iter().filter(|cell| !cell.is_right).count() {
        0 => Ok(()),
        wrong => Err(Failure::Missing(format!("{wrong} cells are not as they must be"))),
    }
}
