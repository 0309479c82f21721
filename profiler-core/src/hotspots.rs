//! Where the time goes, line by line: `gprof -l`'s flat profile.

use regex::Regex;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::LazyLock;

/// One row of the flat profile: `% time, cumulative s, self s, function (file:line @ address)`, and in
/// front of the function, where it begins on that line, `calls, self per call, total per call`.
const ROW: &str = r"(?mx)^
    \ *([\d.]+)\ +[\d.]+\ +[\d.]+\ +
    (?:\d+\ +[\d.]+\ +[\d.]+\ +)?
    (\S.*)\ \(([^:()\n]+):(\d+)\ @\ [0-9a-f]+\)$";
/// The file that the submitted source is compiled as.
pub const SOURCE_FILE: &str = "main.cpp";
/// Most lines in a report.
pub const MAX_HOTSPOTS: usize = 50;

#[expect(
    clippy::expect_used,
    reason = "the pattern is a constant, and every test compiles it"
)]
static PATTERN: LazyLock<Regex> = LazyLock::new(|| Regex::new(ROW).expect("constant pattern"));

/// The share of the time one line of the source took.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Hotspot {
    /// The file, as the debug information names it.
    pub file: String,
    /// From 1.
    pub line: u32,
    /// The function it belongs to.
    pub function: String,
    /// Share of the samples that fell on the line itself, 0 to 1.
    pub self_share: f64,
    /// Running sum of the shares, from the hottest line down to this one, 0 to 1.
    pub cumulative_share: f64,
}

impl fmt::Display for Hotspot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [own, sum] = [self.self_share, self.cumulative_share].map(|share| share * 100.0);
        write!(
            f,
            "{own:.1}% self, {sum:.1}% cumulative, in {}",
            self.function
        )
    }
}

/// The lines of the submitted source in a listing, hottest first. The listing has one row for each
/// address range of a line: those of one line are added up.
pub fn parse(listing: &str) -> Vec<Hotspot> {
    let mut lines: BTreeMap<u32, (f64, &str)> = BTreeMap::new();
    let mut sum = 0.0;
    for row in PATTERN.captures_iter(listing) {
        let (_, [percent, function, file, line]) = row.extract();
        let (Ok(percent), Ok(line)) = (percent.parse::<f64>(), line.parse()) else {
            continue;
        };
        let share = percent / 100.0;
        sum += share;
        if file == SOURCE_FILE && share > 0.0 {
            lines.entry(line).or_insert((0.0, function)).0 += share;
        }
    }
    // Rounding may make gprof's rows add up to a little more than the whole.
    let whole = sum.max(1.0);
    let mut hottest: Vec<_> = lines.into_iter().collect();
    hottest.sort_by(|a, b| b.1.0.total_cmp(&a.1.0));
    hottest.truncate(MAX_HOTSPOTS);
    let mut cumulative_share = 0.0;
    hottest
        .into_iter()
        .map(|(line, (share, function))| {
            let self_share = share / whole;
            cumulative_share += self_share;
            let (file, function) = (SOURCE_FILE.into(), function.to_owned());
            Hotspot {
                file,
                line,
                function,
                self_share,
                cumulative_share,
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What `gprof -b -l -p` of binutils 2.40 lists for a recursive function. On line 2, where the
    /// function begins, it counts calls; the fourth row has no line.
    const RECURSIVE: &str = "\
Flat profile:

Each sample counts as 0.01 seconds.
  %   cumulative   self              self     total           
 time   seconds   seconds    calls  ps/call  ps/call  name    
 25.04      0.03     0.03 126491971   237.57   237.57  fib(int) (main.cpp:2 @ 4011a6)
 25.04      0.06     0.03                             fib(int) (main.cpp:4 @ 4011c5)
 16.70      0.08     0.02                             fib(int) (main.cpp:3 @ 4011b8)
 16.70      0.10     0.02                             frame_dummy
 12.52      0.12     0.02                             fib(int) (main.cpp:5 @ 4011e5)
  4.17      0.12     0.01                             main (main.cpp:6 @ 4011eb)
";
    /// Likewise, of a loop over a vector, with rows of the standard library and rows without time.
    const VECTOR: &str = "\
 61.63      0.08     0.08                             inner(std::vector<double, std::allocator<double> >&) (main.cpp:8 @ 40132b)
 30.82      0.12     0.04                             mix(long) (main.cpp:13 @ 4013a0)
  7.70      0.13     0.01                             inner(std::vector<double, std::allocator<double> >&) (main.cpp:7 @ 401300)
  0.00      0.13     0.00       60     0.00     0.00  inner(std::vector<double, std::allocator<double> >&) (main.cpp:5 @ 4012c0)
  0.00      0.13     0.00        1     0.00     0.00  std::_Vector_base<double, std::allocator<double> >::~_Vector_base() (stl_vector.h:364 @ 4013b0)
";

    fn lines(listing: &str) -> Vec<u32> {
        parse(listing).iter().map(|hotspot| hotspot.line).collect()
    }

    #[test]
    fn hottest_first() {
        assert_eq!(lines(RECURSIVE), [2, 4, 3, 5, 6]);
    }

    #[test]
    fn a_function_is_its_name_alone() {
        assert!(
            parse(RECURSIVE)[..4]
                .iter()
                .all(|h| h.function == "fib(int)")
        );
    }

    #[test]
    fn lines_without_time_and_of_other_files_are_left_out() {
        assert_eq!(lines(VECTOR), [8, 13, 7]);
    }

    #[test]
    fn a_function_may_have_spaces_and_parentheses() {
        assert_eq!(
            parse(VECTOR)[0].function,
            "inner(std::vector<double, std::allocator<double> >&)"
        );
    }

    #[test]
    fn the_strict_form_of_one() {
        assert_eq!(
            parse(RECURSIVE)[1].to_string(),
            "25.0% self, 50.1% cumulative, in fib(int)"
        );
    }

    #[test]
    fn rows_of_one_line_are_added_up() {
        let twice =
            " 30.00 0.03 0.03    f() (main.cpp:2 @ 1)\n 20.00 0.05 0.02    f() (main.cpp:2 @ 9)\n";
        assert!((parse(twice)[0].self_share - 0.5).abs() < 1e-9);
    }

    /// gprof's own rounding: here 61.63 + 30.82 + 7.70 are 100.15 %.
    #[test]
    fn shares_are_at_most_the_whole() {
        let last = parse(VECTOR)[2].cumulative_share;
        assert!((last - 1.0).abs() < 1e-9, "{last}");
    }

    #[test]
    fn numbers_that_are_none_are_left_out() {
        let odd = " 1.2.3 0.03 0.03    f() (main.cpp:2 @ 1)\n 20.00 0.05 0.02    f() (main.cpp:99999999999 @ 9)\n";
        assert!(parse(odd).is_empty());
    }

    #[test]
    fn at_most_so_many_lines() {
        let many: String = (1..=MAX_HOTSPOTS + 1)
            .map(|line| format!(" 1.00 0.03 0.03    f() (main.cpp:{line} @ 1)\n"))
            .collect::<Vec<_>>()
            .concat();
        assert_eq!(lines(&many).len(), MAX_HOTSPOTS);
    }
}
