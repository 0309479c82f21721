use super::*;
use crate::limits::MIB;
use crate::sandbox::Instance;
use delegation::HANDED_ON;
use nix::unistd::geteuid;
use profiler_test_support::require::or_skip;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Stdio};

/// The kernel rounds limits to pages of this size.
const PAGE_BYTES: u64 = 4096;

/// The hierarchy of `host`, made ready.
async fn settled(host: &Host) -> Result<Hierarchy, NoCgroup> {
    Hierarchy::find(host).await?.settle(host)
}

/// A cgroup on this host; `None` if the host does not allow one.
async fn cgroup() -> Option<Cgroup> {
    let owner = Owner::this_process(Instance::fresh());
    let made = settled(&Host::this()).await.and_then(|found| Cgroup::create(&found, &owner));
    // An ordinary user has a cgroup only if one was delegated.
    if geteuid().is_root() { or_skip("native", made) } else { made.ok() }
}

/// A host with a folder like a hierarchy of version 2.
fn hierarchy() -> (tempfile::TempDir, Host) {
    let mounted = tempfile::tempdir().expect("a folder");
    fs::write(mounted.path().join("cgroup.controllers"), "cpu memory pids\n").expect("written");
    let host = Host { mounted: mounted.path().into(), is_root: true, ..Host::this() };
    (mounted, host)
}

/// Returns the reason why no cgroup can be made on `host`.
async fn refused(host: &Host) -> String {
    let owner = Owner::this_process(Instance::fresh());
    let made = settled(host).await.and_then(|found| Cgroup::create(&found, &owner));
    made.map(drop).expect_err("none can be made").to_string()
}

#[tokio::test]
async fn host_without_a_memory_controller_is_told_so() {
    let (mounted, host) = hierarchy();
    fs::remove_file(mounted.path().join("cgroup.controllers")).expect("removed");
    let why = refused(&host).await;
    let start = format!("no memory controller at {}; mount it there", mounted.path().display());
    assert!(why.starts_with(&start), "{why}");
}

/// The kernel refuses the write, as in a cgroup namespace whose root has processes.
#[tokio::test]
async fn root_that_hands_nothing_on_is_told_so_and_left_as_it_was() {
    let (mounted, host) = hierarchy();
    fs::create_dir(mounted.path().join(HANDED_ON)).expect("made");
    let why = refused(&host).await;
    let file = mounted.path().join(HANDED_ON).display().to_string();
    assert!(why.contains(&format!("; {file}: ")), "{why}");
    assert!(!mounted.path().join(FAMILY).exists());
}

#[tokio::test]
async fn family_that_cannot_be_made_is_told_so() {
    let (mounted, host) = hierarchy();
    fs::write(mounted.path().join(HANDED_ON), "memory\n").expect("written");
    fs::write(mounted.path().join(FAMILY), "a file").expect("written");
    let why = refused(&host).await;
    let family = mounted.path().join(FAMILY).display().to_string();
    assert!(why.contains(&format!("; {family}: ")), "{why}");
}

/// A process that waits until its stdin is closed.
fn process() -> Child {
    Command::new("cat").stdin(Stdio::piped()).spawn().expect("cat is everywhere")
}

#[tokio::test]
async fn cgroup_starts_with_the_compilers_limit() {
    let Some(cgroup) = cgroup().await else { return };
    // The kernel rounds to whole pages.
    let pages = COMPILING_BYTES / PAGE_BYTES;
    assert_eq!(cgroup.current_limit(), Some(pages * PAGE_BYTES));
    cgroup.remove().await;
}

#[tokio::test]
async fn limit_can_fall_and_rise() {
    let Some(cgroup) = cgroup().await else { return };
    for mib in [64, 32, 128] {
        cgroup.limit(mib * MIB).expect("limited");
        assert_eq!(cgroup.current_limit(), Some(mib * MIB));
    }
    cgroup.remove().await;
}

#[tokio::test]
async fn cgroup_is_removed_with_its_last_process() {
    let Some(cgroup) = cgroup().await else { return };
    let mut process = process();
    cgroup.admit(process.id()).expect("admitted");
    assert_eq!(members(&cgroup.path), [process.id()]);
    let (version, folder) = cgroup.place();
    assert!([1, 2].contains(&version) && Path::new(&folder).is_dir());
    // The pipe stays open, so that the process does not end by itself.
    let _stdin = process.stdin.take();
    // Reap the process while the removal waits: until then it is a member of the cgroup.
    let ended = std::thread::spawn(move || process.wait().expect("it ends"));
    cgroup.remove().await;
    assert!(!Path::new(&folder).exists());
    let ended = ended.join().expect("it is waited for");
    assert_eq!(ended.signal(), Some(Signal::SIGKILL as i32));
}

#[tokio::test]
async fn dead_process_cannot_be_admitted() {
    let Some(cgroup) = cgroup().await else { return };
    let mut process = process();
    process.kill().and_then(|()| process.wait()).expect("it ends");
    let fault = cgroup.admit(process.id()).expect_err("nobody is there");
    assert!(fault.to_string().starts_with("cannot set up the cgroup: cgroup.procs: "), "{fault}");
    cgroup.remove().await;
}

#[test]
fn cgroups_at_the_root_of_the_tree_are_swept_too() {
    let (mounted, host) = hierarchy();
    let instance = Instance::fresh();
    let dead = Owner { process: "1:0".into(), ..Owner::this_process(instance) };
    let [family, unit] = [FAMILY, "unit"].map(|name| mounted.path().join(name));
    let left = [&family, &unit].map(|folder| folder.join(format!("{BOX}{dead}.sandbox")));
    for folder in &left {
        fs::create_dir_all(folder).expect("made");
    }
    let swept = Cgroup::sweep(&host, &Hierarchy::V1(unit), &Owner::this_process(instance));
    assert_eq!(swept, 2);
    assert!(left.iter().all(|folder| !folder.exists()));
}
