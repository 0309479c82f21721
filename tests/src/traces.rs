//! Finds what a profiler leaves on the host, from outside: processes, containers, control groups.

use profiler_core::limits::INPUT_CHECK_TIMEOUT;
use profiler_test_support::wait::until;
use std::collections::HashMap;
use std::fs;
use std::time::{Duration, Instant};

/// The label of our containers that names their owner.
const OWNER_LABEL: &str = "org.swiftsolve.profiler.owner";
/// The folders of our control groups, on version 2 and on version 1.
const CGROUPS: [&str; 2] = ["/sys/fs/cgroup/swiftprof", "/sys/fs/cgroup/memory/swiftprof"];
/// The control group of a process that makes sandboxes below a delegated group.
const SUPERVISOR: &str = "/supervisor";
/// The name of the compiler's process.
pub const COMPILER: &str = "cc1plus";
/// Maximum time until a program starts. It must be compiled first, on a machine that may be busy.
const STARTED_WITHIN: Duration = Duration::from_secs(40);
/// A process that lives longer than this is not one that checks the input. Twice the limit, because
/// a busy machine kills late.
const CHECKED_WITHIN: Duration = INPUT_CHECK_TIMEOUT.saturating_mul(2);
/// Longest pause between two looks that counts as time for which a process lived. In a longer
/// pause, the machine may have stood still, and with it whoever should have ended the process.
const SEEN_TO_LIVE: Duration = Duration::from_millis(50);
/// Anything a run leaves must be gone within this time, even on a busy machine. The aim is 100 ms.
pub const GONE_WITHIN: Duration = Duration::from_secs(2);

/// Processes of a program under test. The program gave them their name.
#[derive(Debug)]
pub struct Program {
    name: String,
    pids: Vec<u32>,
}

impl Program {
    /// Waits until the program `name` runs for the first time, which may be to check its input.
    pub async fn started(name: &str) {
        let found = async || (!processes(name).is_empty()).then_some(());
        until(&format!("{name} starts"), STARTED_WITHIN, found).await;
    }

    /// Waits until the endless program `name` is measured. Its runs that check the input come first
    /// and end without a cancellation.
    pub async fn running(name: &str) -> Self {
        let mut lived: HashMap<u32, Duration> = HashMap::new();
        let mut looked = Instant::now();
        let measured = async || {
            let (pids, passed) = (processes(name), looked.elapsed());
            looked = Instant::now();
            lived.retain(|pid, _| pids.contains(pid));
            for &pid in &pids {
                let since = |lived: &mut Duration| *lived += passed.min(SEEN_TO_LIVE);
                lived.entry(pid).and_modify(since).or_default();
            }
            lived.values().any(|&lived| lived > CHECKED_WITHIN).then_some(pids)
        };
        let pids = until(&format!("{name} is measured"), STARTED_WITHIN, measured).await;
        Self { name: name.to_owned(), pids }
    }

    /// Whether one of its processes exists.
    pub fn is_running(&self) -> bool {
        !processes(&self.name).is_empty()
    }

    /// Waits until none of its processes exists, and returns when that was.
    pub async fn gone(self) -> Instant {
        let what = format!("{} is gone", self.name);
        // Check only the known processes first, because that is quick; then check all.
        let is_left = |pid: &u32| name(*pid).as_ref() == Some(&self.name);
        let gone = async || {
            let known = self.pids.iter().any(is_left);
            (!known && processes(&self.name).is_empty()).then(Instant::now)
        };
        until(&what, GONE_WITHIN, gone).await
    }
}

/// The folders of our control groups, first the one that was delegated to this process.
pub fn cgroups() -> impl Iterator<Item = String> {
    let own = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let own = own.lines().find_map(|line| line.strip_prefix("0::")?.strip_suffix(SUPERVISOR));
    let delegated = own.map(|group| format!("/sys/fs/cgroup{group}"));
    delegated.into_iter().chain(CGROUPS.map(String::from))
}

/// Profiler process as the owner of containers and control groups. Read it while the process lives.
#[derive(Debug, Clone)]
pub struct Owner {
    /// The pid and the start time, as in labels and names of control groups.
    process: String,
    /// The address of its Docker daemon, if `DOCKER_HOST` does not name it.
    daemon: Option<String>,
}

impl Owner {
    /// The owner of the living process `pid`.
    pub fn of(pid: u32) -> Self {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).expect("the process lives");
        // Field 22, counted after the parenthesis of the command's name.
        let after_name = stat.rsplit_once(')').map(|(_, rest)| rest);
        let begun = after_name.and_then(|rest| rest.split_whitespace().nth(19));
        let process = format!("{pid}:{}", begun.expect("a start time"));
        Self { process, daemon: None }
    }

    /// The same owner, with containers on the daemon at this address.
    #[must_use]
    pub fn on(self, daemon: Option<&str>) -> Self {
        Self { daemon: daemon.map(String::from), ..self }
    }

    /// The containers and control groups of this owner that exist.
    pub async fn left(&self) -> Vec<String> {
        let mut left = self.cgroups();
        left.extend(self.containers().await);
        left
    }

    fn cgroups(&self) -> Vec<String> {
        let folders = cgroups().filter_map(|folder| fs::read_dir(folder).ok());
        let names =
            folders.flatten().flatten().filter_map(|entry| entry.file_name().into_string().ok());
        names.filter(|name| self.is_named_in(name)).collect()
    }

    /// Whether a control group's name or path names this owner.
    pub fn is_named_in(&self, cgroup: &str) -> bool {
        cgroup.contains(&format!(".{}.", self.process))
    }

    /// The containers of everybody.
    pub async fn every_container() -> Vec<String> {
        containers(None, HashMap::new()).await
    }

    async fn containers(&self) -> Vec<String> {
        let label = format!("{OWNER_LABEL}={}", self.process);
        containers(self.daemon.as_deref(), HashMap::from([("label", vec![label])])).await
    }
}

/// Lists containers. Empty if no daemon answers.
async fn containers(at: Option<&str>, filters: HashMap<&str, Vec<String>>) -> Vec<String> {
    let options = bollard::query_parameters::ListContainersOptionsBuilder::default()
        .all(true)
        .filters(&filters)
        .build();
    let Some(daemon) = daemon(at).await else {
        return Vec::new();
    };
    let found = daemon.list_containers(Some(options)).await.expect("the daemon lists");
    found.into_iter().filter_map(|container| container.id).collect()
}

/// The daemon at this address, or at `DOCKER_HOST`; `None` if it does not answer.
pub async fn daemon(at: Option<&str>) -> Option<bollard::Docker> {
    let daemon = match at {
        Some(at) => bollard::Docker::connect_with_host(at),
        None => bollard::Docker::connect_with_defaults(),
    };
    daemon.ok()?.negotiate_version().await.ok()
}

/// The processes in a sandbox by the host's ids, each with its id inside the sandbox and its name.
pub fn inside(sandbox: &str) -> Vec<(u32, u32, String)> {
    let entries = fs::read_dir("/proc").expect("linux has a /proc");
    let pids = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let look = |pid: u32| {
        let groups = fs::read_to_string(format!("/proc/{pid}/cgroup")).ok()?;
        let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
        let numbers = status.lines().find_map(|line| line.strip_prefix("NSpid:"))?;
        let number = numbers.split_whitespace().last()?.parse().ok()?;
        groups.contains(sandbox).then_some((pid, number, name(pid)?))
    };
    pids.filter_map(look).collect()
}

fn processes(wanted: &str) -> Vec<u32> {
    let entries = fs::read_dir("/proc").expect("linux has a /proc");
    let pids = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    pids.filter(|&pid| name(pid).is_some_and(|name| name == wanted)).collect()
}

fn name(pid: u32) -> Option<String> {
    let path = format!("/proc/{pid}/comm");
    Some(fs::read_to_string(path).ok()?.trim_end().to_owned())
}
