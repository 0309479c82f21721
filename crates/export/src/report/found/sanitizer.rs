//! The run with sanitizers, in one sentence.

use crate::report::readable;
use profiler_proto::v1::{SanitizerFinding, SanitizerRun};

/// Says what a run with sanitizers found, as in "with AddressSanitizer at n = 2001:
/// heap-buffer-overflow, read of 4 bytes in line 14 (f)".
pub fn sanitizer_sentence(run: &SanitizerRun) -> String {
    let (by, found) = match &run.finding {
        Some(finding) => (finding.sanitizer.as_str(), sanitizer_finding(finding)),
        None => ("sanitizers", run.problem.clone()),
    };
    readable(&format!("with {by} at n = {}: {found}", run.size))
}

/// Names an error that a sanitizer found, with its line and function.
pub fn sanitizer_finding(finding: &SanitizerFinding) -> String {
    let SanitizerFinding { kind, detail, line, function, .. } = finding;
    let detail = Some(format!(", {detail}")).filter(|_| !detail.is_empty());
    let function = Some(format!(" ({function})")).filter(|_| !function.is_empty());
    let place = |line| format!(" in line {line}{}", function.unwrap_or_default());
    let place = Some(*line).filter(|line| *line > 0).map(place);
    format!("{kind}{}{}", detail.unwrap_or_default(), place.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use profiler_proto::v1::ProfileReport;

    #[test]
    fn finding_is_one_sentence() {
        let [sanitizer, kind, detail, function] =
            ["AddressSanitizer", "heap-buffer-overflow", "read of 4 bytes", "f"].map(String::from);
        let finding = Some(SanitizerFinding { sanitizer, kind, detail, line: 14, function });
        let run = SanitizerRun { size: 2001, finding, ..SanitizerRun::default() };
        assert_eq!(
            sanitizer_sentence(&run),
            "with AddressSanitizer at n = 2001: heap-buffer-overflow, read of 4 bytes in line 14 (f)"
        );
        let problem = "no sanitizer found an error; the run ended with exit code 3".into();
        let run = SanitizerRun { size: 7, problem, ..SanitizerRun::default() };
        let said =
            "with sanitizers at n = 7: no sanitizer found an error; the run ended with exit code 3";
        assert_eq!(sanitizer_sentence(&run), said);
        let report = ProfileReport { sanitizer: Some(run), ..ProfileReport::default() };
        assert_eq!(crate::summary(&report, crate::flag), format!("{said}."));
        assert!(crate::html::page(&report, None).contains(said));
    }

    #[test]
    fn what_is_unknown_is_left_out() {
        let kind = "stack-overflow".to_owned();
        let finding = SanitizerFinding { kind, function: "f".into(), ..Default::default() };
        assert_eq!(sanitizer_finding(&finding), "stack-overflow");
    }
}
