use super::*;
use std::fs;
use tempfile::TempDir;

/// A host on which nothing disturbs, changed by `changes`.
fn host(changes: &[(&str, &str)]) -> (TempDir, Root) {
    let quiet = [
        ("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n"),
        ("sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "performance\n"),
        ("sys/devices/system/cpu/online", "0-1\n"),
        (NO_TURBO, "1\n"),
        (SMT, "0\n"),
        (HUGE_PAGES, "always [madvise] never\n"),
        (PARANOID, "2\n"),
        ("sys/bus/event_source/devices/cpu/type", "4\n"),
        ("proc/swaps", "Filename Type Size Used Priority\n"),
        ("proc/loadavg", "0.40 0.30 0.20 1/100 4242\n"),
        ("proc/stat", "cpu  500 0 500 9000 0 0 0 0 0 0\ncpu0 1 2\n"),
    ];
    let root = tempfile::tempdir().unwrap();
    for (path, text) in quiet.iter().chain(changes) {
        let path = root.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let host = Root::at(root.path());
    (root, host)
}

fn names(changes: &[(&str, &str)]) -> Vec<&'static str> {
    let (_kept, host) = host(changes);
    find(&host).iter().map(|d| d.name).collect()
}

#[test]
fn quiet_host_has_nothing_to_mend() {
    assert!(names(&[]).is_empty());
}

#[test]
fn each_disturbance_is_seen_alone() {
    let cases = [
        ("sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "powersave", "frequency governor"),
        (NO_TURBO, "0", "turbo"),
        (BOOST, "1", "turbo"),
        (SMT, "1", "SMT siblings"),
        ("proc/swaps", "Filename Type\n/dev/sda2 partition\n", "swap"),
        (HUGE_PAGES, "[always] madvise never", "transparent huge pages"),
        ("proc/loadavg", "1.01 0 0 1/100 4242", "load"),
        ("proc/stat", "cpu  500 0 500 9000 0 0 0 100 0 0", "steal"),
        (PARANOID, "4", "hardware counters"),
        ("sys/devices/system/cpu/online", "0", "one processor"),
    ];
    for (path, text, name) in cases {
        assert_eq!(names(&[(path, text)]), [name], "{path}: {text}");
    }
}

#[test]
fn host_that_says_nothing_lacks_counters_alone() {
    let empty = tempfile::tempdir().unwrap();
    let found = find(&Root::at(empty.path()));
    assert_eq!(found.iter().map(|d| d.name).collect::<Vec<_>>(), ["hardware counters"]);
}

#[test]
fn mending_names_the_switch_that_was_found() {
    let (_kept, host) = host(&[(NO_TURBO, "0")]);
    let mends: Vec<_> = find(&host).into_iter().map(|d| d.mend).collect();
    assert_eq!(mends, ["echo 1 > /sys/devices/system/cpu/intel_pstate/no_turbo"]);
}

#[test]
fn processors_are_counted_over_gaps() {
    let (_kept, host) = host(&[("sys/devices/system/cpu/online", "0-3,6,8-9")]);
    assert_eq!(host.cpus(), Some(7));
}

#[test]
fn memory_cgroup_is_looked_for_in_both_versions() {
    let version = |changes: &[(&str, &str)]| host(changes).1.cgroup_version();
    assert_eq!(version(&[]), None);
    let (_kept, v2) = host(&[("sys/fs/cgroup/cgroup.controllers", "cpu memory pids")]);
    assert_eq!(v2.cgroup_version(), Some(2));
    let (_kept, v1) = host(&[("sys/fs/cgroup/memory/tasks", "")]);
    assert_eq!(v1.cgroup_version(), Some(1));
    let (_kept, other) = host(&[("sys/fs/cgroup/cgroup.controllers", "cpu pids")]);
    assert_eq!(other.cgroup_version(), None);
}
