//! The next step after a run.

use super::tests_run;
use profiler_export::{Ending, wrong_tests};
use profiler_proto::v1::{ErrorCode, ProfileReport};

/// Returns the next step after a run, as a command to the agent.
pub(super) fn next(ending: &Ending, is_starved: bool) -> &'static str {
    match ending {
        Ending::Error(error) if error.code() == ErrorCode::Compile => {
            "correct the errors, and call again"
        }
        Ending::Error(_) => "",
        Ending::Report(report) => after(report, is_starved),
    }
}

fn after(report: &ProfileReport, is_starved: bool) -> &'static str {
    if let Some(stress) = &report.stress {
        return match &stress.difference {
            Some(_) => "correct the program for this input, and call check again",
            None if stress.coverage.as_ref().is_some_and(|it| !it.unreached.is_empty()) => {
                "if inputs can reach these lines, call check with them in input_spec; then compare"
            }
            None => "call compare with the program that this one replaces",
        };
    }
    if report.fault.is_some() || report.sanitizer.is_some() {
        return "correct the failing line, and call again";
    }
    if wrong_tests(report).is_some() {
        "correct the program, and call run_tests with the same tests"
    } else if tests_run::are_unjudged(report) {
        "give an output to each test for a verdict"
    } else if is_starved {
        "call profile with input_spec or samples; check_inputs shows the input of a spec"
    } else if let Some(worst) = &report.worst {
        match worst.generator_seed {
            Some(_) => "call profile with hotspots: true and the seed of this input in input_spec",
            None => "call profile with hotspots: true and the spec of this input as input_spec",
        }
    } else if report.sizes.is_empty() {
        "call check with a brute force as reference, or profile"
    } else if report.hotspot_lines.is_empty() {
        "call profile with hotspots: true for the lines that take the time"
    } else {
        "change the hottest lines; call check with the old program as reference, then compare"
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use profiler_proto::v1::{LineCoverage, LineRange, SizeResult, StressDifference, StressResult};

    #[test]
    fn step_follows_from_the_result() {
        let stressed = |difference| ProfileReport {
            stress: Some(Box::new(StressResult { difference, ..StressResult::default() })),
            ..ProfileReport::default()
        };
        assert!(after(&stressed(None), false).starts_with("call compare"));
        let mut missed = stressed(None);
        let unreached = vec![LineRange::default()];
        missed.stress.as_mut().unwrap().coverage =
            Some(LineCoverage { unreached, ..LineCoverage::default() });
        assert!(after(&missed, false).starts_with("if inputs can reach these lines, call check"));
        let found = Some(StressDifference::default());
        assert!(after(&stressed(found), false).ends_with("call check again"));
        let sizes = vec![SizeResult::default()];
        let measured = ProfileReport { sizes, ..ProfileReport::default() };
        assert!(after(&measured, false).contains("hotspots: true"));
        assert!(after(&measured, true).contains("input_spec"));
        assert!(after(&ProfileReport::default(), false).contains("brute force"));
    }
}
