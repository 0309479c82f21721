//! Disturbances caused by the kernel's configuration.

use super::disturbance::{Check, Disturbance};
use crate::commands::doctor::host::Root;

const CLOCK: &str = "sys/devices/system/clocksource/clocksource0/current_clocksource";
const CLOCKS: &str = "sys/devices/system/clocksource/clocksource0/available_clocksource";
/// Clock sources that are counters of the processor: programs read them without a system call.
const GOOD_CLOCKS: [&str; 2] = ["tsc", "arch_sys_counter"];
const SCHEDSTAT: &str = "proc/self/schedstat";
const DELAYACCT: &str = "proc/sys/kernel/task_delayacct";
/// The boot parameters that isolate a core, and the files that list the isolated cores.
const ISOLATION: [(&str, &str); 2] = [
    ("isolcpus", "sys/devices/system/cpu/isolated"),
    ("nohz_full", "sys/devices/system/cpu/nohz_full"),
];

/// Every check of the kernel's configuration.
pub(super) const CHECKS: [Check; 4] = [memory_cgroup, clock_source, run_delay, isolation];

fn memory_cgroup(host: &Root) -> Option<Disturbance> {
    let (found, effect, mend) = match host.cgroup_version() {
        Some(1) => (
            "version 1",
            "deprecated; only native sandboxes of root read its exact peak; its limits are enforced",
            "boot with systemd.unified_cgroup_hierarchy=1 cgroup_no_v1=all",
        ),
        None => (
            "none",
            "native sandboxes sample memory every 10 ms, so a program can briefly exceed its limit",
            "boot with cgroup_enable=memory systemd.unified_cgroup_hierarchy=1",
        ),
        Some(_) => return None,
    };
    Some(Disturbance { code: "memory_cgroup", found: found.into(), effect, mend: mend.into() })
}

fn clock_source(host: &Root) -> Option<Disturbance> {
    let found = host.text(CLOCK).filter(|name| !GOOD_CLOCKS.contains(&name.as_str()))?;
    let available = host.text(CLOCKS).unwrap_or_default();
    let better = available.split(' ').find(|name| GOOD_CLOCKS.contains(name));
    let mend = better.map_or_else(
        || "boot with tsc=reliable, if the processor has an invariant TSC".into(),
        |better| format!("echo {better} > /{CLOCK}"),
    );
    let effect = "reading the clock is slow, which slows every program that does it";
    Some(Disturbance { code: "clock_source", found, effect, mend })
}

/// Checks that the kernel counts run delay. The third field of `schedstat` is the number of times
/// that this process was scheduled. It is running, so 0 means that the kernel does not count.
fn run_delay(host: &Root) -> Option<Disturbance> {
    let slices = host.text(SCHEDSTAT).and_then(|text| Some(text.split(' ').nth(2)?.to_owned()));
    let counts = slices.is_some_and(|slices| slices != "0");
    (!counts).then(|| Disturbance {
        code: "run_delay",
        found: "not counted by this kernel".into(),
        effect: "waiting for a processor cannot be subtracted from the runtime, so load is part of it",
        mend: if host.has(DELAYACCT) {
            "sysctl kernel.task_delayacct=1".into()
        } else {
            "use a kernel with CONFIG_SCHEDSTATS".into()
        },
    })
}

/// Checks that the measured core is isolated. A host's only core cannot be isolated.
fn isolation(host: &Root) -> Option<Disturbance> {
    let core = host.measured_core().filter(|_| host.cpus().is_some_and(|cpus| cpus > 1))?;
    let lacking: Vec<_> = ISOLATION
        .into_iter()
        .filter(|(_, path)| !host.lists(path, core))
        .map(|(parameter, _)| format!("{parameter}={core}"))
        .collect();
    (!lacking.is_empty()).then(|| Disturbance {
        code: "isolation",
        found: format!("core {core}, on which programs are measured, is not isolated"),
        effect: "the kernel runs other work and its timer there, which disturbs the caches",
        mend: format!("boot with {}, start with taskset -ac 0,{core}", lacking.join(" ")),
    })
}
