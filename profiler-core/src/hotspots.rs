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
    for row in PATTERN.captures_iter(listing) {
        let (_, [percent, function, file, line]) = row.extract();
        let (Ok(percent), Ok(line)) = (percent.parse::<f64>(), line.parse()) else {
            continue;
        };
        if file == SOURCE_FILE && percent > 0.0 {
            lines.entry(line).or_insert((0.0, function)).0 += percent / 100.0;
        }
    }
    let mut hottest: Vec<_> = lines.into_iter().collect();
    hottest.sort_by(|a, b| b.1.0.total_cmp(&a.1.0));
    hottest.truncate(MAX_HOTSPOTS);
    let mut cumulative_share = 0.0;
    hottest
        .into_iter()
        .map(|(line, (self_share, function))| {
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
