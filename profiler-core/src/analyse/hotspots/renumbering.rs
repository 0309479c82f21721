//! Sources that renumber their lines with `#line`.

use crate::job::Job;
use profiler_growth::Effort;
use profiler_proto::v1::{Warning, WarningCode};

/// The warning about `#line` directives, if the report names lines. Debug information uses the
/// renumbered lines.
pub(crate) fn warning_of_renumbering(job: &Job) -> Option<Warning> {
    let named = job.options.debug || job.options.allocations || job.options.growth == Effort::Full;
    let mut directives = job.source.split(|&byte| byte == b'\n').filter_map(|line| {
        line.trim_ascii_start().strip_prefix(b"#").map(<[u8]>::trim_ascii_start)
    });
    let renumbers =
        |it: &[u8]| it.starts_with(b"line ") || it.first().is_some_and(u8::is_ascii_digit);
    (named && directives.any(renumbers)).then(|| {
        let problem = "the source has #line directives, so hotspots, allocations and growth use \
                       the line numbers of those directives";
        Warning::new(WarningCode::LineDirectives, problem)
    })
}
