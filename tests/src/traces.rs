//! What a profiler leaves on the host, seen from outside: processes, containers, control groups.

use profiler_test_support::wait::until;
use std::collections::HashMap;
use std::fs;
use std::time::{Duration, Instant};

/// The label of our containers that names their owner.
const OWNER_LABEL: &str = "org.swiftsolve.profiler.owner";
/// Where our control groups lie, on version 2 and on version 1.
pub const CGROUPS: [&str; 2] = ["/sys/fs/cgroup/swiftprof", "/sys/fs/cgroup/memory/swiftprof"];
/// A program is compiled first, on a machine with other things to do.
const STARTED_WITHIN: Duration = Duration::from_secs(40);
/// What a run leaves is gone within this, whatever the machine does meanwhile. The aim is 100 ms.
pub const GONE_WITHIN: Duration = Duration::from_secs(2);

/// Processes of a program under test. The program gave them their name.
#[derive(Debug)]
pub struct Program {
    name: String,
    pids: Vec<u32>,
}

impl Program {
    /// Waits until the program `name` runs.
    pub async fn running(name: &str) -> Self {
        let what = format!("{name} runs");
        let found = async || Some(processes(name)).filter(|found| !found.is_empty());
        let pids = until(&what, STARTED_WITHIN, found).await;
        let name = name.to_owned();
        Self { name, pids }
    }

    /// Whether one of its processes exists.
    pub fn is_running(&self) -> bool {
        !processes(&self.name).is_empty()
    }

    /// Waits until none of its processes exists, and says when that was.
    pub async fn gone(self) -> Instant {
        let what = format!("{} is gone", self.name);
        // Those that were seen are looked at alone, for that is quick; then everything is.
        let gone = async || {
            let left = self.pids.iter().filter(|&&pid| name(pid).as_ref() == Some(&self.name));
            (left.count() == 0).then(Instant::now)
        };
        let at = until(&what, GONE_WITHIN, gone).await;
        assert_eq!(processes(&self.name), Vec::<u32>::new(), "{what}, and back");
        at
    }
}

/// What belongs to the profiler of a process id. Read while the process lives.
#[derive(Debug, Clone)]
pub struct Owner {
    /// The pid and its start, as labels and control groups name them.
    process: String,
    /// Where its Docker daemon listens, if not where `DOCKER_HOST` says.
    daemon: Option<String>,
}

impl Owner {
    /// The process `pid`, which lives.
    pub fn of(pid: u32) -> Self {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).expect("the process lives");
        // Field 22, counted behind the parenthesis of the command's name.
        let after_name = stat.rsplit_once(')').map(|(_, rest)| rest);
        let begun = after_name.and_then(|rest| rest.split_whitespace().nth(19));
        let process = format!("{pid}:{}", begun.expect("a start time"));
        Self { process, daemon: None }
    }

    /// The same, with containers on the daemon that listens there.
    #[must_use]
    pub fn on(self, daemon: Option<&str>) -> Self {
        Self { daemon: daemon.map(String::from), ..self }
    }

    /// The containers and control groups that exist and are its own.
    pub async fn left(&self) -> Vec<String> {
        let mut left = self.cgroups();
        left.extend(self.containers().await);
        left
    }

    fn cgroups(&self) -> Vec<String> {
        let folders = CGROUPS.iter().filter_map(|folder| fs::read_dir(folder).ok());
        let names =
            folders.flatten().flatten().filter_map(|entry| entry.file_name().into_string().ok());
        names.filter(|name| self.is_named_in(name)).collect()
    }

    /// Whether a control group's name or path says that it is its own.
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

/// None where no daemon answers.
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

/// The daemon that listens there, else where `DOCKER_HOST` says; `None` if it does not answer.
pub async fn daemon(at: Option<&str>) -> Option<bollard::Docker> {
    let daemon = match at {
        Some(at) => bollard::Docker::connect_with_host(at),
        None => bollard::Docker::connect_with_defaults(),
    };
    daemon.ok()?.negotiate_version().await.ok()
}

/// The processes in a sandbox, as the host numbers them: each with its number inside and its name.
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
