//! A plot of a figure over n with two logarithmic axes, drawn with characters.

use crate::report::curve;
use crate::text::palette::Palette;
use profiler_growth::Class;
use profiler_proto::v1::GrowthCurve;
use ratatui::buffer::Buffer;
use ratatui::layout::{HorizontalAlignment, Rect};
use ratatui::style::Style;
use ratatui::symbols::Marker;
use ratatui::text::Line;
use ratatui::widgets::{Axis, Chart, Dataset, GraphType, Widget};

/// The area of the plot, which fits a terminal of 80 columns.
const AREA: Rect = Rect::new(0, 0, 76, 13);
/// The row of the x axis.
const LINE: u16 = AREA.height - 2;
/// The row of its labels.
const LABELS: u16 = AREA.height - 1;
/// Dots in one braille cell.
const BRAILLE_COLUMNS: u16 = 2;
const BRAILLE_ROWS: u16 = 4;
/// Steps of a drawn curve: at least one for each column of braille dots.
const CURVE_STEPS: u16 = AREA.width * BRAILLE_COLUMNS;
/// A measured point.
const DOT: &str = "•";
/// Prefixes of powers of a thousand, from 10^3.
const PREFIXES: [&str; 3] = ["k", "M", "G"];
/// The crossing of the axes.
const CORNER: &str = "└";
/// A value on the x axis.
const TICK: &str = "┴";
/// Added before rounding to whole decades, so that 1000 does not start another decade.
const ROUNDING: f64 = 1e-9;
/// The characters of drawn data: braille, and the dot of a measured point.
const MARKS: [std::ops::RangeInclusive<char>; 2] = ['\u{2801}'..='\u{28ff}', '•'..='•'];

/// Plots `points` with the curve, or with lines between the points if there is no curve. Zero and
/// infinity are left out, because a logarithmic axis cannot show them.
pub(in crate::text) fn log_log(
    figure: &str,
    points: &[(u32, f64)],
    curve: Option<&GrowthCurve>,
    palette: &Palette,
) -> String {
    let heading = palette.heading;
    let mut title = format!("{heading}{figure} over n{heading:#}");
    let points: Vec<_> = points.iter().filter_map(|&(n, value)| logarithms(n, value)).collect();
    let Some((x, y)) = Decades::around(points.iter().map(|p| p.0))
        .zip(Decades::around(points.iter().map(|p| p.1)))
    else {
        return format!("{title}: nothing to plot, as no size above 0 has a figure");
    };
    let mut line = points.clone();
    if let Some(curve) = curve {
        line = curve_points(curve, &points, y);
        let class = curve.class().map(Class::name).unwrap_or_default();
        title = format!("{title}, with {class}");
    }
    let mut buffer = Buffer::empty(AREA);
    let line = Dataset::default().marker(Marker::Braille).graph_type(GraphType::Line).data(&line);
    Chart::new(vec![line])
        .x_axis(x.axis())
        .y_axis(y.axis().labels_alignment(HorizontalAlignment::Right))
        .legend_position(None)
        .render(AREA, &mut buffer);
    if let Some(corner) = (0..AREA.right()).find(|&x| buffer[(x, LINE)].symbol() == CORNER) {
        let plot = Rect::new(corner + 1, 0, AREA.right() - corner - 1, LINE);
        label(&mut buffer, plot, x);
        for point in &points {
            dot(&mut buffer, plot, x.share(point.0), y.share(point.1));
        }
    }
    format!("{title}\n{}", text(&buffer, palette))
}

/// The curve between the first and the last point, as logarithms, where it lies within the axis.
fn curve_points(curve: &GrowthCurve, points: &[(f64, f64)], y: Decades) -> Vec<(f64, f64)> {
    let (Some(first), Some(last)) = (points.first(), points.last()) else { return Vec::new() };
    let steps = (0..=CURVE_STEPS).map(|step| f64::from(step) / f64::from(CURVE_STEPS));
    let sizes = steps.map(|share| first.0 + share * (last.0 - first.0));
    sizes
        .filter_map(|log| {
            let value = curve::at(curve, 10f64.powf(log)).filter(|&value| value > 0.0)?.log10();
            (0.0..=1.0).contains(&y.share(value)).then_some((log, value))
        })
        .collect()
}

/// Moves the labels of the x axis to their values. The widget spreads them evenly over the width,
/// whatever their values.
fn label(buffer: &mut Buffer, plot: Rect, decades: Decades) {
    for x in 0..AREA.right() {
        buffer[(x, LABELS)].reset();
    }
    for exponent in decades.first..=decades.last {
        let text = power_of_ten(exponent);
        let x = plot.left() + cell(decades.share(f64::from(exponent)), plot.width, 1);
        let half = u16::try_from(text.len() / 2).unwrap_or_default();
        let start = x.saturating_sub(half).min(AREA.right() - 2 * half - 1);
        buffer[(x, LINE)].set_symbol(TICK);
        buffer.set_string(start, LABELS, text, Style::default());
    }
}

/// Marks a measured point in the cell that the line passes through.
fn dot(buffer: &mut Buffer, plot: Rect, x: f64, y: f64) {
    let column = plot.left() + cell(x, plot.width, BRAILLE_COLUMNS);
    let row = plot.top() + cell(1.0 - y, plot.height, BRAILLE_ROWS);
    buffer[(column, row)].set_symbol(DOT);
}

/// The cell at a share of an axis of `cells` cells with `points` dots each.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a share lies in 0..=1, so that this is below `cells`"
)]
fn cell(share: f64, cells: u16, points: u16) -> u16 {
    let last = f64::from(cells * points - 1);
    (share * last).round() as u16 / points
}

fn logarithms(n: u32, value: f64) -> Option<(f64, f64)> {
    (n > 0 && value > 0.0 && value.is_finite()).then(|| (f64::from(n).log10(), value.log10()))
}

/// The whole powers of ten around some logarithms; at least one decade.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Decades {
    first: i32,
    last: i32,
}

impl Decades {
    fn around(logarithms: impl Iterator<Item = f64> + Clone) -> Option<Self> {
        let lowest = logarithms.clone().reduce(f64::min)?;
        let highest = logarithms.reduce(f64::max)?;
        let first = whole((lowest + ROUNDING).floor());
        let last = whole((highest - ROUNDING).ceil()).max(first + 1);
        Some(Self { first, last })
    }

    /// The position of a logarithm between both ends, from 0 to 1.
    fn share(self, logarithm: f64) -> f64 {
        (logarithm - f64::from(self.first)) / f64::from(self.last - self.first)
    }

    fn axis(self) -> Axis<'static> {
        let labels = (self.first..=self.last).map(power_of_ten);
        Axis::default()
            .bounds([self.first, self.last].map(f64::from))
            .labels(labels.map(Line::from))
    }
}

#[expect(clippy::cast_possible_truncation, reason = "the logarithm of an f64 is below 400")]
fn whole(logarithm: f64) -> i32 {
    logarithm as i32
}

/// A power of ten, short enough for an axis: `0.01`, `100`, `10k`.
fn power_of_ten(exponent: i32) -> String {
    let Ok(exponent) = usize::try_from(exponent) else {
        let digits = exponent.unsigned_abs() as usize;
        return format!("{:.digits$}", 10f64.powi(exponent));
    };
    let (thousands, zeros) = (exponent / 3, exponent % 3);
    match thousands.checked_sub(1).map(|at| PREFIXES.get(at)) {
        None => format!("1{:0<zeros$}", ""),
        Some(Some(prefix)) => format!("1{:0<zeros$}{prefix}", ""),
        Some(None) => format!("1e{exponent}"),
    }
}

/// The rows of the buffer, with coloured data.
fn text(buffer: &Buffer, palette: &Palette) -> String {
    let width = usize::from(buffer.area.width);
    let rows = buffer.content().chunks(width).map(|cells| {
        let row: String = cells.iter().map(ratatui::buffer::Cell::symbol).collect();
        coloured(row.trim_end(), palette)
    });
    rows.collect::<Vec<_>>().join("\n")
}

fn coloured(row: &str, palette: &Palette) -> String {
    let mark = palette.mark;
    let cells: Vec<char> = row.chars().collect();
    let stretches = cells.chunk_by(|a, b| is_mark(*a) == is_mark(*b));
    stretches
        .map(|cells| {
            let text: String = cells.iter().collect();
            if cells.iter().copied().any(is_mark) { format!("{mark}{text}{mark:#}") } else { text }
        })
        .collect()
}

fn is_mark(cell: char) -> bool {
    MARKS.iter().any(|marks| marks.contains(&cell))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plot(points: &[(u32, f64)]) -> String {
        log_log("time in ms", points, None, &Palette::default())
    }

    #[test]
    fn growth_is_a_rising_line() {
        let points = [(0, 0.4), (1, 0.4), (1000, 1.1), (10_000, 11.0), (100_000, 120.0)];
        insta::assert_snapshot!(plot(&points));
    }

    #[test]
    fn a_curve_is_drawn_beside_the_points() {
        let function = Some(Class::Quadratic.into());
        let curve = GrowthCurve { function, constant: 0.4, coefficient: 1e-6 };
        let points = [(0, 0.4), (1, 0.4), (1000, 1.1), (10_000, 120.0), (100_000, f64::INFINITY)];
        insta::assert_snapshot!(log_log("time in ms", &points, Some(&curve), &Palette::default()));
    }

    #[test]
    fn one_point_is_a_dot() {
        let plotted = plot(&[(1000, 5.0)]);
        assert_eq!(plotted.matches('•').count(), 1, "{plotted}");
    }

    #[test]
    fn points_without_a_logarithm_are_left_out() {
        let good = [(10, 1.0), (100, 2.0)];
        let all = [(0, 1.0), (10, 1.0), (50, f64::INFINITY), (60, 0.0), (100, 2.0)];
        assert_eq!(plot(&all), plot(&good));
    }

    #[test]
    fn without_points_it_says_so() {
        for none in [&[][..], &[(0, 3.0)], &[(9, f64::INFINITY)]] {
            assert!(plot(none).contains("nothing to plot"));
        }
    }

    #[test]
    fn decades_enclose_the_data() {
        let around = |values: &[f64]| Decades::around(values.iter().map(|v| v.log10())).unwrap();
        assert_eq!(around(&[1000.0, 100_000.0]), Decades { first: 3, last: 5 });
        assert_eq!(around(&[0.02, 7.0]), Decades { first: -2, last: 1 });
        assert_eq!(around(&[1000.0]), Decades { first: 3, last: 4 });
    }

    #[test]
    fn powers_of_ten_are_short() {
        let written = [-3, -1, 0, 2, 3, 5, 9, 12].map(power_of_ten);
        assert_eq!(written, ["0.001", "0.1", "1", "100", "1k", "100k", "1G", "1e12"]);
    }
}
