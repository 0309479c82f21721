//! Counts the kernel's OOM kills in the sandbox's memory cgroup.
//!
//! The kernel counts a kill in the victim's cgroup, whichever limit was met: that of the sandbox,
//! that of a cgroup above (such as the unit's), or the host's memory. Version 2 also counts, as
//! `oom`, how often a cgroup's own limit was met. A kill that does not increase `oom` is no
//! evidence against the program.

use crate::sys::facts::text_of;
use crate::sys::fault::{Fault, Result};
use runner_protocol::RUN_CGROUP;
use std::fs::File;
use std::path::Path;

/// Path at which the sandbox's cgroup is mounted.
const MOUNTED: &str = "/sys/fs/cgroup";
/// Longest list of a memory cgroup's events, in bytes.
const MAX_EVENTS_BYTES: usize = 512;
/// The line that counts kills.
const KILLS: &str = "oom_kill ";
/// The line that counts how often a limit was met, and nothing could be freed.
const LIMITS_MET: &str = "oom ";
const ABOVE: &str = "the unit or the host ran out of memory, the program did not exceed its limit: \
                     raise the unit's MemoryMax, or run fewer jobs at a time";

/// This sandbox's memory cgroup, if it has one.
pub(crate) struct OomCounter {
    version: Option<u8>,
    /// The files with the counts. In version 2, the sandbox's cgroup also counts for the cgroups
    /// below it, so its file is the only one. In version 1, the run's cgroup counts separately, so
    /// its file is here too.
    files: Vec<File>,
    /// Whether the limit is known to be set on this cgroup or one below. A container engine may
    /// have set it on a cgroup above.
    is_limited_here: bool,
}

/// The counts at one moment.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct OomCount {
    kills: u64,
    limits_met: u64,
}

impl OomCounter {
    pub(crate) fn find() -> Self {
        Self::find_at(Path::new(MOUNTED))
    }

    fn find_at(mounted: &Path) -> Self {
        let counts = |path: &str| {
            let file = File::open(mounted.join(path)).ok()?;
            let counts = text_of(&file, &mut [0; MAX_EVENTS_BYTES])
                .is_some_and(|text| value(text, KILLS).is_some());
            counts.then_some(file)
        };
        if let Some(events) = counts("memory.events") {
            // Only a native sandbox's cgroup has this folder.
            let is_limited_here = mounted.join(RUN_CGROUP).is_dir();
            return Self { version: Some(2), files: vec![events], is_limited_here };
        }
        let paths = ["memory/memory.oom_control", "memory/run/memory.oom_control"];
        let files: Vec<_> = paths.into_iter().map_while(counts).collect();
        let version = (!files.is_empty()).then_some(1);
        Self { version, files, is_limited_here: false }
    }

    pub(crate) fn version(&self) -> Option<u8> {
        self.version
    }

    pub(crate) fn count(&self) -> OomCount {
        let mut sums = OomCount::default();
        let mut text = [0; MAX_EVENTS_BYTES];
        for file in &self.files {
            let text = text_of(file, &mut text).unwrap_or_default();
            sums.kills += value(text, KILLS).unwrap_or(0);
            sums.limits_met += value(text, LIMITS_MET).unwrap_or(0);
        }
        sums
    }

    /// Returns the number of processes that the kernel has killed between two readings.
    ///
    /// # Errors
    /// A limit above the sandbox's was met.
    pub(crate) fn kills_between(&self, before: OomCount, after: OomCount) -> Result<u64> {
        let kills = after.kills.saturating_sub(before.kills);
        if self.is_limited_here && kills > 0 && after.limits_met == before.limits_met {
            return Err(Fault::new("measure a run", ABOVE));
        }
        Ok(kills)
    }
}

/// The number in the line that begins with `name`.
fn value(text: &str, name: &str) -> Option<u64> {
    text.lines().find_map(|line| line.strip_prefix(name))?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::path::PathBuf;

    /// A folder of this test's, which is removed at its end.
    struct Folder(PathBuf);

    impl Folder {
        fn new(test: &str) -> Self {
            let folder = std::env::temp_dir().join(format!("oom-{}-{test}", std::process::id()));
            fs::create_dir(&folder).unwrap();
            Self(folder)
        }

        /// Like a native sandbox's cgroup.
        fn native(test: &str) -> Self {
            let folder = Self::new(test);
            fs::create_dir(folder.0.join(RUN_CGROUP)).unwrap();
            folder
        }

        fn write(&self, file: &str, text: &str) {
            let path = self.0.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }

        /// Judges a run before which and after which `memory.events` had these lines.
        fn judged(&self, [before, after]: [&str; 2]) -> Result<u64> {
            self.write("memory.events", before);
            let counter = OomCounter::find_at(&self.0);
            let count = counter.count();
            self.write("memory.events", after);
            counter.kills_between(count, counter.count())
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    const BEFORE: &str = "low 0\nhigh 0\nmax 3\noom 1\noom_kill 2\noom_group_kill 1\n";
    const OWN_LIMIT: &str = "low 0\nhigh 0\nmax 9\noom 2\noom_kill 5\noom_group_kill 2\n";
    const LIMIT_ABOVE: &str = "low 0\nhigh 0\nmax 3\noom 1\noom_kill 5\noom_group_kill 2\n";

    #[test]
    fn kill_at_the_sandboxs_own_limit_is_the_programs() {
        let folder = Folder::native("own");
        assert_eq!(folder.judged([BEFORE, OWN_LIMIT]).unwrap(), 3);
    }

    #[test]
    fn kill_at_a_limit_above_is_a_fault_of_the_host() {
        let folder = Folder::native("above");
        let fault = folder.judged([BEFORE, LIMIT_ABOVE]).unwrap_err();
        assert!(fault.to_string().contains("raise the unit's MemoryMax"), "{fault}");
    }

    #[test]
    fn limit_that_was_met_without_a_kill_is_none() {
        let folder = Folder::native("met");
        let met = BEFORE.replace("oom 1", "oom 2");
        assert_eq!(folder.judged([BEFORE, &met]).unwrap(), 0);
    }

    /// There the limit may be above the cgroup that the runner sees.
    #[test]
    fn kill_in_a_container_is_the_programs() {
        let folder = Folder::new("container");
        assert_eq!(folder.judged([BEFORE, LIMIT_ABOVE]).unwrap(), 3);
    }

    #[test]
    fn version_1_counts_the_runs_cgroup_too() {
        let folder = Folder::new("first");
        let own = "memory/memory.oom_control";
        let kills = |count| format!("oom_kill_disable 0\nunder_oom 0\noom_kill {count}\n");
        folder.write(own, &kills(1));
        folder.write("memory/run/memory.oom_control", &kills(2));
        let counter = OomCounter::find_at(&folder.0);
        let before = counter.count();
        folder.write(own, &kills(2));
        let judged = counter.kills_between(before, counter.count());
        assert_eq!((counter.version(), judged.unwrap(), before.kills), (Some(1), 1, 3));
    }

    #[test]
    fn oom_counter_without_a_cgroup_counts_nothing() {
        let folder = Folder::new("none");
        let counter = OomCounter::find_at(&folder.0);
        assert_eq!((counter.version(), counter.count()), (None, OomCount::default()));
    }
}
