//! The sentence about the place at which the program fails.

use super::sanitizer::{error, finding_at_fault};
use crate::report::{line_name, readable, text_of};
use crate::text::{cut, worst};
use profiler_proto::v1::{Fault, FaultCall, ProfileReport};

/// Maximum number of calls that the sentence names.
const NAMED_CALLS: usize = 4;

/// Returns the place at which the program crashes or takes too long, with the chain of its calls,
/// as a sentence without its full stop. `None` if the place is not known.
pub fn fault(report: &ProfileReport) -> Option<String> {
    let fault = report.fault.as_ref()?;
    let (innermost, callers) = fault.calls.split_first()?;
    let at = match (fault.size, fault.test_case) {
        (Some(size), _) => format!("at n = {size}"),
        (None, Some(number)) => format!("on test {number}"),
        (None, None) => return None,
    };
    let line = readable(&line_name(&innermost.file, innermost.line));
    let source = text_of(report, &innermost.file);
    let source = readable(&worst::source_line(source, innermost.line));
    let source = if source.is_empty() { source } else { format!(", `{source}`") };
    let failed = if let Some(ms) = fault.stopped_ms {
        let seconds = ms / 1000.0;
        format!("takes too long {at}: after {seconds:.1} s it was in {line}{source}")
    } else {
        let found = found_there(report).unwrap_or_default();
        format!("crashes {at} in {line}{source} ({}{found})", readable(&fault.signal))
    };
    let callers = callers.iter().take(NAMED_CALLS).map(|call| called_from(call, fault));
    let callers: String = callers.collect();
    Some(format!("the program {failed}{}{callers}", times(innermost, fault)))
}

/// Names the error that a run with sanitizers found on the line of the crash.
fn found_there(report: &ProfileReport) -> Option<String> {
    let (run, finding) = finding_at_fault(report)?;
    let is_same = report.fault.as_ref().and_then(|fault| fault.size) == Some(run.size);
    let at = if is_same { String::new() } else { format!(" at n = {}", run.size) };
    Some(readable(&format!("; {}{at}: {}", finding.sanitizer, error(finding))))
}

fn called_from(call: &FaultCall, fault: &Fault) -> String {
    let name = readable(&call.function);
    // Parameters are long, and the line shows them. Other names have parentheses of their own.
    let is_plain = !name.contains("operator") && !name.starts_with('(') && !name.contains("::(");
    let name = name.split('(').next().filter(|_| is_plain).unwrap_or(&name);
    let name = if name.is_empty() { String::new() } else { format!("{} ", cut(name)) };
    let line = readable(&line_name(&call.file, call.line));
    format!(", called from {name}{line}{}", times(call, fault))
}

/// Tells how often a call follows itself.
fn times(call: &FaultCall, fault: &Fault) -> String {
    let at_least = if fault.is_cut { "at least " } else { "" };
    if call.times > 1 { format!(" ({at_least}{} times)", call.times) } else { String::new() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::found::sanitized;
    use profiler_proto::v1::{SanitizerFinding, SanitizerRun, SourceFile};

    fn call(function: &str, line: u32, times: u32) -> FaultCall {
        FaultCall { function: function.into(), line, times, ..FaultCall::default() }
    }

    fn said(fault: Fault) -> Option<String> {
        let code_cpp = "int main() {\n  a[i + 1] = x;\n}\n".into();
        super::fault(&ProfileReport { fault: Some(fault), code_cpp, ..ProfileReport::default() })
    }

    #[test]
    fn crash_has_its_line_and_its_callers() {
        let calls = vec![call("work(int*, int)", 2, 1), call("main", 30, 1)];
        let fault = Fault { size: Some(2001), signal: "SIGSEGV".into(), calls, ..Fault::default() };
        assert_eq!(
            said(fault.clone()).unwrap(),
            "the program crashes at n = 2001 in line 2, `a[i + 1] = x;` (SIGSEGV), called from \
             main line 30"
        );
        let on_test = Fault { size: None, test_case: Some(3), ..fault };
        assert!(said(on_test).unwrap().starts_with("the program crashes on test 3 in line 2"));
    }

    #[test]
    fn line_of_another_file_has_its_name_and_its_text() {
        let of = |file: &str, call| FaultCall { file: file.into(), ..call };
        let calls = vec![of("util.cpp", call("f()", 2, 1)), of("a.h", call("g()", 2, 1))];
        let fault = Fault { size: Some(1), signal: "SIGSEGV".into(), calls, ..Fault::default() };
        let files =
            vec![SourceFile { path: "util.cpp".into(), text: "int x;\n  *p = 1;\n".into() }];
        let code_cpp = "int main() {\n  f();\n}\n".into();
        let report = ProfileReport { fault: Some(fault), files, code_cpp, ..Default::default() };
        let said = "the program crashes at n = 1 in util.cpp:2, `*p = 1;` (SIGSEGV), called from g \
                    a.h:2";
        assert_eq!(super::fault(&report).unwrap(), said);
        let without = ProfileReport { files: Vec::new(), ..report };
        assert!(super::fault(&without).unwrap().contains("in util.cpp:2 (SIGSEGV)"));
    }

    #[test]
    fn error_on_the_line_of_the_crash_is_said_once() {
        let (sanitizer, kind) = ("AddressSanitizer".into(), "SEGV".into());
        let finding = SanitizerFinding { sanitizer, kind, line: 2, ..SanitizerFinding::default() };
        let run = SanitizerRun { size: 7, finding: Some(finding), ..SanitizerRun::default() };
        let calls = vec![call("main", 2, 1)];
        let fault = Fault { size: Some(7), signal: "SIGSEGV".into(), calls, ..Fault::default() };
        let mut report =
            ProfileReport { fault: Some(fault), sanitizer: Some(run), ..ProfileReport::default() };
        let said = |report: &ProfileReport| (super::fault(report).unwrap(), sanitized(report));
        let once = "the program crashes at n = 7 in line 2 (SIGSEGV; AddressSanitizer: SEGV)";
        assert_eq!(said(&report), (once.into(), None));
        report.fault.as_mut().unwrap().size = Some(0);
        assert!(said(&report).0.ends_with("(SIGSEGV; AddressSanitizer at n = 7: SEGV)"));
        report.fault.as_mut().unwrap().calls[0].file = "a.h".into();
        let (crash, found) = said(&report);
        assert_eq!(crash, "the program crashes at n = 0 in a.h:2 (SIGSEGV)");
        assert_eq!(found.unwrap(), "with AddressSanitizer at n = 7: SEGV in line 2");
    }

    #[test]
    fn recursion_is_counted() {
        let calls = vec![call("f(int)", 9, 1), call("f(int)", 8, 8001), call("main", 30, 1)];
        let fault = Fault { size: Some(1), is_cut: true, calls, ..Fault::default() };
        let said = said(fault).unwrap();
        assert!(said.contains("called from f line 8 (at least 8001 times), called from"), "{said}");
    }

    #[test]
    fn loop_has_its_line() {
        let calls = vec![call("main", 2, 1)];
        let fault = Fault { size: Some(9), stopped_ms: Some(2004.0), calls, ..Fault::default() };
        assert_eq!(
            said(fault).unwrap(),
            "the program takes too long at n = 9: after 2.0 s it was in line 2, `a[i + 1] = x;`"
        );
        assert_eq!(said(Fault::default()), None);
    }
}
