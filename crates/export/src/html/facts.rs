//! Warnings, test cases, and the circumstances of the measurement.

use super::{
    definitions::term,
    number,
    sizes::{cut, evidence},
    text::{text, text_of},
};
use crate::outcome_name;
use profiler_proto::Word;
use profiler_proto::v1::{
    CompileStep, Host, Outcome, ProfileReport, RuntimeClock, StartUp, Warning,
};

/// How many warnings are shown, and how many of them at once.
const MAX_WARNINGS: usize = 200;
const OPEN_WARNINGS: usize = 5;
/// How many test cases are shown.
const MAX_TESTS: usize = 64;
/// How much of the compiler's output is shown, in bytes.
const MAX_OUTPUT_BYTES: usize = 16 * 1024;

/// What a reader must know before trusting the figures.
pub(super) fn warnings(report: &ProfileReport) -> String {
    if report.warnings.is_empty() {
        return String::new();
    }
    let items: Vec<_> =
        report.warnings.iter().take(MAX_WARNINGS).map(|warning| item(report, warning)).collect();
    let (open, more) = items.split_at(items.len().min(OPEN_WARNINGS));
    let mut body = format!("<ul class=\"warnings\">{}</ul>", open.concat());
    if !more.is_empty() {
        let (count, more) = (more.len(), more.concat());
        body += &format!(
            "<details><summary>{count} more</summary><ul class=\"warnings\">{more}</ul></details>"
        );
    }
    body + &cut(report.warnings.len(), MAX_WARNINGS, "warnings")
}

fn item(report: &ProfileReport, warning: &Warning) -> String {
    let candidate = warning.candidate.and_then(|at| report.candidates.get(at as usize));
    let candidate = candidate.map(|name| format!(", {}", text(name))).unwrap_or_default();
    let place =
        warning.size.map(|size| format!("<span>n = {}{candidate}</span>", number::size(size)));
    let (code, message) = (warning.code().word(), text(&warning.message));
    format!("<li><code>{code}</code><p>{}{message}</p></li>", place.unwrap_or_default())
}

/// What came of the request's test cases.
pub(super) fn tests(report: &ProfileReport) -> String {
    if report.test_cases.is_empty() {
        return String::new();
    }
    let rows = report.test_cases.iter().take(MAX_TESTS).enumerate().map(|(at, test)| {
        let (class, came) = match (test.outcome(), test.correct) {
            (Outcome::Ok, Some(true)) => ("good", "correct"),
            (Outcome::Ok, Some(false)) => ("bad", "wrong answer"),
            (outcome, _) => ("bad", outcome_name(outcome)),
        };
        let rests = test.evidence.as_ref().filter(|_| test.outcome() != Outcome::Ok).map(evidence);
        let answer = text(&String::from_utf8_lossy(&test.answer));
        let answer = if answer.is_empty() { answer } else { format!("<pre>{answer}</pre>") };
        format!("<tr><th scope=\"row\">{}</th><td class=\"words\"><span class=\"{class}\">{came}</span> {}{answer}</td></tr>", at + 1, rests.unwrap_or_default())
    });
    let rows: String = rows.collect();
    format!(
        "<div class=\"wide\"><table class=\"figures\"><thead><tr><th scope=\"col\">case</th><th scope=\"col\">result</th></tr></thead><tbody>{rows}</tbody></table></div>"
    )
}

/// Host, compiling, start-up and what else the figures rest on.
pub(super) fn facts(report: &ProfileReport) -> String {
    let mut body = String::from("<div class=\"facts\">");
    body += &report.host.as_ref().map(|host| list("Host", &host_facts(host))).unwrap_or_default();
    body += &report
        .compile
        .as_ref()
        .map(|step| list("Compiling", &compile_facts(step)))
        .unwrap_or_default();
    body += &report
        .interactor_compile
        .as_ref()
        .map(|step| list("Compiling the interactor", &compile_facts(step)))
        .unwrap_or_default();
    body += &list("Measuring", &measuring(report));
    body += "</div>";
    body += &report.compile.as_ref().map(compiler_output).unwrap_or_default();
    body
}

type Facts = Vec<(String, String)>;

fn list(title: &str, facts: &Facts) -> String {
    let facts = facts.iter().filter(|fact| !fact.1.is_empty());
    let facts: String =
        facts.map(|(what, is)| format!("<div><dt>{what}</dt><dd>{is}</dd></div>")).collect();
    if facts.is_empty() { facts } else { format!("<div><h3>{title}</h3><dl>{facts}</dl></div>") }
}

fn host_facts(host: &Host) -> Facts {
    let known = |value: Option<u32>| value.map(|value| value.to_string()).unwrap_or_default();
    let not_enforced: Vec<_> =
        host.not_enforced.iter().take(MAX_WARNINGS).map(|what| text(what)).collect();
    vec![
        ("sandbox".into(), text(&host.backend)),
        ("processor".into(), format!("{} × {}", host.cpus, text(&host.cpu_model))),
        ("kernel".into(), text(&host.kernel)),
        ("measured on core".into(), known(host.measured_core)),
        ("neighbours".into(), known(host.neighbours)),
        ("memory cgroup".into(), known(host.cgroup_version)),
        (
            term("calibration", "calibration"),
            host.calibration_ms.map(number::time).unwrap_or_default(),
        ),
        (
            term("fingerprint", "fingerprint"),
            host.fingerprint.as_deref().map(text).unwrap_or_default(),
        ),
        ("not enforced".into(), not_enforced.join("<br>")),
    ]
}

fn compile_facts(step: &CompileStep) -> Facts {
    let cached = if step.cached { " (from the cache; figures of the first time)" } else { "" };
    vec![
        ("command".into(), format!("<code>{}</code>", text(&step.command))),
        ("compiler".into(), text(&step.compiler)),
        (term("wall", "wall clock"), format!("{}{cached}", number::time(step.wall_ms))),
        (term("cpu", "processor time"), step.cpu_ms.map(number::time).unwrap_or_default()),
        (term("peak-memory", "peak memory"), number::memory(step.peak_memory_mb)),
        ("binary".into(), step.binary_bytes.map(number::bytes).unwrap_or_default()),
    ]
}

fn measuring(report: &ProfileReport) -> Facts {
    let clock = match report.runtime_clock() {
        RuntimeClock::Unspecified => String::new(),
        RuntimeClock::Unloaded => format!("wall − {}", term("run-delay", "run delay")),
        RuntimeClock::Wall => term("wall", "wall"),
        RuntimeClock::Cpu => term("cpu", "processor time"),
    };
    let optional = |value: &Option<String>| value.as_deref().map(text).unwrap_or_default();
    let candidates: Vec<_> = report.candidates.iter().map(|name| text(name)).collect();
    vec![
        (term("runtime", "clock"), clock),
        ("why that clock".into(), text(&report.runtime_clock_reason)),
        (term("start-up", "start-up"), report.start_up.as_ref().map(start_up).unwrap_or_default()),
        (term("candidate", "candidates"), candidates.join(", ")),
        ("the schedule's end".into(), optional(&report.schedule_end)),
        (term("instructions", "instructions"), optional(&report.instructions_method)),
        (term("exact", "hotspots by"), optional(&report.hotspots_method)),
        (
            term("live", "allocations"),
            report.allocations.as_ref().map(|report| text(&report.method)).unwrap_or_default(),
        ),
    ]
}

fn start_up(start_up: &StartUp) -> String {
    format!("{}, {}", number::time(start_up.runtime_ms), number::memory(start_up.peak_memory_mb))
}

fn compiler_output(step: &CompileStep) -> String {
    if step.output.trim().is_empty() {
        return String::new();
    }
    let output = text_of(&step.output, MAX_OUTPUT_BYTES);
    let open = if step.binary_bytes.is_none() { " open" } else { "" };
    format!("<details{open}><summary>What the compiler said</summary><pre>{output}</pre></details>")
}
