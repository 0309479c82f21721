//! Trials of programs that are no single change: all changes that gain at once, and twins of the
//! original that differ only in their layout.

use super::change::{Change, edited};
use crate::job::Job;
use profiler_proto::v1::{Advice, Speedup};

/// Distances by which twins move the code, in bytes. Functions begin at multiples of 16, so these
/// are all places that they can have in a cache line of 64 bytes.
pub(super) const SHIFTS: [usize; 3] = [16, 32, 48];
/// Reason for not advising a change that gains no more than the twin.
pub(super) const AS_TWIN: &str = "moving the code without changing it gains as much";

/// Returns the original with another layout: bytes that are never executed move all code, which
/// alone can make a program faster or slower. The linker puts `main` into the section
/// `.text.startup`, before all other code.
pub(super) fn twin(job: &Job, shift: usize) -> Change {
    let moved = format!(
        "__asm__(\".pushsection .text.startup,\\\"ax\\\",%progbits\\n.skip {shift}\\n.popsection\");\n"
    );
    let source = [moved.as_bytes(), &job.source].concat();
    Change { source, flags: job.flags.clone(), ..Change::default() }
}

/// Returns the program with all of `changes`. `None` if there are fewer than two, or if two of them
/// edit the same place.
pub(super) fn together(job: &Job, changes: &[&Change]) -> Option<Change> {
    let text = std::str::from_utf8(&job.source).ok().filter(|_| changes.len() > 1)?;
    let mut edits: Vec<_> = changes.iter().flat_map(|change| change.edits.clone()).collect();
    edits.sort_by_key(|edit| (edit.at.start, edit.at.end));
    edits.dedup();
    let mut source = edited(text, &edits)?;
    let mut headers: Vec<_> = changes.iter().filter_map(|change| change.header).collect();
    headers.sort_unstable();
    headers.dedup();
    for header in headers {
        source.insert_str(0, &format!("#include <{header}>\n"));
    }
    let flags = changes.iter().map(|change| &change.flags).find(|flags| **flags != job.flags);
    let flags = flags.unwrap_or(&job.flags).clone();
    Some(Change { source: source.into_bytes(), flags, ..Change::default() })
}

/// Takes back the advice whose gain is not clearly larger than the twin's.
pub(super) fn judge_by_twin(advice: &mut Advice, twin: &Speedup) {
    let gains_more = |it: &Speedup| {
        let [low, high] = [it, twin].map(|it| it.interval.unwrap_or_default());
        low.low > high.high
    };
    let given = std::mem::take(&mut advice.given);
    for mut change in given {
        if change.speedup.as_ref().is_some_and(gains_more) {
            advice.given.push(change);
        } else {
            change.why_not = AS_TWIN.into();
            advice.refused.push(change);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyse::advice::change::Edit;
    use crate::job::Draft;
    use profiler_proto::v1::{Interval, TriedChange};

    fn job() -> Job {
        Job::try_from(Draft::new("test", "int main() { a; b; }")).unwrap()
    }

    fn change(at: std::ops::Range<usize>, with: &str, header: Option<&'static str>) -> Change {
        let (edits, flags) = (vec![Edit { at, with: with.into() }], job().flags);
        Change { flags, edits, header, ..Change::default() }
    }

    #[test]
    fn changes_of_different_places_are_made_together() {
        let [first, second] =
            [change(16..17, "bb", Some("set")), change(13..14, "aa", Some("set"))];
        let flags = Change { flags: vec!["-O3".into()], ..Change::default() };
        let all = together(&job(), &[&first, &second, &flags]).unwrap();
        let source = String::from_utf8(all.source).unwrap();
        assert_eq!(source, "#include <set>\nint main() { aa; bb; }");
        assert_eq!(all.flags, ["-O3"]);
        assert_eq!(together(&job(), &[&first]), None, "it was tried alone");
        assert_eq!(together(&job(), &[&first, &change(15..17, "c", None)]), None);
    }

    #[test]
    fn gain_of_the_layout_is_no_advice() {
        let speedup = |low, high| Speedup {
            times: f64::midpoint(low, high),
            interval: Some(Interval { low, high, level: 0.95 }),
            ..Speedup::default()
        };
        let change =
            |low, high| TriedChange { speedup: Some(speedup(low, high)), ..TriedChange::default() };
        let given = vec![change(1.9, 2.1), change(1.05, 1.2)];
        let mut advice = Advice { given, ..Advice::default() };
        judge_by_twin(&mut advice, &speedup(1.06, 1.1));
        assert_eq!((advice.given.len(), advice.refused.len()), (1, 1));
        assert_eq!(advice.refused[0].why_not, AS_TWIN);
    }
}
