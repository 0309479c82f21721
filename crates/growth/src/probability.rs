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
