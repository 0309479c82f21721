//! Change to a higher level of optimisation.

use crate::analyse::advice::change::Change;
use crate::job::Job;
use profiler_proto::v1::TriedChange;

/// Prefix of the flags that set the level of optimisation.
const LEVEL: &str = "-O";
/// Levels below [`USUAL`].
const LOW: [&str; 6] = ["-O0", "-O", "-O1", "-Og", "-Os", "-Oz"];
const HIGHEST: [&str; 2] = ["-O3", "-Ofast"];
const USUAL: &str = "-O2";

/// Whether the flags optimise less than [`USUAL`].
pub(super) fn is_low(flags: &[String]) -> bool {
    level(flags).is_none_or(|level| LOW.contains(&level))
}

/// Returns the level that the compiler uses, which is the last one in the flags.
fn level(flags: &[String]) -> Option<&str> {
    flags.iter().rev().map(String::as_str).find(|flag| flag.starts_with(LEVEL))
}

/// Returns the change to the next level that is worth trying; `None` at the highest level.
pub(super) fn change(job: &Job) -> Option<Change> {
    let now = level(&job.flags);
    if now.is_some_and(|level| HIGHEST.contains(&level)) {
        return None;
    }
    let next = if is_low(&job.flags) { USUAL } else { HIGHEST[0] };
    let others = job.flags.iter().filter(|flag| !flag.starts_with(LEVEL)).cloned();
    let described = TriedChange {
        found: match now {
            Some(level) => format!("it is compiled with `{level}`"),
            None => "it is compiled without optimisation".into(),
        },
        remedy: format!("`{next}`"),
        before: now.unwrap_or_default().into(),
        after: next.into(),
        ..TriedChange::default()
    };
    let flags = [next.to_owned()].into_iter().chain(others).collect();
    Some(Change { described, source: job.source.clone(), flags, ..Change::default() })
}
