//! Combines the signals of memory.

use crate::class::Class;
use crate::classification::{Classification, Remedy, SignalKind, Undecided};
use crate::constants::{
    ANONYMOUS_SCATTER_MB, BATCH_PAGES, BATCH_PAGES_EACH, BIT_BYTES, BYTE, CONFIDENT, GROWN,
    HEAP_SCATTER_MB, LEAST_ELEMENT_BYTES, LEAST_SIZES, MAPPED_SCATTER_MB, MEMORY_SCATTER,
    MISSED_BATCHES, PAGE_MB, PROBABLY_CONSTANT, RESIDENT_SCATTER_MB, SHARPNESS_MEMORY, TRUST_HEAP,
    TRUST_MAPPED, TRUST_NONE, TRUST_RESIDENT, UNEXPLAINED, UNSEEN_MB, VISIBLE_BITS,
};
use crate::fitting::model;
use crate::fitting::posterior::Posterior;
use crate::observation::{Effort, Observed, SizeObservation};
use crate::probability::{normalise, sharpened};
use crate::series::{Datum, Series};
use crate::tuning::Tuning;
use crate::verdict::evidence::{Evidence, larger_sizes, unclassifiable};
use crate::verdict::headline::Headline;
use crate::verdict::ranking::{ranking, tie};
use crate::verdict::refutation::{Refutes, Witness};

/// Classifies memory over n.
pub(crate) fn memory(
    observed: &Observed,
    worst: &[SizeObservation],
    tuning: &Tuning,
) -> Classification {
    let limit = observed.memory_limit_mb;
    let series = |pick: fn(&SizeObservation) -> Option<f64>, scatter: f64| {
        let value = |observation: &SizeObservation| {
            pick(observation).map(|value| (value, scatter.hypot(MEMORY_SCATTER * value)))
        };
        Series::measured(worst, value, |size| size.over_memory, limit)
    };
    let resolution = peak_resolution_mb(observed.processors);
    let scatter = RESIDENT_SCATTER_MB.max(resolution / RANGE_IN_DEVIATIONS);
    let peaks =
        Series { floor: observed.start_up_mb, ..series(|size| size.peak_memory_mb, scatter) };
    let anonymous = series(|size| size.anonymous_mb, ANONYMOUS_SCATTER_MB);
    let exact = exact_peaks(&peaks, &anonymous, resolution);
    let is_exact = |datum: &&Datum| anonymous.data.iter().any(|own| own.size == datum.size);
    let blind = is_blind(peaks.data.iter(), resolution)
        && exact.as_ref().is_none_or(|exact| is_blind(exact.data.iter().filter(is_exact), PAGE_MB));
    let rises = match &exact {
        Some(exact) => rises_by_bits(exact.data.iter().filter(is_exact), PAGE_MB),
        None => rises_by_bits(peaks.data.iter(), resolution),
    };
    let unseen = if blind {
        Some("a byte for each n would not be visible at these sizes")
    } else {
        rises.then_some("the little that it rises can be a bit for each n")
    };
    let resident = exact.unwrap_or(peaks);
    let model = model::memory().tuned(tuning);
    let mut evidence = Evidence::new(&model);
    let peak = evidence.add(SignalKind::PeakMemory, &resident, &model, TRUST_RESIDENT);
    let Some(peak) = peak else {
        return unclassifiable(&resident, worst, larger_sizes(observed));
    };
    let mapped = series(|size| size.data_stack_mb, MAPPED_SCATTER_MB);
    let mapped = evidence.add(SignalKind::DataStack, &mapped, &model, TRUST_NONE);
    // A program can map memory that it never touches, and touch more of the memory that it mapped
    // before. So this signal distinguishes between the classes that grow, but does not show whether
    // memory grows.
    let grows = |classes: &[f64]| classes[0] < PROBABLY_CONSTANT;
    if let Some(Posterior { classes, .. }) = mapped
        && grows(&classes)
        && grows(&evidence.pool.classes())
    {
        let growing = with_constant(classes, evidence.pool.prior[0]);
        evidence.pool.add(&growing, TRUST_MAPPED);
    }
    let heap = heap(observed);
    // If the resident set shows a growing class, adding the heap would count the same evidence
    // twice.
    let (best, confidence) =
        ranking(&sharpened(&evidence.pool.classes(), SHARPNESS_MEMORY), None)[0];
    let is_open = confidence < CONFIDENT || best == Class::Constant;
    let trust = if is_open && explains(&heap, &resident) { TRUST_HEAP } else { TRUST_NONE };
    evidence.add(SignalKind::HeapPeak, &heap, &model, trust);
    let classes = sharpened(&evidence.pool.classes(), SHARPNESS_MEMORY);
    let bound = observed.unmeasured_bound();
    let (series, model, told) = (&resident, &model, "it held");
    let witnesses = vec![Witness { series, model, told, refutes: Refutes::Outside }];
    let blind = unseen.is_some();
    let headline = Headline { series, posterior: &peak, limit, blind, bound, witnesses };
    evidence.conclude(classes, &headline, |ranked| why_memory(observed, &resident, unseen, ranked))
}

/// The class probabilities, changed so that the class 1 has the probability `constant`.
fn with_constant(mut classes: Vec<f64>, constant: f64) -> Vec<f64> {
    classes[0] = 0.0;
    normalise(&mut classes);
    for p in &mut classes {
        *p *= 1.0 - constant;
    }
    classes[0] = constant;
    classes
}

/// Width of a uniform distribution, in its standard deviations: √12.
const RANGE_IN_DEVIATIONS: f64 = 3.464;

/// Largest error of a peak resident set, in MiB.
fn peak_resolution_mb(processors: Option<u32>) -> f64 {
    let processors = f64::from(processors.unwrap_or(2));
    MISSED_BATCHES * BATCH_PAGES.max(BATCH_PAGES_EACH * processors) * PAGE_MB
}

/// Returns the peaks, without the error of the kernel's counters at sizes where anonymous memory is
/// known. Anonymous memory is exact, and nothing else differs between these sizes: each has the
/// same number of file pages. `None` if the peaks show, beyond their resolution, that the numbers
/// of file pages differ, or if too few sizes are known.
fn exact_peaks(peaks: &Series, anonymous: &Series, resolution: f64) -> Option<Series> {
    let at = |size: u64| anonymous.data.iter().find(|own| own.size == size);
    let paired = peaks.data.iter().filter_map(|peak| Some((peak, at(peak.size)?)));
    let mut files: Vec<f64> = paired.map(|(peak, own)| peak.value - own.value).collect();
    files.sort_by(f64::total_cmp);
    let [first, .., last] = files.as_slice() else { return None };
    let largest = anonymous.data.iter().map(|datum| datum.sigma).fold(0.0, f64::max);
    if files.len() < LEAST_SIZES || last - first > resolution.max(GROWN * largest) {
        return None;
    }
    let shared = files[files.len() / 2];
    let exact = |peak: &Datum| {
        at(peak.size).map_or(*peak, |own| Datum { value: own.value + shared, ..*own })
    };
    Some(Series { data: peaks.data.iter().map(exact).collect(), ..peaks.clone() })
}

/// Whether values of this resolution would have hidden growth by one byte for each n.
fn is_blind<'a>(data: impl Iterator<Item = &'a Datum>, resolution: f64) -> bool {
    let data: Vec<&Datum> = data.collect();
    let [first, .., last] = data.as_slice() else { return true };
    let hidden = LEAST_ELEMENT_BYTES * BYTE * (last.n() - first.n());
    hidden <= (last.value - first.value).max(0.0) + resolution
}

/// Whether values of this resolution rise by at least a bit for each n, both from the smallest size
/// and from the last size before the largest. False if that would be hardly visible.
fn rises_by_bits<'a>(data: impl Iterator<Item = &'a Datum>, resolution: f64) -> bool {
    // At 0 and 1, a program does not yet touch all of the memory that it needs at every size.
    let data: Vec<&Datum> = data.filter(|datum| datum.size > 1).collect();
    let [first, .., before, last] = data.as_slice() else { return false };
    let bits = |from: &Datum| BIT_BYTES * BYTE * (last.n() - from.n());
    let rises = |from: &Datum| last.value - from.value + resolution >= bits(from);
    bits(first) >= VISIBLE_BITS * resolution && rises(first) && rises(before)
}

/// Peaks of the live heap.
fn heap(observed: &Observed) -> Series {
    let datum = |&(size, value): &(u64, f64)| Datum {
        size,
        value,
        sigma: HEAP_SCATTER_MB.hypot(MEMORY_SCATTER * value),
    };
    Series { data: observed.heaps.iter().map(datum).collect(), ..Series::default() }
}

/// Whether the heap explains the growth of the resident set, within the resolution. Blocks that are
/// never touched are not resident, and arrays and stacks are not on the heap.
fn explains(heap: &Series, resident: &Series) -> bool {
    let [given, touched] = [heap, resident].map(Series::range).map(|it| it.most - it.least);
    let unexplained = (touched - given).abs();
    given > 0.0 && unexplained <= UNSEEN_MB.max(UNEXPLAINED * given.max(touched))
}

fn why_memory(
    observed: &Observed,
    series: &Series,
    unseen: Option<&str>,
    ranked: &[(Class, f64)],
) -> Undecided {
    // The heap is recorded with `Full` only, and shows more than the resident set.
    let full = || (observed.effort != Effort::Full).then_some(Remedy::FullGrowth);
    let remedies: Vec<_> = larger_sizes(observed).or_else(full).into_iter().collect();
    if let Some(reason) = unseen
        && ranked.first().is_some_and(|best| best.0 == Class::Constant)
    {
        return Undecided::new(reason, remedies);
    }
    let text = match series.grown_sizes() {
        0 => "no size takes more than an empty program, within the noise".to_owned(),
        1 => "the peak is clearly above its floor at only one size".to_owned(),
        _ => tie(ranked),
    };
    Undecided::new(text, remedies)
}
