//! Advice on a report in which no size ended OK.

use super::remedies::{Change, Wording};
use super::summary::stopped;
use crate::report::{default_input, readable, verdict};
use profiler_proto::v1::{Outcome, ProfileReport, RemedyKind, SizeResult};

/// Largest n that every program should manage within its limits.
pub const TRIVIAL_SIZE: u64 = 1;

/// Returns one sentence; `None` if a size ended OK, or if no size was measured. Also `None` if the
/// program was not measured for lack of input or because of its test cases, because another
/// sentence says so.
pub(crate) fn text(report: &ProfileReport, wording: Wording) -> Option<String> {
    let smallest = report.sizes.first()?;
    let ok = |size: &SizeResult| size.outcome() == Outcome::Ok;
    if report.sizes.iter().any(ok)
        || default_input::ended_the_run(report)
        || verdict::ended_the_run(report)
    {
        return None;
    }
    let n = smallest.size;
    Some(match (smallest.outcome(), n <= TRIVIAL_SIZE) {
        (Outcome::TimeLimit, true) => {
            let said = format!(
                "even n = {n} does not end within the time limit: an endless loop, or a loop that \
                 waits for more input; correct the loop"
            );
            match default_input::quoted(report) {
                Some(_) => {
                    let spec = wording(Change::Remedy(RemedyKind::InputSpec));
                    format!("{said}, or declare the input with {spec}")
                }
                None => said,
            }
        }
        // The place of the fault says more than a remedy.
        (_, false) if report.fault.is_some() => stopped(smallest),
        (Outcome::TimeLimit, false) => {
            let smaller = wording(Change::Remedy(RemedyKind::SmallerSizes));
            format!("no size ended within the time limit: use {smaller}")
        }
        (Outcome::MemoryLimit, true) => {
            let larger = wording(Change::LargerMemory);
            format!("even n = {n} takes more than the memory limit: use {larger}")
        }
        (Outcome::MemoryLimit, false) => {
            let smaller = wording(Change::Remedy(RemedyKind::SmallerSizes));
            format!("no size ended within the memory limit: use {smaller}")
        }
        _ => {
            let time = report.growth.as_ref().and_then(|growth| growth.time.as_ref());
            let reason = time.map(|it| readable(&it.undecided_reason)).unwrap_or_default();
            let reason = if reason.is_empty() { "no size ended OK".into() } else { reason };
            format!("{reason}; {}", stopped(smallest))
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::remedies::flag;
    use profiler_proto::v1::InputCheck;

    fn advice(sizes: &[(u64, Outcome)]) -> Option<String> {
        let size = |&(size, outcome): &(u64, Outcome)| SizeResult {
            size,
            outcome: outcome.into(),
            ..SizeResult::default()
        };
        let sizes = sizes.iter().map(size).collect();
        text(&ProfileReport { sizes, ..ProfileReport::default() }, flag)
    }

    #[test]
    fn endless_program_is_called_endless() {
        let said = advice(&[(0, Outcome::TimeLimit), (1, Outcome::NotRun)]).unwrap();
        assert!(said.starts_with("even n = 0 does not end"), "{said}");
        assert!(said.ends_with("; correct the loop"), "{said}");
    }

    #[test]
    fn only_an_input_that_is_not_declared_is_to_be_declared() {
        let late = SizeResult { outcome: Outcome::TimeLimit.into(), ..SizeResult::default() };
        let said = |default_input: Option<&str>| {
            let default_input = default_input.map(str::to_owned);
            let check = InputCheck { default_input, ..InputCheck::default() };
            let sizes = vec![late.clone()];
            let input_check = Some(check);
            text(&ProfileReport { sizes, input_check, ..ProfileReport::default() }, flag).unwrap()
        };
        assert!(said(Some("0\n")).ends_with(", or declare the input with --input-spec"));
        assert!(said(None).ends_with("; correct the loop"));
    }

    #[test]
    fn crash_at_every_size_has_its_outcome() {
        let said = advice(&[(0, Outcome::RuntimeError)]).unwrap();
        assert_eq!(said, "no size ended OK; n = 0 has the outcome RUNTIME_ERROR");
    }

    #[test]
    fn large_sizes_may_be_too_large() {
        let said = advice(&[(1000, Outcome::TimeLimit)]).unwrap();
        assert!(said.contains("smaller --sizes"), "{said}");
    }

    #[test]
    fn advice_is_absent_where_a_size_ended_ok() {
        assert_eq!(advice(&[(0, Outcome::Ok), (1, Outcome::TimeLimit)]), None);
        assert_eq!(advice(&[]), None);
    }
}
