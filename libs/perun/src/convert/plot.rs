//! Points on the curve of a model.

use crate::error::Error;
use crate::format::bounds;
use crate::number::Number;
use crate::regression::Kind;
use serde_json::{Map, Value};

/// The number of points of a curve.
const POINTS: u32 = 51;
/// Replaces an x that is too near to zero for a division, as in Perun.
const NEARLY_ZERO: f64 = 1e-6;

/// Perun's `plot_data_from_coefficients_of`: the model with `plot_x` and `plot_y`, 51 evenly spaced
/// points of its interval.
///
/// # Errors
/// If the model has no known name, lacks a coefficient or a bound, or has a point that is not
/// finite.
pub fn plot_data_from_coefficients_of(
    model: &Map<String, Value>,
) -> Result<Map<String, Value>, Error> {
    let uid = model.get("uid").map(crate::items::text).unwrap_or_default();
    let bad = |problem: &str| Error::malformed(format!("the model of {uid:?}"), problem);
    let kind = model.get("model").and_then(Value::as_str).and_then(Kind::from_name);
    let kind = kind.ok_or_else(|| bad("must have a known name"))?;
    let [start, end] = bounds(model).map(|bound| bound.and_then(Number::from_value));
    let (start, end) = start.zip(end).ok_or_else(|| bad("must have an interval"))?;
    let coefficient = |name: &str| {
        let all = model.get("coeffs").and_then(Value::as_array)?;
        let named = |entry: &&Value| entry.get("name").and_then(Value::as_str) == Some(name);
        all.iter().find(named)?.get("value")?.as_f64()
    };
    let count = kind.coefficient_count();
    let coefficients: Option<Vec<_>> =
        (0..count).map(|at| coefficient(&format!("b{at}"))).collect();
    let coefficients = coefficients.ok_or_else(|| bad("must have all coefficients"))?;
    let xs = evenly(start.float(), end.float());
    let ys: Vec<_> = xs.iter().map(|&x| kind.value(&coefficients, x)).collect();
    if xs.iter().chain(&ys).any(|number| !number.is_finite()) {
        return Err(bad("must have finite points"));
    }
    let mut plotted = model.clone();
    plotted.insert("plot_x".into(), xs.into());
    plotted.insert("plot_y".into(), ys.into());
    Ok(plotted)
}

fn evenly(start: f64, end: f64) -> Vec<f64> {
    let step = (end - start) / f64::from(POINTS - 1);
    let point = |at| if at + 1 == POINTS { end } else { f64::from(at) * step + start };
    let apart = |x: f64| if x.abs() < NEARLY_ZERO { NEARLY_ZERO } else { x };
    (0..POINTS).map(point).map(apart).collect()
}
