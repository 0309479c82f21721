//! A plot of a figure over n with two logarithmic axes, drawn with characters.

use super::log_axis::LogAxis;
use crate::report::curve;
use crate::text::options::TextOptions;
use crate::text::palette::Palette;
use profiler_growth::Class;
use profiler_proto::v1::{GrowthClassification, GrowthCurve};

/// The widest plot, in columns. It fits a terminal of 80.
const WIDEST: usize = 76;
/// The narrowest plot at which the labels do not overlap.
const NARROWEST: usize = 40;
/// The labels of the y axis take at most the width divided by this.
const LABEL_SHARE: usize = 3;
const HEIGHT: usize = 13;
/// The row of the x axis.
const LINE: usize = HEIGHT - 2;
/// The row of the x axis's labels.
const LABELS: usize = HEIGHT - 1;
/// The dots of a braille cell as bits of its code point, row by row.
const BRAILLE: [[u32; BRAILLE_COLUMNS]; BRAILLE_ROWS] =
    [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]];
const BRAILLE_COLUMNS: usize = 2;
const BRAILLE_ROWS: usize = 4;
/// The braille cell without dots.
const NO_DOTS: u32 = 0x2800;
/// Steps of a drawn curve: at least one for each column of braille dots.
const CURVE_STEPS: u16 = 152;
/// Ratio of a figure's largest value to its smallest. From this ratio on, a figure whose growth is
/// unknown is plotted.
const MOVED: f64 = 1.25;
/// A measured point.
const DOT: char = '•';
const X_AXIS: char = '─';
const Y_AXIS: char = '│';
/// The crossing of the axes.
const CORNER: char = '└';
/// A value on the x axis.
const TICK: char = '┴';
/// The characters of drawn data: braille, and the dot of a measured point.
const MARKS: [std::ops::RangeInclusive<char>; 2] = ['\u{2801}'..='\u{28ff}', DOT..=DOT];

/// Whether a figure grows, or differs clearly between sizes if its growth is unknown.
pub(in crate::text) fn moves(points: &[(u64, f64)], class: Option<&GrowthClassification>) -> bool {
    let is_shown = |(n, value): &&(u64, f64)| *n > 0 && *value > 0.0 && value.is_finite();
    let shown: Vec<f64> = points.iter().filter(is_shown).map(|(_, value)| *value).collect();
    if let Some(class) = class.and_then(GrowthClassification::class) {
        return class != Class::Constant && shown.len() > 1;
    }
    let least = shown.iter().copied().fold(f64::INFINITY, f64::min);
    shown.iter().any(|value| *value >= MOVED * least)
}

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
        return format!("{title}: nothing to plot, because no size above 0 has a figure");
    };
    let mut line = points.clone();
    if let Some(curve) = curve {
        line = curve_points(curve, &points, y);
        let class = curve.class().map(Class::name).unwrap_or_default();
        title = format!("{title}, with {class}");
    }
    let mut plot = Plot::new(options.width.unwrap_or(WIDEST).clamp(NARROWEST, WIDEST), x, y);
    plot.line(&line);
    plot.label_x();
    plot.label_y();
    for &point in &points {
        plot.mark(point);
    }
    format!("{title}\n{}", plot.text(&options.palette))
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

/// The characters of a plot. The data lie above the x axis and to the right of the y axis.
struct Plot {
    x: LogAxis,
    y: LogAxis,
    /// The first column of the data.
    left: usize,
    rows: Vec<Vec<char>>,
}

impl Plot {
    /// Makes a plot with the axes alone.
    fn new(columns: usize, x: LogAxis, y: LogAxis) -> Self {
        let widest = |axis: LogAxis| axis.ticks().map(|tick| tick.label().len()).max();
        // The longest label of the x axis can begin below those of the y axis.
        let labels = widest(y).max(widest(x).map(|width| width - 1)).unwrap_or_default();
        let corner = labels.min(columns / LABEL_SHARE);
        let mut rows = vec![vec![' '; columns]; HEIGHT];
        for row in &mut rows[..LINE] {
            row[corner] = Y_AXIS;
        }
        rows[LINE][corner..].fill(X_AXIS);
        rows[LINE][corner] = CORNER;
        Self { x, y, left: corner + 1, rows }
    }

    /// Draws lines of braille dots from point to point.
    fn line(&mut self, points: &[(f64, f64)]) {
        let dots: Vec<_> = points.iter().map(|&point| self.dot(point)).collect();
        for (at, &to) in dots.iter().enumerate() {
            for_each_dot(dots[at.saturating_sub(1)], to, |dot| {
                let cell = self.cell(dot);
                let bit = BRAILLE[dot.1 % BRAILLE_ROWS][dot.0 % BRAILLE_COLUMNS];
                let drawn = if is_mark(*cell) { u32::from(*cell) } else { NO_DOTS };
                *cell = char::from_u32(drawn | bit).unwrap_or(*cell);
            });
        }
    }

    /// Writes the labels below the x axis, except those that would touch the one before.
    fn label_x(&mut self) {
        let right = self.rows[LINE].len();
        let mut free = 0;
        for tick in self.x.ticks() {
            let text = tick.label();
            let column = self.left + position(self.x.share(tick.logarithm()), right - self.left);
            let half = text.len() / 2;
            let start = column.saturating_sub(half).min(right - 2 * half - 1);
            self.rows[LINE][column] = TICK;
            if start >= free {
                free = self.write(&text, start, LABELS) + 1;
            }
        }
    }

    /// Writes the labels to the left of the y axis.
    fn label_y(&mut self) {
        for tick in self.y.ticks() {
            let text = tick.label();
            let share = 1.0 - self.y.share(tick.logarithm());
            let row = position(share, LINE * BRAILLE_ROWS) / BRAILLE_ROWS;
            // One column is the axis itself.
            self.write(&text, self.left.saturating_sub(text.len() + 1), row);
        }
    }

    /// Writes a text into a row. Returns the column after the text.
    fn write(&mut self, text: &str, column: usize, row: usize) -> usize {
        for (cell, character) in self.rows[row][column..].iter_mut().zip(text.chars()) {
            *cell = character;
        }
        column + text.len()
    }

    /// Marks a measured point in the cell that the line passes through.
    fn mark(&mut self, point: (f64, f64)) {
        let dot = self.dot(point);
        *self.cell(dot) = DOT;
    }

    /// The column and the row of the braille dot at a point.
    fn dot(&self, (x, y): (f64, f64)) -> (usize, usize) {
        let columns = self.rows[LINE].len() - self.left;
        let column = position(self.x.share(x), columns * BRAILLE_COLUMNS);
        (column, position(1.0 - self.y.share(y), LINE * BRAILLE_ROWS))
    }

    /// The cell of a braille dot.
    fn cell(&mut self, (column, row): (usize, usize)) -> &mut char {
        &mut self.rows[row / BRAILLE_ROWS][self.left + column / BRAILLE_COLUMNS]
    }

    /// The rows, with coloured data.
    fn text(&self, palette: &Palette) -> String {
        let row =
            |cells: &Vec<char>| coloured(cells.iter().collect::<String>().trim_end(), palette);
        self.rows.iter().map(row).collect::<Vec<_>>().join("\n")
    }
}

/// Returns the index at a share of an axis of `places` places.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a share lies in 0..=1, so that this is below `places`"
)]
fn position(share: f64, places: usize) -> usize {
    (share * (places - 1) as f64).round() as usize
}

/// Draws the dots of a straight line, by Bresenham's algorithm.
fn for_each_dot(a: (usize, usize), b: (usize, usize), mut draw: impl FnMut((usize, usize))) {
    let is_steep = a.1.abs_diff(b.1) >= a.0.abs_diff(b.0);
    // The first coordinate runs along the longer side.
    let turned = |(x, y)| if is_steep { (y, x) } else { (x, y) };
    let (from, to) = (turned(a).min(turned(b)), turned(a).max(turned(b)));
    let (long, short) = (to.0 - from.0, to.1.abs_diff(from.1));
    let mut at = from.1;
    // Distance of the line past the middle below `at`, in units of 1 / (2 * `long`).
    let mut passed = long;
    for step in from.0..=to.0 {
        draw(turned((step, at)));
        passed += 2 * short;
        if passed > 2 * long {
            at = if to.1 > from.1 { at + 1 } else { at.saturating_sub(1) };
            passed -= 2 * long;
        }
    }
}

fn logarithms(n: u64, value: f64) -> Option<(f64, f64)> {
    (n > 0 && value > 0.0 && value.is_finite()).then(|| ((n as f64).log10(), value.log10()))
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
    fn figure_that_grows_moves() {
        let grows = |class: Class| GrowthClassification {
            function: Some(class.into()),
            ..GrowthClassification::default()
        };
        let (steep, flat) = ([(1, 1.0), (9, 2.0)], [(0, 9.0), (1, 3.5), (9, 3.9)]);
        assert!(moves(&steep, None) && !moves(&flat, None) && !moves(&[], None));
        assert!(!moves(&steep, Some(&grows(Class::Constant))));
        assert!(moves(&flat, Some(&grows(Class::Linear))));
        assert!(!moves(&steep[..1], Some(&grows(Class::Linear))));
    }

    #[test]
    fn growth_is_a_rising_line() {
        let points = [(0, 0.4), (1, 0.4), (1000, 1.1), (10_000, 11.0), (100_000, 120.0)];
        insta::assert_snapshot!(plot(&points));
    }

    #[test]
    fn curve_is_drawn_beside_the_points() {
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
    fn plot_is_as_wide_as_the_terminal_at_most() {
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
    fn plot_without_points_says_so() {
        for none in [&[][..], &[(0, 3.0)], &[(9, f64::INFINITY)]] {
            assert!(plot(none).contains("nothing to plot"));
        }
    }
}
