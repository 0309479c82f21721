//! The result of a search for the worst input as text.

use super::result::WorstResult;
use profiler_core::measure::worst::WorstCase;
use profiler_export::worst::{evidence, is_worse, sentence};
use profiler_export::{Palette, readable};

/// Ways to keep the input.
const KEEP: &str = "keep the spec with --output-spec FILE.json, or the input with -o FILE";

/// Describes the progress of a search.
pub(super) fn progress(case: &WorstCase) -> String {
    let search = &case.search;
    let tried = search.executions();
    let mut random = search.randoms().to_vec();
    random.sort_unstable();
    let best = match (search.best(), random.get(random.len() / 2)) {
        (Some(best), Some(&median)) => {
            let ratio = best.cost as f64 / median.max(1) as f64;
            format!("the worst so far costs {ratio:.1} times random")
        }
        _ => "none ended well so far".into(),
    };
    let step = if case.end.is_some() { ", now other sizes" } else { "" };
    format!("{tried} inputs tried at n = {}{step}: {best}", case.searched_size())
}

/// A sentence, and what it rests on. `source` is that of the program.
pub(super) fn text(result: &WorstResult, source: &str, palette: &Palette) -> String {
    let style = match (&result.problem, is_worse(&result.found)) {
        (Some(_), _) => palette.caution,
        (None, true) => palette.bad,
        (None, false) => palette.good,
    };
    let again = result.input.as_ref().and_then(|input| input.command.as_deref());
    let said = format!("{}: {}", readable(&result.program), sentence(&result.found));
    format!("{style}{said}{style:#}\n{}", evidence(&result.found, source, again.unwrap_or(KEEP)))
}
