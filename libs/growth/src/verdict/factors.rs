//! Whether the work depends on the factors of n.

use crate::class::Class;
use crate::classification::{Remedy, Undecided};
use crate::constants::{
    CERTAIN_SIZES, CONFIDENT, COUNT_SCATTER_INSTRUCTIONS, LEAST_SIZES, OTHER_WORK, OWN_SHARE,
};
use crate::fitting::model::FigureModel;
use crate::fitting::posterior::Posterior;
use crate::observation::{Counts, Effort, Observed};
use crate::series::Series;
use crate::verdict::ranking::ranking;

/// The reason why no class holds for all sizes, if the program does other work at primes than at
/// the sizes next to them, or if nobody knows. `None` if both kinds of sizes have the same class,
/// or if the difference is small among the instructions that grow. `classes` are the probabilities
/// of the classes.
pub(crate) fn other_at_primes(
    observed: &Observed,
    whole: &Series,
    model: &FigureModel,
    classes: &[f64],
) -> Option<Undecided> {
    let likeliest = Class::all().zip(classes).max_by(|a, b| a.1.total_cmp(b.1))?.0;
    // From one size to the next, such a class grows by more than a prime explains.
    if likeliest.curve().is_steep() {
        return None;
    }
    if observed.lacks_primes {
        let reason = "the counted sizes have small factors only, and none of the primes next to \
                      them was counted in time, so the work may depend on the factors of n";
        let full = (observed.effort != Effort::Full).then_some(Remedy::FullGrowth);
        return Some(Undecided::new(reason, Vec::from_iter(full)));
    }
    let range = whole.range();
    let least = OWN_SHARE * (range.most - range.least);
    let beside =
        |prime: &Counts| observed.counts.iter().min_by_key(|it| it.size.abs_diff(prime.size));
    let pairs = observed.primes.iter().filter_map(|prime| Some((beside(prime)?, prime)));
    let pairs: Vec<(&Counts, &Counts)> = pairs.collect();
    if is_same_ratio(&pairs) {
        return None;
    }
    let differing = pairs.iter().filter_map(|(round, prime)| {
        let times = prime.other_work(round)?;
        let is_notable = prime.work()?.abs_diff(round.work()?) as f64 >= least;
        is_notable.then_some((round.size, prime.size, times))
    });
    let differing: Vec<_> = differing.collect();
    let &(round, prime, times) = differing.iter().max_by_key(|it| it.1)?;
    let is_one_way = differing.iter().all(|it| (it.2 > 1.0) == (times > 1.0));
    let (rounds, primes): (Vec<_>, Vec<_>) =
        pairs.iter().map(|&(round, prime)| (round.clone(), prime.clone())).unzip();
    let kinds = [class_of(&rounds, model), class_of(&primes, model)];
    let reason = match kinds {
        [Some(one), Some(other)] if one.is_near(other) => return None,
        [Some(one), Some(other)] => format!(
            "{} at round n, {} at primes: the work depends on the factors of n",
            name(one),
            name(other)
        ),
        _ if !is_one_way => format!(
            "at n = {prime} it executes {times:.1} times as many instructions as at n = {round}: \
             the work depends on more than the size of n"
        ),
        _ => format!(
            "at n = {prime}, a prime, it executes {times:.1} times as many instructions as at \
             n = {round}: the work depends on the factors of n, not only on its size; give sizes \
             that are all primes"
        ),
    };
    Some(Undecided::new(reason, []))
}

/// Whether the work differs by about the same factor everywhere, as it does if odd sizes take twice
/// as long as even ones. Both kinds of sizes then have one class.
fn is_same_ratio(pairs: &[(&Counts, &Counts)]) -> bool {
    let ratio = |(round, prime): &(&Counts, &Counts)| {
        Some(prime.work()? as f64 / round.work()?.max(1) as f64)
    };
    let ratios: Vec<f64> = pairs.iter().filter_map(ratio).collect();
    let (low, high) =
        ratios.iter().fold((f64::MAX, 0_f64), |(low, high), it| (low.min(*it), high.max(*it)));
    ratios.len() >= LEAST_SIZES && high <= OTHER_WORK * low
}

fn name(class: Class) -> String {
    if class == Class::Constant { "a constant".into() } else { class.name() }
}

/// The class of sizes of one kind; `None` if there are too few sizes, or if no class is certain
/// enough.
fn class_of(counts: &[Counts], model: &FigureModel) -> Option<Class> {
    if counts.len() < CERTAIN_SIZES {
        return None;
    }
    let series = Series::counted(counts, Counts::work, COUNT_SCATTER_INSTRUCTIONS, None);
    let posterior = Posterior::from_series(&series, model)?;
    let ranked = ranking(&posterior.classes, posterior.base().map(|base| base.0));
    let &(class, probability) = ranked.first()?;
    (probability >= CONFIDENT).then_some(class)
}
