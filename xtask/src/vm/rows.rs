//! What is tried, on which kinds of host, and what must come of it.

use super::machine::{Machine, User};
use crate::steps::failure::Failure;
use crate::steps::shell::root;
use serde_json::Value;
use std::time::{Duration, Instant};

/// Where the guest has the programs.
pub(super) const PROGRAMS: &str = "/usr/local/bin";
/// The suite of hostile programs.
pub(super) const SUITE: &str = "conformance";

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
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Try {
    /// `swiftprof doctor`.
    Doctor,
    /// A benign program.
    Benign,
    /// A program that takes memory without end.
    Hog,
    /// The first row of each group of the suite of hostile programs.
    Hostile,
    /// A run that is killed, and another one after it.
    Killed,
    /// What is left of the control groups of sandboxes.
    Left,
}

const OF_ROOT: [Try; 6] =
    [Try::Doctor, Try::Benign, Try::Hog, Try::Hostile, Try::Killed, Try::Left];
const OF_USER: [Try; 5] = [Try::Doctor, Try::Benign, Try::Hog, Try::Hostile, Try::Left];

/// How long a run takes at most to start its program, in seconds.
const STARTED_SECONDS: u32 = 15;

/// The kernel has killed the program, as the cgroup says.
const KERNEL: &str = "OOM_KILL";
/// The runner has found the program's resident set too large.
const POLLED: &str = "POLLED";

const HOSTS: [Host; 8] = [
    Host {
        name: "root, ssh session",
        user: User::Root,
        prefix: "",
        doctor: "at the root of the tree",
        notices: KERNEL,
        limit_mb: 64,
        tries: &OF_ROOT,
    },
    Host {
        name: "root, service",
        user: User::Root,
        prefix: "systemd-run --quiet --wait --pipe -E HOME=/root -p Delegate=yes",
        doctor: "delegated",
        notices: KERNEL,
        limit_mb: 64,
        tries: &OF_ROOT,
    },
    // As in a container: the group is the root of a namespace, and a shell is in it.
    Host {
        name: "root, cgroup namespace",
        user: User::Root,
        prefix: "systemd-run --quiet --wait --pipe -E HOME=/root -p Delegate=yes unshare --cgroup --mount sh -c \
                 'mount -t cgroup2 none /sys/fs/cgroup && \"$@\"' sh",
        doctor: "delegated",
        notices: KERNEL,
        limit_mb: 64,
        tries: &[Try::Doctor, Try::Hog, Try::Killed, Try::Left],
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
        tries: &OF_USER,
    },
    // systemd would stop it when a program is out of memory.
    Host {
        name: "user, service without delegation",
        user: User::Ordinary,
        prefix: "systemd-run --quiet --wait --pipe --user",
        doctor: "none",
        notices: POLLED,
        limit_mb: 64,
        tries: &[Try::Doctor, Try::Hog, Try::Left],
    },
    Host {
        name: "user, scope",
        user: User::Ordinary,
        prefix: "systemd-run --quiet --user --scope -p Delegate=yes",
        doctor: "delegated",
        notices: KERNEL,
        limit_mb: 64,
        tries: &OF_USER,
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
        let run = |program: &str, mb: u32| {
            let source = root().join("tests/programs").join(program);
            format!(
                "{PROGRAMS}/swiftprof run {}.cpp --backend native --sizes 1 --timeout 20s \
                 --memory-mb {mb} --format json",
                source.display()
            )
        };
        let left = "find /sys/fs/cgroup -type d -name 'box-*'";
        match self {
            Self::Doctor => format!("{prefix} {PROGRAMS}/swiftprof doctor"),
            Self::Benign => format!("{prefix} {}", run("hello", 512)),
            Self::Hog => format!("{prefix} {}", run("eats_memory", host.limit_mb)),
            Self::Hostile => format!(
                "{prefix} env PROFILER_TEST_ROWS=first PROFILER_TEST_REQUIRE=native \
                 {PROGRAMS}/{SUITE} native::"
            ),
            // A shell's script in a variable, because it has quotes of its own.
            Self::Killed => format!(
                r#"S="{endless} & sleep {STARTED_SECONDS}; kill -9 \$!; echo left \$({left} | wc -l);
{benign} > /dev/null 2>&1; echo then \$({left} | wc -l)"; {prefix} sh -c "$S""#,
                endless = run("endless_loop", 512),
                benign = run("hello", 512),
            ),
            Self::Left => left.into(),
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
                let of_suite =
                    |line: &'_ str| line.starts_with("test ") && line.ends_with("FAILED");
                let failed: Vec<_> = printed.lines().filter(|line| of_suite(line)).collect();
                let counts = said.split("; 0 ignored").next().unwrap_or_default();
                ([&[counts], &failed[..]].concat().join(", "), is_right)
            }
            Self::Killed => {
                let [left, then] = ["left ", "then "].map(line);
                let is_right = left != "0" && then == "0";
                (format!("{left} left, {then} after the next start"), is_right)
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

/// Which cells are filled.
pub(crate) struct Choice {
    /// Without the suite of hostile programs.
    pub(crate) is_quick: bool,
    /// On the kinds of host whose name contains this.
    pub(crate) host: Option<String>,
}

impl Choice {
    fn has(&self, host: &Host, tried: Try) -> bool {
        let is_named = self.host.as_ref().is_none_or(|part| host.name.contains(part));
        is_named && !(self.is_quick && tried == Try::Hostile)
    }
}

/// Tries what was chosen.
pub(super) fn fill(machine: &Machine, choice: &Choice) -> Result<Vec<Cell>, Failure> {
    let mut cells = Vec::new();
    for host in &HOSTS {
        for &tried in host.tries.iter().filter(|&&tried| choice.has(host, tried)) {
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
        println!("{mark}{host:34}{tried:10}{:6.1} s  {found}", took.as_secs_f64());
    }
    match cells.iter().filter(|cell| !cell.is_right).count() {
        0 => Ok(()),
        wrong => Err(Failure::Missing(format!("{wrong} cells are not as they must be"))),
    }
}
