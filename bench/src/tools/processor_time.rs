//! The processor time of this process and of all that it has started, which does not depend on how
//! busy the machine is.

use std::collections::HashMap;
use std::fs;
use std::time::Duration;

/// The unit of times in `/proc/PID/stat`: `USER_HZ` is 100 on every architecture that we run on.
const TICK: Duration = Duration::from_millis(10);
/// Fields of `/proc/PID/stat` after the name: the parent, and the first and the last of user and
/// system time of the process and of its children that have ended.
const PARENT: usize = 1;
const TIMES: std::ops::RangeInclusive<usize> = 11..=14;

/// Returns the time so far of all processes that are alive or were waited for.
pub(crate) fn so_far() -> Duration {
    let mut processes: HashMap<u32, (u32, u32)> = HashMap::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let id = entry.file_name().to_string_lossy().parse();
        if let (Ok(id), Ok(stat)) = (id, fs::read_to_string(entry.path().join("stat"))) {
            processes.extend(parsed(&stat).map(|found| (id, found)));
        }
    }
    let own = std::process::id();
    let descends = |mut id: u32| {
        while id != own && id != 0 {
            id = processes.get(&id).map_or(0, |(parent, _)| *parent);
        }
        id == own
    };
    let ticks = processes.iter().filter(|(id, _)| descends(**id)).map(|(_, (_, ticks))| ticks);
    TICK * ticks.sum::<u32>()
}

/// The time of a process, and of its children that have ended; 0 if it is gone.
pub(crate) fn of(id: u32) -> Duration {
    let stat = fs::read_to_string(format!("/proc/{id}/stat"));
    TICK * stat.ok().and_then(|stat| parsed(&stat)).map_or(0, |(_, ticks)| ticks)
}

/// The parent and the times in a line of `/proc/PID/stat`.
fn parsed(stat: &str) -> Option<(u32, u32)> {
    let (_, after_name) = stat.rsplit_once(')')?;
    let fields: Vec<&str> = after_name.split_ascii_whitespace().collect();
    let times = fields.get(TIMES)?.iter().map(|ticks| ticks.parse::<u32>().ok());
    Some((fields.get(PARENT)?.parse().ok()?, times.sum::<Option<u32>>()?))
}
