//! Exact counts of every line: nearly pure terms, of which the fastest is the program's.

use super::class::Class;
use super::model;
use super::observed::Counts;
use super::posterior::{Datum, Input, Posterior, Series, normalise};
use std::collections::BTreeMap;

/// Shares of all lines at the largest size, with the factor that such a share has risen by since the middle size
/// in a line that counts: the fastest line takes a rising share, and of a small one noise is a larger part.
const RISEN: [(f64, f64); 3] = [(0.1, 1.01), (0.01, 1.1), (0.002, 1.3)];
/// Lines whose counts have the same ratio at all sizes, within this, are one.
const SAME_RATIO: f64 = 0.002;
/// Groups of lines that are looked at, the largest first.
const MAX_GROUPS: usize = 8;
/// Sizes that lines must have been counted at.
pub(super) const LEAST_SIZES: usize = 4;
/// Standard deviation of an exact count, as a share of it: a last iteration more or less.
const ROUNDING: f64 = 2e-4;
/// The same, in instructions.
const ROUNDING_INSTRUCTIONS: f64 = 3.0;
/// What reading n itself and writing a result may take more of where they have more digits, in instructions.
const NUMBERS: f64 = 300.0;

/// A line, or several that rise and fall together.
#[derive(Debug, Clone)]
pub(super) struct Group {
    /// The line with the most instructions.
    pub(super) line: u32,
    /// Instructions by size.
    pub(super) counts: Vec<(u32, f64)>,
}

/// What all lines say together.
#[derive(Debug, Clone)]
pub(super) struct Lines {
    /// Probabilities of the fastest class among them.
    pub(super) classes: Vec<f64>,
    /// The groups and what each says, the largest first.
    pub(super) groups: Vec<(Group, Posterior)>,
}

impl Lines {
    /// What the counts of lines say, some of which may read `input`; nothing where lines were counted at too
    /// few sizes.
    pub(super) fn of(counts: &[Counts], input: Option<&Input>) -> Option<Self> {
        let counts: Vec<_> = counts.iter().filter(|counts| !counts.lines.is_empty()).collect();
        if counts.len() < LEAST_SIZES {
            return None;
        }
        let groups: Vec<_> = grouped(&counts)
            .into_iter()
            .filter_map(|group| {
                let series = Series { input: input.cloned(), ..series(&group.counts) };
                let said = Posterior::of(&series, &model::line())?;
                Some((group, said))
            })
            .collect();
        let mut ranked: Vec<Class> = Class::all().collect();
        ranked.sort_by(|a, b| a.rank().total_cmp(&b.rank()));
        let mut classes = vec![0.0; ranked.len()];
        let mut below = vec![0.0; groups.len()];
        let mut before = 0.0;
        for class in ranked {
            let at = class.index();
            for (sum, (_, said)) in below.iter_mut().zip(&groups) {
                *sum += said.classes[at];
            }
            let all: f64 = below.iter().product();
            classes[at] = (all - before).max(0.0);
            before = all;
        }
        normalise(&mut classes);
        (!groups.is_empty()).then_some(Self { classes, groups })
    }
}

/// The series of exact counts. Where all are the same, none is a little more than another.
pub(super) fn series(counts: &[(u32, f64)]) -> Series {
    let same = counts.windows(2).all(|pair| (pair[0].1 - pair[1].1).abs() < 1.0);
    let noise = |value: f64| {
        if same { ROUNDING_INSTRUCTIONS } else { (value * ROUNDING).hypot(NUMBERS) }
    };
    let data = counts.iter().map(|&(size, value)| Datum { size, value, sigma: noise(value) });
    let mut data: Vec<_> = data.collect();
    data.sort_by_key(|datum| datum.size);
    Series { data, ..Series::default() }
}

/// The largest line and those that count, those together that have the same ratio everywhere.
fn grouped(counts: &[&Counts]) -> Vec<Group> {
    let mut counts = counts.to_vec();
    counts.sort_by_key(|counts| counts.size);
    let total = |counts: &Counts| counts.lines.values().sum::<u64>().max(1) as f64;
    let share = |counts: &Counts, line: &u32| {
        counts.lines.get(line).copied().unwrap_or(0) as f64 / total(counts)
    };
    let (last, middle) = (counts[counts.len() - 1], counts[counts.len() / 2]);
    let most = last.lines.values().max();
    let mut lines: Vec<(u32, u64)> = last
        .lines
        .iter()
        .filter(|&(line, count)| {
            let now = share(last, line);
            let needed = RISEN.iter().find(|(least, _)| now >= *least).map(|(_, risen)| risen);
            Some(count) == most || needed.is_some_and(|risen| now > risen * share(middle, line))
        })
        .map(|(&line, &count)| (line, count))
        .collect();
    lines.sort_by_key(|&(line, count)| (std::cmp::Reverse(count), line));
    let mut groups: Vec<Group> = Vec::new();
    for (line, _) in lines {
        let own: BTreeMap<u32, f64> = counts
            .iter()
            .map(|counts| (counts.size, counts.lines.get(&line).copied().unwrap_or(0) as f64))
            .collect();
        let same = groups.iter().position(|group| goes_with(group, &own));
        match same {
            Some(at) => {
                for (size, sum) in &mut groups[at].counts {
                    *sum += own[size];
                }
            }
            None if groups.len() < MAX_GROUPS => {
                groups.push(Group { line, counts: own.into_iter().collect() });
            }
            None => {}
        }
    }
    groups
}

fn goes_with(group: &Group, own: &BTreeMap<u32, f64>) -> bool {
    let ratio = group.counts.last().map_or(0.0, |(size, sum)| own[size] / sum);
    group.counts.iter().all(|(size, sum)| {
        (own[size] - ratio * sum).abs()
            <= SAME_RATIO * own[size] + ROUNDING_INSTRUCTIONS * (1.0 + ratio)
    })
}
