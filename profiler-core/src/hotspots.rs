//! Where the time goes, by the lines and functions of the submitted source.
//!
//! It is counted exactly (`exact`): instructions, in a run of its own under the counter. What cannot be
//! counted so is sampled as the plan says, with `gprof -l`.

mod exact;
mod find;

pub(crate) use find::find;

use crate::job::Job;
use crate::report::ProfileReport;
pub use profiler_decode::SOURCE_FILE;
pub use profiler_decode::hot_lines::MAX_HOT_LINES as MAX_HOTSPOTS;
use profiler_decode::hot_lines::{HotLine, hot_lines};
use profiler_growth::Effort;
use runner_protocol::Profile;
use std::fmt;

/// Where the time goes.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize)]
pub struct Hotspots {
    /// `instructions` or `gprof`; absent without any.
    pub method: Option<&'static str>,
    /// Lines and their share, hottest first.
    pub lines: Vec<Hotspot>,
    /// Functions, the largest inclusive share first; none where lines were sampled.
    pub functions: Vec<HotspotFunction>,
    /// Chains of calls, the dearest first; none where lines were sampled.
    pub stacks: Vec<CallStack>,
}

/// The share of the time one line of the source took.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Hotspot {
    /// The file, as the debug information names it.
    pub file: String,
    /// From 1.
    pub line: u32,
    /// The function it belongs to.
    pub function: String,
    /// The line's own share, that of the library code it runs included, 0 to 1: of the instructions that belong
    /// to lines of the source, or of the samples.
    pub self_share: f64,
    /// Running sum of the shares, from the hottest line down to this one, 0 to 1.
    pub cumulative_share: f64,
    /// What is known beside it where it was counted.
    pub exact: Option<ExactLine>,
}

/// What counting tells of a line.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct ExactLine {
    /// The most that one of the line's own instructions was executed; absent where it has none but inlined library
    /// code.
    pub count: Option<u64>,
    /// The instructions behind the share.
    pub instructions: u64,
    /// The share with all functions of the source that it calls, 0 to 1.
    pub inclusive_share: f64,
}

/// The share of one function of the source.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct HotspotFunction {
    /// The line on which it begins, from 1; 0 where that is not known.
    pub line: u32,
    /// Its name, with the types of its parameters.
    pub name: String,
    /// Its own share, that of library code that it runs included, 0 to 1.
    pub self_share: f64,
    /// Its share with the functions of the source that it calls, 0 to 1; a recursion counts once.
    pub inclusive_share: f64,
    /// How often it was called; absent of one that was inlined.
    pub calls: Option<u64>,
    /// The instructions behind its own share.
    pub instructions: u64,
}

/// A chain of calls.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct CallStack {
    /// The functions, the outermost first.
    pub frames: Vec<String>,
    /// What the innermost cost by itself.
    pub instructions: u64,
}

/// The sampled lines of the submitted source, hottest first; `None` where the program left no profile.
pub(crate) fn sampled(profile: &Profile) -> Option<Vec<Hotspot>> {
    let hotspot = |HotLine { line, function, self_share, cumulative_share }| {
        let (file, exact) = (SOURCE_FILE.into(), None);
        Hotspot { file, line, function, self_share, cumulative_share, exact }
    };
    hot_lines(profile).map(|lines| lines.into_iter().map(hotspot).collect())
}

impl fmt::Display for Hotspot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let per_cent = |share| share * 100.0;
        write!(f, "{:.1}% self, ", per_cent(self.self_share))?;
        match &self.exact {
            Some(exact) => {
                write!(f, "{:.1}% inclusive, ", per_cent(exact.inclusive_share))?;
                match exact.count {
                    Some(1) => write!(f, "once, ")?,
                    Some(count) => write!(f, "{count} times, ")?,
                    None => {}
                }
            }
            None => write!(f, "{:.1}% cumulative, ", per_cent(self.cumulative_share))?,
        }
        write!(f, "in {}", self.function)
    }
}

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
        report.warn("line_directives", None, problem);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_strict_form_of_a_sampled_line() {
        let listing = " 25.04 0.06 0.03    fib(int) (main.cpp:2 @ 4011a6)\n \
                       25.04 0.06 0.03    fib(int) (main.cpp:4 @ 4011c5)\n";
        let lines = sampled(&Profile::Listing(listing.into())).unwrap();
        assert_eq!(lines[1].to_string(), "25.0% self, 50.1% cumulative, in fib(int)");
    }
}
