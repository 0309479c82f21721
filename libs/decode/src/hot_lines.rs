//! Sampled lines of the source: gprof's flat listing, or the raw histogram if gprof fails.

use crate::addr2line::OwnFiles;

use crate::SOURCE_FILE;
use crate::addr2line::frames;
use regex::Regex;
use runner_protocol::Profile;
use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

/// Maximum number of lines in a result.
pub const MAX_HOT_LINES: usize = 50;
/// One row of the flat profile: `% time, cumulative s, self s, function (file:line @ address)`. On
/// the line where a function begins, `calls, self per call, total per call` precede the function.
const ROW: &str = r"(?mx)^
    \ *([\d.]+)\ +[\d.]+\ +[\d.]+\ +
    (?:\d+\ +[\d.]+\ +[\d.]+\ +)?
    (\S.*)\ \(([^:()\n]+):(\d+)\ @\ [0-9a-f]+\)$";

#[expect(clippy::expect_used, reason = "the pattern is a constant, and every test compiles it")]
static PATTERN: LazyLock<Regex> = LazyLock::new(|| Regex::new(ROW).expect("constant pattern"));

/// The share of the samples that one line of the source took.
#[derive(Debug, Clone, PartialEq)]
pub struct HotLine {
    /// The file: [`SOURCE_FILE`], or the path of one of the program's other files.
    pub file: String,
    /// Line number, from 1.
    pub line: u32,
    /// The function that the line belongs to.
    pub function: String,
    /// The line's own share, 0 to 1.
    pub self_share: f64,
    /// Running sum of the shares, from the hottest line down to this one, 0 to 1.
    pub cumulative_share: f64,
}

/// The cost of each line of the program's files, in any unit, and the line's function.
type Costs = BTreeMap<(String, u32), (f64, String)>;

/// The lines of a program with these files, hottest first, at most [`MAX_HOT_LINES`]. `None` if the
/// program left no profile. A listing names only the submitted source.
pub fn hot_lines(profile: &Profile, own: &OwnFiles) -> Option<Vec<HotLine>> {
    match profile {
        Profile::Absent => None,
        Profile::Listing(text) => {
            let (costs, whole) = from_listing(&String::from_utf8_lossy(text));
            Some(ranked(costs, whole))
        }
        Profile::Addresses { samples, lines } => {
            let whole: f64 = samples.iter().map(|&(_, count)| f64::from(count)).sum();
            Some(ranked(from_samples(samples, lines, own), whole))
        }
    }
}

/// Percentages by line, and the whole, which gprof's rounding can make slightly more than 100. The
/// listing has one row for each address range of a line; the rows of one line are added up.
fn from_listing(listing: &str) -> (Costs, f64) {
    let mut costs = Costs::new();
    let mut sum = 0.0;
    for row in PATTERN.captures_iter(listing) {
        let (_, [percent, function, file, line]) = row.extract();
        let (Ok(percent), Ok(line)) = (percent.parse::<f64>(), line.parse()) else {
            continue;
        };
        sum += percent;
        if file == SOURCE_FILE && line > 0 {
            charge(&mut costs, (file.into(), line), function, percent);
        }
    }
    (costs, sum.max(100.0))
}

/// Samples by line. An address is charged to its first place in the program's files: code that was
/// inlined from the standard library counts on the line that called it.
fn from_samples(samples: &[(u64, u16)], lines: &[u8], own: &OwnFiles) -> Costs {
    let mut counts: HashMap<u64, f64> =
        samples.iter().map(|&(address, count)| (address, f64::from(count))).collect();
    let mut costs = Costs::new();
    for (address, frame) in frames(lines, own, Some) {
        // In debug information, line 0 means that there is no line. An address is charged once: the
        // name of a function can look like an address.
        if frame.is_own
            && frame.line > 0
            && let Some(count) = counts.remove(&address)
        {
            charge(&mut costs, (frame.file, frame.line), &frame.function, count);
        }
    }
    costs
}

fn charge(costs: &mut Costs, place: (String, u32), function: &str, amount: f64) {
    costs.entry(place).or_insert_with(|| (0.0, function.to_owned())).0 += amount;
}

fn ranked(costs: Costs, whole: f64) -> Vec<HotLine> {
    let mut hottest: Vec<_> = costs.into_iter().filter(|(_, (amount, _))| *amount > 0.0).collect();
    hottest.sort_by(|(_, (a, _)), (_, (b, _))| b.total_cmp(a));
    hottest.truncate(MAX_HOT_LINES);
    let mut cumulative_share = 0.0;
    hottest
        .into_iter()
        .map(|((file, line), (amount, function))| {
            let self_share = amount / whole;
            cumulative_share += self_share;
            HotLine { file, line, function, self_share, cumulative_share }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Output of `gprof -b -l -p` of binutils 2.40 for a recursive function. On line 2, where the
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
    /// The same for a loop over a vector, with rows of the standard library and rows without time.
    const VECTOR: &str = "\
 61.63      0.08     0.08                             inner(std::vector<double, std::allocator<double> >&) (main.cpp:8 @ 40132b)
 30.82      0.12     0.04                             mix(long) (main.cpp:13 @ 4013a0)
  7.70      0.13     0.01                             inner(std::vector<double, std::allocator<double> >&) (main.cpp:7 @ 401300)
  0.00      0.13     0.00       60     0.00     0.00  inner(std::vector<double, std::allocator<double> >&) (main.cpp:5 @ 4012c0)
  0.00      0.13     0.00        1     0.00     0.00  std::_Vector_base<double, std::allocator<double> >::~_Vector_base() (stl_vector.h:364 @ 4013b0)
";

    /// Two addresses, as `addr2line -a -i -f -C` prints them: library code that was inlined into
    /// line 7, and library code of its own.
    const INLINED: &str = "\
0x0000000000401100
std::vector<int>::operator[](unsigned long)
/usr/include/c++/12/bits/stl_vector.h:1123
work(int)
/tmp/main.cpp:7 (discriminator 3)
main
/tmp/main.cpp:12
0x0000000000401200
std::sort(int*, int*)
/usr/include/c++/12/bits/stl_algo.h:4820
";

    fn parse(listing: &str) -> Vec<HotLine> {
        hot_lines(&Profile::Listing(listing.into()), &OwnFiles::default()).unwrap()
    }

    #[test]
    fn inlined_library_code_counts_on_the_line_that_called_it() {
        let samples = vec![(0x0040_1100, 3), (0x0040_1200, 1)];
        let lines = INLINED.into();
        let found =
            hot_lines(&Profile::Addresses { samples, lines }, &OwnFiles::default()).unwrap();
        let found: Vec<_> = found.iter().map(|h| (h.line, h.self_share)).collect();
        assert_eq!(found, [(7, 0.75)]);
    }

    #[test]
    fn no_profile_is_no_list() {
        assert!(hot_lines(&Profile::Absent, &OwnFiles::default()).is_none());
    }

    fn lines(listing: &str) -> Vec<u32> {
        parse(listing).iter().map(|hotspot| hotspot.line).collect()
    }

    #[test]
    fn hottest_first() {
        assert_eq!(lines(RECURSIVE), [2, 4, 3, 5, 6]);
    }

    #[test]
    fn function_is_its_name_alone() {
        assert!(parse(RECURSIVE)[..4].iter().all(|h| h.function == "fib(int)"));
    }

    #[test]
    fn lines_without_time_and_of_other_files_are_left_out() {
        assert_eq!(lines(VECTOR), [8, 13, 7]);
    }

    #[test]
    fn function_may_have_spaces_and_parentheses() {
        assert_eq!(
            parse(VECTOR)[0].function,
            "inner(std::vector<double, std::allocator<double> >&)"
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
    fn rows_with_malformed_numbers_are_left_out() {
        let odd = " 1.2.3 0.03 0.03    f() (main.cpp:2 @ 1)\n 20.00 0.05 0.02    f() (main.cpp:99999999999 @ 9)\n";
        assert!(parse(odd).is_empty());
    }

    #[test]
    fn hot_lines_are_at_most_max() {
        let many: String = (1..=MAX_HOT_LINES + 1)
            .map(|line| format!(" 1.00 0.03 0.03    f() (main.cpp:{line} @ 1)\n"))
            .collect::<Vec<_>>()
            .concat();
        assert_eq!(lines(&many).len(), MAX_HOT_LINES);
    }
}
