//! Plots of time and memory over n.

use crate::html::charts::{Chart, Mark, Scale};
use crate::html::definitions::term;
use crate::html::escape::escaped;
use crate::html::number;
use crate::report::candidate_name;
use profiler_proto::v1::{
    GrowthClassification, GrowthCurve, Interval, LimitKind, Outcome, ProfileReport, SizeResult,
    WorstCase,
};

const EXTENT: (f64, f64) = (560.0, 330.0);
/// The styles of curves between which the figures do not decide.
const RIVALS: [&str; 2] = ["rival first", "rival second"];
/// Maximum number of drawn results.
const MAX_MARKS: usize = 1000;

/// One of the two plotted figures.
struct Figure<'a> {
    class: &'static str,
    name: &'static str,
    of: fn(&SizeResult) -> (Option<f64>, Option<Interval>),
    strict: &'a [f64],
    unit: fn(f64) -> String,
    tick: fn(f64) -> String,
    growth: Option<&'a GrowthClassification>,
    limit: LimitKind,
    worst_candidate: fn(&WorstCase) -> u32,
}

/// Both plots, each with logarithmic and with linear axes; the page shows one pair.
pub(in crate::html) fn plots(report: &ProfileReport) -> String {
    let growth = report.growth.as_ref();
    let time = Figure {
        class: "time",
        name: "Time",
        of: |result| {
            let interval =
                result.figures.as_ref().and_then(|figures| figures.headline.as_ref()?.interval);
            (result.runtime_ms, interval)
        },
        strict: &report.runtime_ms,
        unit: number::time,
        tick: number::time,
        growth: growth.and_then(|growth| growth.time.as_ref()),
        limit: LimitKind::Time,
        worst_candidate: |worst| worst.slowest_candidate,
    };
    let memory = Figure {
        class: "memory",
        name: "Memory",
        of: |result| (result.peak_memory_mb, None),
        strict: &report.peak_memory_mb,
        unit: number::memory,
        tick: number::mebibytes,
        growth: growth.and_then(|growth| growth.memory.as_ref()),
        limit: LimitKind::Memory,
        worst_candidate: |worst| worst.largest_candidate,
    };
    let (time, memory) = (figure(report, &time, "runtime"), figure(report, &memory, "peak-memory"));
    if time.is_empty() && memory.is_empty() {
        return String::new();
    }
    format!(
        "<fieldset class=\"switch\"><legend>Axes</legend>\
         <label><input type=\"radio\" name=\"axes\" value=\"log\" checked>logarithmic</label>\
         <label><input type=\"radio\" name=\"axes\" value=\"linear\">linear</label></fieldset>\
         <div class=\"pair\">{time}{memory}</div>"
    )
}

fn figure(report: &ProfileReport, figure: &Figure<'_>, anchor: &str) -> String {
    let (marks, failed) = marks(report, figure);
    let fitted = figure.growth.and_then(|growth| growth.curve.as_ref());
    let prediction = figure.growth.and_then(|growth| growth.prediction.as_ref());
    let evidence = report.sizes.iter().filter_map(|result| result.evidence.as_ref());
    let met = evidence
        .filter(|evidence| evidence.limit() == figure.limit)
        .find_map(|evidence| evidence.limit_value);
    let fitted_class = fitted.and_then(GrowthCurve::class).map(|class| escaped(&class.name()));
    let class = fitted_class.as_ref().map(|it| format!(", fitted by {it}")).unwrap_or_default();
    let several = report.candidates.len() > 1;
    let chart = Chart {
        class: figure.class,
        title: format!("{} over n{class}", figure.name),
        description: format!(
            "sizes measured: {}, without a figure: {}",
            marks.len() + failed.len(),
            failed.len()
        ),
        marks,
        failed,
        curves: figure.growth.map(drawn).unwrap_or_default(),
        prediction: prediction.map(|prediction| Mark {
            n: prediction.size as f64,
            value: prediction.value,
            interval: prediction.interval.map(|interval| (interval.low, interval.high)),
            class: "predicted",
            title: format!(
                "n = {}: about {}",
                number::size(prediction.size),
                (figure.unit)(prediction.value)
            ),
        }),
        limit: prediction.map(|prediction| prediction.limit).or(met),
        unit: figure.tick,
        extent: EXTENT,
    };
    let (log, linear) = (chart.draw(Scale::Log), chart.draw(Scale::Linear));
    if log.is_empty() {
        return String::new();
    }
    let name = term(anchor, figure.name);
    let legend = legend(&chart, several);
    format!(
        "<figure class=\"{}\"><figcaption><h3>{name} over n</h3></figcaption>{log}{linear}{legend}</figure>",
        figure.class
    )
}

/// The fitted curve, or the rivals if the class is undecided, each with the class of its style.
fn drawn(growth: &GrowthClassification) -> Vec<(&'static str, &GrowthCurve)> {
    if let Some(curve) = &growth.curve {
        return vec![("curve", curve)];
    }
    let rivals = growth.rivals.iter().filter_map(|rival| rival.curve.as_ref());
    RIVALS.into_iter().zip(rivals).collect()
}

fn legend(chart: &Chart<'_>, several: bool) -> String {
    let key = |class: &str, what: String| format!("<li class=\"{class}\">{what}</li>");
    let mut keys = key("measured", format!("measured, with {}", term("interval", "interval")));
    if several {
        keys += &key("other", format!("other {}", term("candidate", "candidates")));
    }
    for (style, curve) in &chart.curves {
        let class = curve.class().map(|class| escaped(&class.name())).unwrap_or_default();
        let name = if *style == "curve" { "fitted curve" } else { "undecided" };
        keys += &key(style, format!("{}: {class}", term("curve", name)));
    }
    if chart.prediction.is_some() {
        keys += &key("predicted", term("prediction", "prediction"));
    }
    if !chart.failed.is_empty() {
        keys += &key("failed", format!("did not end {}", term("outcome", "OK")));
    }
    format!("<ul class=\"legend\">{keys}</ul>")
}

type Failed = Vec<(f64, String)>;

/// Builds the marks of the sizes, or of the strict report's lists if there are no sizes.
fn marks(report: &ProfileReport, figure: &Figure<'_>) -> (Vec<Mark>, Failed) {
    let is_worst = |result: &SizeResult| {
        let worst = report.worst_cases.iter().find(|worst| worst.size == result.size);
        worst.is_none_or(|worst| (figure.worst_candidate)(worst) == result.candidate)
    };
    let (mut marks, mut failed) = (Vec::new(), Vec::new());
    for result in report.sizes.iter().take(MAX_MARKS) {
        let (value, interval) = (figure.of)(result);
        let place = place(report, result);
        let n = result.size as f64;
        match value.filter(|value| value.is_finite()) {
            Some(value) if result.outcome() == Outcome::Ok => marks.push(Mark {
                n,
                value,
                interval: interval.map(|interval| (interval.low, interval.high)),
                class: if is_worst(result) { "measured" } else { "other" },
                title: format!("{place}: {}", (figure.unit)(value)),
            }),
            _ => failed.push((n, format!("{place}: {}", result.outcome().name()))),
        }
    }
    if report.sizes.is_empty() {
        for (n, value) in report.input_sizes.iter().zip(figure.strict).take(MAX_MARKS) {
            let title = format!("n = {}: {}", number::size(*n), (figure.unit)(*value));
            let n = *n as f64;
            if value.is_finite() {
                marks.push(Mark { n, value: *value, interval: None, class: "measured", title });
            } else {
                failed.push((n, title));
            }
        }
    }
    (marks, failed)
}

/// Names a size, and its candidate if there are several.
fn place(report: &ProfileReport, result: &SizeResult) -> String {
    let name = candidate_name(report, result.candidate);
    let name = name.map(|name| format!(", {}", escaped(name))).unwrap_or_default();
    format!("n = {}{name}", number::size(result.size))
}
