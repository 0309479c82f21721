//! Evidence for one answer: signals are added to it, and the answer is concluded from them.

use crate::class::Class;
use crate::classification::{Classification, Remedy, Rival, Signal, SignalKind, Undecided};
use crate::constants::{
    CONFIDENT, FALLEN, FALLEN_SHARE, FEW_SIZES_AT_MOST, LEAST_SIZES, SURER, Trust,
};
use crate::fitting::model::FigureModel;
use crate::fitting::posterior::Posterior;
use crate::observation::{Observed, SizeObservation};
use crate::probability::{log_odds, logistic, normalise};
use crate::series::{Datum, Series};
use crate::verdict::headline::Headline;
use crate::verdict::pool::Pool;
use crate::verdict::ranking::{ranking, rivals};

/// The signals of one answer, and their combined classes.
pub(crate) struct Evidence {
    /// The prior and the class probabilities of all signals, combined according to the trust in
    /// each signal.
    pub(crate) pool: Pool,
    signals: Vec<Signal>,
    /// The class probabilities of each signal.
    alone: Vec<Vec<f64>>,
    /// The base of the exponential without a name of its own, and its probability, of the signal
    /// in which it is the likeliest.
    base: Option<(f64, f64)>,
    /// The largest probability that the class 1 can have.
    constant_at_most: f64,
}

impl Evidence {
    /// No evidence but the prior of `model`.
    pub(crate) fn new(model: &FigureModel) -> Self {
        let pool = Pool::new(model);
        Self { pool, signals: Vec::new(), alone: Vec::new(), base: None, constant_at_most: 1.0 }
    }

    /// Adds a series. Returns its posterior; `None` if no curve can be fitted to it, or if every
    /// curve fits the series because it has too few exact values.
    pub(crate) fn add(
        &mut self,
        kind: SignalKind,
        series: &Series,
        model: &FigureModel,
        trust: Trust,
    ) -> Option<Posterior> {
        use SignalKind::{HeapPeak, Instructions, OwnInstructions};
        let is_exact = matches!(kind, Instructions | OwnInstructions | HeapPeak);
        if is_exact && series.data.len() < LEAST_SIZES {
            return None;
        }
        let posterior = Posterior::from_series(series, model)?;
        self.combine(&posterior.classes, trust);
        let constant = posterior.curves.first().map_or(0.0, |curve| curve.fit.constant);
        let grown = series.data.iter().map(|it| (it.size, (it.value - constant).max(0.0)));
        let base = posterior.base();
        self.show(kind, &posterior.classes, base.map(|base| base.0), grown.collect());
        self.base = [self.base, base].into_iter().flatten().max_by(|a, b| a.1.total_cmp(&b.1));
        // A program whose own code grows is not constant, however short its times are.
        if kind == OwnInstructions {
            self.constant_at_most = posterior.classes[Class::Constant.index()];
        }
        Some(posterior)
    }

    /// Combines the class probabilities of a signal with those of the others.
    pub(crate) fn combine(&mut self, classes: &[f64], trust: Trust) {
        self.pool.add(classes, trust);
        self.alone.push(classes.to_vec());
    }

    /// Lowers the largest of the combined probabilities `classes` to little more than the largest
    /// that one signal alone gives its class. All signals are of the same work at the same sizes,
    /// so together they are hardly surer than the surest of them.
    pub(crate) fn hardly_surer(&self, classes: &mut [f64]) {
        let best = likeliest(classes);
        let alone = self.alone.iter().map(|alone| alone[best.index()]).fold(0.0, f64::max);
        at_most(classes, best, logistic(log_odds(alone) + SURER.ln()));
    }

    /// Adds a signal that supports the most likely of `classes`, without using it as evidence. The
    /// exponential without a name of its own has this base.
    pub(crate) fn show(
        &mut self,
        kind: SignalKind,
        classes: &[f64],
        base: Option<f64>,
        points: Vec<(u64, f64)>,
    ) {
        let best = ranking(classes, base).into_iter().next();
        let confidence = best.map_or(0.0, |best| best.1);
        self.signals.push(Signal { kind, class: best.map(|best| best.0), confidence, points });
    }

    /// Concludes the answer about `headline` from `classes`, the combined probabilities. `why`
    /// gives the reason if no class of the ranking is reported.
    pub(crate) fn conclude(
        self,
        mut classes: Vec<f64>,
        headline: &Headline<'_>,
        why: impl Fn(&[(Class, f64)]) -> Undecided,
    ) -> Classification {
        if let Some(undecided) = contradiction(headline.series) {
            return self.undecided(undecided);
        }
        at_most(&mut classes, Class::Constant, self.constant_at_most);
        let sizes = sizes_above_1(headline.series);
        if sizes <= LEAST_SIZES {
            let best = likeliest(&classes);
            at_most(&mut classes, best, FEW_SIZES_AT_MOST);
        }
        let ranked = ranking(&classes, self.base.map(|base| base.0));
        let (best, confidence) = ranked[0];
        let is_constant = best == Class::Constant;
        let fits_any = sizes < LEAST_SIZES && !is_constant;
        let is_reported = confidence >= CONFIDENT && !fits_any && !(headline.blind && is_constant);
        // A class that is not reported needs no refutation, and keeps its ranking and its rivals.
        let mut witnesses = headline.witnesses.iter().filter(|_| is_reported);
        if let Some(refuted) = witnesses.find_map(|witness| witness.refute(best)) {
            return self.undecided(refuted);
        }
        let (exponent, exponent_interval) = headline.exponent(&classes).unzip();
        let grows = is_reported && best != Class::Constant;
        // For example, 1 << n is 1 again at n = 32, so the largest n has no meaning.
        let wraps = best.curve().is_steep() && falls_anywhere(headline.series);
        let rivals = if is_reported { &[] } else { rivals(&ranked) };
        let rival = |&(class, confidence): &_| Rival { curve: headline.curve(class), confidence };
        Classification {
            class: is_reported.then_some(best),
            confidence: Some(confidence),
            undecided: if is_reported {
                Undecided::default()
            } else if fits_any {
                two_sizes()
            } else {
                why(&ranked)
            },
            runner_up: ranked.get(usize::from(is_reported)).copied(),
            exponent,
            exponent_interval,
            signals: self.signals,
            curve: is_reported.then(|| headline.curve(best)),
            prediction: headline.predict(&classes).filter(|_| !wraps),
            reach: (grows && !wraps).then(|| headline.reach(&classes)).flatten(),
            rivals: rivals.iter().map(rival).collect(),
            ranked,
        }
    }

    /// Returns the answer that no class explains the signals.
    pub(crate) fn undecided(self, undecided: Undecided) -> Classification {
        Classification { undecided, signals: self.signals, ..Classification::default() }
    }
}

/// The classification of a series that no curve can be fitted to. `worst` has all timed sizes,
/// rising, and `larger` is the remedy if none of them is above 1.
pub(crate) fn unclassifiable(
    series: &Series,
    worst: &[SizeObservation],
    larger: Option<Remedy>,
) -> Classification {
    let largest_ok = series.data.last().map(|last| last.size);
    let has_failed = |size: &&SizeObservation| {
        let is_ok = size.runtime_ms.is_some() && !size.over_time && !size.over_memory;
        !is_ok && largest_ok.is_none_or(|largest| size.size > largest)
    };
    // Smaller sizes help only if there is one above the sizes that ended OK. A program that fails
    // at n = 0 or 1 fails everywhere.
    let tried = largest_ok.map_or(0, |largest| largest.max(1));
    let smaller = worst
        .iter()
        .find(has_failed)
        .map(|failed| (failed.size > tried + 1).then_some(Remedy::SmallerSizes));
    let (reason, remedy) = match (series.data.len(), smaller) {
        (0, smaller) => ("no size ended OK", smaller.flatten()),
        (1, smaller) => ("only one size ended OK", smaller.unwrap_or(Some(Remedy::MoreSizes))),
        (_, Some(smaller)) => ("no size above 1 ended OK", smaller),
        (_, None) => ("no size is above 1", larger),
    };
    let remedies: Vec<_> = remedy.into_iter().collect();
    Classification { undecided: Undecided::new(reason, remedies), ..Classification::default() }
}

/// Larger sizes as a remedy, unless the job itself measured the task's bound.
pub(crate) fn larger_sizes(observed: &Observed) -> Option<Remedy> {
    let is_measured = |bound| observed.sizes.iter().any(|size| !size.extra && size.size >= bound);
    (!observed.n_max.is_some_and(is_measured)).then_some(Remedy::LargerSizes)
}

/// Returns the reason, if there is one, why no class can be reported for these values, whichever
/// class fits best.
fn contradiction(series: &Series) -> Option<Undecided> {
    let last = series.data.last()?;
    if let Some(fallen) = series.data.iter().find(|datum| falls(datum, last)) {
        let (from, to) = (fallen.size, last.size);
        let reason =
            format!("it falls to less than half from n = {from} to n = {to}, which no class does");
        return Some(Undecided::new(reason, [Remedy::LargerSizes, Remedy::InputSpec]));
    }
    let few = series.data.len() + series.over_limit.len() < LEAST_SIZES;
    few.then(two_sizes)
}

/// Whether a value of the series falls to less than half of an earlier one.
fn falls_anywhere(series: &Series) -> bool {
    let falls_to = |(at, later): (usize, &Datum)| {
        series.data[..at].iter().any(|earlier| falls(earlier, later))
    };
    series.data.iter().enumerate().any(falls_to)
}

/// Whether a value falls to less than half of an earlier one.
fn falls(earlier: &Datum, later: &Datum) -> bool {
    let noise = FALLEN * earlier.sigma.hypot(later.sigma);
    earlier.value - later.value > noise.max(FALLEN_SHARE * earlier.value)
}

/// Number of sizes above 1 that have a value or are over the limit. Smaller ones show the start-up.
fn sizes_above_1(series: &Series) -> usize {
    let sizes = series.data.iter().map(Datum::n);
    let sizes = sizes.chain(series.over_limit.iter().map(|over| over.0));
    sizes.filter(|&n| n > 1.0).count()
}

/// The reason if every class that grows fits the values.
fn two_sizes() -> Undecided {
    Undecided::new("two sizes fit any class", [Remedy::MoreSizes])
}

fn likeliest(classes: &[f64]) -> Class {
    let best = Class::all().zip(classes).max_by(|a, b| a.1.total_cmp(b.1));
    best.map_or(Class::Constant, |best| best.0)
}

/// Lowers the probability of `class` to at most `bound`, unless no other class is possible. The
/// other classes share the rest in proportion.
fn at_most(classes: &mut [f64], class: Class, bound: f64) {
    let probability = &mut classes[class.index()];
    let others = 1.0 - *probability;
    if others > 0.0 && bound < 1.0 {
        *probability = probability.min(bound / (1.0 - bound) * others);
        normalise(classes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn class_is_bounded_and_the_others_keep_their_ratio() {
        let mut classes = [0.9, 0.06, 0.04];
        at_most(&mut classes, Class::NAMED[0], 0.5);
        let expected = [0.5, 0.3, 0.2];
        let near = |(a, b): (&f64, f64)| (a - b).abs() < 1e-9;
        assert!(classes.iter().zip(expected).all(near), "{classes:?}");
        at_most(&mut classes, Class::NAMED[0], 1.0);
        assert!(classes.iter().zip(expected).all(near), "{classes:?}");
        let mut only = [1.0, 0.0, 0.0];
        at_most(&mut only, Class::NAMED[0], 0.0);
        assert!(only.iter().zip([1.0, 0.0, 0.0]).all(near), "{only:?}");
    }
}
