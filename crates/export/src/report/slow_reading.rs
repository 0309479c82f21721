//! A hint for programs that mostly read.

use profiler_proto::v1::ProfileReport;

/// Minimum share of the instructions that is worth a hint.
const NOTABLE: f64 = 1.0 / 3.0;
/// Parts of the names of the functions of libstdc++ that read from a stream.
const STREAM: &str = "istream";
const READERS: [&str; 3] = ["operator>>", "_M_extract", "getline"];
/// Word of a source that reads from stdin with `cin`, and word of one that already reads fast.
const READS: &str = "cin";
const IS_FAST: &str = "sync_with_stdio";

/// Tells how to make reading with `cin` faster, if it takes many of the instructions. `None` if the
/// report has advice, which has tried this change.
pub fn slow_reading(report: &ProfileReport) -> Option<String> {
    let is_in_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let has = |wanted| report.code_cpp.split(|c| !is_in_name(c)).any(|word| word == wanted);
    if report.advice.is_some() || !has(READS) || has(IS_FAST) {
        return None;
    }
    let reads =
        |frame: &String| frame.contains(STREAM) && READERS.iter().any(|it| frame.contains(it));
    let (mut whole, mut reading) = (0.0, 0.0);
    for stack in &report.call_stacks {
        whole += stack.instructions as f64;
        if stack.frames.iter().any(reads) {
            reading += stack.instructions as f64;
        }
    }
    let share = reading / whole;
    (share >= NOTABLE).then(|| {
        format!(
            "{:.0} % of the instructions read with cin; to read faster, call \
             std::ios::sync_with_stdio(false); std::cin.tie(nullptr);",
            share * 100.0
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use profiler_proto::v1::{self, CallStack};

    fn hint(source: &str, stacks: &[(&[&str], u64)]) -> Option<String> {
        slow_reading(&report(source, stacks))
    }

    fn report(source: &str, stacks: &[(&[&str], u64)]) -> ProfileReport {
        let stack = |&(frames, instructions): &(&[&str], u64)| CallStack {
            frames: frames.iter().map(|&frame| frame.into()).collect(),
            instructions,
        };
        ProfileReport {
            code_cpp: source.into(),
            call_stacks: stacks.iter().map(stack).collect(),
            ..ProfileReport::default()
        }
    }

    #[test]
    fn slow_reading_has_a_hint() {
        let reads: (&[&str], _) = (&["main", "std::istream::operator>>(int&)", "getc"], 60);
        let works: (&[&str], _) = (&["main"], 40);
        let said = hint("std::cin >> n;", &[reads, works]).unwrap();
        assert!(
            said.starts_with("60 % of the instructions read with cin; to read faster, call "),
            "{said}"
        );
        assert_eq!(hint("sync_with_stdio(false); std::cin >> n;", &[reads, works]), None);
        assert_eq!(hint("std::ifstream slicing; slicing >> n;", &[reads, works]), None);
        assert_eq!(hint("std::cin >> n;", &[(reads.0, 10), works]), None);
        assert_eq!(hint("std::cin >> n;", &[]), None);
        let advice = Some(v1::Advice::default());
        let advised = ProfileReport { advice, ..report("std::cin >> n;", &[reads, works]) };
        assert_eq!(slow_reading(&advised), None, "advice has measured it");
    }
}
