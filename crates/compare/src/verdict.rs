//! Derivation of a verdict from the reports of two programs.
//!
//! At each size and candidate, Student's test compares the logarithms of both programs' headlines.
//! Their variance is the larger of two: the scatter of one program's headlines from run to run,
//! pooled over the sizes, and the uncertainty of each headline. A program with one run, as in a
//! saved report, is assumed to scatter as runs commonly do. Holm's method corrects the
//! probabilities for the number of sizes. A difference below 1 % does not count: two series of one
//! program differ by as much.
//!
//! Programs that write different words are not ranked by speed, unless a checker accepts the
//! outputs of both: one of them may be wrong. A program that fails where the other one ends OK is
//! not called faster either.

use crate::comparison::{Comparison, Outputs, Size, Verdict, failing_for_both};
use crate::difference::{ASSUMED_SCATTER, Difference, MOST_ASSUMED_SCATTER, Scatter};
use crate::method::Method;
use crate::pair::{Pair, pairs};
use crate::program::Program;
use crate::unknown::{why_meaningless, why_not_judged, why_unknown};
use profiler_export::Wording;
use profiler_statistics::holm_correction;

/// Compares B with A. Names remedies as the caller's options.
pub fn compare_programs(
    a: &Program,
    b: &Program,
    outputs: Outputs,
    wording: Wording,
) -> Comparison {
    let Method { mut warnings, basis, clock } = Method::choose(a, b);
    let pairs = pairs(a, b, clock);
    let measurable = pairs.iter().filter(|pair| !pair.is_too_short());
    let precision = a.precision().or(b.precision());
    let assumed_scatter = precision.unwrap_or(ASSUMED_SCATTER).min(MOST_ASSUMED_SCATTER);
    let scatter = Scatter::pooled(measurable.flat_map(Pair::logarithms), assumed_scatter);
    let differences: Vec<_> = pairs.iter().map(|pair| pair.difference(scatter)).collect();
    let known: Vec<_> = differences.iter().flatten().copied().collect();
    let probabilities: Vec<f64> = known.iter().map(|it| it.p_value()).collect();
    let mut corrected = holm_correction(&probabilities).into_iter();
    let ratios = differences.iter().map(|difference| {
        difference.and_then(|difference| Some(difference.ratio(corrected.next()?)))
    });
    let meaningless = why_meaningless([("A", a), ("B", b)], wording);
    let outputs = if meaningless.is_some() { Outputs::Any } else { outputs };
    let compared = pairs.iter().zip(ratios);
    // What forges the count of one size can forge those of the others.
    let basis_of_all = (basis, !pairs.iter().any(Pair::is_kernels_work));
    let mut sizes: Vec<_> =
        compared.map(|(pair, time)| pair.compare(time, basis_of_all, outputs)).collect();
    let others = sizes.iter().filter(|size| size.verdict == Verdict::OtherOutput);
    let other_output_at = others.map(|size| size.size).min();
    if meaningless.is_some() || other_output_at.is_some() {
        sizes.iter_mut().for_each(Size::withdraw);
    }
    let verdict = match other_output_at {
        Some(_) => Verdict::OtherOutput,
        None => verdict_at_largest(&sizes),
    };
    let failing = faster_but_fails(&sizes, verdict);
    let verdict = if failing.is_some() { Verdict::Unknown } else { verdict };
    let is_compared = outputs == Outputs::Any || a.is_interactive();
    let uncompared_at = if is_compared { None } else { uncompared_at(&sizes) };
    warnings.extend(uncompared_at.map(|n| format!("the outputs at n = {n} were not compared")));
    warnings.extend(different_right(&sizes));
    warnings.extend(other_output_at.and_then(|n| why_not_judged([("A", a), ("B", b)], n)));
    let has_meaning = other_output_at.is_none() && meaningless.is_none();
    let mean = Difference::mean_of(&known).filter(|_| has_meaning);
    let why = || why_unknown([a, b], &sizes, basis, wording);
    let unknown_because =
        meaningless.or(failing).or_else(|| (verdict == Verdict::Unknown).then(why));
    Comparison {
        a: a.name.clone(),
        b: b.name.clone(),
        a_growth: a.growth(),
        b_growth: b.growth(),
        runs: a.reports.len(),
        assumed_scatter,
        warnings,
        geometric_mean: mean.map(|mean| mean.ratio(mean.p_value())),
        verdict,
        sizes,
        basis,
        clock,
        wrong_answer: a.is_wrong() || b.is_wrong(),
        other_output_at,
        uncompared_at,
        unknown_because,
    }
}

/// Returns the size that decides, if it is not known whether the outputs are the same there.
fn uncompared_at(sizes: &[Size]) -> Option<u64> {
    let decided =
        || sizes.iter().filter(|size| matches!(size.verdict, Verdict::Faster | Verdict::Slower));
    let n = decided().map(|size| size.size).max()?;
    let is_open = |size: &Size| size.same_output.is_none() && !size.both_accepted;
    decided().any(|size| size.size == n && is_open(size)).then_some(n)
}

/// Tells that the outputs differ, and that the checker accepts all of them.
fn different_right(sizes: &[Size]) -> Option<String> {
    let differ = |size: &&Size| size.same_output == Some(false) && size.both_accepted;
    let (count, all) = (sizes.iter().filter(differ).count(), sizes.len());
    (count > 0)
        .then(|| format!("the programs write different right answers at {count} of {all} sizes"))
}

/// Explains why the program that is faster at the largest size is not called faster: it fails at a
/// size at which the other one ends OK. A task may not allow n = 0.
fn faster_but_fails(sizes: &[Size], verdict: Verdict) -> Option<String> {
    let (name, fails): (_, fn(&Size) -> bool) = match verdict {
        Verdict::Faster => ("B", Size::fails_for_b_alone),
        Verdict::Slower => ("A", |size| size.a.has_failed() && !size.b.has_failed()),
        _ => return None,
    };
    let failed = sizes.iter().find(|size| size.size > 0 && fails(size))?;
    let outcome = if name == "A" { failed.a.outcome } else { failed.b.outcome };
    Some(format!("{name} ends with {outcome} at n = {}, where the other one ends OK", failed.size))
}

/// Returns the verdict at the largest size that has one, and with several candidates the worst of
/// their verdicts. It is unknown if neither program can do the largest size, which matters most.
fn verdict_at_largest(sizes: &[Size]) -> Verdict {
    if failing_for_both(sizes).is_some() {
        return Verdict::Unknown;
    }
    let known = |size: &&Size| size.verdict != Verdict::Unknown;
    let largest = sizes.iter().filter(known).map(|size| size.size).max();
    let there = || sizes.iter().filter(known).filter(|size| Some(size.size) == largest);
    let all = |verdict| there().all(|size| size.verdict == verdict);
    if largest.is_none() {
        Verdict::Unknown
    } else if there().any(|size| size.verdict == Verdict::Slower) {
        Verdict::Slower
    } else if all(Verdict::Faster) {
        Verdict::Faster
    } else {
        Verdict::Same
    }
}
