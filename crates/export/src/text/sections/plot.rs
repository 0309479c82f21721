//! A plot of a figure over n with two logarithmic axes, drawn with characters.

use super::log_axis::LogAxis;
use crate::report::curve;
use crate::text::options::TextOptions;
use crate::text::palette::Palette;
use profiler_growth::Class;
use profiler_proto::v1::GrowthCurve;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::symbols::Marker;
use ratatui::text::Line;
use ratatui::widgets::{Axis, Chart, Dataset, GraphType, Widget};

/// The widest plot, in columns. It fits a terminal of 80.
const WIDEST: u16 = 76;
/// The narrowest plot. Its labels do not overlap.
const NARROWEST: u16 = 40;
const HEIGHT: u16 = 13;
/// The row of the x axis.
const LINE: u16 = HEIGHT - 2;
/// The row of its labels.
const LABELS: u16 = HEIGHT - 1;
/// Dots in one braille cell.
const BRAILLE_COLUMNS: u16 = 2;
const BRAILLE_ROWS: u16 = 4;
/// Steps of a drawn curve: at least one for each column of braille dots.
const CURVE_STEPS: u16 = WIDEST * BRAILLE_COLUMNS;
/// A measured point.
const DOT: &str = "•";
/// The crossing of the axes.
const CORNER: &str = "└";
/// A value on the x axis.
const TICK: &str = "┴";
/// The characters of drawn data: braille, and the dot of a measured point.
const MARKS: [std::ops::RangeInclusive<char>; 2] = ['\u{2801}'..='\u{28ff}', '•'..='•'];

/// Plots `points` with the curve, or with lines between the points if there is no curve. The plot
/// fits the terminal. Zero and infinity are left out, because a logarithmic axis cannot show them.
pub(in crate::text) fn log_log(
    figure: &str,
    points: &[(u64, f64)],
    curve: Option<&GrowthCurve>,
    options: &TextOptions,
) -> String {
    let heading = options.palette.heading;
    let mut title = format!("{heading}{figure} over n{heading:#}");
    let points: Vec<_> = points.iter().filter_map(|&(n, value)| logarithms(n, value)).collect();
    let Some((x, y)) = LogAxis::around(points.iter().map(|p| p.0))
        .zip(LogAxis::around(points.iter().map(|p| p.1)))
    else {
        return format!("{title}: nothing to plot, as no size above 0 has a figure");
    };
    let mut line = points.clone();
    if let Some(curve) = curve {
        line = curve_points(curve, &points, y);
        let class = curve.class().map(Class::name).unwrap_or_default();
        title = format!("{title}, with {class}");
    }
    let columns = options.width.and_then(|width| u16::try_from(width).ok()).unwrap_or(WIDEST);
    let area = Rect::new(0, 0, columns.clamp(NARROWEST, WIDEST), HEIGHT);
    let mut buffer = Buffer::empty(area);
    let line = Dataset::default().marker(Marker::Braille).graph_type(GraphType::Line).data(&line);
    Chart::new(vec![line])
        .x_axis(axis(x))
        .y_axis(axis(y))
        .legend_position(None)
        .render(area, &mut buffer);
    if let Some(corner) = (0..area.right()).find(|&x| buffer[(x, LINE)].symbol() == CORNER) {
        let plot = Rect::new(corner + 1, 0, area.right() - corner - 1, LINE);
        label_x(&mut buffer, plot, x);
        label_y(&mut buffer, plot, y);
        for point in &points {
            dot(&mut buffer, plot, x.share(point.0), y.share(point.1));
        }
    }
    format!("{title}\n{}", text(&buffer, &options.palette))
}

/// The curve between the first and the last point, as logarithms, where it lies within the axis.
fn curve_points(curve: &GrowthCurve, points: &[(f64, f64)], y: LogAxis) -> Vec<(f64, f64)> {
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

/// The axis for the widget. Its blank labels only reserve room: the widget would spread labels
/// evenly, whatever their values.
fn axis(axis: LogAxis) -> Axis<'static> {
    let widest = axis.ticks().map(|tick| tick.label().len()).max().unwrap_or_default();
    let room = || Line::from(" ".repeat(widest));
    Axis::default().bounds(axis.bounds()).labels([room(), room()])
}

/// Writes the labels below the x axis, without those that would touch the one before.
fn label_x(buffer: &mut Buffer, plot: Rect, axis: LogAxis) {
    let mut free = 0;
    for tick in axis.ticks() {
        let text = tick.label();
        let x = plot.left() + cell(axis.share(tick.logarithm()), plot.width, 1);
        let half = u16::try_from(text.len() / 2).unwrap_or_default();
        let start = x.saturating_sub(half).min(plot.right() - 2 * half - 1);
        buffer[(x, LINE)].set_symbol(TICK);
        if start >= free {
            free = buffer.set_stringn(start, LABELS, text, usize::MAX, Style::default()).0 + 1;
        }
    }
}

/// Writes the labels to the left of the y axis.
fn label_y(buffer: &mut Buffer, plot: Rect, axis: LogAxis) {
    for tick in axis.ticks() {
        let text = tick.label();
        let width = u16::try_from(text.len()).unwrap_or_default();
        let share = 1.0 - axis.share(tick.logarithm());
        let y = plot.top() + cell(share, plot.height, BRAILLE_ROWS);
        // One column is the axis itself.
        buffer.set_string(plot.left().saturating_sub(width + 1), y, text, Style::default());
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

fn logarithms(n: u64, value: f64) -> Option<(f64, f64)> {
    (n > 0 && value > 0.0 && value.is_finite()).then(|| ((n as f64).log10(), value.log10()))
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

    fn plot(points: &[(u64, f64)]) -> String {
        log_log("time in ms", points, None, &TextOptions::default())
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
        insta::assert_snapshot!(log_log(
            "time in ms",
            &points,
            Some(&curve),
            &TextOptions::default()
        ));
    }

    #[test]
    fn a_plot_is_as_wide_as_the_terminal_at_most() {
        let points = [(1000, 1.1), (10_000, 11.0), (100_000, 120.0)];
        let widest = |width| {
            let options = TextOptions { width: Some(width), ..TextOptions::default() };
            let plotted = log_log("time in ms", &points, None, &options);
            plotted.lines().map(|line| line.chars().count()).max().unwrap()
        };
        assert_eq!([20, 60, 80, 120].map(widest), [40, 60, 76, 76]);
    }

    #[test]
    fn labels_do_not_touch() {
        let plotted = plot(&[(1, 1.0), (1_000_000_000_000, 3.0)]);
        let labels: Vec<_> = plotted.lines().last().unwrap().split_whitespace().collect();
        assert_eq!(labels[..3], ["1", "10", "100"]);
        assert_eq!(labels[labels.len() - 1], "100G");
        assert_eq!(plotted.matches(TICK).count(), 13, "{plotted}");
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
}
