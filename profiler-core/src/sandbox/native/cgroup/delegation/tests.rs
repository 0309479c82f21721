//! Tests on folders that look like a tree of control groups; `cargo xtask vm` has real groups.

use super::host::{FOR_ROOT, FOR_USER};
use super::*;
use std::process::{Child, Command as Process, Stdio};
use tempfile::TempDir;

/// A tree with one group, in which this process is as `membership` says.
fn host(is_root: bool, membership: &str) -> (TempDir, Host) {
    let tree = tempfile::tempdir().unwrap();
    let mounted = tree.path().join("tree");
    for group in ["", "unit", "unit/supervisor"] {
        let folder = mounted.join(group);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join(CONTROLLERS), "memory pids\n").unwrap();
        fs::write(folder.join(MEMBERS), "").unwrap();
        fs::write(folder.join(HANDED_ON), "").unwrap();
    }
    let file = tree.path().join("membership");
    fs::write(&file, format!("1:name=systemd:/elsewhere\n0::{membership}\n")).unwrap();
    (tree, Host { mounted, membership: file, is_root })
}

fn text(file: &Path) -> String {
    fs::read_to_string(file).unwrap()
}

fn this() -> String {
    std::process::id().to_string()
}

async fn settled(host: &Host) -> Result<Hierarchy, NoCgroup> {
    Hierarchy::find(host).await?.settle(host)
}

/// Makes a group refuse to hand on controllers, as the kernel does if the group has processes.
fn refuse(group: &Path) {
    fs::remove_file(group.join(HANDED_ON)).unwrap();
    fs::create_dir(group.join(HANDED_ON)).unwrap();
}

#[tokio::test]
async fn look_changes_nothing() {
    let (_tree, host) = host(false, "/unit");
    let unit = host.mounted.join("unit");
    let parent = Hierarchy::find(&host).await.unwrap();
    assert_eq!((parent.folder(), parent.needs_moves()), (&*unit, true));
    for file in [HANDED_ON, MEMBERS, "supervisor/cgroup.procs"] {
        assert_eq!(text(&unit.join(file)), "", "{file}");
    }
}

#[tokio::test]
async fn users_own_group_hands_its_controllers_on() {
    let (_tree, host) = host(false, "/unit");
    let unit = host.mounted.join("unit");
    let parent = settled(&host).await.unwrap();
    assert_eq!((parent.folder(), parent.needs_moves()), (&*unit, false));
    assert_eq!(text(&unit.join(HANDED_ON)), "+memory +pids");
    assert_eq!(text(&unit.join(SUPERVISOR).join(MEMBERS)), this());
    assert_eq!(text(&host.mounted.join(HANDED_ON)), "");
}

#[tokio::test]
async fn supervisor_stays_where_it_is() {
    let (_tree, host) = host(false, "/unit/supervisor");
    let unit = host.mounted.join("unit");
    fs::write(unit.join(HANDED_ON), "memory pids\n").unwrap();
    assert_eq!(settled(&host).await.unwrap().folder(), unit);
    assert_eq!(text(&unit.join(SUPERVISOR).join(MEMBERS)), "");
    assert_eq!(text(&unit.join(HANDED_ON)), "memory pids\n");
}

#[tokio::test]
async fn sandboxes_share_the_processors_if_the_group_has_their_controller() {
    let (_tree, host) = host(false, "/unit");
    let unit = host.mounted.join("unit");
    fs::write(unit.join(CONTROLLERS), "cpu memory pids\n").unwrap();
    fs::write(unit.join(HANDED_ON), "memory pids\n").unwrap();
    settled(&host).await.unwrap();
    assert_eq!(text(&unit.join(HANDED_ON)), "+cpu");
}

#[tokio::test]
async fn memory_controller_alone_is_needed() {
    let (_tree, host) = host(false, "/unit");
    let unit = host.mounted.join("unit");
    fs::write(unit.join(CONTROLLERS), "io memory\n").unwrap();
    settled(&host).await.unwrap();
    assert_eq!(text(&unit.join(HANDED_ON)), "+memory");
    fs::write(unit.join(CONTROLLERS), "cpu pids\n").unwrap();
    let why = format!("{} has no memory controller", unit.display());
    assert_eq!(Hierarchy::find(&host).await, Err(host.advise(why)));
}

#[tokio::test]
async fn group_that_hands_nothing_on_is_left() {
    let (_tree, host) = host(false, "/unit");
    let unit = host.mounted.join("unit");
    refuse(&unit);
    let why = settled(&host).await.unwrap_err();
    assert!(why.cause.starts_with(&format!("{}: ", unit.join(HANDED_ON).display())), "{why}");
    assert!(!why.cause.contains("other processes") && why.ways == FOR_USER, "{why}");
    assert_eq!(text(&unit.join(MEMBERS)), this());
}

#[tokio::test]
async fn users_group_with_other_processes_will_not_do() {
    let (_tree, host) = host(false, "/unit");
    let unit = host.mounted.join("unit");
    fs::write(unit.join(MEMBERS), format!("{}\n1\n", this())).unwrap();
    let why = format!("other processes are in {}", unit.display());
    assert_eq!(Hierarchy::find(&host).await, Err(host.advise(why)));
}

/// No systemd knows the group, and the host may have no systemd.
#[tokio::test]
async fn unknown_unit_is_not_delegated() {
    let (_tree, host) = host(false, "/unknown-to-all.scope");
    let unit = host.mounted.join("unknown-to-all.scope");
    fs::rename(host.mounted.join("unit"), &unit).unwrap();
    let why = format!("{} is not delegated", unit.display());
    assert_eq!(Hierarchy::find(&host).await, Err(host.advise(why)));
}

#[tokio::test]
async fn group_outside_of_the_namespace_is_not_ours() {
    let (_tree, host) = host(false, "/../unit");
    let why = format!("{} names no group here", host.membership.display());
    assert_eq!(Hierarchy::find(&host).await, Err(host.advise(why)));
}

#[tokio::test]
async fn root_in_a_group_that_is_not_delegated_gets_a_folder_at_the_root() {
    let (_tree, host) = host(true, "/unit");
    let [family, unit] = [FAMILY, "unit"].map(|name| host.mounted.join(name));
    let why = format!("{} is not delegated", unit.display());
    assert_eq!(Hierarchy::find(&host).await, Ok(Hierarchy::AtRoot(family.clone(), why.clone())));
    assert!(!family.exists());
    assert_eq!(settled(&host).await, Ok(Hierarchy::AtRoot(family.clone(), why)));
    assert_eq!(text(&host.mounted.join(HANDED_ON)), "+memory +pids");
    assert_eq!(text(&family.join(HANDED_ON)), "+memory");
    assert_eq!(text(&unit.join(HANDED_ON)), "");
}

#[tokio::test]
async fn systemds_root_is_not_written() {
    let (_tree, host) = host(true, "/unit");
    fs::create_dir(host.mounted.join(SYSTEMD)).unwrap();
    let why = format!(
        "{} is not delegated; systemd does not delegate the memory controller at the root of the tree",
        host.mounted.join("unit").display()
    );
    assert_eq!(Hierarchy::find(&host).await, Err(host.advise(why)));
    fs::write(host.mounted.join(HANDED_ON), "cpu memory\n").unwrap();
    settled(&host).await.unwrap();
    assert_eq!(text(&host.mounted.join(HANDED_ON)), "cpu memory\n");
}

#[tokio::test]
async fn containers_own_root_is_delegated() {
    let (_tree, host) = host(true, "/");
    fs::write(host.mounted.join("cgroup.type"), "domain\n").unwrap();
    assert_eq!(settled(&host).await.unwrap().folder(), host.mounted);
    assert_eq!(text(&host.mounted.join(SUPERVISOR).join(MEMBERS)), this());
}

/// A delegated unit of root's.
fn delegated(host: &Host, own: &str) -> Delegated {
    let group = host.mounted.join("unit");
    Delegated { own: host.mounted.join(own), group, is_whole: true, is_made: false }
}

#[test]
fn root_falls_back_to_the_root_of_the_tree() {
    let (_tree, host) = host(true, "/unit");
    let delegated = delegated(&host, "unit");
    refuse(&delegated.group);
    let Ok(Hierarchy::AtRoot(folder, why)) = Hierarchy::Delegated(delegated).settle(&host) else {
        panic!("a folder at the root");
    };
    assert_eq!(folder, host.mounted.join(FAMILY));
    assert!(why.starts_with(&host.mounted.join("unit").display().to_string()), "{why}");
    refuse(&host.mounted);
    let why = Hierarchy::AtRoot(folder, "one".into()).settle(&host).unwrap_err();
    let file = host.mounted.join(HANDED_ON).display().to_string();
    assert!(why.cause.starts_with(&format!("one; {file}: ")) && why.ways == FOR_ROOT, "{why}");
}

#[test]
fn process_without_a_number_is_not_moved() {
    let (_tree, host) = host(true, "/unit/supervisor");
    let delegated = delegated(&host, "unit/supervisor");
    fs::write(delegated.group.join(MEMBERS), "0\n").unwrap();
    let leaf = delegated.settle().unwrap();
    assert_eq!(text(&leaf.join(MEMBERS)), "");
}

/// In these folders, a process that was moved is still in its old group.
#[test]
fn processes_go_back_if_they_cannot_all_be_moved() {
    let (_tree, host) = host(true, "/unit/supervisor");
    let delegated = delegated(&host, "unit/supervisor");
    fs::write(delegated.group.join(MEMBERS), "7\n").unwrap();
    let why = delegated.settle().unwrap_err();
    assert_eq!(why, format!("other processes are in {}", delegated.group.display()));
    assert_eq!(text(&delegated.group.join(MEMBERS)), "7");
    assert_eq!(text(&delegated.group.join(HANDED_ON)), "");
}

/// A group in a real hierarchy, with two processes.
struct Group {
    folder: PathBuf,
    processes: Vec<Child>,
}

impl Group {
    /// `None` if this process can make no group.
    fn new() -> Option<Self> {
        let mounts = fs::read_to_string("/proc/mounts").unwrap();
        let fields = mounts.lines().map(|line| line.split(' ').collect::<Vec<_>>());
        let mut mounted = fields.filter(|fields| fields[2] == "cgroup2").map(|fields| fields[1]);
        let name = format!("swiftprof-moves-{}", std::process::id());
        let folder = mounted.find_map(|root| {
            let folder = Path::new(root).join(&name);
            fs::create_dir(&folder).ok().map(|()| folder)
        })?;
        let process = || Process::new("cat").stdin(Stdio::piped()).spawn().unwrap();
        let group = Self { folder, processes: vec![process(), process()] };
        for process in &group.processes {
            fs::write(group.folder.join(MEMBERS), process.id().to_string()).unwrap();
        }
        Some(group)
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        for process in &mut self.processes {
            let _ = process.kill().and_then(|()| process.wait());
        }
        let _ = fs::remove_dir(self.folder.join(SUPERVISOR));
        let _ = fs::remove_dir(&self.folder);
    }
}

#[test]
fn delegated_group_is_emptied() {
    let Some(group) = Group::new() else {
        eprintln!("skipped: no cgroup of version 2 can be made here");
        return;
    };
    let leaf = group.folder.join(SUPERVISOR);
    fs::create_dir(&leaf).unwrap();
    let delegated = Delegated {
        group: group.folder.clone(),
        own: leaf.clone(),
        is_whole: true,
        is_made: false,
    };
    let mut moved = BTreeSet::new();
    assert_eq!(delegated.empty(&leaf, &mut moved), Ok(()));
    let processes = group.processes.iter().map(Child::id).collect();
    assert_eq!((moved, members(&group.folder)), (processes, Vec::new()));
}
