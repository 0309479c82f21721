//! Exact counts of each line. The counts of a line are nearly a single term, so the class of the
//! line that grows fastest is the class of the program.

use crate::class::Class;
use crate::constants::{
    COUNT_SCATTER_INSTRUCTIONS, LEAST_SHARE, LEAST_SIZES, MAX_GROUPS, NUMBER_INSTRUCTIONS, RISEN,
    SAME_RATIO,
};
use crate::fitting::model;
use crate::fitting::posterior::Posterior;
use crate::observation::Counts;
use crate::probability::normalise;
use crate::series::{Input, Series};
use crate::tuning::Tuning;
use std::collections::BTreeMap;

/// A line, or several lines with proportional counts.
#[derive(Debug, Clone)]
pub(crate) struct Group {
    /// The line with the most instructions.
    pub(crate) line: u32,
    /// Instructions by size.
    pub(crate) counts: Vec<(u64, f64)>,
}

/// The combined result of all lines.
#[derive(Debug, Clone)]
pub(crate) struct Lines {
    /// Probability of each class to be the fastest class among the lines.
    pub(crate) classes: Vec<f64>,
    /// The groups and their posteriors, the largest first.
    pub(crate) groups: Vec<(Group, Posterior)>,
}

impl Lines {
    /// Classifies the counts of lines, which can read `input`. `None` if lines were counted at too
    /// few sizes.
    pub(crate) fn from_counts(
        counts: &[Counts],
        input: Option<&Input>,
        tuning: &Tuning,
    ) -> Option<Self> {
        let counts: Vec<_> = counts.iter().filter(|counts| !counts.lines.is_empty()).collect();
        if counts.len() < LEAST_SIZES {
            return None;
        }
        let model = model::line().tuned(tuning);
        let groups: Vec<_> = grouped(&counts)
            .into_iter()
            .filter_map(|group| {
                let series = Series::exact(&group.counts, NUMBER_INSTRUCTIONS, input);
                let posterior = Posterior::from_series(&series, &model)?;
                Some((group, posterior))
            })
            .collect();
        let mut ranked: Vec<Class> = Class::all().collect();
        ranked.sort_by(|a, b| a.rank().total_cmp(&b.rank()));
        let mut classes = vec![0.0; ranked.len()];
        let mut below = vec![0.0; groups.len()];
        let mut before = 0.0;
        for class in ranked {
            let index = class.index();
            for (sum, (_, posterior)) in below.iter_mut().zip(&groups) {
                *sum += posterior.classes[index];
            }
            let all: f64 = below.iter().product();
            classes[index] = (all - before).max(0.0);
            before = all;
        }
        normalise(&mut classes);
        (!groups.is_empty()).then_some(Self { classes, groups })
    }
}

/// Returns the groups of the largest line and of the lines that grow faster than it. Lines whose
/// counts have a constant ratio form one group. Every class fits a line that runs at fewer than
/// [`LEAST_SIZES`] sizes, so it is counted with the largest line.
fn grouped(counts: &[&Counts]) -> Vec<Group> {
    let mut counts = counts.to_vec();
    counts.sort_by_key(|counts| counts.size);
    let of = |counts: &Counts, line| counts.lines.get(&line).copied().unwrap_or(0) as f64;
    let (first, last) = (counts[0], counts[counts.len() - 1]);
    let all = last.lines.values().sum::<u64>() as f64;
    let mut lines: Vec<u32> = last.lines.keys().copied().collect();
    lines.retain(|&line| of(last, line) >= LEAST_SHARE * all);
    lines.sort_by(|&a, &b| of(last, b).total_cmp(&of(last, a)).then(a.cmp(&b)));
    let mut groups: Vec<Group> = Vec::new();
    let (seldom, often): (Vec<u32>, Vec<u32>) = lines.iter().partition(|&&line| {
        counts.iter().filter(|counts| of(counts, line) > 0.0).count() < LEAST_SIZES
    });
    for &line in &often {
        let own: BTreeMap<u64, f64> =
            counts.iter().map(|counts| (counts.size, of(counts, line))).collect();
        let ratio = |counts| of(counts, line).max(1.0) / of(counts, often[0]).max(1.0);
        let is_new = groups.is_empty() || ratio(last) > RISEN * ratio(first);
        match groups.iter().position(|group| goes_with(group, &own)) {
            Some(index) => {
                for (size, sum) in &mut groups[index].counts {
                    *sum += own[size];
                }
            }
            None if is_new && groups.len() < MAX_GROUPS => {
                groups.push(Group { line, counts: own.into_iter().collect() });
            }
            None => {}
        }
    }
    if let Some(largest) = groups.first_mut() {
        for (counts, (_, sum)) in counts.iter().zip(&mut largest.counts) {
            *sum += seldom.iter().map(|&line| of(counts, line)).sum::<f64>();
        }
    }
    groups
}

fn goes_with(group: &Group, own: &BTreeMap<u64, f64>) -> bool {
    let ratio = group.counts.last().map_or(0.0, |(size, sum)| own[size] / sum);
    group.counts.iter().all(|(size, sum)| {
        (own[size] - ratio * sum).abs()
            <= SAME_RATIO * own[size] + COUNT_SCATTER_INSTRUCTIONS * (1.0 + ratio)
    })
}
