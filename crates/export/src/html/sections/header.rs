//! The top of the page: the task, a one-sentence summary, and the main figures.

use super::source::line_link;
use crate::html::definitions::term;
use crate::html::elements::at_least;
use crate::html::escape::{escaped, escaped_up_to};
use crate::html::number::{self, figure, percent};
use crate::report::found::{fault, sanitized, stress_sentence};
use crate::report::{
    failed_step, first_failure, hottest, is_main, of_time, of_what, unfinished_tests, verdict,
    why_stopped, wrong_tests,
};
use crate::text::{
    Change, advice, explain_errors, flag, largest_size, lost, question_of_zero, starved,
    why_undecided,
};
use profiler_growth::Class;
use profiler_proto::Word;
use profiler_proto::v1::{
    ErrorCode, GrowthClassification, GrowthPrediction, ProfileReport, RemedyKind, SandboxError,
    SizeResult,
};

/// Maximum length of an error message, in bytes.
const MAX_MESSAGE_BYTES: usize = 4000;
/// Maximum length of a compiler's errors, in bytes.
const MAX_ERRORS_BYTES: usize = 16 * 1024;

/// The colour switch, the task, the error if there is one, the summary, and the main figures.
pub(in crate::html) fn header(report: &ProfileReport, error: Option<&SandboxError>) -> String {
    let name = if report.task_id.is_empty() { "Profile".into() } else { escaped(&report.task_id) };
    let ended = error.map(|error| ended_early(report, error));
    format!(
        "<header><div class=\"bar\"><span class=\"brand\">swift<b>prof</b></span>\
         <fieldset class=\"switch\" id=\"theme\"><legend>Colours</legend>\
         <label><input type=\"radio\" name=\"theme\" value=\"auto\" checked>auto</label>\
         <label><input type=\"radio\" name=\"theme\" value=\"light\">light</label>\
         <label><input type=\"radio\" name=\"theme\" value=\"dark\">dark</label></fieldset></div>\
         <h1>{name}</h1><p class=\"meta\">{}</p>{}{}{}{}{}{}</header>\n",
        meta(report),
        objection(report),
        ended.unwrap_or_default(),
        summary(report),
        found_by_sanitizers(report),
        place_of_fault(report),
        cards(report)
    )
}

/// Renders the place at which the program fails, if it is known.
fn place_of_fault(report: &ProfileReport) -> String {
    let said = fault(report).map(|text| format!("<p class=\"note\">{}.</p>", escaped(&text)));
    said.unwrap_or_default()
}

/// Renders the reason for the early end of a run. A program that does not compile has its errors
/// here.
fn ended_early(report: &ProfileReport, error: &SandboxError) -> String {
    let code = error.code();
    let message = escaped_up_to(&error.message, MAX_MESSAGE_BYTES);
    let said = failed_step(report).filter(|_| code == ErrorCode::Compile);
    let errors = said.map(|step| explain_errors(step, flag));
    let errors = errors.filter(|text| !text.is_empty());
    let errors =
        errors.map(|text| format!("<pre>{}</pre>", escaped_up_to(&text, MAX_ERRORS_BYTES)));
    let follow = if report.sizes.is_empty() { "" } else { "<p>The partial results follow.</p>" };
    format!(
        "<div class=\"error\" role=\"alert\"><strong>The run ended early: {}</strong>\
         <p>{message}</p>{}{follow}</div>",
        code.word(),
        errors.unwrap_or_default()
    )
}

/// Names a change as a flag, and as a field for a reader who sends requests.
fn option(change: Change<'_>) -> String {
    let field = match change {
        Change::Remedy(RemedyKind::InputSpec) => " (input_specs in a request)",
        _ => "",
    };
    flag(change) + field
}

/// Renders what must be read before anything else: the verdict of the test cases, and the objection
/// or note about the input.
fn objection(report: &ProfileReport) -> String {
    let alert = |text: String| {
        format!("<div class=\"error\" role=\"alert\"><p>{}</p></div>", escaped(&text))
    };
    let problem = wrong_tests(report).or_else(|| unfinished_tests(report));
    let problem = problem.map(|text| alert(format!("{text}.")));
    let right = || Some(format!("<p class=\"good\">{}.</p>", escaped(&verdict(report)?)));
    let objection = starved::objection(report, option).map(alert);
    let note =
        || Some(format!("<p class=\"note\">{}</p>", escaped(&starved::note(report, option)?)));
    problem.or_else(right).into_iter().chain(objection.or_else(note)).collect()
}

fn meta(report: &ProfileReport) -> String {
    let mut parts = vec![format!("iteration {}", report.iteration)];
    parts.extend(
        report
            .timestamp_utc
            .as_ref()
            .map(|time| format!("<time>{}</time>", escaped(&time.to_string()))),
    );
    if let Some(host) = &report.host {
        let known = [&host.cpu_model, &host.backend].into_iter().filter(|text| !text.is_empty());
        parts.extend(known.map(|text| escaped(text)));
    }
    if let Some(compile) = report.compile.as_ref().filter(|step| !step.compiler.is_empty()) {
        parts.push(format!("g++ {}", escaped(&compile.compiler)));
    }
    if !report.run_id.is_empty() {
        parts.push(format!("<code>{}</code>", escaped(&report.run_id)));
    }
    parts.iter().map(|part| format!("<span>{part}</span>")).collect()
}

/// The sentence about a run with sanitizers, if there was one.
fn found_by_sanitizers(report: &ProfileReport) -> String {
    let said = sanitized(report);
    said.map_or_else(String::new, |said| format!("<p class=\"verdict\">{}.</p>", escaped(&said)))
}

/// The summary in one sentence; may be empty.
fn summary(report: &ProfileReport) -> String {
    if let Some(found) = &report.stress {
        return format!("<p class=\"verdict\">{}.</p>", escaped(&stress_sentence(found)));
    }
    if let Some(advice) = advice::text(report, flag) {
        return format!("<p class=\"verdict\">{}.</p>", escaped(&advice));
    }
    let growth = report.growth.as_ref();
    let mut parts = Vec::new();
    if let Some(time) = growth.and_then(|growth| growth.time.as_ref()) {
        parts.push(format!("Time {}", grows(time)));
        parts
            .extend(time.prediction.as_ref().map(|prediction| predicted(prediction, number::time)));
        parts.extend(largest_size(report));
    }
    if let Some(memory) = growth.and_then(|growth| growth.memory.as_ref()) {
        parts.push(format!("memory {}", grows(memory)));
    }
    parts.extend(lost(report).map(|text| escaped(&text)));
    parts.extend(hottest(report).map(|line| {
        format!(
            "{} takes {}{}{}",
            line_link(report, &line.file, line.line),
            percent(line.self_share),
            of_what(report),
            of_time(line)
        )
    }));
    parts.extend(first_failure(report).map(stopped));
    let question = question_of_zero(report);
    let question = question.map(|text| format!("<p class=\"note\">{}</p>", escaped(&text)));
    let question = question.unwrap_or_default();
    if parts.is_empty() {
        question
    } else {
        format!("<p class=\"verdict\">{}.</p>{question}", parts.join("; "))
    }
}

fn grows(class: &GrowthClassification) -> String {
    let Some(told) = class.class() else {
        return format!("is unknown ({})", term("undecided", "why"));
    };
    let name = escaped(&told.name());
    let confidence =
        class.confidence.map(|confidence| format!(" (confidence {})", figure(confidence, 2)));
    let how = if told == Class::Constant {
        "does not grow".into()
    } else {
        format!("grows like <strong>{name}</strong>")
    };
    how + &confidence.unwrap_or_default()
}

/// Names the point where the program stopped working, and the cause.
fn stopped(size: &SizeResult) -> String {
    let why = why_stopped(size, number::time, number::memory);
    format!("n = {} <em class=\"bad\">{why}</em>", number::size(size.size))
}

fn predicted(prediction: &GrowthPrediction, unit: fn(f64) -> String) -> String {
    let limit = unit(prediction.limit);
    let fits = match prediction.fits {
        Some(true) => format!("within the limit of {limit}"),
        Some(false) => format!("<em class=\"bad\">over the limit of {limit}</em>"),
        None => format!("cannot tell whether it is within the limit of {limit}"),
    };
    format!("at n = {} about {}: {fits}", number::size(prediction.size), unit(prediction.value))
}

fn cards(report: &ProfileReport) -> String {
    let growth = report.growth.as_ref();
    let time = growth.and_then(|growth| growth.time.as_ref());
    let memory = growth.and_then(|growth| growth.memory.as_ref());
    let mut cards = String::new();
    cards += &time.map(|time| class_card("time", "Time", time)).unwrap_or_default();
    cards += &memory.map(|memory| class_card("memory", "Memory", memory)).unwrap_or_default();
    if let Some(prediction) = time.and_then(|time| time.prediction.as_ref()) {
        cards += &prediction_card(prediction, number::time);
    } else if let Some((n, ms, peak)) = last_measured(report) {
        let label = format!("{} at n = {}", term("runtime", "Runtime"), number::size(n));
        let of = report.sizes.iter().find(|size| size.size == n).map(at_least).unwrap_or_default();
        let peak = peak
            .map(|mib| format!("{of}{} of {}", number::memory(mib), term("peak-memory", "memory")));
        cards += &card("", &label, &number::time(ms), &peak.unwrap_or_default());
    }
    if let Some(hottest) = report.hotspot_lines.first() {
        let label = if is_main(&hottest.file) {
            format!("Hottest line: <a href=\"#L{0}\">{0}</a>", hottest.line)
        } else {
            format!("Hottest line: {}", line_link(report, &hottest.file, hottest.line))
        };
        cards += &card(
            "hot",
            &label,
            &percent(hottest.self_share),
            &format!(
                "{}{} <code>{}</code>",
                of_what(report).trim_start(),
                of_time(hottest),
                escaped_up_to(&hottest.function, 60)
            ),
        );
    }
    if cards.is_empty() { cards } else { format!("<div class=\"cards\">{cards}</div>") }
}

/// Returns the largest size with a headline, its time and its peak.
fn last_measured(report: &ProfileReport) -> Option<(u64, f64, Option<f64>)> {
    let sizes = report.input_sizes.iter().zip(&report.runtime_ms).enumerate();
    let mut measured = sizes.filter(|(_, (_, ms))| ms.is_finite());
    measured.next_back().map(|(at, (n, ms))| (*n, *ms, report.peak_memory_mb.get(at).copied()))
}

fn class_card(class: &str, name: &str, growth: &GrowthClassification) -> String {
    let label = format!("{name}: {}", term("class", "class"));
    let confidence = growth.confidence.map(|confidence| {
        format!("{} {}", term("confidence", "confidence"), figure(confidence, 2))
    });
    let exponent = growth
        .exponent
        .map(|exponent| format!("{} {}", term("exponent", "exponent"), figure(exponent, 2)));
    let below: Vec<_> = confidence.into_iter().chain(exponent).collect();
    let Some(told) = growth.class() else {
        return card(class, &label, "cannot tell", &escaped(&why_undecided(growth, flag)));
    };
    card(class, &label, &escaped(&told.name()), &below.join(" · "))
}

fn prediction_card(prediction: &GrowthPrediction, unit: fn(f64) -> String) -> String {
    let label =
        format!("{} at n = {}", term("prediction", "Predicted"), number::size(prediction.size));
    let (class, fits) = match prediction.fits {
        Some(true) => ("good", "within"),
        Some(false) => ("bad", "over"),
        None => ("", "around"),
    };
    let interval = prediction
        .interval
        .as_ref()
        .map(|interval| format!("{} – {}, ", unit(interval.low), unit(interval.high)));
    let below =
        format!("{}{fits} the limit of {}", interval.unwrap_or_default(), unit(prediction.limit));
    card(class, &label, &unit(prediction.value), &below)
}

fn card(class: &str, label: &str, value: &str, below: &str) -> String {
    format!("<div class=\"card {class}\"><h2>{label}</h2><b>{value}</b><p>{below}</p></div>")
}
