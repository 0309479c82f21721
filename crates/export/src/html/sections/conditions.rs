//! Conditions of the measurement: host, compile steps, clock and methods.

use crate::html::definitions::term;
use crate::html::escape::{escaped, escaped_up_to};
use crate::html::number;
use profiler_proto::Word;
use profiler_proto::v1::{CompileStep, Host, ProfileReport, RuntimeClock, StartUp};

/// Maximum number of sentences on limits that are not enforced.
const MAX_NOT_ENFORCED: usize = 200;
/// Maximum shown length of the compiler's output, in bytes.
const MAX_OUTPUT_BYTES: usize = 16 * 1024;

/// The host, the compile steps, and how the figures were measured.
pub(in crate::html) fn conditions(report: &ProfileReport) -> String {
    let (own, interactor) = (report.compile.as_ref(), report.interactor_compile.as_ref());
    let lists = [
        report.host.as_ref().map(|host| list("Host", host_facts(host))),
        own.map(|step| list("Compilation", compile_facts(step))),
        interactor.map(|step| list("Compilation of the interactor", compile_facts(step))),
        Some(list("Measurement", measuring(report))),
    ];
    let lists: String = lists.into_iter().flatten().collect();
    let output = own.map(compiler_output).unwrap_or_default();
    format!("<div class=\"facts\">{lists}</div>{output}")
}

/// Names of facts, each with its value, if it is known.
type Facts = Vec<(String, Option<String>)>;

fn list(title: &str, facts: Facts) -> String {
    let known = facts.into_iter().filter_map(|(what, is)| {
        let is = is.filter(|is| !is.is_empty())?;
        Some(format!("<div><dt>{what}</dt><dd>{is}</dd></div>"))
    });
    let facts: String = known.collect();
    if facts.is_empty() { facts } else { format!("<div><h3>{title}</h3><dl>{facts}</dl></div>") }
}

fn host_facts(host: &Host) -> Facts {
    let known = |value: Option<u32>| value.map(|value| value.to_string());
    let processor =
        (host.cpus > 0).then(|| format!("{} × {}", host.cpus, escaped(&host.cpu_model)));
    let not_enforced: Vec<_> =
        host.not_enforced.iter().take(MAX_NOT_ENFORCED).map(|what| escaped(what)).collect();
    vec![
        ("host".into(), host.name.as_deref().map(escaped)),
        ("sandbox".into(), Some(escaped(&host.backend))),
        ("processor".into(), processor),
        ("kernel".into(), Some(escaped(&host.kernel))),
        ("measured on core".into(), known(host.measured_core)),
        ("waited for a core".into(), host.core_wait_ms.filter(|&ms| ms > 0.0).map(number::time)),
        ("programs measured at the same time".into(), known(host.neighbours)),
        ("memory cgroup".into(), known(host.cgroup_version)),
        (term("calibration", "calibration"), host.calibration_ms.map(number::time)),
        (
            "method of measuring".into(),
            (host.method_version > 0).then(|| format!("version {}", host.method_version)),
        ),
        ("processor of counted runs".into(), Some(escaped(&host.counted_cpu))),
        (term("fingerprint", "fingerprint"), host.fingerprint.as_deref().map(escaped)),
        ("not enforced".into(), Some(not_enforced.join("<br>"))),
    ]
}

fn compile_facts(step: &CompileStep) -> Facts {
    let binary = ("binary".to_owned(), step.binary_bytes.map(number::bytes));
    if step.command.is_empty() {
        return vec![("program".into(), Some("compiled program".into())), binary];
    }
    let cached =
        if step.cached { " (from the cache; figures of the first compilation)" } else { "" };
    vec![
        ("command".into(), Some(format!("<code>{}</code>", escaped(&step.command)))),
        ("compiler".into(), Some(escaped(&step.compiler))),
        (term("wall", "wall clock"), Some(format!("{}{cached}", number::time(step.wall_ms)))),
        (term("cpu", "processor time"), step.cpu_ms.map(number::time)),
        (term("peak-memory", "peak memory"), Some(number::memory(step.peak_memory_mb))),
        binary,
    ]
}

fn measuring(report: &ProfileReport) -> Facts {
    let clock = match report.runtime_clock() {
        RuntimeClock::Unspecified => None,
        RuntimeClock::Unloaded => Some(format!("wall − {}", term("run-delay", "run delay"))),
        RuntimeClock::Wall => Some(term("wall", "wall")),
        RuntimeClock::Cpu => Some(term("cpu", "processor time")),
    };
    let candidates: Vec<_> = report.candidates.iter().map(|name| escaped(name)).collect();
    let seed = (report.input_seed != 0).then(|| report.input_seed.to_string());
    let allocations = report.allocations.as_ref();
    vec![
        (term("runtime", "clock"), clock),
        ("reason for the clock".into(), Some(escaped(&report.runtime_clock_reason))),
        (term("start-up", "start-up"), report.start_up.as_ref().map(start_up)),
        (term("candidate", "candidates"), Some(candidates.join(", "))),
        ("seed of the inputs".into(), seed),
        ("end of the schedule".into(), report.schedule_end.as_deref().map(escaped)),
        (term("instructions", "instructions"), report.instructions_method.as_deref().map(escaped)),
        (term("exact", "hotspots by"), Some(report.hotspots_method().word().into())),
        (term("live", "allocations"), allocations.map(|report| escaped(&report.method))),
    ]
}

fn start_up(start_up: &StartUp) -> String {
    let [time, memory] =
        [number::time(start_up.runtime_ms), number::memory(start_up.peak_memory_mb)];
    match start_up.instructions {
        Some(count) => format!("{time}, {memory}, {} instructions", number::count(count)),
        None => format!("{time}, {memory}"),
    }
}

fn compiler_output(step: &CompileStep) -> String {
    if step.output.trim().is_empty() {
        return String::new();
    }
    let output = escaped_up_to(&step.output, MAX_OUTPUT_BYTES);
    // Extracted errors are already at the top of the page.
    let open = step.binary_bytes.is_none() && step.error_text.is_empty();
    let open = if open { " open" } else { "" };
    format!("<details{open}><summary>Compiler output</summary><pre>{output}</pre></details>")
}
