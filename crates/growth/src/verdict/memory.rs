//! Combines the signals of memory.

use crate::answer::{Classification, SignalKind};
use crate::class::Class;
use crate::constants::{
    CONFIDENT, HEAP_SCATTER_MB, MAPPED_SCATTER_MB, MEMORY_SCATTER, PROBABLY_CONSTANT,
    RESIDENT_SCATTER_MB, SHARPNESS_MEMORY, TRUST_HEAP, TRUST_MAPPED, TRUST_RESIDENT, UNEXPLAINED,
    UNSEEN_MB,
};
use crate::fitting::model;
use crate::fitting::posterior::Posterior;
use crate::observation::{Observed, SizeObservation};
use crate::probability::{normalise, sharpened};
use crate::series::{Datum, Series};
use crate::tuning::Tuning;
use crate::verdict::classify::{
    MainSeries, conclude, data, enough, grown_sizes, points, ranking, signal, tie, unclassifiable,
};
use crate::verdict::pool::Pool;

/// Memory over n.
pub(crate) fn memory(
    observed: &Observed,
    worst: &[SizeObservation],
    tuning: &Tuning,
) -> Classification {
    let limit = observed.memory_limit_mb;
    let series =
        |pick: &dyn Fn(&SizeObservation) -> Option<f64>, scatter: f64, floor: Option<f64>| Series {
            data: data(worst, |observation| {
                let value = pick(observation)?;
                Some((value, scatter.hypot(MEMORY_SCATTER * value)))
            }),
            over_limit: worst
                .iter()
                .filter(|s| s.over_memory)
                .map(|s| (s.size as f64, limit))
                .collect(),
            floor,
            ..Series::default()
        };
    let resident = series(
        &|observation| observation.peak_memory_mb,
        RESIDENT_SCATTER_MB,
        observed.start_up_mb,
    );
    let model = model::memory().tuned(tuning);
    let Some(posterior) = Posterior::from_series(&resident, &model) else {
        return unclassifiable(&resident);
    };
    let mut pool = Pool::new(&model);
    pool.add(&posterior.classes, TRUST_RESIDENT);
    let mut signals =
        vec![signal(SignalKind::PeakMemory, &posterior.classes, points(&resident, &posterior))];
    let mapped = series(&|observation| observation.data_stack_mb, MAPPED_SCATTER_MB, None);
    if let Some(posterior) = Posterior::from_series(&mapped, &model) {
        signals.push(signal(
            SignalKind::DataStack,
            &posterior.classes,
            points(&mapped, &posterior),
        ));
        // Mapped memory need not be touched, and touched memory need not be mapped at a rate of n.
        // So this signal shows how memory grows, but not whether it does.
        if posterior.classes[0] < PROBABLY_CONSTANT && pool.classes()[0] < PROBABLY_CONSTANT {
            let mut growing = posterior.classes.clone();
            growing[0] = 0.0;
            normalise(&mut growing);
            for p in &mut growing {
                *p *= 1.0 - pool.prior[0];
            }
            growing[0] = pool.prior[0];
            pool.add(&growing, TRUST_MAPPED);
        }
    }
    let heap = heap(observed);
    if let Some(posterior) = Posterior::from_series(&heap, &model).filter(|_| enough(&heap)) {
        signals.push(signal(SignalKind::HeapPeak, &posterior.classes, points(&heap, &posterior)));
        // If the resident set shows a growing class, the heap would be the same evidence twice.
        let (best, confidence) = ranking(&sharpened(&pool.classes(), SHARPNESS_MEMORY))[0];
        let is_open = confidence < CONFIDENT || best == Class::Constant;
        if is_open && explains(&heap, &resident) {
            pool.add(&posterior.classes, TRUST_HEAP);
        }
    }
    let why = |ranked: &[(Class, f64)]| why_memory(&resident, ranked);
    conclude(
        &sharpened(&pool.classes(), SHARPNESS_MEMORY),
        signals,
        &MainSeries { series: &resident, posterior: &posterior, limit, blind: false },
        observed,
        why,
    )
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
    let grown = |series: &Series| {
        let values = || series.data.iter().map(|datum| datum.value);
        values().fold(0.0, f64::max) - values().fold(f64::INFINITY, f64::min)
    };
    let (given, touched) = (grown(heap), grown(resident));
    let unexplained = (touched - given).abs();
    given > 0.0 && unexplained <= UNSEEN_MB.max(UNEXPLAINED * given.max(touched))
}

fn why_memory(series: &Series, ranked: &[(Class, f64)]) -> String {
    let text = match grown_sizes(series) {
        0 => "no size takes more than an empty program, within the noise".to_owned(),
        1 => "only at one size the peak is clearly above its floor".to_owned(),
        _ => tie(ranked),
    };
    format!("{text}. To decide: larger sizes")
}
