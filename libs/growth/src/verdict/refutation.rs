//! Refutation: a class is named only if it predicts the largest size from the smaller ones.

use crate::class::Class;
use crate::classification::{Remedy, Undecided};
use crate::constants::{CERTAIN_SIZES, DIVERGING, LEAST_SIZES, OUTSIDE};
use crate::fitting::base;
use crate::fitting::model::FigureModel;
use crate::fitting::posterior::Posterior;
use crate::series::{Datum, Series};

/// Factor from which one decimal place is enough.
const SMALL: f64 = 2.0;

/// A series that can refute a class.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Witness<'a> {
    pub(crate) series: &'a Series,
    pub(crate) model: &'a FigureModel,
    /// Subject and verb of the reason, such as "it took".
    pub(crate) told: &'static str,
    pub(crate) refutes: Refutes,
}

/// Values at the largest size that refute a class.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Refutes {
    /// Values above or below the interval of the prediction.
    Outside,
    /// Values above this many times the upper end of the interval.
    Above(f64),
}

impl Witness<'_> {
    /// The reason why the values refute `class`; `None` if they do not.
    pub(crate) fn refute(&self, class: Class) -> Option<Undecided> {
        let (largest, smaller) = self.series.data.split_last()?;
        if self.series.data.len() < LEAST_SIZES {
            return None;
        }
        if let Some(bent) = self.bent(class) {
            return Some(bent);
        }
        let smaller =
            Series { data: smaller.to_vec(), over_limit: Vec::new(), ..self.series.clone() };
        let [low, median, high] = predicted(class, &smaller, self.model, largest)?;
        let is_refuted = match self.refutes {
            Refutes::Outside => largest.value < low || largest.value > high,
            Refutes::Above(factor) => largest.value > factor * high,
        };
        is_refuted.then(|| {
            let (n, told) = (largest.size, self.told);
            let is_constant = class == Class::Constant;
            let name = if is_constant { "a constant".into() } else { class.name() };
            let times = largest.value / median;
            let digits = if times < SMALL { 2 } else { 1 };
            let reason = format!(
                "at n = {n}, {told} {times:.digits$} times what {name} predicts from the smaller \
                 sizes"
            );
            Undecided::new(reason, [Remedy::MoreSizes])
        })
    }

    /// The reason why exact counts refute a steep class if they grow by factors that change with n;
    /// `None` if they do not.
    fn bent(&self, class: Class) -> Option<Undecided> {
        if !self.model.exact || !class.curve().is_steep() {
            return None;
        }
        let data = self.series.data.as_slice();
        let is_bent =
            || data.len() >= CERTAIN_SIZES && base::is_bent(self.series, self.model, class);
        if !diverges(data, class) && !is_bent() {
            return None;
        }
        let posterior = Posterior::of_kind(self.series, self.model, class)?;
        let constant = posterior.curves.first().map_or(0.0, |curve| curve.fit.constant);
        let grown = |datum: &Datum| (datum.value - constant).max(1.0);
        let times = |from: &Datum, to: &Datum| {
            (grown(to) / grown(from)).powf((to.n() - from.n()).max(1.0).recip())
        };
        // Work of a lower order hides the growth at the smallest size.
        let [first, second, ..] = &data[usize::from(data.len() > LEAST_SIZES)..] else {
            return None;
        };
        let [.., before, last] = data else { return None };
        let reason = format!(
            "it grows faster than every power of n, but like no class: a further n multiplies its \
             instructions by {:.2} from n = {}, and by {:.2} from n = {}",
            times(first, second),
            first.size,
            times(before, last),
            before.size
        );
        Some(Undecided::new(reason, []))
    }
}

/// Whether the values leave the curve of a steep class more and more as n grows. Work of a lower
/// order matters less and less.
fn diverges(data: &[Datum], class: Class) -> bool {
    let [.., first, second, third] = data else { return false };
    let away = |from: &Datum, to: &Datum| {
        let grown = (to.value.max(1.0) / from.value.max(1.0)).ln();
        (grown - class.curve().ln(to.n()) + class.curve().ln(from.n())) / (to.n() - from.n())
    };
    let [before, last] = [away(first, second), away(second, third)];
    before * last > 0.0 && last.abs() > before.abs() && last.abs() > DIVERGING
}

/// The value at `largest` that `class` predicts from the `smaller` sizes: the lower end of its
/// interval, the median, and the upper end.
///
/// The interval of a value that was not fitted is the interval of the curve, widened by the scatter
/// of one value (Draper and Smith, "Applied Regression Analysis", 3rd edition, section 3.1). The
/// scatter is the model's widest, because a few values cannot show that it is narrower. The grown
/// part can also differ by as much as a logarithm grows from the last of the smaller sizes to the
/// largest: between a class and its neighbor, the probabilities decide. The interval includes what
/// the last of the smaller sizes alone predicts, because a fit can take it for an outlier.
fn predicted(
    class: Class,
    smaller: &Series,
    model: &FigureModel,
    largest: &Datum,
) -> Option<[f64; 3]> {
    let posterior = Posterior::of_kind(smaller, model, class)?;
    let [low, median, high] = posterior.predict(&posterior.classes, largest.n())?;
    let range = smaller.range();
    let fixed = if class == Class::Constant { 0.0 } else { range.least.min(range.floor) };
    let previous = smaller.data.last()?;
    let ratio = (class.curve().ln(largest.n()) - class.curve().ln(previous.n())).exp();
    let extended = fixed + (previous.value - fixed) * ratio;
    let (low, high) = (low.min(extended), high.max(extended));
    let log = |datum: &Datum| (datum.n() + 1.0).ln();
    let neighbor = (log(largest) / log(previous).max(f64::MIN_POSITIVE)).max(1.0);
    let error = model.errors.iter().map(|error| error.0).fold(0.0, f64::max);
    let scatter = 1.0 + OUTSIDE * error;
    let noise = OUTSIDE * largest.sigma;
    let high = fixed + (high - fixed).max(0.0) * neighbor * scatter + noise;
    let low = fixed + (low - fixed).max(0.0) / neighbor / scatter - noise;
    Some([low, median, high])
}
