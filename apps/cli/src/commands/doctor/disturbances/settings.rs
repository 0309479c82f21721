//! Disturbances caused by settings of the processor and of memory, and by load.

use super::disturbance::{Check, Disturbance};
use crate::commands::doctor::host::Root;

/// Load per processor. Above it, other work probably disturbs measurements.
const BUSY_LOAD_PER_CPU: f64 = 0.5;
/// The highest `perf_event_paranoid` at which a process may count its own instructions.
const PARANOID_LIMIT: i32 = 2;
const GOVERNOR: &str = "performance";
pub(super) const NO_TURBO: &str = "sys/devices/system/cpu/intel_pstate/no_turbo";
pub(super) const BOOST: &str = "sys/devices/system/cpu/cpufreq/boost";
pub(super) const SMT: &str = "sys/devices/system/cpu/smt/active";
pub(super) const HUGE_PAGES: &str = "sys/kernel/mm/transparent_hugepage/enabled";
pub(super) const PARANOID: &str = "proc/sys/kernel/perf_event_paranoid";
/// Performance counters of a host with one kind of cores, and of one with two kinds.
const COUNTERS: [&str; 2] =
    ["sys/bus/event_source/devices/cpu", "sys/bus/event_source/devices/cpu_core"];

/// Every check of a setting or of the load.
pub(super) const CHECKS: [Check; 8] =
    [governor, turbo, smt, swap, huge_pages, load, counters, one_cpu];

fn governor(host: &Root) -> Option<Disturbance> {
    let mut others = host.governors();
    others.retain(|governor| governor != GOVERNOR);
    (!others.is_empty()).then(|| Disturbance {
        code: "frequency_governor",
        found: others.join(", "),
        effect: "the clock rate follows the load, so short runs appear slow",
        mend: format!("cpupower frequency-set -g {GOVERNOR}"),
    })
}

fn turbo(host: &Root) -> Option<Disturbance> {
    let switches = [(NO_TURBO, "0", "1"), (BOOST, "1", "0")];
    switches.into_iter().find_map(|(path, on, off)| {
        (host.text(path)? == on).then(|| Disturbance {
            code: "turbo",
            found: "on".into(),
            effect: "the clock rate depends on temperature and on the other cores",
            mend: format!("echo {off} > /{path}"),
        })
    })
}

fn smt(host: &Root) -> Option<Disturbance> {
    (host.text(SMT)? == "1").then(|| Disturbance {
        code: "smt",
        found: "on".into(),
        effect: "work on the sibling slows the measured core",
        mend: "echo off > /sys/devices/system/cpu/smt/control".into(),
    })
}

fn swap(host: &Root) -> Option<Disturbance> {
    let areas = host.swaps();
    (!areas.is_empty()).then(|| Disturbance {
        code: "swap",
        found: areas.join(", "),
        effect: "swapped memory is missing from the peak, and reading it back takes time",
        mend: "swapoff -a".into(),
    })
}

fn huge_pages(host: &Root) -> Option<Disturbance> {
    host.text(HUGE_PAGES)?.contains("[always]").then(|| Disturbance {
        code: "huge_pages",
        found: "always".into(),
        effect: "peak memory grows in steps of 2 MiB, which vary from run to run",
        mend: format!("echo madvise > /{HUGE_PAGES}"),
    })
}

fn load(host: &Root) -> Option<Disturbance> {
    let (load, cpus) = (host.load()?, host.cpus()?);
    (load > BUSY_LOAD_PER_CPU * f64::from(cpus)).then(|| Disturbance {
        code: "load",
        found: format!("{load:.2} on {cpus} processors"),
        effect: "other work shares caches and memory bandwidth (waiting for a processor is subtracted)",
        mend: "stop other work; `top` shows it".into(),
    })
}

fn counters(host: &Root) -> Option<Disturbance> {
    let missing = |found: String, mend: String| Disturbance {
        code: "hardware_counters",
        found,
        effect: "instructions are counted by binary translation in separate runs; times are not affected",
        mend,
    };
    if !COUNTERS.iter().any(|path| host.has(path)) {
        let mend = "on a virtual machine, enable pass-through of performance counters";
        return Some(missing("none".into(), mend.into()));
    }
    let paranoid: i32 = host.text(PARANOID)?.parse().ok()?;
    (paranoid > PARANOID_LIMIT).then(|| {
        let mend = format!("sysctl kernel.perf_event_paranoid={PARANOID_LIMIT}");
        missing(format!("not permitted: perf_event_paranoid is {paranoid}"), mend)
    })
}

fn one_cpu(host: &Root) -> Option<Disturbance> {
    (host.cpus()? == 1).then(|| Disturbance {
        code: "one_processor",
        found: "1".into(),
        effect: "the profiler and all other work run on the measured core",
        mend: "use a machine with at least two processors".into(),
    })
}
