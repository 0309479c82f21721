//! Probabilities of classes, in the order of `Class::index`.

/// Normalises probabilities to the sum 1.
pub(crate) fn normalise(probabilities: &mut [f64]) {
    let sum: f64 = probabilities.iter().sum();
    if sum > 0.0 {
        for p in probabilities {
            *p /= sum;
        }
    }
}

/// Raises probabilities to `power` and normalises them.
pub(crate) fn sharpened(probabilities: &[f64], power: f64) -> Vec<f64> {
    let mut sharp: Vec<f64> = probabilities.iter().map(|p| p.powf(power)).collect();
    normalise(&mut sharp);
    sharp
}

/// The logarithm of the odds of `p`.
pub(crate) fn log_odds(p: f64) -> f64 {
    (p / (1.0 - p)).ln()
}

/// The probability with these log-odds.
pub(crate) fn logistic(log_odds: f64) -> f64 {
    1.0 / (1.0 + (-log_odds).exp())
}
