//! Looks for anything that a job leaves on the host, where nothing should be left. Each search goes
//! by the owner, because other things on the host come and go meanwhile.

use crate::harness::ordinary_user;
use crate::traces::Owner;
use profiler_test_support::wait::until;
use runner_protocol::USERS;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::process;
use std::time::{Duration, Instant};

/// Maximum time until a job's remains disappear.
const GONE_WITHIN: Duration = Duration::from_secs(10);
/// The host's user ids for native sandboxes that root starts.
const SANDBOX_IDS: std::ops::Range<u32> = 0x7000_0000..0x8000_0000;
/// Folders where a program on the host itself would write.
const FOLDERS: [&str; 4] = ["/tmp", "/var/tmp", "/dev/shm", "/dev/mqueue"];
/// Kinds of System V objects.
const SYSV: [&str; 3] = ["shm", "sem", "msg"];
/// Length of a container's id, in characters.
const CONTAINER_ID: usize = 64;

/// The resources of the host that this process holds.
#[derive(Debug, Clone, Copy)]
pub struct Holdings {
    descriptors: usize,
    resident_mb: u64,
}

/// Maximum growth of the number of descriptors: connections to the daemon stay open.
const MORE_DESCRIPTORS: usize = 16;
/// Maximum growth of the resident set, in MiB: answers of several MiB come and go.
const MORE_MB: u64 = 48;

impl Holdings {
    /// The resources that this process holds now.
    pub fn now() -> Self {
        let descriptors = fs::read_dir("/proc/self/fd").map_or(0, Iterator::count);
        let status = fs::read_to_string("/proc/self/status").expect("linux has a /proc");
        let resident_kb: u64 = field(&status, "VmRSS:").expect("a resident set");
        Self { descriptors, resident_mb: resident_kb / 1024 }
    }

    /// Describes what has grown since `before`.
    pub fn grown_since(self, before: Self) -> Option<String> {
        let more = self.descriptors > before.descriptors + MORE_DESCRIPTORS
            || self.resident_mb > before.resident_mb + MORE_MB;
        more.then(|| format!("{before:?} has become {self:?}"))
    }
}

/// Describes what is left of this process's jobs now. A thing that is left a second time gets a
/// different description.
pub async fn there() -> Vec<String> {
    let owner = Owner::of(process::id());
    let mut left = owner.left().await;
    left.extend(processes(&owner).await);
    left.extend(FOLDERS.iter().flat_map(|folder| files(folder)));
    left.extend(SYSV.iter().flat_map(|kind| sysv(kind)));
    left
}

/// Waits until nothing is left of this process's jobs but what was there `before`, and describes
/// what remains.
pub async fn left(before: &[String]) -> Vec<String> {
    let begun = Instant::now();
    let looked = async || {
        let left = there().await.into_iter().filter(|left| !before.contains(left));
        let left: Vec<_> = left.collect();
        (left.is_empty() || begun.elapsed() > GONE_WITHIN).then_some(left)
    };
    until("it is looked once", 2 * GONE_WITHIN, looked).await
}

/// Processes of our sandboxes: our children, those in our cgroups, those of our own ordinary user,
/// and those in containers that the daemon no longer knows.
async fn processes(owner: &Owner) -> Vec<String> {
    let mut left = Vec::new();
    let mut in_containers = Vec::new();
    for entry in fs::read_dir("/proc").expect("linux has a /proc").flatten() {
        let Ok(status) = fs::read_to_string(entry.path().join("status")) else {
            continue;
        };
        if waits_for_init(&status) {
            continue;
        }
        let pid = entry.file_name();
        let name =
            || format!("{}, pid {}", status.lines().next().unwrap_or_default(), pid.display());
        let cgroups = fs::read_to_string(entry.path().join("cgroup")).unwrap_or_default();
        if field(&status, "PPid:") == Some(process::id())
            || field(&status, "Uid:") == Some(ordinary_user())
            || owner.is_named_in(&cgroups)
        {
            left.push(name());
        } else if let Some(id) = container(&cgroups) {
            in_containers.push((id.to_owned(), name()));
        }
    }
    if !in_containers.is_empty() {
        let known = Owner::every_container().await;
        left.extend(in_containers.into_iter().filter(|(id, _)| !known.contains(id)).map(|p| p.1));
    }
    left
}

/// Whether the process has ended and waits only for the host's init to collect it, which can take
/// seconds.
fn waits_for_init(status: &str) -> bool {
    status.lines().any(|line| line.starts_with("State:\tZ")) && field(status, "PPid:") == Some(1)
}

/// The container that a process is in.
fn container(cgroups: &str) -> Option<&str> {
    let words = cgroups.split(|c: char| !c.is_ascii_hexdigit());
    words.filter(|_| cgroups.contains("docker")).find(|word| word.len() == CONTAINER_ID)
}

fn is_a_programs(user: u32) -> bool {
    user == ordinary_user() || USERS.contains(&user) || SANDBOX_IDS.contains(&user)
}

fn files(folder: &str) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let found = entries.filter_map(|entry| Some((entry.path(), entry.metadata().ok()?)));
    let left = found.filter(|(_, meta)| is_a_programs(meta.uid()));
    let told = left.map(|(path, meta)| {
        format!("{}, changed at {}.{:09}", path.display(), meta.ctime(), meta.ctime_nsec())
    });
    told.collect()
}

fn sysv(kind: &str) -> Vec<String> {
    let table = fs::read_to_string(Path::new("/proc/sysvipc").join(kind)).unwrap_or_default();
    let mut rows = table.lines().map(|row| row.split_whitespace().collect::<Vec<_>>());
    let user = rows.next().and_then(|names| names.iter().position(|&name| name == "uid"));
    let of = |row: &[&str]| row.get(user?)?.parse().ok();
    rows.filter(|row| of(row).is_some_and(is_a_programs)).map(|row| row.join(" ")).collect()
}

/// The first number after `name` in a process's status.
fn field<T: std::str::FromStr>(status: &str, name: &str) -> Option<T> {
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use profiler_core::sandbox::native::Native;
    use profiler_core::sandbox::{Backend, Instance};
    use profiler_test_support::require::or_skip;
    use std::io::{Read, Write};

    #[test]
    fn container_is_known_by_its_processes_cgroups() {
        let id = "0123456789abcdef".repeat(4);
        for cgroups in [
            format!("9:memory:/docker/{id}\n0::/docker/{id}\n"),
            format!("0::/system.slice/docker-{id}.scope\n"),
        ] {
            assert_eq!(container(&cgroups), Some(id.as_str()));
        }
        assert_eq!(container("0::/user.slice/session-1.scope\n"), None);
        assert_eq!(container(&format!("0::/kubepods/{id}\n")), None);
    }

    #[tokio::test]
    async fn child_that_lives_is_left() {
        let piped = process::Stdio::piped;
        let mut child =
            process::Command::new("cat").stdin(piped()).stdout(piped()).spawn().unwrap();
        // A process gets its name a moment after the call that starts it has returned.
        child.stdin.as_mut().unwrap().write_all(b"x").unwrap();
        child.stdout.as_mut().unwrap().read_exact(&mut [0]).unwrap();
        let seen = processes(&Owner::of(process::id())).await;
        child.kill().and_then(|()| child.wait()).unwrap();
        assert!(seen.iter().any(|name| name.contains("cat")), "{seen:?}");
    }

    /// The process is its launcher's child and not ours, so only its cgroup identifies it; its name
    /// is the launcher's.
    #[tokio::test]
    async fn runner_that_lives_is_left() {
        let native = Native::new(Instance::fresh()).await.unwrap();
        let Some(sandbox) = or_skip("native", native.start().await) else { return };
        let has_cgroup = sandbox.hello.cgroup.is_some();
        let seen = processes(&Owner::of(process::id())).await;
        sandbox.end().await;
        let names = || seen.iter().filter_map(|seen| seen.split(',').next());
        let twice = |name| names().filter(|&seen| seen == name).count() == 2;
        assert_eq!(names().any(twice), has_cgroup, "{seen:?}");
    }

    #[test]
    fn growth_of_holdings_is_told() {
        let before = Holdings { descriptors: 10, resident_mb: 20 };
        let more = Holdings { descriptors: 10 + MORE_DESCRIPTORS + 1, ..before };
        assert!(more.grown_since(before).is_some());
        assert_eq!(before.grown_since(more), None);
    }

    #[test]
    fn programs_user_is_told_from_others() {
        let theirs = [USERS.start, USERS.end - 1, ordinary_user(), SANDBOX_IDS.start];
        assert!(theirs.into_iter().all(is_a_programs));
        assert!(![0, 1000, 65_534].into_iter().any(is_a_programs));
    }
}
