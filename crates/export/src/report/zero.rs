//! A failure at n = 0 alone. Many tasks do not allow n = 0, so it is a question and no failure.

use profiler_proto::v1::{Outcome, ProfileReport, SizeResult};

/// Question about a program that fails at n = 0 alone.
pub const ZERO_QUESTION: &str = "Does the task allow n = 0?";

/// Whether this size is n = 0 and did not end OK, although the next size of its candidate did.
pub fn fails_at_zero_alone(report: &ProfileReport, size: &SizeResult) -> bool {
    if size.size > 0 || matches!(size.outcome(), Outcome::Ok | Outcome::NotRun) {
        return false;
    }
    let larger = report.sizes.iter().filter(|it| it.candidate == size.candidate && it.size > 0);
    larger.min_by_key(|it| it.size).is_some_and(|next| next.outcome() == Outcome::Ok)
}

/// Returns the size n = 0 if the program fails there alone.
pub fn failure_at_zero(report: &ProfileReport) -> Option<&SizeResult> {
    report.sizes.iter().find(|size| fails_at_zero_alone(report, size))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failure_at_zero_needs_a_next_size_that_ends_ok() {
        use Outcome::{NotRun, Ok, RuntimeError};
        for (outcomes, expected) in [
            (&[(0, RuntimeError), (1, Ok), (9, RuntimeError)][..], true),
            (&[(0, RuntimeError), (1, RuntimeError), (9, Ok)], false),
            (&[(0, RuntimeError)], false),
            (&[(0, NotRun), (1, Ok)], false),
            (&[(0, Ok), (1, RuntimeError), (9, Ok)], false),
        ] {
            let size = |&(size, outcome): &(u64, Outcome)| SizeResult {
                size,
                outcome: outcome.into(),
                ..SizeResult::default()
            };
            let sizes = outcomes.iter().map(size).collect();
            let report = ProfileReport { sizes, ..ProfileReport::default() };
            assert_eq!(failure_at_zero(&report).is_some(), expected, "{outcomes:?}");
        }
    }
}
