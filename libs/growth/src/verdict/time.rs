//! Combines the signals of time.

use crate::answer::{Classification, Remedy, SignalKind, Undecided};
use crate::class::Class;
use crate::constants::{
    COUNT_SCATTER_INSTRUCTIONS, DIGITS_EXPONENT, ENOUGH_GROWN, GROWN, LEAST_INPUT_EXPONENT,
    LEAST_LENGTH_SIZE, LEVEL_GROWTH, LEVEL_RANGE, LEVEL_SHARE, MOST_TIME_SCATTER, NEAR_EXPONENT,
    NUMBER_INSTRUCTIONS, SHARPNESS_COUNTED, SHARPNESS_OTHERS, TIME_SCATTER, TIME_SCATTER_MS,
    TRUST_INSTRUCTIONS, TRUST_INSTRUCTIONS_WITH_LINES, TRUST_LINES, TRUST_OWN, TRUST_TIME_ALONE,
    TRUST_TIME_WITH_COUNTS, WIDTH_DEVIATIONS,
};
use crate::fitting::model;
use crate::fitting::posterior::Posterior;
use crate::observation::{Counts, Effort, Observed, SizeObservation};
use crate::probability::{normalise, sharpened};
use crate::series::{Datum, Input, Series};
use crate::tuning::Tuning;
use crate::verdict::classify::{
    MainSeries, conclude, data, enough, grown_sizes, points, signal, tie, unclassifiable,
};
use crate::verdict::lines::{self, Lines};
use crate::verdict::pool::{Pool, missed};

/// Time over n.
pub(crate) fn time(
    observed: &Observed,
    worst: &[SizeObservation],
    tuning: &Tuning,
) -> Classification {
    let series = runtimes(observed, worst);
    let own_model = model::runtime(observed.reads).tuned(tuning);
    let Some(runtime) = Posterior::from_series(&series, &own_model) else {
        return unclassifiable(&series);
    };
    let mut signals =
        vec![signal(SignalKind::Runtime, &runtime.classes, points(&series, &runtime))];
    let mut pool = Pool::new(&own_model);
    let lines = Lines::from_counts(&observed.counts, series.input.as_ref(), tuning);
    let count = |pick: fn(&Counts) -> Option<u64>, least_scatter: f64| {
        let counted = observed.counts.iter().filter_map(|c| Some((c.size, pick(c)? as f64)));
        let counted = lines::series(&counted.collect::<Vec<_>>(), least_scatter);
        Series { input: series.input.clone(), ..counted }
    };
    let whole = count(|counts| counts.instructions, NUMBER_INSTRUCTIONS);
    // Libraries read n and write results, so the program's own code scatters less.
    let own = count(|counts| counts.own, COUNT_SCATTER_INSTRUCTIONS);
    let mut counted = lines.is_some();
    // A program whose own code grows is not constant, however short its times are.
    let mut own_is_constant = 1.0;
    let mut other_base = runtime.other_base();
    for (kind, series, model, trust) in [
        (
            SignalKind::Instructions,
            &whole,
            model::instructions(observed.reads).tuned(tuning),
            if lines.is_some() { TRUST_INSTRUCTIONS_WITH_LINES } else { TRUST_INSTRUCTIONS },
        ),
        (SignalKind::OwnInstructions, &own, model::line().tuned(tuning), TRUST_OWN),
    ] {
        if let Some(posterior) = Posterior::from_series(series, &model).filter(|_| enough(series)) {
            pool.add(&posterior.classes, trust);
            signals.push(signal(kind, &posterior.classes, points(series, &posterior)));
            counted = true;
            other_base = posterior.other_base();
            if kind == SignalKind::OwnInstructions {
                own_is_constant = posterior.classes[Class::Constant.index()];
            }
        }
    }
    if let Some(lines) = &lines {
        pool.add(&lines.classes, TRUST_LINES);
        for (group, posterior) in &lines.groups {
            let kind = SignalKind::Line(group.line);
            signals.push(signal(kind, &posterior.classes, group.counts.clone()));
        }
    }
    let mut alone = Pool::new(&own_model);
    alone.add(&runtime.classes, TRUST_TIME_ALONE);
    let missed = if counted { missed(&pool.prior, &pool.classes(), &runtime.classes) } else { 1.0 };
    pool.add(&runtime.classes, TRUST_TIME_WITH_COUNTS);
    let together = pool.classes().into_iter().zip(alone.classes());
    let classes: Vec<f64> =
        together.map(|(p, alone)| (1.0 - missed) * p + missed * alone).collect();
    let sharpness = match observed.effort {
        Effort::Counted => SHARPNESS_COUNTED,
        Effort::Timed | Effort::Full => SHARPNESS_OTHERS,
    };
    let mut classes = sharpened(&classes, sharpness);
    at_most(&mut classes, Class::Constant, own_is_constant);
    if let Some(undecided) = levels_off(&whole) {
        return Classification { undecided, signals, ..Classification::default() };
    }
    let limit = observed.time_limit_ms;
    let why = |ranked: &[(Class, f64)]| why_time(observed, &series, counted, ranked);
    let blind = !counted && is_blind(&series);
    let headline = MainSeries { other_base, ..MainSeries::new(&series, &runtime, limit, blind) };
    conclude(&classes, signals, &headline, observed, why)
}

/// Lowers the probability of `class` to at most `bound`, unless no other class is possible. The
/// others share the rest in proportion.
pub(crate) fn at_most(classes: &mut [f64], class: Class, bound: f64) {
    let probability = &mut classes[class.index()];
    let others = 1.0 - *probability;
    if others > 0.0 && bound < 1.0 {
        *probability = probability.min(bound / (1.0 - bound) * others);
        normalise(classes);
    }
}

/// Whether no size takes longer than the smallest. Then the times show nothing about growth. The
/// smallest size is the floor, and not an empty program: what a program's libraries take at every
/// size is no growth.
fn is_blind(series: &Series) -> bool {
    let [first, rest @ ..] = series.data.as_slice() else { return true };
    let is_longer =
        |datum: &Datum| datum.value - first.value > GROWN * datum.sigma.hypot(first.sigma);
    !rest.iter().any(is_longer)
}

/// Says that exact counts are constant from a size on, after they grew.
fn levels_off(series: &Series) -> Option<Undecided> {
    let [first, .., last] = series.data.as_slice() else { return None };
    let grown = last.value - first.value;
    if last.value < LEVEL_GROWTH * first.value {
        return None;
    }
    let level = |datum: &&Datum| (last.value - datum.value).abs() <= LEVEL_SHARE * grown;
    let from = series.data.iter().rev().take_while(level).last()?;
    (last.n() >= LEVEL_RANGE * from.n()).then(|| {
        let reason = format!(
            "from n = {} on every size executes as many instructions, and smaller ones fewer, which \
             no class does",
            from.size
        );
        Undecided::new(reason, [Remedy::SmallerSizes, Remedy::InputSpec])
    })
}

fn runtimes(observed: &Observed, worst: &[SizeObservation]) -> Series {
    let data = data(worst, |observation| {
        let value = observation.runtime_ms?;
        let width = (observation.width_ms / WIDTH_DEVIATIONS).min(MOST_TIME_SCATTER * value);
        let sigma = width.hypot(TIME_SCATTER * value).hypot(TIME_SCATTER_MS);
        Some((value, sigma))
    });
    let over = worst.iter().filter(|observation| observation.over_time);
    Series {
        data,
        over_limit: over
            .map(|observation| (observation.size as f64, observed.timeout_ms))
            .collect(),
        floor: observed.start_up_ms,
        input: if observed.reads { input(worst) } else { None },
    }
}

/// The input's lengths, and the exponent of its number of elements.
pub(crate) fn input(worst: &[SizeObservation]) -> Option<Input> {
    let all = worst.iter().filter_map(|s| Some((s.size, s.input_bytes? as f64)));
    let lengths: Vec<_> = all.filter(|length| length.1 > 0.0).collect();
    let (last, first) =
        (lengths.last()?, lengths.iter().find(|length| length.0 >= LEAST_LENGTH_SIZE)?);
    let power = (last.1 / first.1).ln() / (last.0 as f64 / first.0 as f64).ln();
    // Longer numbers make the input grow slightly faster than its number of elements.
    let halves = ((power - DIGITS_EXPONENT) * 2.0).round() / 2.0;
    let power = if (power - halves).abs() < NEAR_EXPONENT { halves } else { power };
    (power >= LEAST_INPUT_EXPONENT).then_some(Input { lengths, power })
}

fn why_time(
    observed: &Observed,
    series: &Series,
    counted: bool,
    ranked: &[(Class, f64)],
) -> Undecided {
    let mut text = match grown_sizes(series) {
        _ if !counted && is_blind(series) => {
            let smallest = series.data.first().map_or(0, |datum| datum.size);
            format!("no size takes longer than n = {smallest} does")
        }
        0 => "no size takes longer than starting does".to_owned(),
        1 => "only one size takes clearly longer than starting does".to_owned(),
        _ => tie(ranked),
    };
    let mut more = Vec::new();
    // Where no counts decide, times must.
    let is_uncounted = observed.effort == Effort::Counted && observed.counts.is_empty();
    if grown_sizes(series) < ENOUGH_GROWN || is_blind(series) || is_uncounted {
        let is_within = series.over_limit.is_empty();
        more.push(if is_within { Remedy::LargerSizes } else { Remedy::ChosenSizes });
    }
    if observed.effort != Effort::Timed && !counted {
        let reason = match &observed.uncountable {
            Some(reason) => &format!("its instructions cannot be counted: {reason}"),
            None if observed.counts.is_empty() => "there are no counts of instructions",
            None => "instructions were counted at too few sizes",
        };
        text = format!("{text}; {reason}");
    }
    match observed.effort {
        Effort::Timed => more.push(Remedy::CountedGrowth),
        Effort::Counted if observed.uncountable.is_none() => more.push(Remedy::FullGrowth),
        Effort::Counted | Effort::Full => {}
    }
    if more.is_empty() {
        more.push(Remedy::LargerSizes);
    }
    Undecided::new(text, more)
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
