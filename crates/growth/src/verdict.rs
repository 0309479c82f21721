//! What the signals say together, and how time grows.

use super::class::Class;
use super::fit::{Assumed, Prior, Row, fit};
use super::lines::{self, Lines};
use super::model;
use super::observed::{Observed, Seen};
use super::pool::{
    INSTRUCTIONS, INSTRUCTIONS_BESIDE, LINES, OWN, Pool, TIME_ALONE, TIME_BESIDE, missed,
};
use super::posterior::{Datum, Input, Posterior, Series};
use super::{Curve, Prediction, Signal, Told};
use crate::Effort;
use profiler_statistics::Interval;

/// The probability from which on a class is told. Chosen on `bench/growth/choose`: below it, a class is
/// right too seldom to be acted on.
pub(super) const TELL: f64 = 0.72;
/// Coverage of the intervals.
const LEVEL: f64 = 0.95;
/// Scatter of a time beyond its interval, as a share of it: between sizes, not between repetitions.
const TIME_SCATTER: f64 = 0.006;
/// The same, in milliseconds.
const TIME_SCATTER_MS: f64 = 0.012;
/// Two sizes tell no class: every curve goes through them.
const LEAST_SIZES: usize = 3;
/// A value has fallen that is so many standard deviations below an earlier one, and by this part of it: no class
/// falls. A shared machine is slower by a third for a while, and a constant time follows it.
const FALLEN: f64 = 3.0;
const FALLEN_SHARE: f64 = 0.5;
/// A value has grown that is so many standard deviations above the floor, or the least value.
const SEEN: f64 = 5.0;
/// What a step of a loop takes at least, in milliseconds: one that is less is left out by the compiler.
const LEAST_STEP_MS: f64 = 0.5e-6;
/// Counts level off if they have grown by this factor, differ by this part of that at the last sizes, and these lie
/// this factor apart: a logarithm, or a work by powers of two, still grows there.
const LEVEL_GROWTH: f64 = 1.5;
const LEVEL_SHARE: f64 = 1e-3;
const LEVEL_RANGE: f64 = 8.0;
/// The most that a time is taken to scatter by, as a share of it: few repetitions have wide intervals.
const MOST_TIME_SCATTER: f64 = 0.05;
/// Inputs whose length grows more slowly than n to this power are not what time is spent on.
const LEAST_POWER: f64 = 0.8;
/// The least size whose input is long enough to tell how inputs grow.
const LEAST_LENGTH: u32 = 10;
/// A power this near to a whole or a half is that.
const NEAR_POWER: f64 = 0.25;

/// The classes with a name and the powers together, the most likely first.
pub(super) fn ranking(classes: &[f64]) -> Vec<(Class, f64)> {
    let mut powers = (0.0, 0.0);
    let mut ranked = Vec::new();
    for (class, &p) in Class::all().zip(classes) {
        if let Class::Power(exponent) = class {
            powers = (powers.0 + p, powers.1 + p * exponent);
        } else {
            ranked.push((class, p));
        }
    }
    if powers.0 > 0.0 {
        // To two digits, as its name has it: whoever draws the class by its name draws the same curve.
        let exponent = (powers.1 / powers.0 * 100.0).round() / 100.0;
        ranked.push((Class::Power(exponent), powers.0));
    }
    ranked.sort_by(|a, b| b.1.total_cmp(&a.1));
    ranked
}

/// What `said` of the figures `points`.
pub(super) fn signal(name: impl Into<String>, classes: &[f64], points: Vec<(u32, f64)>) -> Signal {
    let best = ranking(classes).into_iter().next();
    Signal {
        name: name.into(),
        class: best.map(|best| best.0),
        confidence: best.map_or(0.0, |best| best.1),
        points,
    }
}

pub(super) fn points(series: &Series, said: &Posterior) -> Vec<(u32, f64)> {
    let constant = said.curves.first().map_or(0.0, |curve| curve.fit.constant);
    series.data.iter().map(|datum| (datum.size, (datum.value - constant).max(0.0))).collect()
}

/// Time over n.
pub(super) fn time(observed: &Observed, worst: &[Seen]) -> Told {
    let series = runtimes(observed, worst);
    let own_model = model::runtime(observed.reads);
    let Some(runtime) = Posterior::of(&series, &own_model) else {
        return nothing(&series);
    };
    let mut signals = vec![signal("runtime", &runtime.classes, points(&series, &runtime))];
    let mut pool = Pool::new(&own_model);
    let lines = Lines::of(&observed.counts, series.input.as_ref());
    let count = |pick: fn(&super::Counts) -> Option<u64>| {
        let counted = observed.counts.iter().filter_map(|c| Some((c.size, pick(c)? as f64)));
        let counted = lines::series(&counted.collect::<Vec<_>>());
        Series { input: series.input.clone(), ..counted }
    };
    let mut counted = lines.is_some();
    for (name, series, model, trust) in [
        (
            "instructions",
            count(|counts| counts.instructions),
            model::instructions(observed.reads),
            if lines.is_some() { INSTRUCTIONS_BESIDE } else { INSTRUCTIONS },
        ),
        ("own_instructions", count(|counts| counts.own), model::line(), OWN),
    ] {
        if let Some(said) = Posterior::of(&series, &model).filter(|_| enough(&series)) {
            pool.add(&said.classes, trust);
            signals.push(signal(name, &said.classes, points(&series, &said)));
            counted = true;
        }
    }
    if let Some(lines) = &lines {
        pool.add(&lines.classes, LINES);
        for (group, said) in &lines.groups {
            let name = format!("line_{}", group.line);
            signals.push(signal(name, &said.classes, group.counts.clone()));
        }
    }
    let mut alone = Pool::new(&own_model);
    alone.add(&runtime.classes, TIME_ALONE);
    let missed = if counted { missed(&pool.prior, &pool.classes(), &runtime.classes) } else { 1.0 };
    pool.add(&runtime.classes, TIME_BESIDE);
    let together = pool.classes().into_iter().zip(alone.classes());
    let classes: Vec<f64> =
        together.map(|(p, alone)| (1.0 - missed) * p + missed * alone).collect();
    if let Some(from) = levels_off(&count(|counts| counts.instructions)) {
        let undecided = format!(
            "from n = {from} on as many instructions are executed at every size, and fewer below it, which no class does: \
             smaller sizes, or an InputSpec if the program reads more than n, would tell more"
        );
        return Told { undecided, signals, ..Told::default() };
    }
    let limit = observed.time_limit_ms;
    let why = |ranked: &[(Class, f64)]| why_time(observed, &series, counted, ranked);
    let blind = !counted && is_blind(&series);
    let headline = Headline { series: &series, said: &runtime, limit, blind };
    told(&classes, signals, &headline, observed, why)
}

/// Whether no size takes longer than starting does, and a loop of n steps would not either: then nothing is known
/// of growth.
fn is_blind(series: &Series) -> bool {
    let loop_is_seen = |last: &Datum| last.n() * LEAST_STEP_MS > SEEN * last.sigma;
    seen(series) == 0 && !series.data.last().is_some_and(loop_is_seen)
}

/// The size from which on exact counts, which grew before, are the same.
fn levels_off(series: &Series) -> Option<u32> {
    let [first, .., last] = series.data.as_slice() else { return None };
    let grown = last.value - first.value;
    if last.value < LEVEL_GROWTH * first.value {
        return None;
    }
    let level = |datum: &&Datum| (last.value - datum.value).abs() <= LEVEL_SHARE * grown;
    let from = series.data.iter().rev().take_while(level).last()?;
    (last.n() >= LEVEL_RANGE * from.n()).then_some(from.size)
}

fn runtimes(observed: &Observed, worst: &[Seen]) -> Series {
    let data = data(worst, |seen| {
        let value = seen.runtime_ms?;
        let width = (seen.width_ms / 4.0).min(MOST_TIME_SCATTER * value);
        let sigma = width.hypot(TIME_SCATTER * value).hypot(TIME_SCATTER_MS);
        Some((value, sigma))
    });
    let over = worst.iter().filter(|seen| seen.over_time);
    Series {
        data,
        beyond: over.map(|seen| (f64::from(seen.size), observed.timeout_ms)).collect(),
        floor: observed.start_up_ms,
        input: if observed.reads { input(worst) } else { None },
    }
}

pub(super) fn data(worst: &[Seen], value: impl Fn(&Seen) -> Option<(f64, f64)>) -> Vec<Datum> {
    let ended_ok = |seen: &&Seen| !seen.over_time && !seen.over_memory;
    let data = worst.iter().filter(ended_ok).filter_map(|seen| {
        let (value, sigma) = value(seen)?;
        Some(Datum { size: seen.size, value, sigma })
    });
    data.collect()
}

/// How the inputs grow.
fn input(worst: &[Seen]) -> Option<Input> {
    let all = worst.iter().filter_map(|s| Some((s.size, s.input_bytes? as f64)));
    let lengths: Vec<_> = all.filter(|length| length.1 > 0.0).collect();
    let (last, first) = (lengths.last()?, lengths.iter().find(|length| length.0 >= LEAST_LENGTH)?);
    let power = (last.1 / first.1).ln() / (f64::from(last.0) / f64::from(first.0)).ln();
    // Longer numbers make the input a little longer than its elements are many.
    let halves = ((power - 0.05) * 2.0).round() / 2.0;
    let power = if (power - halves).abs() < NEAR_POWER { halves } else { power };
    (power >= LEAST_POWER).then_some(Input { lengths, power })
}

/// The headline's figures, and what they say by themselves.
pub(super) struct Headline<'a> {
    pub(super) series: &'a Series,
    pub(super) said: &'a Posterior,
    pub(super) limit: f64,
    /// Whether growth could not be seen, so that none being seen says nothing.
    pub(super) blind: bool,
}

pub(super) fn told(
    classes: &[f64],
    signals: Vec<Signal>,
    headline: &Headline<'_>,
    observed: &Observed,
    why: impl Fn(&[(Class, f64)]) -> String,
) -> Told {
    if let Some(undecided) = shapeless(headline.series) {
        return Told { undecided, signals, ..Told::default() };
    }
    let ranked = ranking(classes);
    let (best, confidence) = ranked[0];
    let is_told = confidence >= TELL && !(headline.blind && best == Class::Constant);
    let interval = |[low, _, high]: [f64; 3]| Interval { low, high, level: LEVEL };
    let exponent = headline.said.exponent(classes);
    Told {
        class: is_told.then_some(best),
        confidence: Some(confidence),
        undecided: if is_told { String::new() } else { why(&ranked) },
        runner_up: ranked.get(usize::from(is_told)).copied(),
        exponent: exponent.map(|found| found[1]),
        exponent_interval: exponent.map(interval),
        signals,
        curve: is_told.then(|| straight(headline.series, best)),
        prediction: predict(headline, classes, observed),
    }
}

fn predict(headline: &Headline<'_>, classes: &[f64], observed: &Observed) -> Option<Prediction> {
    let size = observed
        .n_max
        .filter(|&n_max| observed.sizes.iter().all(|seen| seen.extra || seen.size < n_max))?;
    let found = headline.said.predict(classes, f64::from(size))?;
    let [low, value, high] = found;
    let limit = headline.limit;
    let fits = if high < limit { Some(true) } else { (low > limit).then_some(false) };
    let interval = Interval { low, high, level: LEVEL };
    Some(Prediction { size, value, interval, limit, fits })
}

/// The curve of `class` alone through the figures: what can be drawn.
fn straight(series: &Series, class: Class) -> Curve {
    let (largest, shape) = (series.largest(), class.curve());
    let rows = series.data.iter().map(|datum| Row {
        y: datum.value,
        sigma: datum.sigma,
        h: (shape.ln(datum.n()) - shape.ln(largest)).exp(),
        x: 0.0,
    });
    let rows: Vec<_> = rows.collect();
    let least = rows.iter().map(|row| row.y).fold(f64::INFINITY, f64::min);
    let most = rows.iter().map(|row| row.y).fold(least, f64::max);
    let floor = series.floor.unwrap_or(least).max(f64::MIN_POSITIVE);
    let grown = (most - least).max(f64::MIN_POSITIVE);
    let prior = Prior { ln_median: grown.ln(), spread: 10.0, ln_part: 0.0 };
    let priors = if class == Class::Constant { Vec::new() } else { vec![prior] };
    let fitted =
        fit(&rows, Assumed { floor, least, error: 0.05, drift: 0.0, saves: false }, &priors);
    let coefficient = fitted.grown.0 * (-shape.ln(largest)).exp();
    Curve { class, constant: fitted.constant, coefficient }
}

/// Whether exact figures are at enough sizes to say something.
pub(super) fn enough(series: &Series) -> bool {
    series.data.len() >= LEAST_SIZES
}

/// Of a series that nothing can be fitted to.
pub(super) fn nothing(series: &Series) -> Told {
    let undecided = match series.data.len() {
        0 => "no size ended OK: smaller sizes would tell more",
        1 => "only one size ended OK: more sizes would tell more",
        _ => "no size is above 1: larger sizes would tell more",
    };
    Told { undecided: undecided.into(), ..Told::default() }
}

/// Why no class can be told of figures like these, whatever fits best.
fn shapeless(series: &Series) -> Option<String> {
    let last = series.data.last()?;
    let above = |datum: &&Datum| {
        let noise = FALLEN * datum.sigma.hypot(last.sigma);
        datum.value - last.value > noise.max(FALLEN_SHARE * datum.value)
    };
    if let Some(fallen) = series.data.iter().find(above) {
        let (from, to) = (fallen.size, last.size);
        return Some(format!(
            "it falls to less than half from n = {from} to n = {to}, which no class does: larger sizes, or an InputSpec if the program \
             reads more than n, would tell more"
        ));
    }
    let few = series.data.len() + series.beyond.len() < LEAST_SIZES;
    few.then(|| "every class goes through two sizes: more sizes would tell more".into())
}

/// How many sizes have grown.
pub(super) fn seen(series: &Series) -> usize {
    let values = series.data.iter().map(|datum| datum.value);
    let least = values.fold(series.floor.unwrap_or(f64::INFINITY), f64::min);
    series.data.iter().filter(|datum| datum.value - least > SEEN * datum.sigma).count()
}

pub(super) fn between(ranked: &[(Class, f64)]) -> String {
    match ranked {
        [first, second, ..] => {
            format!("{} and {} explain it about as well", first.0.name(), second.0.name())
        }
        _ => String::new(),
    }
}

fn why_time(
    observed: &Observed,
    series: &Series,
    counted: bool,
    ranked: &[(Class, f64)],
) -> String {
    let mut text = match seen(series) {
        0 => "no size takes longer than starting does".to_owned(),
        1 => "only one size takes clearly longer than starting does".to_owned(),
        _ => between(ranked),
    };
    let mut more = Vec::new();
    if seen(series) < 3 {
        more.push(if series.beyond.is_empty() {
            "larger sizes"
        } else {
            "sizes between those that ended OK and those that did not, or schedule AUTO,"
        });
    }
    if observed.effort == Effort::Timed {
        more.push("growth FULL, which counts instructions,");
    } else if !counted {
        text.push_str(", and nothing could be counted");
    }
    if !observed.reads {
        more.push("an InputSpec, if the program reads more than n,");
    }
    if more.is_empty() {
        more.push("larger sizes");
    }
    format!("{text}: {} would tell more", more.join(" or "))
}
