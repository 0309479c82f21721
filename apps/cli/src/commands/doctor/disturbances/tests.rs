use super::settings::{BOOST, HUGE_PAGES, NO_TURBO, PARANOID, SMT};
use super::*;
use std::fs;
use tempfile::TempDir;

const CLOCK: &str = "sys/devices/system/clocksource/clocksource0/current_clocksource";
/// Core 1 had interrupts, but none between two observations.
const INTERRUPTS: &str = "           CPU0       CPU1
 36:          5     222063 PCI-MSIX-0000:00:02.0   1-edge      virtio1-req.0
 37:         10        500 PCI-MSIX-0000:00:03.0   0-edge      eth0
LOC:     547377     545877   Local timer interrupts
";

/// A host without disturbances, changed by `changes`.
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
        ("sys/devices/system/cpu/isolated", "1\n"),
        ("sys/devices/system/cpu/nohz_full", "1\n"),
        ("sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n"),
        ("sys/devices/system/clocksource/clocksource0/available_clocksource", "tsc hpet\n"),
        ("sys/fs/cgroup/cgroup.controllers", "cpu memory pids\n"),
        ("proc/self/schedstat", "9000 0 3\n"),
        ("proc/self/status", "Name:\tswiftprof\nCpus_allowed_list:\t0-1\n"),
        ("proc/interrupts", INTERRUPTS),
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
    let host = Root(root.path().into());
    (root, host)
}

fn codes(changes: &[(&str, &str)]) -> Vec<&'static str> {
    let (_kept, host) = host(changes);
    find(&host, &Observation::now(&host)).iter().map(|d| d.code).collect()
}

#[test]
fn quiet_host_has_no_disturbance() {
    assert!(codes(&[]).is_empty());
}

#[test]
fn each_disturbance_is_seen_alone() {
    let cases = [
        ("sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "powersave", "frequency_governor"),
        (NO_TURBO, "0", "turbo"),
        (BOOST, "1", "turbo"),
        (SMT, "1", "smt"),
        ("proc/swaps", "Filename Type\n/dev/sda2 partition\n", "swap"),
        (HUGE_PAGES, "[always] madvise never", "huge_pages"),
        ("proc/loadavg", "1.01 0 0 1/100 4242", "load"),
        (PARANOID, "4", "hardware_counters"),
        (CLOCK, "hpet", "clock_source"),
        ("sys/fs/cgroup/memory/tasks", "", "memory_cgroup"),
        ("sys/fs/cgroup/cgroup.controllers", "cpu pids", "memory_cgroup"),
        ("proc/self/schedstat", "0 0 0", "run_delay"),
        ("sys/devices/system/cpu/isolated", "", "isolation"),
        ("sys/devices/system/cpu/nohz_full", "(null)", "isolation"),
        ("sys/devices/system/cpu/online", "0", "one_processor"),
    ];
    for (path, text, code) in cases {
        assert_eq!(codes(&[(path, text)]), [code], "{path}: {text}");
    }
}

#[test]
fn empty_host_lacks_the_required_features() {
    let empty = tempfile::tempdir().unwrap();
    let host = Root(empty.path().into());
    let found = find(&host, &Observation::now(&host));
    let codes: Vec<_> = found.iter().map(|d| d.code).collect();
    assert_eq!(codes, ["hardware_counters", "memory_cgroup", "run_delay"]);
}

/// The disturbances after a change between two observations.
fn found_after(change: (&str, &str)) -> Vec<Disturbance> {
    let (_kept, quiet) = host(&[]);
    let (_kept, changed) = host(&[change]);
    find(&changed, &Observation::now(&quiet))
}

#[test]
fn steal_is_seen_since_boot_and_just_now() {
    let found = found_after(("proc/stat", "cpu  550 0 500 9040 0 0 0 10 0 0"));
    assert_eq!(found[0].found, "0.1 % of the time since boot, 10.0 % just now");
    let long_ago = codes(&[("proc/stat", "cpu  500 0 500 9000 0 0 0 100 0 0")]);
    assert_eq!(long_ago, ["steal"]);
}

#[test]
fn interrupts_of_devices_count_on_the_measured_core() {
    let risen = INTERRUPTS.replace("222063", "999999").replace("547377", "999999");
    let found = found_after(("proc/interrupts", &risen));
    assert!(found[0].found.ends_with("on core 1, most of them 36 (virtio1-req.0)"), "{found:?}");
    let elsewhere = INTERRUPTS.replace("   5 ", "9999 ");
    assert_eq!(found_after(("proc/interrupts", &elsewhere)), []);
}

#[test]
fn measured_core_is_the_last_that_is_allowed() {
    let (_kept, quiet) = host(&[("proc/self/status", "Cpus_allowed_list:\t0-2,5\n")]);
    assert_eq!(quiet.measured_core(), Some(5));
    let (_kept, odd) = host(&[("proc/self/status", "Cpus_allowed_list:\tall\n")]);
    assert_eq!(odd.measured_core(), None);
}

#[test]
fn better_clock_is_named_where_there_is_one() {
    let (_kept, host) = host(&[(CLOCK, "hpet")]);
    let found = find(&host, &Observation::now(&host));
    assert_eq!(found[0].mend, format!("echo tsc > /{CLOCK}"));
}

#[test]
fn remedy_names_the_switch_of_this_host() {
    let (_kept, host) = host(&[(NO_TURBO, "0")]);
    let found = find(&host, &Observation::now(&host));
    let mends: Vec<_> = found.into_iter().map(|d| d.mend).collect();
    assert_eq!(mends, ["echo 1 > /sys/devices/system/cpu/intel_pstate/no_turbo"]);
}

#[test]
fn processors_are_counted_over_gaps() {
    let (_kept, host) = host(&[("sys/devices/system/cpu/online", "0-3,6,8-9")]);
    assert_eq!(host.cpus(), Some(7));
}

#[test]
fn memory_cgroup_is_looked_for_in_both_versions() {
    let (_kept, v2) = host(&[]);
    assert_eq!(v2.cgroup_version(), Some(2));
    let (_kept, v1) = host(&[("sys/fs/cgroup/memory/tasks", "")]);
    assert_eq!(v1.cgroup_version(), Some(1));
    let (_kept, other) = host(&[("sys/fs/cgroup/cgroup.controllers", "cpu pids")]);
    assert_eq!(other.cgroup_version(), None);
}
