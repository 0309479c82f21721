//! Changes that are worth trying. Each is the job's program with one thing done differently.

mod containers;
mod edits;
mod flags;
mod input_output;
mod parameters;

use super::change::Change;
use super::tokens::Code;
use crate::job::Job;

/// Returns the changes to a job's program, those likeliest to gain first. Only a trial shows
/// whether a change compiles and makes the program faster.
pub(super) fn changes(job: &Job) -> Vec<Change> {
    let flags = flags::change(job);
    let Ok(text) = std::str::from_utf8(&job.source) else { return flags.into_iter().collect() };
    let code = &Code::read(text);
    let of_source = [
        input_output::untied(code),
        input_output::newlines(code),
        containers::hashed(code, "map"),
        containers::hashed(code, "set"),
    ];
    let of_source = of_source.into_iter().flatten().chain(parameters::by_reference(code));
    let mut all: Vec<_> = of_source.map(|change| change.into_change(code, &job.flags)).collect();
    // An optimisation level above the usual one is tried last.
    let at = if flags::is_low(&job.flags) { 0 } else { all.len() };
    if let Some(flags) = flags {
        all.insert(at, flags);
    }
    all
}

#[cfg(test)]
mod tests;
