//! Student's distribution, and Holm's correction for multiple tests.

use std::f64::consts::FRAC_PI_2;

/// Number of intervals in Simpson's rule.
const STEPS: u32 = 2000;
/// Number of bisection steps in the search for a quantile.
const HALVINGS: u32 = 60;
/// Upper bound of the search for a quantile.
const LARGEST_QUANTILE: f64 = 1e4;

/// The probability that a variable of Student's distribution lies further from 0 than `t`.
///
/// With t = √ν·tan θ the density is proportional to cos^(ν − 1) θ, so no gamma function is needed.
pub fn student_t_two_sided(t: f64, freedom: f64) -> f64 {
    let from = (t.abs() / freedom.sqrt()).atan();
    let tail = simpson(|angle| angle.cos().powf(freedom - 1.0), from, FRAC_PI_2);
    let whole = simpson(|angle| angle.cos().powf(freedom - 1.0), 0.0, FRAC_PI_2);
    (tail / whole).clamp(0.0, 1.0)
}

/// The quantile that the absolute value of a variable of Student's distribution exceeds with this
/// probability.
pub fn student_t_quantile(probability: f64, freedom: f64) -> f64 {
    let (mut low, mut high) = (0.0, LARGEST_QUANTILE);
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(low, high);
        if student_t_two_sided(middle, freedom) > probability {
            low = middle;
        } else {
            high = middle;
        }
    }
    high
}

fn simpson(density: impl Fn(f64) -> f64, from: f64, to: f64) -> f64 {
    let width = (to - from) / f64::from(STEPS);
    let inner = (1..STEPS).map(|step| {
        let weight = if step % 2 == 1 { 4.0 } else { 2.0 };
        weight * density(from + f64::from(step) * width)
    });
    // At π/2 the rounded cosine is slightly negative; the density there is 0.
    (density(from) + inner.sum::<f64>()) * width / 3.0
}

/// Adjusts the p-values of several tests. The probability of any false positive is then at most the
/// level of a single test. Source: Holm, A simple sequentially rejective multiple test procedure,
/// Scandinavian Journal of Statistics 6 (1979).
pub fn holm_correction(probabilities: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..probabilities.len()).collect();
    order.sort_by(|&a, &b| probabilities[a].total_cmp(&probabilities[b]));
    let mut corrected = vec![1.0; probabilities.len()];
    let mut largest: f64 = 0.0;
    for (rank, &index) in order.iter().enumerate() {
        let left = (probabilities.len() - rank) as f64;
        largest = largest.max((probabilities[index] * left).min(1.0));
        corrected[index] = largest;
    }
    corrected
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_are_those_of_the_tables() {
        for (t, freedom, expected) in
            [(4.303, 2.0, 0.05), (2.228, 10.0, 0.05), (3.169, 10.0, 0.01), (12.706, 1.0, 0.05)]
        {
            let found = student_t_two_sided(t, freedom);
            assert!((found - expected).abs() < 2e-4, "{t} {freedom}: {found}");
            assert!((student_t_quantile(expected, freedom) - t).abs() < 0.02, "{t} {freedom}");
        }
        assert!((student_t_quantile(0.05, 1e3) - 1.962).abs() < 1e-3);
    }

    #[test]
    fn holm_multiplies_the_smallest_most() {
        let corrected = holm_correction(&[0.01, 0.04, 0.03]);
        let expected = [0.03, 0.06, 0.06];
        assert!(
            corrected.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12),
            "{corrected:?}"
        );
        assert_eq!(holm_correction(&[0.9, 0.8]), [1.0, 1.0]);
        assert!(holm_correction(&[]).is_empty());
    }
}
