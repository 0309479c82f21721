//! Changes that are worth trying. Each is the job's program with one thing done differently.

mod arithmetic;
mod containers;
mod copies;
mod edits;
mod flags;
mod growing;
mod input_output;
mod loops;
mod parameters;
mod strings;

use super::change::Change;
use super::syntax::Syntax;
use super::tokens::Code;
use crate::job::Job;
use edits::SourceChange;

/// Maximum number of changes of the source. Far fewer are tried.
const MAX_FOUND: usize = 128;

/// Returns the changes to a job's program, those likeliest to gain first. Only a trial shows
/// whether a change compiles and makes the program faster.
pub(super) fn changes(job: &Job) -> Vec<Change> {
    let flags = flags::change(job);
    let Ok(text) = std::str::from_utf8(&job.source) else { return flags.into_iter().collect() };
    let code = &Code::read(text);
    let of_source = of_source(code).into_iter().take(MAX_FOUND);
    let mut all: Vec<_> = of_source.map(|change| change.into_change(code, &job.flags)).collect();
    // An optimisation level above the usual one is tried last.
    let at = if flags::is_low(&job.flags) { 0 } else { all.len() };
    if let Some(flags) = flags {
        all.insert(at, flags);
    }
    all
}

fn of_source(code: &Code<'_>) -> Vec<SourceChange> {
    let syntax = &Syntax::of(code);
    let (loops, declarations) = (&syntax.loops(), &syntax.declarations());
    let everywhere = [
        input_output::untied(code),
        input_output::newlines(code),
        containers::hashed(code, "map"),
        containers::hashed(code, "set"),
        strings::compared(syntax),
        arithmetic::products(syntax),
        arithmetic::differences(syntax),
    ];
    let in_places = [
        parameters::by_reference(code),
        growing::double_ended(syntax),
        strings::appended(syntax),
        strings::reversed(syntax),
        loops::bounds(syntax, loops),
        loops::order(syntax, loops),
        loops::declared(syntax, loops, declarations),
        copies::elements(syntax, loops),
        copies::locals(syntax, declarations),
        copies::last_uses(syntax, declarations),
        growing::by_priority(syntax),
        growing::reserved(syntax, loops, declarations),
    ];
    everywhere.into_iter().flatten().chain(in_places.into_iter().flatten()).collect()
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_of_bodies;
