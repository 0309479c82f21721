//! On folders that look like a tree of control groups; `cargo xtask vm` has real ones.

use super::*;
use tempfile::TempDir;

/// A tree with one group, in which this process is as `membership` says.
fn host(is_root: bool, membership: &str) -> (TempDir, Host) {
    let tree = tempfile::tempdir().unwrap();
    let mounted = tree.path().join("tree");
    for group in ["", "unit", "unit/supervisor"] {
        let folder = mounted.join(group);
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("cgroup.controllers"), "cpu memory pids\n").unwrap();
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

#[test]
fn a_users_own_group_hands_its_controllers_on() {
    let (_tree, host) = host(false, "/unit");
    let unit = host.mounted.join("unit");
    assert_eq!(find(&host), Ok(Parent { folder: unit.clone(), is_delegated: true }));
    assert_eq!(text(&unit.join(HANDED_ON)), "+memory +pids");
    assert_eq!(text(&unit.join(SUPERVISOR).join(MEMBERS)), "0");
    assert_eq!(text(&host.mounted.join(HANDED_ON)), "");
}

#[test]
fn a_supervisor_stays_where_it_is() {
    let (_tree, host) = host(false, "/unit/supervisor");
    let unit = host.mounted.join("unit");
    fs::write(unit.join(HANDED_ON), "memory pids\n").unwrap();
    assert_eq!(find(&host).map(|parent| parent.folder), Ok(unit.clone()));
    assert_eq!(text(&unit.join(SUPERVISOR).join(MEMBERS)), "");
    assert_eq!(text(&unit.join(HANDED_ON)), "memory pids\n");
}

#[test]
fn a_group_without_a_controller_will_not_do() {
    let (_tree, host) = host(false, "/unit");
    let unit = host.mounted.join("unit");
    fs::write(unit.join("cgroup.controllers"), "cpu memory\n").unwrap();
    let why = format!("{} has no controller pids; {ADVICE}", unit.display());
    assert_eq!(find(&host), Err(why));
}

/// As in a group with other processes: the kernel refuses the write.
#[test]
fn a_group_that_hands_nothing_on_is_left() {
    let (_tree, host) = host(false, "/unit");
    let unit = host.mounted.join("unit");
    fs::remove_file(unit.join(HANDED_ON)).unwrap();
    fs::create_dir(unit.join(HANDED_ON)).unwrap();
    let why = find(&host).unwrap_err();
    assert!(why.starts_with(&unit.join(HANDED_ON).display().to_string()), "{why}");
    assert!(why.contains("other processes are in the group"), "{why}");
    assert_eq!(text(&unit.join(MEMBERS)), "0");
}

#[test]
fn what_is_outside_of_the_namespace_is_not_ours() {
    let (_tree, host) = host(false, "/../unit");
    let why = format!("{} names no group here; {ADVICE}", host.membership.display());
    assert_eq!(find(&host), Err(why));
}

#[test]
fn root_in_a_group_that_is_not_delegated_gets_a_folder_at_the_root() {
    let (_tree, host) = host(true, "/unit");
    let family = host.mounted.join(FAMILY);
    assert_eq!(find(&host), Ok(Parent { folder: family.clone(), is_delegated: false }));
    assert_eq!(text(&family.join(HANDED_ON)), "+memory +pids");
    assert_eq!(text(&host.mounted.join("unit").join(HANDED_ON)), "");
}

#[test]
fn systemds_root_is_not_written() {
    let (_tree, host) = host(true, "/unit");
    fs::create_dir(host.mounted.join(SYSTEMD)).unwrap();
    assert_eq!(find(&host), Err("systemd hands no memory pids on".into()));
    fs::write(host.mounted.join(HANDED_ON), "cpu memory pids\n").unwrap();
    assert!(find(&host).is_ok());
    assert_eq!(text(&host.mounted.join(HANDED_ON)), "cpu memory pids\n");
}

#[test]
fn a_containers_own_root_is_delegated() {
    let (_tree, host) = host(true, "/");
    fs::write(host.mounted.join("cgroup.type"), "domain\n").unwrap();
    let parent = find(&host).unwrap();
    assert_eq!(parent, Parent { folder: host.mounted.clone(), is_delegated: true });
    assert_eq!(text(&host.mounted.join(SUPERVISOR).join(MEMBERS)), "0");
}
