//! The peak of a weight: its place and its width.

use crate::constants::{LEAST_REACH, MOST_FALL, PEAK_STEPS};
use std::f64::consts::PI;

/// A peak of a weight, whose logarithm is given.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Peak {
    /// Place of the peak.
    pub(crate) top: f64,
    /// The logarithm of the weight there.
    pub(crate) weight: f64,
    /// Width of a rectangle of the same height and area.
    pub(crate) width: f64,
}

impl Peak {
    /// Finds the peak between `centre` − `step` and `centre` + `step`.
    pub(crate) fn find(centre: f64, step: f64, at: impl Fn(f64) -> f64) -> Self {
        let (top, weight) = highest([centre - step, centre + step], &at);
        // Laplace's approximation of the integral. The weight falls by half the square of the
        // distance in standard deviations.
        let fall_at = |reach: f64| weight - f64::midpoint(at(top - reach), at(top + reach));
        let mut reach = step;
        let mut fall = fall_at(reach);
        while fall >= MOST_FALL && reach / 2.0 >= LEAST_REACH {
            reach /= 2.0;
            fall = fall_at(reach);
        }
        Self { top, weight, width: reach * (PI / fall).sqrt() }
    }
}

/// Finds the place between `low` and `high` where the weight `at` it is highest, and this weight,
/// by golden-section search. The weight must have one peak.
fn highest([mut low, mut high]: [f64; 2], at: impl Fn(f64) -> f64) -> (f64, f64) {
    let ratio = (5.0_f64.sqrt() - 1.0) / 2.0;
    let (mut left, mut right) = (high - ratio * (high - low), low + ratio * (high - low));
    let (mut at_left, mut at_right) = (at(left), at(right));
    for _ in 0..PEAK_STEPS {
        if at_left > at_right {
            (high, right, at_right) = (right, left, at_left);
            left = high - ratio * (high - low);
            at_left = at(left);
        } else {
            (low, left, at_left) = (left, right, at_right);
            right = low + ratio * (high - low);
            at_right = at(right);
        }
    }
    if at_left > at_right { (left, at_left) } else { (right, at_right) }
}
