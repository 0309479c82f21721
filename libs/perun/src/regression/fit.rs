//! Fits one model to points, at once or part by part.

use super::kind::Kind;
use super::points::{FitError, Points};
use super::sums::Sums;
use crate::format::BOUNDS;
use crate::number::Number;
use serde_json::{Map, Value, json};
use std::ops::Range;

/// Minimum number of points of a fit.
const MIN_POINTS: usize = 3;
/// Minimum number of points of a part.
const MIN_PART_POINTS: usize = 2;
/// Replaces a divisor of zero, as in Perun.
const NEARLY_ZERO: f64 = 1e-6;
/// Perun divides the angle of a line in radians by a right angle in degrees.
const RIGHT_ANGLE: f64 = 90.0;
/// Largest normalised angle of a line that counts as flat.
const FLAT: f64 = 0.01;

/// A fitted model.
#[derive(Debug, Clone)]
pub(super) struct Fit {
    pub(super) kind: Kind,
    /// b0, b1, and b2 of a quadratic model.
    coefficients: Vec<f64>,
    /// R² in the space where the model is linear: 1 is a perfect fit, below 0 is worse than the
    /// mean.
    pub(super) r_square: f64,
    /// The smallest and the largest fitted size.
    start: Number,
    end: Number,
    mean: f64,
}

/// A fit in progress, which takes its points part by part.
pub(super) struct Fitting<'a> {
    kind: Kind,
    points: &'a Points,
    parts: std::vec::IntoIter<Range<usize>>,
    sums: Sums,
}

impl<'a> Fitting<'a> {
    /// Starts a fit of `points` in `steps` parts.
    pub(super) fn new(kind: Kind, points: &'a Points, steps: usize) -> Result<Self, FitError> {
        let first = points.first().filter(|_| points.len() >= MIN_POINTS);
        let (first, _) = first.ok_or(FitError::FewPoints)?;
        let parts = split(points.len(), steps)?.into_iter();
        Ok(Self { kind, points, parts, sums: Sums::new(*first) })
    }

    /// Adds the next part of the points. `None` after the last part.
    pub(super) fn step(&mut self) -> Option<Result<Fit, FitError>> {
        let part = self.parts.next()?;
        let end = part.end;
        let points = self.points.get(part).unwrap_or_default().iter();
        let unseen = points.filter(|(x, y)| !self.sums.add(self.kind, *x, *y)).count();
        // As in Perun, points that earlier parts skipped are not subtracted.
        Some(Fit::from_sums(self.kind, &self.sums, (end - unseen) as f64))
    }
}

impl Fit {
    /// Fits all points at once.
    pub(super) fn whole(kind: Kind, points: &Points) -> Result<Self, FitError> {
        Fitting::new(kind, points, 1)?.step().unwrap_or(Err(FitError::FewPoints))
    }

    fn from_sums(kind: Kind, sums: &Sums, count: f64) -> Result<Self, FitError> {
        let (coefficients, r_square) = match kind {
            Kind::Quadratic => quadratic(sums, count),
            _ => line(kind, sums, count),
        };
        let known = coefficients.iter().chain([&r_square]).all(|figure| figure.is_finite());
        let fit = Self {
            kind,
            coefficients,
            r_square,
            start: sums.start,
            end: sums.end,
            mean: sums.y / count,
        };
        known.then_some(fit).ok_or(FitError::Singular)
    }

    /// The constant model from a linear one. Its quality depends on how little the line explains
    /// and how flat it is. Steep lines get up to 0.98, so models are never ranked by it.
    pub(super) fn constant(&self) -> Self {
        let (start, end) = (self.start.float(), self.end.float());
        let at = |x: f64| Kind::Linear.value(&self.coefficients, x);
        let slope = (at(end) - at(0.0)).abs().atan2((end - start).abs()) / RIGHT_ANGLE;
        let r_square =
            if slope > FLAT { self.r_square * (1.0 - slope) } else { 1.0 - self.r_square };
        Self {
            kind: Kind::Constant,
            coefficients: vec![self.mean, 0.0],
            r_square: r_square.clamp(0.0, 1.0),
            ..self.clone()
        }
    }

    /// The model as a record of a profile, for a uid and the method that found it.
    pub(super) fn record(&self, uid: &str, method: &str) -> Map<String, Value> {
        let coefficient = |(at, value)| json!({"name": format!("b{at}"), "value": value});
        let coefficients: Vec<_> = self.coefficients.iter().enumerate().map(coefficient).collect();
        let (start, end) = (self.start.json(), self.end.json());
        let [[x_start, own_start], [x_end, own_end]] = BOUNDS;
        [
            ("model", self.kind.name().into()),
            ("coeffs", coefficients.into()),
            ("r_square", self.r_square.into()),
            (x_start, start.clone().into()),
            (x_end, end.clone().into()),
            ("uid", uid.into()),
            ("method", method.into()),
            (own_start, start.into()),
            (own_end, end.into()),
        ]
        .map(|(key, value)| (key.to_owned(), value))
        .into_iter()
        .collect()
    }
}

/// Splits `count` points into nearly equal parts, the longer ones first.
pub(super) fn split(count: usize, parts: usize) -> Result<Vec<Range<usize>>, FitError> {
    if count / parts < MIN_PART_POINTS {
        return Err(FitError::FewForParts);
    }
    let (length, longer) = (count / parts, count % parts);
    let start = |part: usize| part * length + part.min(longer);
    Ok((0..parts).map(|part| start(part)..start(part + 1)).collect())
}

/// Fits a line by least squares. Each factor of a product is divided by √n, which keeps large sums
/// in range.
fn line(kind: Kind, sums: &Sums, count: f64) -> (Vec<f64>, f64) {
    let root = count.sqrt();
    let sxy = sums.xy - divided(sums.x, root) * divided(sums.y, root);
    let sxx = sums.xx - divided(sums.x, root).powi(2);
    let b1 = divided(sxy, sxx);
    let b0 = divided(sums.y - b1 * sums.x, count);
    let total = sums.yy - divided(sums.y, root).powi(2);
    let explained = divided(sxy, sxx.sqrt()).powi(2);
    let power = |exponent: f64| 10_f64.powf(exponent);
    let coefficients = match kind {
        Kind::Power => vec![power(b0), b1],
        Kind::Exponential => vec![power(b0), power(b1)],
        _ => vec![b0, b1],
    };
    (coefficients, divided(explained, total))
}

/// Fits a parabola by least squares, with Cramer's rule.
fn quadratic(sums: &Sums, n: f64) -> (Vec<f64>, f64) {
    let sxx = sums.xx - sums.x.powi(2) / n;
    let sxy = sums.xy - sums.x * sums.y / n;
    let x_square = sums.xxx - sums.xx * sums.x / n;
    let square_y = sums.xxy - sums.xx * sums.y / n;
    let square_square = sums.xxxx - sums.xx.powi(2) / n;
    let determinant = sxx * square_square - x_square.powi(2);
    let b2 = (square_y * sxx - sxy * x_square) / determinant;
    let b1 = (sxy * square_square - square_y * x_square) / determinant;
    let b0 = (sums.y - b1 * sums.x - b2 * sums.xx) / n;
    let total = sums.yy - sums.y.powi(2) / n;
    let left = sums.yy - b0 * sums.y - b1 * sums.xy - b2 * sums.xxy;
    (vec![b0, b1, b2], 1.0 - divided(left, total))
}

fn divided(dividend: f64, divisor: f64) -> f64 {
    dividend / if divisor == 0.0 { NEARLY_ZERO } else { divisor }
}
