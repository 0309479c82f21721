//! A chart of a figure over n, with logarithmic or linear axes, as SVG in the page's colours.

use super::axis::{Axis, Scale};
use crate::html::number;
use crate::report::curve;
use profiler_proto::v1::GrowthCurve;

/// The margins of the plotted area.
const LEFT: f64 = 66.0;
const RIGHT: f64 = 14.0;
const TOP: f64 = 22.0;
const BOTTOM: f64 = 34.0;
/// The number of segments of a drawn curve.
const CURVE_POINTS: u32 = 96;
/// A limit or a prediction is left out if it would leave the measurements less than this share of a
/// linear axis.
const MIN_LINEAR_SHARE: f64 = 0.25;
/// Counterpart of [`MIN_LINEAR_SHARE`] for a logarithmic axis, as a ratio of values.
const MIN_LOG_SHARE: f64 = 1e-3;

/// A point of the chart.
pub(in crate::html) struct Mark {
    pub(in crate::html) n: f64,
    pub(in crate::html) value: f64,
    pub(in crate::html) interval: Option<(f64, f64)>,
    pub(in crate::html) class: &'static str,
    /// The tooltip, as markup.
    pub(in crate::html) title: String,
}

/// The data of a chart.
pub(in crate::html) struct Chart<'a> {
    pub(in crate::html) class: &'static str,
    /// The title, as markup; so is the description.
    pub(in crate::html) title: String,
    pub(in crate::html) description: String,
    pub(in crate::html) marks: Vec<Mark>,
    /// Sizes without a figure, with the reason.
    pub(in crate::html) failed: Vec<(f64, String)>,
    /// Curves to draw, each with the class of its style.
    pub(in crate::html) curves: Vec<(&'static str, &'a GrowthCurve)>,
    pub(in crate::html) prediction: Option<Mark>,
    pub(in crate::html) limit: Option<f64>,
    pub(in crate::html) unit: fn(f64) -> String,
    /// Width and height of the picture.
    pub(in crate::html) extent: (f64, f64),
}

impl Chart<'_> {
    /// Draws the chart; empty without data.
    pub(in crate::html) fn draw(&self, scale: Scale) -> String {
        let measured = self.marks.iter().map(|mark| mark.value).filter(|value| value.is_finite());
        let highest = measured.fold(0.0, f64::max);
        let largest = self.sizes().fold(0.0, f64::max);
        let prediction = self.prediction.as_ref().filter(|mark| {
            shown(scale, highest, mark.value)
                && (scale == Scale::Log || shown(scale, largest, mark.n))
        });
        let top = prediction.map_or(highest, |mark| mark.value.max(highest));
        let limit = self.limit.filter(|limit| shown(scale, top, *limit));
        let sizes: Vec<_> = self.sizes().chain(prediction.map(|mark| mark.n)).collect();
        let marks = || self.marks.iter().chain(prediction);
        let values =
            marks().flat_map(|mark| [mark.value, mark.interval.map_or(mark.value, |ends| ends.1)]);
        let values: Vec<_> = values.chain(limit).collect();
        let (width, height) = self.extent;
        let x = Axis::through(scale, &sizes, LEFT, width - RIGHT, true);
        let y = Axis::through(scale, &values, height - BOTTOM, TOP, false);
        let (Some(x), Some(y)) = (x, y) else { return String::new() };
        let plane = Plane { chart: self, x, y };
        let name = if scale == Scale::Log { "log" } else { "linear" };
        let mut svg = format!(
            "<svg class=\"chart {} {name}\" viewBox=\"0 0 {width} {height}\" role=\"img\"><title>{}</title><desc>{}</desc>",
            self.class, self.title, self.description
        );
        svg += &plane.grid();
        svg += &limit.map(|limit| plane.limit(limit)).unwrap_or_default();
        for (class, curve) in &self.curves {
            svg += &plane.curve(class, curve, &sizes, scale);
        }
        svg += &self.failed.iter().filter_map(|(n, why)| plane.failed(*n, why)).collect::<String>();
        svg += &marks().filter_map(|mark| plane.mark(mark)).collect::<String>();
        svg + "</svg>"
    }

    fn sizes(&self) -> impl Iterator<Item = f64> {
        self.marks.iter().map(|mark| mark.n).chain(self.failed.iter().map(|failed| failed.0))
    }
}

/// Whether the measurements keep enough space if the axis also shows `value`.
fn shown(scale: Scale, measured: f64, value: f64) -> bool {
    let least = if scale == Scale::Log { MIN_LOG_SHARE } else { MIN_LINEAR_SHARE };
    value.is_finite() && value > 0.0 && measured / value >= least
}

/// The chart with its axes.
struct Plane<'a> {
    chart: &'a Chart<'a>,
    x: Axis,
    y: Axis,
}

impl Plane<'_> {
    fn grid(&self) -> String {
        let (width, height) = self.chart.extent;
        let (right, bottom) = (width - RIGHT, height - BOTTOM);
        let mut grid = String::from("<g class=\"grid\">");
        for (value, y) in
            self.y.ticks().into_iter().filter_map(|value| Some((value, self.y.at(value)?)))
        {
            let label = (self.chart.unit)(value);
            grid += &format!(
                "<path d=\"M{LEFT} {y:.1}H{right}\"/><text class=\"y\" x=\"{}\" y=\"{:.1}\">{label}</text>",
                LEFT - 8.0,
                y + 4.0
            );
        }
        for (value, x) in
            self.x.ticks().into_iter().filter_map(|value| Some((value, self.x.at(value)?)))
        {
            let label = number::size_tick(value);
            grid += &format!(
                "<path d=\"M{x:.1} {TOP}V{bottom}\"/><text class=\"x\" x=\"{x:.1}\" y=\"{:.1}\">{label}</text>",
                bottom + 19.0
            );
        }
        let (x, y) = (LEFT - 8.0, bottom + 19.0);
        grid + &format!("<text class=\"n\" x=\"{x}\" y=\"{y:.1}\">n</text></g>")
    }

    fn limit(&self, limit: f64) -> String {
        let (y, right) = (self.y.near(limit), self.chart.extent.0 - RIGHT);
        let label = (self.chart.unit)(limit);
        format!(
            "<path class=\"limit\" d=\"M{LEFT} {y:.1}H{right}\"/><text class=\"limit\" x=\"{}\" y=\"{:.1}\">limit {label}</text>",
            LEFT + 6.0,
            y - 5.0
        )
    }

    fn curve(&self, class: &str, curve: &GrowthCurve, sizes: &[f64], scale: Scale) -> String {
        let positive = sizes.iter().copied().filter(|n| *n > 0.0);
        let to = positive.clone().fold(0.0, f64::max);
        let from = if scale == Scale::Log { positive.fold(to, f64::min) } else { 0.0 };
        let mut path = String::new();
        for at in 0..=CURVE_POINTS {
            let along = f64::from(at) / f64::from(CURVE_POINTS);
            let n = if scale == Scale::Log { from * (to / from).powf(along) } else { to * along };
            let y = curve::at(curve, n).and_then(|value| self.y.at(value));
            if let Some((x, y)) = self.x.at(n).zip(y) {
                path += &format!("{}{x:.1} {y:.1}", if path.is_empty() { 'M' } else { 'L' });
            }
        }
        if path.is_empty() { path } else { format!("<path class=\"{class}\" d=\"{path}\"/>") }
    }

    fn failed(&self, n: f64, why: &str) -> Option<String> {
        let (x, y) = (self.x.at(n)?, TOP + 7.0);
        Some(format!(
            "<g class=\"failed\"><title>{why}</title><rect x=\"{:.1}\" y=\"{TOP}\" width=\"14\" height=\"{:.1}\"/>\
             <path d=\"M{:.1} {:.1}l10 10m0 -10l-10 10\"/></g>",
            x - 7.0,
            self.chart.extent.1 - BOTTOM - TOP,
            x - 5.0,
            y - 5.0
        ))
    }

    fn mark(&self, mark: &Mark) -> Option<String> {
        let (x, y) = (self.x.at(mark.n)?, self.y.at(mark.value)?);
        let whisker = mark.interval.map(|(low, high)| {
            let (low, high) = (self.y.near(low), self.y.near(high));
            format!(
                "<path class=\"whisker\" d=\"M{:.1} {high:.1}h8m-4 0V{low:.1}m-4 0h8\"/>",
                x - 4.0
            )
        });
        let shape = if mark.class == "predicted" {
            format!("<path class=\"dot\" d=\"M{x:.1} {:.1}l7 7l-7 7l-7 -7Z\"/>", y - 7.0)
        } else {
            format!("<circle class=\"dot\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4.5\"/>")
        };
        let whisker = whisker.unwrap_or_default();
        Some(format!(
            "<g class=\"mark {}\"><title>{}</title>{whisker}{shape}</g>",
            mark.class, mark.title
        ))
    }
}
