//! The result of a search for the worst input as text.

use profiler_core::measure::worst::WorstCase;
use profiler_export::worst::{evidence, is_worse, sentence};
use profiler_export::{Palette, readable_name};
use profiler_proto::v1::WorstInput;
use std::path::Path;

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
            let ratio = case.ratio(best.cost, median);
            format!("the worst so far costs {ratio:.1} times random")
        }
        _ => "none ended OK so far".into(),
    };
    let step = if case.end.is_some() { ", now other sizes" } else { "" };
    format!("{tried} inputs tried at n = {}{step}: {best}", case.searched_size())
}

/// Renders a sentence, and the evidence for it. `source` is the program's, and `again` is the
/// command that reproduces the input.
pub(super) fn text(
    program: &Path,
    found: &WorstInput,
    source: &str,
    again: Option<&str>,
    palette: &Palette,
) -> String {
    let is_found = found.problem.is_empty() && is_worse(found);
    let style = if is_found { palette.bad } else { palette.caution };
    let program = readable_name(&program.display().to_string());
    let sentence = sentence(found);
    format!(
        "{style}{program}: {sentence}{style:#}\n{}",
        evidence(found, source, again.unwrap_or(KEEP))
    )
}
