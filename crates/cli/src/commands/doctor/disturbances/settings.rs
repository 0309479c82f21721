//! Disturbances by settings of the processor and of memory, and by load.

use super::disturbance::{Check, Disturbance};
use crate::commands::doctor::host::Root;

/// Load per processor above which other work is likely to be in the way.
const BUSY_LOAD_PER_CPU: f64 = 0.5;
/// `perf_event_paranoid` up to which a process may count its own instructions.
const PARANOID_LIMIT: i32 = 2;
const GOVERNOR: &str = "performance";
pub(super) const NO_TURBO: &str = "sys/devices/system/cpu/intel_pstate/no_turbo";
pub(super) const BOOST: &str = "sys/devices/system/cpu/cpufreq/boost";
pub(super) const SMT: &str = "sys/devices/system/cpu/smt/active";
pub(super) const HUGE_PAGES: &str = "sys/kernel/mm/transparent_hugepage/enabled";
pub(super) const PARANOID: &str = "proc/sys/kernel/perf_event_paranoid";
/// The counters of a host with one kind of core, and of one with two.
const COUNTERS: [&str; 2] =
    ["sys/bus/event_source/devices/cpu", "sys/bus/event_source/devices/cpu_core"];

/// Every check of a setting or of the load.
pub(super) const CHECKS: [Check; 8] =
    [governor, turbo, smt, swap, huge_pages, load, counters, one_cpu];

fn governor(host: &Root) -> Option<Disturbance> {
    let mut others = host.governors();
    others.retain(|governor| governor != GOVERNOR);
    (!others.is_empty()).then(|| Disturbance {
        name: "frequency governor",
        found: others.join(", "),
        effect: "the clock rate follows the load, so short runs are measured slow",
        mend: format!("cpupower frequency-set -g {GOVERNOR}"),
    })
}

fn turbo(host: &Root) -> Option<Disturbance> {
    let switches = [(NO_TURBO, "0", "1"), (BOOST, "1", "0")];
    switches.into_iter().find_map(|(path, on, off)| {
        (host.text(path)? == on).then(|| Disturbance {
            name: "turbo",
            found: "on".into(),
            effect: "the clock rate depends on heat and on what the other cores do",
            mend: format!("echo {off} > /{path}"),
        })
    })
}

fn smt(host: &Root) -> Option<Disturbance> {
    (host.text(SMT)? == "1").then(|| Disturbance {
        name: "SMT siblings",
        found: "on".into(),
        effect: "whatever runs on the sibling takes a share of the measured core",
        mend: "echo off > /sys/devices/system/cpu/smt/control".into(),
    })
}

fn swap(host: &Root) -> Option<Disturbance> {
    let areas = host.swaps();
    (!areas.is_empty()).then(|| Disturbance {
        name: "swap",
        found: areas.join(", "),
        effect: "memory that is swapped out is missing from the peak, and fetching it takes time",
        mend: "swapoff -a".into(),
    })
}

fn huge_pages(host: &Root) -> Option<Disturbance> {
    host.text(HUGE_PAGES)?.contains("[always]").then(|| Disturbance {
        name: "transparent huge pages",
        found: "always".into(),
        effect: "peak memory grows in steps of 2 MiB, and not in the same ones each time",
        mend: format!("echo madvise > /{HUGE_PAGES}"),
    })
}

fn load(host: &Root) -> Option<Disturbance> {
    let (load, cpus) = (host.load()?, host.cpus()?);
    (load > BUSY_LOAD_PER_CPU * f64::from(cpus)).then(|| Disturbance {
        name: "load",
        found: format!("{load:.2} on {cpus} processors"),
        effect: "other work shares caches and memory bandwidth; waiting for a processor is taken out",
        mend: "end other work: `top` shows it".into(),
    })
}

fn counters(host: &Root) -> Option<Disturbance> {
    let missing = |found: String, mend: String| Disturbance {
        name: "hardware counters",
        found,
        effect: "instructions are counted by translating the program, in runs of their own; times are not affected",
        mend,
    };
    if !COUNTERS.iter().any(|path| host.has(path)) {
        let mend = "on a virtual machine, have its performance counters passed through";
        return Some(missing("none".into(), mend.into()));
    }
    let paranoid: i32 = host.text(PARANOID)?.parse().ok()?;
    (paranoid > PARANOID_LIMIT).then(|| {
        let mend = format!("sysctl kernel.perf_event_paranoid={PARANOID_LIMIT}");
        missing(format!("closed: perf_event_paranoid is {paranoid}"), mend)
    })
}

fn one_cpu(host: &Root) -> Option<Disturbance> {
    (host.cpus()? == 1).then(|| Disturbance {
        name: "one processor",
        found: "1".into(),
        effect: "the profiler and everything else run on the measured core",
        mend: "use a machine with two processors or more".into(),
    })
}
