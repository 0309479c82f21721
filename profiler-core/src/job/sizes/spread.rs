//! Default sizes: corner cases, and scales in proportion to the largest one.

/// The default scales.
pub const INPUT_SCALES: [u64; 5] = [1_000, 5_000, 10_000, 50_000, 100_000];
/// The default corner cases.
pub const EXTRA_CORNER_CASES: [u64; 2] = [0, 1];
/// Smallest scale of a fitted list. The corner cases are smaller.
const LEAST_SCALE: u64 = 2;
/// A scale has two significant digits: it is less than this number of its last decimal place.
const TWO_DIGITS: u64 = 100;

/// Spreads the default scales up to `most` in proportion, on a logarithmic axis. The first one is
/// the usual fraction of `most`, but not above the default, so that slow programs have sizes that
/// end. A small `most` has fewer scales.
pub(crate) fn spread(most: u64) -> Vec<u64> {
    let [first, .., last] = INPUT_SCALES;
    let bottom = (most / (last / first)).clamp(LEAST_SCALE, first);
    let range = (most as f64 / bottom as f64).ln() / (last as f64 / first as f64).ln();
    let mut spread: Vec<u64> = Vec::new();
    for scale in INPUT_SCALES {
        let exact = bottom as f64 * (scale as f64 / first as f64).powf(range);
        let above = spread.last().map_or(0, |before| before + 1);
        spread.push(if scale == last { most } else { rounded(exact).max(above).min(most) });
    }
    spread.dedup();
    spread
}

/// Rounds a size to two significant digits.
fn rounded(exact: f64) -> u64 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is a size")]
    let size = exact.round() as u64;
    let mut unit = 1;
    while size / unit >= TWO_DIGITS {
        unit *= 10;
    }
    (size + unit / 2) / unit * unit
}

/// The default corner cases, and the default scales spread up to `n_max`.
pub(crate) fn up_to(n_max: u64) -> Vec<u64> {
    let mut list = [&EXTRA_CORNER_CASES[..], &spread(n_max)].concat();
    list.retain(|&size| size <= n_max);
    list.sort_unstable();
    list.dedup();
    list
}
