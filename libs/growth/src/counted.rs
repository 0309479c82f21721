//! Growth of exact counts alone, where nothing was timed.

use crate::answer::{Classification, Remedy, SignalKind, Undecided};
use crate::class::Class;
use crate::constants::{
    COUNT_SCATTER_INSTRUCTIONS, NUMBER_INSTRUCTIONS, SHARPNESS_OTHERS, TRUST_INSTRUCTIONS,
    TRUST_OWN,
};
use crate::fitting::model;
use crate::fitting::posterior::Posterior;
use crate::observation::{Counts, Observed, SizeObservation};
use crate::probability::sharpened;
use crate::series::Series;
use crate::verdict::classify::{MainSeries, conclude, enough, points, signal, tie, unclassifiable};
use crate::verdict::pool::Pool;
use crate::verdict::{lines, time};
use std::collections::BTreeMap;

/// Classifies how counts grow. Each size has at most one count. `lengths` are those of
/// the inputs in bytes, by size; they are empty if nothing is read. Counts by line are not used.
pub fn classify_counts(counts: Vec<Counts>, lengths: &BTreeMap<u64, u64>) -> Classification {
    let observed = observed(counts, lengths);
    let input = if observed.reads { time::input(&observed.worst_by_size()) } else { None };
    let series = |pick: fn(&Counts) -> Option<u64>, least_scatter: f64| {
        let counted = observed.counts.iter().filter_map(|c| Some((c.size, pick(c)? as f64)));
        let counted = lines::series(&counted.collect::<Vec<_>>(), least_scatter);
        Series { input: input.clone(), ..counted }
    };
    let whole = series(|counts| counts.instructions, NUMBER_INSTRUCTIONS);
    let own = series(|counts| counts.own, COUNT_SCATTER_INSTRUCTIONS);
    let whole_model = model::instructions(observed.reads);
    let Some(all) = Posterior::from_series(&whole, &whole_model).filter(|_| enough(&whole)) else {
        return unclassifiable(&whole);
    };
    let mut pool = Pool::new(&whole_model);
    let mut signals = vec![signal(SignalKind::Instructions, &all.classes, points(&whole, &all))];
    pool.add(&all.classes, TRUST_INSTRUCTIONS);
    let of_own = Posterior::from_series(&own, &model::line()).filter(|_| enough(&own));
    let mut own_is_constant = 1.0;
    if let Some(posterior) = &of_own {
        pool.add(&posterior.classes, TRUST_OWN);
        let grown = points(&own, posterior);
        signals.push(signal(SignalKind::OwnInstructions, &posterior.classes, grown));
        own_is_constant = posterior.classes[Class::Constant.index()];
    }
    let mut classes = sharpened(&pool.classes(), SHARPNESS_OTHERS);
    time::at_most(&mut classes, Class::Constant, own_is_constant);
    let (series, posterior) = of_own.as_ref().map_or((&whole, &all), |posterior| (&own, posterior));
    let headline = MainSeries::new(series, posterior, f64::INFINITY, false);
    let why = |ranked: &[(Class, f64)]| Undecided::new(tie(ranked), [Remedy::LargerSizes]);
    conclude(&classes, signals, &headline, &observed, why)
}

/// The counts as observations without times.
fn observed(counts: Vec<Counts>, lengths: &BTreeMap<u64, u64>) -> Observed {
    let sizes = counts.iter().map(|counts| SizeObservation {
        size: counts.size,
        input_bytes: lengths.get(&counts.size).copied(),
        ..SizeObservation::default()
    });
    let observed = Observed::without_times(sizes.collect());
    Observed { counts, reads: !lengths.is_empty(), ..observed }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::class::Class;

    /// Programs that start with two million instructions in libraries and read n numbers.
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "small positive numbers"
    )]
    fn class(own: fn(f64) -> f64) -> Option<(String, f64)> {
        let sizes = [62_u64, 125, 250, 500, 1000];
        let counts = sizes.map(|size| {
            let own = 2000.0 + 40.0 * size as f64 + own(size as f64);
            Counts {
                size,
                instructions: Some((2e6 + 300.0 * size as f64 + own) as u64),
                own: Some(own as u64),
                ..Counts::default()
            }
        });
        let lengths = sizes.map(|size| (size, size * 8)).into();
        let found = classify_counts(counts.into(), &lengths);
        let best = found.class.or(found.runner_up.map(|(class, _)| class))?;
        Some((best.name(), found.confidence?))
    }

    #[test]
    fn counts_alone_tell_the_class() {
        for (own, expected) in [
            ((|_| 0.0) as fn(f64) -> f64, Class::Linear),
            (|n| 6.0 * n * n.log2(), Class::Linearithmic),
            (|n| 3.0 * n * n, Class::Quadratic),
            (|n| n * n * n, Class::Cubic),
        ] {
            let (name, confidence) = class(own).unwrap();
            assert_eq!(name, expected.name());
            assert!(confidence > 0.7, "{name}: {confidence}");
        }
    }
}
