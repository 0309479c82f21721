//! Reads `/sys` and `/proc`. Nothing else is read, and nothing is written. All paths are below one
//! root, so that a test can create its own host.

use std::collections::BTreeSet;
use std::fs::{self, DirEntry};
use std::io;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

/// The root of a host's file tree.
#[derive(Debug)]
pub(super) struct Root(pub(super) PathBuf);

/// Processor time since boot, in ticks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Ticks {
    pub(super) all: u64,
    pub(super) stolen: u64,
}

/// Interrupts of one interrupt line on one processor since boot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Interrupts {
    pub(super) number: u32,
    pub(super) device: String,
    pub(super) count: u64,
}

/// Position of `steal` among the fields of `cpu` in `/proc/stat`. The fields after it, the guests'
/// times, are already part of earlier fields.
const STEAL_FIELD: usize = 7;

impl Root {
    /// The trimmed text of a file; `None` if it cannot be read.
    pub(super) fn text(&self, path: impl AsRef<Path>) -> Option<String> {
        let text = fs::read_to_string(self.0.join(path)).ok()?;
        Some(text.trim().to_owned())
    }

    pub(super) fn has(&self, path: &str) -> bool {
        self.0.join(path).exists()
    }

    /// The governors of the processors, each once.
    pub(super) fn governors(&self) -> Vec<String> {
        let cpus = fs::read_dir(self.0.join("sys/devices/system/cpu")).into_iter().flatten();
        let governor = |cpu: io::Result<DirEntry>| {
            self.text(cpu.ok()?.path().join("cpufreq/scaling_governor"))
        };
        cpus.filter_map(governor).collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// The number of online processors.
    pub(super) fn cpus(&self) -> Option<u32> {
        let online = listed(&self.text("sys/devices/system/cpu/online")?)?;
        online.iter().map(|range| range.end().checked_sub(*range.start())?.checked_add(1)).sum()
    }

    /// The core on which programs are measured: the last one in this process's affinity mask.
    pub(super) fn measured_core(&self) -> Option<u32> {
        let status = self.text("proc/self/status")?;
        let allowed = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"))?;
        listed(allowed)?.last().map(|range| *range.end())
    }

    /// Whether the list of processors in a file includes this one.
    pub(super) fn lists(&self, path: &str, cpu: u32) -> bool {
        let cpus = self.text(path).and_then(|text| listed(&text));
        cpus.is_some_and(|ranges| ranges.iter().any(|range| range.contains(&cpu)))
    }

    /// The device interrupts of a processor, from `/proc/interrupts`. Named interrupts belong to
    /// the processor and cannot be moved, so they are left out.
    pub(super) fn interrupts(&self, cpu: u32) -> Option<Vec<Interrupts>> {
        let text = self.text("proc/interrupts")?;
        let mut lines = text.lines();
        let heads: Vec<_> = lines.next()?.split_whitespace().collect();
        let column = heads.iter().position(|head| *head == format!("CPU{cpu}"))?;
        let counted = lines.filter_map(|line| {
            let (number, rest) = line.trim().split_once(':')?;
            let fields: Vec<_> = rest.split_whitespace().collect();
            let count = fields.get(column)?.parse().ok()?;
            let device = (*fields.get(heads.len()..)?.last()?).to_owned();
            Some(Interrupts { number: number.parse().ok()?, device, count })
        });
        Some(counted.collect())
    }

    /// The load average of the last minute.
    pub(super) fn load(&self) -> Option<f64> {
        let text = self.text("proc/loadavg")?;
        text.split_whitespace().next()?.parse().ok()
    }

    pub(super) fn ticks(&self) -> Option<Ticks> {
        let text = self.text("proc/stat")?;
        let fields = text.lines().next()?.strip_prefix("cpu ")?;
        let ticks: Vec<u64> = fields
            .split_whitespace()
            .map_while(|field| field.parse().ok())
            .take(STEAL_FIELD + 1)
            .collect();
        let stolen = *ticks.get(STEAL_FIELD)?;
        let all = ticks.iter().sum();
        Some(Ticks { all, stolen })
    }

    /// The swap areas in use.
    pub(super) fn swaps(&self) -> Vec<String> {
        let text = self.text("proc/swaps").unwrap_or_default();
        let areas = text.lines().skip(1);
        areas.filter_map(|line| Some(line.split_whitespace().next()?.to_owned())).collect()
    }

    /// Returns the version of the cgroup hierarchy with the memory controller. On hosts with both
    /// versions, that is version 1.
    pub(super) fn cgroup_version(&self) -> Option<u8> {
        let second = self.text("sys/fs/cgroup/cgroup.controllers");
        if self.has("sys/fs/cgroup/memory") {
            Some(1)
        } else if second?.split_whitespace().any(|name| name == "memory") {
            Some(2)
        } else {
            None
        }
    }
}

/// Parses a list of processors like `0-3,6`, which may be empty.
fn listed(text: &str) -> Option<Vec<RangeInclusive<u32>>> {
    let parts = text.trim().split(',').filter(|part| !part.is_empty());
    parts
        .map(|range| {
            let (first, last) = range.split_once('-').unwrap_or((range, range));
            Some(first.parse().ok()?..=last.parse().ok()?)
        })
        .collect()
}
