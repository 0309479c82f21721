//! Shares of lines. If a line's share of the time is far from its share of the instructions, both
//! are told.

use super::source::line_name;
use profiler_proto::v1::{Hotspot, HotspotsMethod, ProfileReport};

/// Returns the words for what a hotspot's share is a part of, as the end of a clause.
pub fn of_what(report: &ProfileReport) -> &'static str {
    match report.hotspots_method() {
        HotspotsMethod::Instructions => " of the instructions",
        HotspotsMethod::Gprof => " of the samples",
        HotspotsMethod::Unspecified => "",
    }
}

/// Returns ", 12 % of the time (sampled)", to follow a line's share of the instructions; empty if
/// the two shares are close.
pub(crate) fn of_time(hotspot: &Hotspot) -> String {
    let share = hotspot.time_share.filter(|share| hotspot.time_differs && share.is_finite());
    let told = share.map(|share| format!(", {:.0} % of the time (sampled)", share * 100.0));
    told.unwrap_or_default()
}

/// Returns the share of a line: "61 % of the instructions, 12 % of the time (sampled)".
pub fn share_of(report: &ProfileReport, hotspot: &Hotspot) -> String {
    let (share, of_what) = (hotspot.self_share * 100.0, of_what(report));
    format!("{share:.0} %{of_what}{}", of_time(hotspot))
}

/// Returns the lines that a sentence names: the one with most instructions, and the one that takes
/// most time if its share of that is far from its share of the instructions.
pub fn hottest(report: &ProfileReport) -> impl Iterator<Item = &Hotspot> {
    let first = report.hotspot_lines.first();
    let slowest = slow_lines(report).first().copied();
    let other = slowest.filter(|slowest| first.is_some_and(|first| time(slowest) > time(first)));
    first.into_iter().chain(other)
}

/// Returns the lines whose share of the time is far from their share of the instructions, those
/// that take most time first.
pub(crate) fn slow_lines(report: &ProfileReport) -> Vec<&Hotspot> {
    let mut lines: Vec<_> =
        report.hotspot_lines.iter().filter(|it| !of_time(it).is_empty()).collect();
    lines.sort_by(|a, b| time(b).total_cmp(&time(a)));
    lines
}

fn time(hotspot: &Hotspot) -> f64 {
    hotspot.time_share.unwrap_or_default()
}

/// Describes a line: "line 14: 61 % of the instructions, 12 % of the time (sampled)".
pub(crate) fn line_share(report: &ProfileReport, hotspot: &Hotspot) -> String {
    format!("{}: {}", line_name(&hotspot.file, hotspot.line), share_of(report, hotspot))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(line: u32, self_share: f64, time: f64, time_differs: bool) -> Hotspot {
        let file = "main.cpp".into();
        Hotspot {
            file,
            line,
            self_share,
            time_share: Some(time),
            time_differs,
            ..Hotspot::default()
        }
    }

    fn report(lines: Vec<Hotspot>) -> ProfileReport {
        let method = HotspotsMethod::Instructions.into();
        ProfileReport { hotspots_method: method, hotspot_lines: lines, ..ProfileReport::default() }
    }

    fn said(report: &ProfileReport) -> Vec<String> {
        hottest(report).map(|hotspot| line_share(report, hotspot)).collect()
    }

    #[test]
    fn share_of_the_time_is_told_where_it_differs() {
        let both = report(vec![line(14, 0.61, 0.12, true), line(9, 0.05, 0.8, true)]);
        let expected = [
            "line 14: 61 % of the instructions, 12 % of the time (sampled)",
            "line 9: 5 % of the instructions, 80 % of the time (sampled)",
        ];
        assert_eq!(said(&both), expected);
        let slow = slow_lines(&both).into_iter().map(|it| it.line).collect::<Vec<_>>();
        assert_eq!(slow, [9, 14]);
        let close = report(vec![line(14, 0.61, 0.5, false), line(9, 0.39, 0.5, false)]);
        assert_eq!(said(&close), ["line 14: 61 % of the instructions"]);
        let gprof = ProfileReport { hotspots_method: HotspotsMethod::Gprof.into(), ..close };
        assert_eq!(said(&gprof), ["line 14: 61 % of the samples"]);
    }

    #[test]
    fn other_line_is_named_only_if_it_takes_more_time() {
        let other = report(vec![line(14, 0.45, 0.8, false), line(9, 0.5, 0.1, true)]);
        assert_eq!(said(&other), ["line 14: 45 % of the instructions"]);
        assert_eq!(said(&ProfileReport::default()), Vec::<String>::new());
        let forged = report(vec![line(14, f64::NAN, f64::NAN, true)]);
        assert_eq!(slow_lines(&forged).len(), 0);
    }
}
