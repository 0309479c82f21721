//! Growth from exact counts alone, if nothing was timed.

use crate::classification::{Classification, Remedy, SignalKind, Undecided};
use crate::constants::{
    COUNT_SCATTER_INSTRUCTIONS, NUMBER_INSTRUCTIONS, SHARPNESS_OTHERS, TRUST_INSTRUCTIONS,
    TRUST_OWN,
};
use crate::fitting::model;
use crate::observation::Counts;
use crate::probability::sharpened;
use crate::series::{Input, Series};
use crate::verdict::evidence::{Evidence, unclassifiable};
use crate::verdict::headline::Headline;
use crate::verdict::ranking::tie;
use crate::verdict::refutation::{Refutes, Witness};
use std::collections::BTreeMap;

/// Classifies how counts grow. Each size has at most one count. `lengths` are the lengths of the
/// inputs in bytes, by size; empty if no input is read. Counts by line are not used.
#[expect(clippy::needless_pass_by_value, reason = "callers have no other use for the counts")]
pub fn classify_counts(counts: Vec<Counts>, lengths: &BTreeMap<u64, u64>) -> Classification {
    let input = Input::from_lengths(lengths.iter().map(|(&size, &length)| (size, length)));
    let series = |pick, scatter| Series::counted(&counts, pick, scatter, input.as_ref());
    let whole = series(|counts| counts.instructions, NUMBER_INSTRUCTIONS);
    let own = series(|counts| counts.own, COUNT_SCATTER_INSTRUCTIONS);
    let model = model::instructions(!lengths.is_empty());
    let mut evidence = Evidence::new(&model);
    let all = evidence.add(SignalKind::Instructions, &whole, &model, TRUST_INSTRUCTIONS);
    let Some(all) = all else { return unclassifiable(&whole, &[], Some(Remedy::LargerSizes)) };
    let of_own = evidence.add(SignalKind::OwnInstructions, &own, &model::line(), TRUST_OWN);
    let (series, posterior) = of_own.as_ref().map_or((&whole, &all), |of_own| (&own, of_own));
    let (told, refutes) = ("its instructions are", Refutes::Outside);
    let headline = Headline {
        series,
        posterior,
        limit: f64::INFINITY,
        blind: false,
        bound: None,
        witnesses: vec![Witness { series: &whole, model: &model, told, refutes }],
    };
    let classes = sharpened(&evidence.pool.classes(), SHARPNESS_OTHERS);
    evidence
        .conclude(classes, &headline, |ranked| Undecided::new(tie(ranked), [Remedy::LargerSizes]))
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
