//! Where the time goes, by the lines and functions of the submitted source.
//!
//! It is counted exactly (`exact`): instructions, in a run of its own under the counter. What cannot be
//! counted so is sampled as the plan says, with `gprof -l`.

mod exact;
mod find;
mod sampled;

pub(crate) use find::find;

use crate::report::WarningCode;

use crate::job::Job;
use crate::report::ProfileReport;
use profiler_growth::Effort;

/// Warns where lines are named and the source gives its lines other numbers, which debug information then has.
pub(crate) fn warn_of_renumbering(job: &Job, report: &mut ProfileReport) {
    let named = job.debug || job.allocations || job.growth == Effort::Full;
    let mut directives = job.source.split(|&byte| byte == b'\n').filter_map(|line| {
        line.trim_ascii_start().strip_prefix(b"#").map(<[u8]>::trim_ascii_start)
    });
    let renumbers =
        |it: &[u8]| it.starts_with(b"line ") || it.first().is_some_and(u8::is_ascii_digit);
    if named && directives.any(renumbers) {
        let problem = "the source has #line directives: lines of hotspots, allocations and growth are those that \
                       these name, not the source's";
        report.warn(WarningCode::LineDirectives, None, problem);
    }
}
