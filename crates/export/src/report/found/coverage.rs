//! Lines that no input of a search reached.

use crate::report::{counted, is_main, readable};
use profiler_proto::v1::{LineCoverage, LineRange};

/// Maximum number of ranges that a sentence names.
const NAMED: usize = 4;

/// Names the lines that none of `tried` inputs reached, in a sentence without its full stop. `None`
/// if inputs reached all lines with code.
pub fn unreached(found: &LineCoverage, tried: u32) -> Option<String> {
    let mut ranges: Vec<String> = found.unreached.iter().take(NAMED).map(name).collect();
    let more = found.unreached.len().saturating_sub(NAMED);
    if more > 0 {
        ranges.push(counted(more as u64, "other range"));
    }
    let is_one = matches!(&found.unreached[..], [range] if range.first == range.last);
    let last = ranges.pop()?;
    let named = if ranges.is_empty() { last } else { format!("{} and {last}", ranges.join(", ")) };
    let inputs = if found.inputs < tried {
        let known = counted(found.inputs.into(), "input");
        format!("none of the {known} counted by line")
    } else {
        "no input".into()
    };
    Some(format!("{inputs} reached line{} {named}", if is_one { "" } else { "s" }))
}

/// The name of a range, such as "17 to 19" or "util.h:4".
fn name(range: &LineRange) -> String {
    let LineRange { file, first, last } = range;
    let begin =
        if is_main(file) { first.to_string() } else { format!("{}:{first}", readable(file)) };
    if first == last { begin } else { format!("{begin} to {last}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(ranges: &[(&str, u32, u32)], inputs: u32) -> Option<String> {
        let range =
            |&(file, first, last): &(&str, u32, u32)| LineRange { file: file.into(), first, last };
        let unreached = ranges.iter().map(range).collect();
        super::unreached(&LineCoverage { inputs, unreached, ..LineCoverage::default() }, 40)
    }

    #[test]
    fn lines_are_named_by_range_and_file() {
        let one = said(&[("", 31, 31)], 40);
        assert_eq!(one.as_deref(), Some("no input reached line 31"));
        let two = said(&[("", 17, 19), ("", 31, 31)], 40);
        assert_eq!(two.as_deref(), Some("no input reached lines 17 to 19 and 31"));
        let other = said(&[("", 2, 2), ("lib/a.h", 4, 5)], 7);
        let expected = "none of the 7 inputs counted by line reached lines 2 and lib/a.h:4 to 5";
        assert_eq!(other.as_deref(), Some(expected));
        assert_eq!(said(&[], 40), None);
    }

    #[test]
    fn many_ranges_are_counted() {
        let many: Vec<_> = (1..=7).map(|at| ("", 3 * at, 3 * at)).collect();
        let expected = "no input reached lines 3, 6, 9, 12 and 3 other ranges";
        assert_eq!(said(&many, 40).as_deref(), Some(expected));
    }
}
