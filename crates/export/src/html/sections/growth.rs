//! Growth of time and memory: the classes, and the evidence for them.

use crate::html::charts::{Chart, Mark, Scale};
use crate::html::definitions::term;
use crate::html::escape::escaped;
use crate::html::number::{self, figure};
use crate::report::of_what;
use crate::text::{changes, flag, why_undecided, worst};
use profiler_growth::Class;
use profiler_proto::Word;
use profiler_proto::v1::{
    GrowthClassification, GrowthRival, GrowthSignal, ProfileReport, SignalKind,
};

/// Maximum number of signals shown.
const MAX_SIGNALS: usize = 24;
/// Maximum number of points of a signal shown.
const MAX_POINTS: usize = 100;
const EXTENT: (f64, f64) = (250.0, 165.0);
/// The width of the bar of probabilities, in units of the picture.
const BAR: f64 = 1000.0;

/// Renders the worst input that was found, with the evidence for its classes.
pub(in crate::html) fn worst_input(report: &ProfileReport) -> String {
    let Some(found) = report.worst.as_deref() else { return String::new() };
    let [said, evidence] = [
        worst::sentence(found),
        worst::evidence(found, worst::source(report, found), &worst::again(found)),
    ];
    format!("<p>{}</p><pre>{}</pre>", escaped(&said), escaped(&evidence))
}

/// Renders the changes that made the program faster when they were tried.
pub(in crate::html) fn advice(report: &ProfileReport) -> String {
    let found = report.advice.as_ref();
    let text = |advice| escaped(&changes::text(advice, of_what(report)));
    found.map(|advice| format!("<pre>{}</pre>", text(advice))).unwrap_or_default()
}

/// The growth of time, then of memory.
pub(in crate::html) fn growth(report: &ProfileReport) -> String {
    let Some(growth) = &report.growth else { return String::new() };
    let time = growth.time.as_ref().map(|class| one("time", "Time", class)).unwrap_or_default();
    let memory =
        growth.memory.as_ref().map(|class| one("memory", "Memory", class)).unwrap_or_default();
    let spent = if growth.spent_ms > 0.0 {
        format!(
            "<p class=\"note\">These measurements took an extra {}.</p>",
            number::time(growth.spent_ms)
        )
    } else {
        String::new()
    };
    if time.is_empty() && memory.is_empty() { time } else { format!("{time}{memory}{spent}") }
}

fn one(class: &'static str, name: &str, growth: &GrowthClassification) -> String {
    let verdict = if growth.class().is_none() {
        format!(
            "<p><b>{}</b>: {}</p>",
            term("undecided", "cannot tell"),
            escaped(&why_undecided(growth, flag))
        )
    } else {
        String::new()
    };
    let signals: String =
        growth.signals.iter().take(MAX_SIGNALS).map(|signal| self::signal(class, signal)).collect();
    let signals = if signals.is_empty() {
        signals
    } else {
        format!("<h4>{}</h4><div class=\"signals\">{signals}</div>", term("signal", "Signals"))
    };
    format!(
        "<div class=\"{class}\"><h3>{name}</h3>{verdict}{}{}{signals}</div>",
        probabilities(growth),
        exponent(growth)
    )
}

/// A bar of the likeliest class, the runner-up, and all others.
fn probabilities(growth: &GrowthClassification) -> String {
    let known = |share: Option<f64>| {
        share.filter(|share| share.is_finite()).map(|share| share.clamp(0.0, 1.0))
    };
    let Some(first) = known(growth.confidence) else { return String::new() };
    let runner_up = growth.runner_up_class();
    let (first_class, second_class, second) = if growth.class().is_some() {
        (growth.class(), runner_up, growth.runner_up_confidence)
    } else {
        // If the growth is undecided, the runner-up and the first rival are both the likeliest
        // class.
        let rival = growth.rivals.get(1);
        (runner_up, rival.and_then(GrowthRival::class), rival.map(|it| it.confidence))
    };
    let second = known(second).unwrap_or(0.0).min(1.0 - first);
    let rest = 1.0 - first - second;
    let parts = [
        ("first", named(first_class, "likeliest"), first),
        ("second", named(second_class, "next"), second),
        ("rest", "others".into(), rest),
    ];
    let (mut bar, mut keys, mut x) = (String::new(), String::new(), 0.0);
    for (class, name, share) in parts.iter().filter(|part| part.2 >= 0.001) {
        bar += &format!(
            "<rect class=\"{class}\" x=\"{x:.0}\" width=\"{:.0}\" height=\"10\"><title>{name}: {}</title></rect>",
            share * BAR,
            figure(*share, 2)
        );
        keys += &format!("<li class=\"{class}\">{name} <b>{}</b></li>", figure(*share, 2));
        x += share * BAR;
    }
    format!(
        "<div class=\"probability\"><span>{}</span><svg viewBox=\"0 0 {BAR} 10\" preserveAspectRatio=\"none\" role=\"img\">\
         <title>Probabilities of the classes</title>{bar}</svg><ul>{keys}</ul></div>",
        term("confidence", "confidence")
    )
}

/// The class's name, or `unnamed` without one.
fn named(class: Option<Class>, unnamed: &str) -> String {
    class.map_or_else(|| unnamed.into(), |class| escaped(&class.name()))
}

fn exponent(growth: &GrowthClassification) -> String {
    let mut facts = Vec::new();
    if let Some(exponent) = growth.exponent {
        let interval = growth.exponent_interval.as_ref();
        let interval = interval.map(|i| format!(" ({} – {})", figure(i.low, 2), figure(i.high, 2)));
        facts.push(format!(
            "{} {}{}",
            term("exponent", "exponent"),
            figure(exponent, 2),
            interval.unwrap_or_default()
        ));
    }
    if let Some((curve, class)) = growth.curve.as_ref().and_then(|it| Some((it, it.class()?))) {
        let name = escaped(&class.name());
        let (constant, coefficient) = (curve.constant, curve.coefficient);
        facts.push(format!(
            "{} {constant:.4} + {coefficient:.4e} × {name}",
            term("curve", "fitted curve")
        ));
    }
    if facts.is_empty() {
        String::new()
    } else {
        format!("<p class=\"note\">{}</p>", facts.join(" · "))
    }
}

fn signal(class: &'static str, signal: &GrowthSignal) -> String {
    let unit = match signal.kind() {
        SignalKind::Runtime => number::time,
        SignalKind::PeakMemory | SignalKind::DataStack | SignalKind::HeapPeak => number::mebibytes,
        _ => number::short,
    };
    let name = match signal.line {
        Some(line) => format!("line {line}"),
        None => signal.kind().word().into(),
    };
    let marks = signal.points.iter().take(MAX_POINTS).map(|point| Mark {
        n: point.size as f64,
        value: point.value,
        interval: None,
        class: "measured",
        title: format!("n = {}: {}", number::size(point.size), unit(point.value)),
    });
    let chart = Chart {
        class,
        title: format!("{name} over n"),
        description: format!("points on logarithmic axes: {}", signal.points.len()),
        marks: marks.collect(),
        failed: Vec::new(),
        curves: Vec::new(),
        prediction: None,
        limit: None,
        unit,
        extent: EXTENT,
    };
    let speaks = signal.class().map_or_else(
        || "no class".into(),
        |class| format!("<b>{}</b> {}", escaped(&class.name()), figure(signal.confidence, 2)),
    );
    let link = signal.line.map(|line| format!("<a href=\"#L{line}\">{name}</a>"));
    let name = link.unwrap_or(name);
    format!(
        "<figure><figcaption>{name}<span>{speaks}</span></figcaption>{}</figure>",
        chart.draw(Scale::Log)
    )
}
