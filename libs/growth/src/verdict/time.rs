//! Combines the signals of time.

use crate::class::Class;
use crate::classification::{Classification, Remedy, SignalKind, Undecided};
use crate::constants::{
    COUNT_SCATTER_INSTRUCTIONS, ENOUGH_GROWN, GROSS, GROWN, KERNEL_SHARE, LEVEL_GROWTH,
    LEVEL_RANGE, LEVEL_SHARE, MOST_TIME_SCATTER, MOSTLY_MISSED, NUMBER_INSTRUCTIONS,
    SHARPNESS_COUNTED, SHARPNESS_OTHERS, TIME_SCATTER, TIME_SCATTER_MS, TRUST_INSTRUCTIONS,
    TRUST_INSTRUCTIONS_WITH_LINES, TRUST_LINES, TRUST_NONE, TRUST_OWN, WIDTH_DEVIATIONS,
};
use crate::fitting::model;
use crate::observation::{Effort, Observed, SizeObservation};
use crate::probability::sharpened;
use crate::series::{Datum, Input, Series};
use crate::tuning::Tuning;
use crate::verdict::evidence::{Evidence, larger_sizes, unclassifiable};
use crate::verdict::factors::other_at_primes;
use crate::verdict::headline::Headline;
use crate::verdict::lines::{Group, Lines};
use crate::verdict::ranking::tie;
use crate::verdict::refutation::{Refutes, Witness};
use crate::verdict::uncounted::Counted;

/// Classifies time over n.
pub(crate) fn time(
    observed: &Observed,
    worst: &[SizeObservation],
    tuning: &Tuning,
) -> Classification {
    let series = runtimes(observed, worst);
    let model = model::runtime(observed.reads).tuned(tuning);
    let mut evidence = Evidence::new(&model);
    // The trust in time depends on the counts, so `with_time` adds it.
    let Some(runtime) = evidence.add(SignalKind::Runtime, &series, &model, TRUST_NONE) else {
        return unclassifiable(&series, worst, larger_sizes(observed));
    };
    let (counts, input) = (&observed.counts, series.input.as_ref());
    let lines = Lines::from_counts(counts, input, tuning);
    let whole = Series::counted(counts, |counts| counts.instructions, NUMBER_INSTRUCTIONS, input);
    // Libraries read n and write results, so counts of the program's own code scatter less.
    let own = Series::counted(counts, |counts| counts.own, COUNT_SCATTER_INSTRUCTIONS, input);
    let whole_model = model::instructions(observed.reads).tuned(tuning);
    let trust = if lines.is_some() { TRUST_INSTRUCTIONS_WITH_LINES } else { TRUST_INSTRUCTIONS };
    let of_whole = evidence.add(SignalKind::Instructions, &whole, &whole_model, trust);
    let own_model = model::line().tuned(tuning);
    let of_own = evidence.add(SignalKind::OwnInstructions, &own, &own_model, TRUST_OWN);
    let counted = of_whole.is_some() || of_own.is_some() || lines.is_some();
    let by_line = lines.is_some();
    if let Some(lines) = lines {
        evidence.combine(&lines.classes, TRUST_LINES);
        for (Group { line, counts }, posterior) in lines.groups {
            let base = posterior.base().map(|base| base.0);
            evidence.show(SignalKind::Line(line), &posterior.classes, base, counts);
        }
    }
    let kernel = kernel_share(worst).filter(|_| counted);
    let counted = counted && kernel.is_none();
    if kernel.is_none()
        && let Some(undecided) = levels_off(&whole)
    {
        return evidence.undecided(undecided);
    }
    let shown = Counted { runtime: &series, whole: &whole, own: &own, of_own: of_own.as_ref() };
    let is_told = counted && (by_line || !shown.is_of_libraries());
    let sharpness = match observed.effort {
        Effort::Counted if is_told => SHARPNESS_COUNTED,
        Effort::Counted | Effort::Timed | Effort::Full => SHARPNESS_OTHERS,
    };
    let (classes, missed) = evidence.pool.with_time(&runtime.classes, counted.then_some(shown));
    let mut classes = sharpened(&classes, sharpness);
    evidence.hardly_surer(&mut classes);
    if counted && let Some(undecided) = other_at_primes(observed, &whole, &own_model, &classes) {
        return evidence.undecided(undecided);
    }
    let judged = missed < MOSTLY_MISSED;
    let told = "its instructions are";
    let counts = [
        Witness { series: &whole, model: &whole_model, told, refutes: Refutes::Outside },
        Witness { series: &own, model: &own_model, told, refutes: Refutes::Above(1.0) },
    ];
    let refutes = if judged { Refutes::Above(GROSS) } else { Refutes::Outside };
    let time = Witness { series: &series, model: &model, told: "it took", refutes };
    let counts = counts.into_iter().filter(|_| judged);
    let witnesses = counts.chain([time]).collect();
    let headline = Headline {
        series: &series,
        posterior: &runtime,
        limit: observed.time_limit_ms,
        blind: !counted && is_blind(&series),
        bound: observed.unmeasured_bound(),
        witnesses,
    };
    let why = |ranked: &[(Class, f64)]| why_time(observed, &series, counted, kernel, ranked);
    evidence.conclude(classes, &headline, why)
}

/// Returns the kernel's share at the largest size that ended OK, if time alone decides because of
/// it.
pub(crate) fn kernel_share(worst: &[SizeObservation]) -> Option<f64> {
    let largest = worst.iter().rev().find(|size| size.runtime_ms.is_some())?;
    largest.kernel_share.filter(|&share| share >= KERNEL_SHARE)
}

/// Whether no size takes longer than the smallest. If so, the times show nothing about growth.
/// Sizes are compared with the smallest size instead of an empty program, because the time that a
/// program's libraries take at every size is not growth.
fn is_blind(series: &Series) -> bool {
    let [first, rest @ ..] = series.data.as_slice() else { return true };
    let is_longer =
        |datum: &Datum| datum.value - first.value > GROWN * datum.sigma.hypot(first.sigma);
    !rest.iter().any(is_longer)
}

/// Returns the reason why no class fits, if exact counts first grow and then stay constant.
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
            "from n = {} on, every size executes the same number of instructions, and smaller sizes \
             execute fewer, which no class does",
            from.size
        );
        Undecided::new(reason, [Remedy::SmallerSizes, Remedy::InputSpec])
    })
}

fn runtimes(observed: &Observed, worst: &[SizeObservation]) -> Series {
    let runtime = |observation: &SizeObservation| {
        let value = observation.runtime_ms?;
        let width = (observation.width_ms / WIDTH_DEVIATIONS).min(MOST_TIME_SCATTER * value);
        let sigma = width.hypot(TIME_SCATTER * value).hypot(TIME_SCATTER_MS);
        Some((value, sigma))
    };
    let lengths = worst.iter().filter_map(|size| Some((size.size, size.input_bytes?)));
    Series {
        floor: observed.start_up_ms,
        input: if observed.reads { Input::from_lengths(lengths) } else { None },
        ..Series::measured(worst, runtime, |size| size.over_time, observed.timeout_ms)
    }
}

fn why_time(
    observed: &Observed,
    series: &Series,
    counted: bool,
    kernel: Option<f64>,
    ranked: &[(Class, f64)],
) -> Undecided {
    let mut text = match series.grown_sizes() {
        _ if !counted && is_blind(series) => {
            let smallest = series.data.first().map_or(0, |datum| datum.size);
            format!("no size takes longer than n = {smallest}")
        }
        0 => "no size takes longer than the start-up".to_owned(),
        1 => "only one size takes clearly longer than the start-up".to_owned(),
        _ => tie(ranked),
    };
    let mut more = Vec::new();
    // Without counts, only times can decide.
    let is_uncounted = observed.effort == Effort::Counted && observed.counts.is_empty();
    if series.grown_sizes() < ENOUGH_GROWN || is_blind(series) || is_uncounted {
        let is_within = series.over_limit.is_empty();
        more.extend(if is_within { larger_sizes(observed) } else { Some(Remedy::ChosenSizes) });
    }
    if let Some(share) = kernel {
        let percent = 100.0 * share;
        text = format!(
            "{text}; the kernel takes {percent:.0} % of the processor time, and its work is not \
             counted"
        );
    } else if observed.effort != Effort::Timed && !counted {
        let reason = match &observed.uncountable {
            Some(reason) => &format!("its instructions cannot be counted: {reason}"),
            None if observed.counts.is_empty() => "no instructions were counted",
            None => "instructions were counted at too few sizes",
        };
        text = format!("{text}; {reason}");
    }
    match observed.effort {
        _ if kernel.is_some() => {}
        Effort::Timed => more.push(Remedy::CountedGrowth),
        Effort::Counted if observed.uncountable.is_none() => more.push(Remedy::FullGrowth),
        Effort::Counted | Effort::Full => {}
    }
    if more.is_empty() {
        more.push(larger_sizes(observed).unwrap_or(Remedy::MoreSizes));
    }
    Undecided::new(text, more)
}
