//! The sentence about the place at which the program fails.

use crate::report::readable;
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
    let line = innermost.line;
    let source = readable(&worst::source_line(&report.code_cpp, line));
    let source = if source.is_empty() { source } else { format!(", `{source}`") };
    let failed = match fault.stopped_ms {
        Some(ms) => {
            let seconds = ms / 1000.0;
            format!("takes too long {at}: after {seconds:.1} s it was in line {line}{source}")
        }
        None => format!("crashes {at} in line {line}{source} ({})", readable(&fault.signal)),
    };
    let callers = callers.iter().take(NAMED_CALLS).map(|call| called_from(call, fault));
    let callers: String = callers.collect();
    Some(format!("the program {failed}{}{callers}", times(innermost, fault)))
}

fn called_from(call: &FaultCall, fault: &Fault) -> String {
    let name = readable(&call.function);
    // Parameters are long, and the line shows them. Other names have parentheses of their own.
    let is_plain = !name.contains("operator") && !name.starts_with('(') && !name.contains("::(");
    let name = name.split('(').next().filter(|_| is_plain).unwrap_or(&name);
    let name = if name.is_empty() { String::new() } else { format!("{} ", cut(name)) };
    format!(", called from {name}line {}{}", call.line, times(call, fault))
}

/// Tells how often a call follows itself.
fn times(call: &FaultCall, fault: &Fault) -> String {
    let at_least = if fault.is_cut { "at least " } else { "" };
    if call.times > 1 { format!(" ({at_least}{} times)", call.times) } else { String::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(function: &str, line: u32, times: u32) -> FaultCall {
        FaultCall { function: function.into(), line, times }
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
