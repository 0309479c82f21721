//! Sources that give their lines other numbers.

use crate::job::Job;
use crate::report::{Warning, WarningCode};
use profiler_growth::Effort;

/// The warning where lines are named and the source gives its lines other numbers, which debug
/// information then has.
pub(crate) fn warning_of_renumbering(job: &Job) -> Option<Warning> {
    let named = job.debug || job.allocations || job.growth == Effort::Full;
    let mut directives = job.source.split(|&byte| byte == b'\n').filter_map(|line| {
        line.trim_ascii_start().strip_prefix(b"#").map(<[u8]>::trim_ascii_start)
    });
    let renumbers =
        |it: &[u8]| it.starts_with(b"line ") || it.first().is_some_and(u8::is_ascii_digit);
    (named && directives.any(renumbers)).then(|| {
        let problem = "the source has #line directives: lines of hotspots, allocations and growth are those that \
                       these name, not the source's";
        Warning::new(WarningCode::LineDirectives, problem)
    })
}
