//! What the figures of memory say together.

use super::Told;
use super::class::Class;
use super::model;
use super::observed::{Observed, Seen};
use super::pool::{HEAP, MAPPED, Pool, RESIDENT};
use super::posterior::{Datum, Posterior, Series, normalise};
use super::verdict::{
    Headline, TELL, between, data, enough, nothing, points, ranking, seen, signal, told,
};

/// Scatter of the peak resident set, in MiB: the kernel counts in batches of 32 pages a core.
const RESIDENT_SCATTER_MB: f64 = 0.08;
/// Scatter of what is counted exactly, in MiB: the heap moves by 132 KiB.
const MAPPED_SCATTER_MB: f64 = 0.07;
/// Scatter of memory as a share of it.
const MEMORY_SCATTER: f64 = 0.003;
/// Scatter of the heap's peak, which is exact, in MiB: some bytes are a name's or a number's.
const HEAP_SCATTER_MB: f64 = 16.0 / 1_048_576.0;
/// Resident sets that differ by less, in MiB, need not differ: a batch on each of two cores.
const UNSEEN_MB: f64 = 0.25;
/// The heap explains what became resident if they differ by at most this part of the larger: blocks have headers,
/// and pages are whole.
const UNEXPLAINED: f64 = 0.5;

/// Memory over n.
pub(super) fn memory(observed: &Observed, worst: &[Seen]) -> Told {
    let limit = observed.memory_limit_mb;
    let series = |pick: &dyn Fn(&Seen) -> Option<f64>, scatter: f64, floor: Option<f64>| Series {
        data: data(worst, |seen| {
            let value = pick(seen)?;
            Some((value, scatter.hypot(MEMORY_SCATTER * value)))
        }),
        beyond: worst
            .iter()
            .filter(|s| s.over_memory)
            .map(|s| (f64::from(s.size), limit))
            .collect(),
        floor,
        ..Series::default()
    };
    let resident = series(&|seen| seen.peak_memory_mb, RESIDENT_SCATTER_MB, observed.start_up_mb);
    let model = model::memory();
    let Some(said) = Posterior::of(&resident, &model) else {
        return nothing(&resident);
    };
    let mut pool = Pool::new(&model);
    pool.add(&said.classes, RESIDENT);
    let mut signals = vec![signal("peak_memory", &said.classes, points(&resident, &said))];
    let mapped = series(&|seen| seen.data_stack_mb, MAPPED_SCATTER_MB, None);
    if let Some(said) = Posterior::of(&mapped, &model) {
        signals.push(signal("data_stack", &said.classes, points(&mapped, &said)));
        // What is mapped need not be touched, and what is touched need not be mapped by n: it says
        // something of how memory grows, nothing of whether.
        if said.classes[0] < 0.5 && pool.classes()[0] < 0.5 {
            let mut growing = said.classes.clone();
            growing[0] = 0.0;
            normalise(&mut growing);
            for p in &mut growing {
                *p *= 1.0 - pool.prior[0];
            }
            growing[0] = pool.prior[0];
            pool.add(&growing, MAPPED);
        }
    }
    let heap = heap(observed);
    if let Some(said) = Posterior::of(&heap, &model).filter(|_| enough(&heap)) {
        signals.push(signal("heap_peak", &said.classes, points(&heap, &said)));
        // Where the resident set tells a class that grows, the heap would say the same a second time.
        let (best, confidence) = ranking(&pool.classes())[0];
        let is_open = confidence < TELL || best == Class::Constant;
        if is_open && explains(&heap, &resident) {
            pool.add(&said.classes, HEAP);
        }
    }
    let why = |ranked: &[(Class, f64)]| why_memory(&resident, ranked);
    told(
        &pool.classes(),
        signals,
        &Headline { series: &resident, said: &said, limit, blind: false },
        observed,
        why,
    )
}

/// The most that was live on the heap.
fn heap(observed: &Observed) -> Series {
    let datum = |&(size, value): &(u32, f64)| Datum {
        size,
        value,
        sigma: HEAP_SCATTER_MB.hypot(MEMORY_SCATTER * value),
    };
    Series { data: observed.heaps.iter().map(datum).collect(), ..Series::default() }
}

/// Whether the heap's growth is what the resident set grew by, as far as that is seen: blocks that are never touched
/// are not resident, and arrays and stacks are no blocks.
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
    let text = match seen(series) {
        0 => "no size takes more than an empty program, within the noise".to_owned(),
        1 => "only at one size the peak is clearly above its floor".to_owned(),
        _ => between(ranked),
    };
    format!("{text}: larger sizes would tell more")
}
