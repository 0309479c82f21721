//! Where the time goes, line by line: `gprof -l`'s flat profile, or the histogram behind it where
//! gprof refuses.

use regex::Regex;
use runner_protocol::Profile;
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::path::Path;
use std::sync::LazyLock;

/// One row of the flat profile: `% time, cumulative s, self s, …, function (file:line @ address)`.
const ROW: &str =
    r"(?m)^\s*([\d.]+)\s+([\d.]+)\s+([\d.]+)\s.*?(\S.*) \(([^:()\n]+):(\d+) @ [0-9a-f]+\)$";
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

/// Cost by line of the submitted source, in any unit, with the function.
type Costs<'a> = BTreeMap<u32, (f64, &'a str)>;

/// The lines of the submitted source, hottest first; `None` where the program left no profile.
pub fn of(profile: &Profile) -> Option<Vec<Hotspot>> {
    match profile {
        Profile::Absent => None,
        Profile::Listing(text) => Some(ranked(&listed(&String::from_utf8_lossy(text)), 100.0)),
        Profile::Addresses { samples, lines } => {
            let total: f64 = samples.iter().map(|&(_, count)| f64::from(count)).sum();
            Some(ranked(
                &resolved(samples, &String::from_utf8_lossy(lines)),
                total,
            ))
        }
    }
}

/// Per cent by line. The listing has one row for each address range of a line.
fn listed(listing: &str) -> Costs<'_> {
    let mut costs = Costs::new();
    for row in PATTERN.captures_iter(listing) {
        let (_, [percent, _, _, function, file, line]) = row.extract();
        let (Ok(percent), Ok(line)) = (percent.parse::<f64>(), line.parse()) else {
            continue;
        };
        if file == SOURCE_FILE {
            costs.entry(line).or_insert((0.0, function)).0 += percent;
        }
    }
    costs
}

/// Samples by line. Under each address `addr2line -a -i -f` prints pairs of function and place, from
/// the innermost inlined call outwards: the first place in the submitted source is what the address
/// is charged to, so what was inlined from the standard library counts on the line that called it.
fn resolved<'a>(samples: &[(u64, u16)], lines: &'a str) -> Costs<'a> {
    let counts: HashMap<u64, f64> = samples
        .iter()
        .map(|&(address, count)| (address, f64::from(count)))
        .collect();
    let mut costs = Costs::new();
    let mut uncharged = None;
    let mut lines = lines.lines();
    while let Some(line) = lines.next() {
        if let Some(address) = line.strip_prefix("0x") {
            let address = u64::from_str_radix(address, 16).ok();
            uncharged = address.and_then(|address| counts.get(&address).copied());
        } else if let Some(place) = lines.next().and_then(source_line)
            && let Some(count) = uncharged.take()
        {
            costs.entry(place).or_insert((0.0, line)).0 += count;
        }
    }
    costs
}

/// The line of a place in the submitted source: `/tmp/main.cpp:12 (discriminator 3)`.
fn source_line(place: &str) -> Option<u32> {
    let (file, line) = place.rsplit_once(':')?;
    let is_source = Path::new(file)
        .file_name()
        .is_some_and(|name| name == SOURCE_FILE);
    is_source
        .then(|| line.split(' ').next()?.parse().ok())
        .flatten()
}

fn ranked(costs: &Costs<'_>, total: f64) -> Vec<Hotspot> {
    let mut hottest: Vec<_> = costs.iter().filter(|(_, (cost, _))| *cost > 0.0).collect();
    hottest.sort_by(|a, b| b.1.0.total_cmp(&a.1.0));
    hottest.truncate(MAX_HOTSPOTS);
    let mut cumulative_share = 0.0;
    hottest
        .into_iter()
        .map(|(&line, &(cost, function))| {
            // gprof rounds its per cents, and their sum may pass 100.
            let self_share = (cost / total).min(1.0);
            cumulative_share = f64::min(cumulative_share + self_share, 1.0);
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
