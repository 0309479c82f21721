use super::*;
use crate::limits::MIB;
use crate::sandbox::Instance;
use delegation::HANDED_ON;
use nix::unistd::geteuid;
use profiler_test_support::require::or_skip;
use std::process::{Child, Command, Stdio};

/// The kernel rounds limits to pages of this size.
const PAGE_BYTES: u64 = 4096;

/// A cgroup on this host; `None` if the host does not allow one.
fn cgroup() -> Option<Cgroup> {
    let owner = Owner::this_process(Instance::fresh());
    let made = Cgroup::create(&Host::this(), &owner);
    // An ordinary user has one only where it was delegated.
    if geteuid().is_root() { or_skip("native", made) } else { made.ok() }
}

/// A host with a folder like a hierarchy of version 2.
fn hierarchy() -> (tempfile::TempDir, Host) {
    let mounted = tempfile::tempdir().expect("a folder");
    fs::write(mounted.path().join("cgroup.controllers"), "cpu memory pids\n").expect("written");
    let host = Host { mounted: mounted.path().into(), is_root: true, ..Host::this() };
    (mounted, host)
}

/// Why no cgroup can be made on `host`.
fn refused(host: &Host) -> String {
    let owner = Owner::this_process(Instance::fresh());
    Cgroup::create(host, &owner).map(drop).expect_err("none can be made")
}

#[test]
fn a_host_without_a_memory_controller_is_told_so() {
    let (mounted, host) = hierarchy();
    fs::remove_file(mounted.path().join("cgroup.controllers")).expect("removed");
    let why = refused(&host);
    assert_eq!(why, format!("no memory controller at {}", mounted.path().display()));
}

/// As in a cgroup namespace whose root has processes: the kernel refuses the write.
#[test]
fn a_root_that_hands_nothing_on_is_told_so_and_left_as_it_was() {
    let (mounted, host) = hierarchy();
    fs::create_dir(mounted.path().join(HANDED_ON)).expect("made");
    let why = refused(&host);
    let file = mounted.path().join(HANDED_ON).display().to_string();
    assert!(why.starts_with(&format!("{file}: ")), "{why}");
    assert!(!mounted.path().join(FAMILY).exists());
}

#[test]
fn a_family_that_cannot_be_made_is_told_so() {
    let (mounted, host) = hierarchy();
    fs::write(mounted.path().join(FAMILY), "a file").expect("written");
    let why = refused(&host);
    let family = mounted.path().join(FAMILY).display().to_string();
    assert!(why.starts_with(&format!("{family}: ")), "{why}");
}

/// A process that waits until its stdin is closed.
fn process() -> Child {
    Command::new("cat").stdin(Stdio::piped()).spawn().expect("cat is everywhere")
}

fn members(cgroup: &Cgroup) -> Vec<u32> {
    let text = fs::read_to_string(cgroup.path.join("cgroup.procs")).expect("a list");
    text.lines().map(|line| line.parse().expect("a pid")).collect()
}

#[tokio::test]
async fn a_cgroup_starts_with_the_compilers_limit() {
    let Some(cgroup) = cgroup() else { return };
    // The kernel rounds to whole pages.
    let pages = COMPILING_BYTES / PAGE_BYTES;
    assert_eq!(cgroup.current_limit(), Some(pages * PAGE_BYTES));
    cgroup.remove().await;
}

#[tokio::test]
async fn a_limit_can_fall_and_rise() {
    let Some(cgroup) = cgroup() else { return };
    for mib in [64, 32, 128] {
        cgroup.limit(mib * MIB).expect("limited");
        assert_eq!(cgroup.current_limit(), Some(mib * MIB));
    }
    cgroup.remove().await;
}

#[tokio::test]
async fn a_cgroup_is_removed_after_its_last_process() {
    let Some(cgroup) = cgroup() else { return };
    let mut process = process();
    cgroup.admit(process.id()).expect("admitted");
    assert_eq!(members(&cgroup), [process.id()]);
    let (version, folder) = cgroup.place();
    assert!([1, 2].contains(&version) && Path::new(&folder).is_dir());
    drop(process.stdin.take());
    // Reap it while the removal waits: until then it is a member of the cgroup.
    let ended = std::thread::spawn(move || process.wait().expect("it ends"));
    cgroup.remove().await;
    assert!(!Path::new(&folder).exists());
    assert!(ended.join().expect("it is waited for").success());
}

#[tokio::test]
async fn a_dead_process_cannot_be_admitted() {
    let Some(cgroup) = cgroup() else { return };
    let mut process = process();
    process.kill().and_then(|()| process.wait()).expect("it ends");
    let fault = cgroup.admit(process.id()).expect_err("nobody is there");
    assert!(fault.to_string().starts_with("set up the cgroup: cgroup.procs: "), "{fault}");
    cgroup.remove().await;
}
