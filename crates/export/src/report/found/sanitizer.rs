//! The run with sanitizers, in one sentence.

use crate::report::{line_name, readable};
use profiler_proto::v1::{ProfileReport, SanitizerFinding, SanitizerRun};

/// Says what a run with sanitizers found, as in "with AddressSanitizer at n = 2001:
/// heap-buffer-overflow, read of 4 bytes in line 14 (f)". `None` without such a run, and if the
/// sentence about the crash says it.
pub(crate) fn sanitized(report: &ProfileReport) -> Option<String> {
    report.sanitizer.as_ref().filter(|_| finding_at_fault(report).is_none()).map(sentence)
}

/// Returns the run with sanitizers and what it found, if that is on the line of the crash.
pub(super) fn finding_at_fault(
    report: &ProfileReport,
) -> Option<(&SanitizerRun, &SanitizerFinding)> {
    let (fault, run) = (report.fault.as_ref()?, report.sanitizer.as_ref()?);
    let (call, finding) = (fault.calls.first()?, run.finding.as_ref()?);
    let is_there = (call.line, &call.file) == (finding.line, &finding.file);
    (is_there && fault.stopped_ms.is_none()).then_some((run, finding))
}

fn sentence(run: &SanitizerRun) -> String {
    let (by, found) = match &run.finding {
        Some(finding) => (finding.sanitizer.as_str(), sanitizer_finding(finding)),
        None => ("sanitizers", run.problem.clone()),
    };
    readable(&format!("with {by} at n = {}: {found}", run.size))
}

/// Names an error that a sanitizer found, with its line and function.
pub fn sanitizer_finding(finding: &SanitizerFinding) -> String {
    let SanitizerFinding { file, line, function, .. } = finding;
    let function = Some(format!(" ({function})")).filter(|_| !function.is_empty());
    let place = |line| format!(" in {}{}", line_name(file, line), function.unwrap_or_default());
    let place = Some(*line).filter(|line| *line > 0).map(place);
    error(finding) + &place.unwrap_or_default()
}

/// Names an error that a sanitizer found.
pub(super) fn error(SanitizerFinding { kind, detail, .. }: &SanitizerFinding) -> String {
    if detail.is_empty() { kind.clone() } else { format!("{kind}, {detail}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finding_is_one_sentence() {
        let [sanitizer, kind, detail, function] =
            ["AddressSanitizer", "heap-buffer-overflow", "read of 4 bytes", "f"].map(String::from);
        let file = String::new();
        let finding = Some(SanitizerFinding { sanitizer, kind, detail, file, line: 14, function });
        let run = SanitizerRun { size: 2001, finding, ..SanitizerRun::default() };
        assert_eq!(
            sentence(&run),
            "with AddressSanitizer at n = 2001: heap-buffer-overflow, read of 4 bytes in line 14 (f)"
        );
        let problem = "no sanitizer found an error; the run ended with exit code 3".into();
        let run = SanitizerRun { size: 7, problem, ..SanitizerRun::default() };
        let said =
            "with sanitizers at n = 7: no sanitizer found an error; the run ended with exit code 3";
        assert_eq!(sentence(&run), said);
        let report = ProfileReport { sanitizer: Some(run), ..ProfileReport::default() };
        assert_eq!(crate::summary(&report, crate::flag), said);
        assert!(crate::html::page(&report, None).contains(said));
    }

    #[test]
    fn what_is_unknown_is_left_out() {
        let kind = "stack-overflow".to_owned();
        let finding = SanitizerFinding { kind, function: "f".into(), ..Default::default() };
        assert_eq!(sanitizer_finding(&finding), "stack-overflow");
        let found = SanitizerFinding { file: "lib/a.h".into(), line: 9, ..finding };
        assert_eq!(sanitizer_finding(&found), "stack-overflow in lib/a.h:9 (f)");
    }
}
