//! An event in one line.

use profiler_export::{figure, readable};
use profiler_proto::v1::event::Kind;
use profiler_proto::v1::{CompileStep, Event, Outcome, SizeResult};

/// Describes an event in one line. `None` for the ending, which is printed as the result, and for a
/// size that is left out, which the result has too.
pub(super) fn describe(event: &Event) -> Option<String> {
    match event.kind.as_ref()? {
        Kind::Accepted(accepted) => waiting(accepted.queue_position),
        Kind::Heartbeat(heartbeat) => waiting(heartbeat.queue_position),
        Kind::Compiled(step) => Some(compiled(step)),
        Kind::SizeMeasured(size) if size.outcome() == Outcome::NotRun => None,
        Kind::SizeMeasured(size) => Some(measured(size)),
        Kind::Started(started) if started.worker.is_empty() => None,
        Kind::Started(started) => Some(format!("started on {}", readable(&started.worker))),
        Kind::Restarted(restarted) => Some(format!(
            "restarted on another host: {}; the sizes above are void",
            readable(&restarted.reason)
        )),
        Kind::CoreAwaited(awaited) => {
            Some(format!("waiting for core {}: {}", awaited.core, readable(&awaited.holder)))
        }
        Kind::Finished(_) | Kind::Failed(_) => None,
    }
}

fn waiting(queue_position: u32) -> Option<String> {
    (queue_position > 0).then(|| format!("waiting: {queue_position} ahead"))
}

fn compiled(step: &CompileStep) -> String {
    if step.command.is_empty() && step.binary_bytes.is_some() {
        return "compiled program".into();
    }
    let ms = figure(Some(step.wall_ms), 0);
    if step.binary_bytes.is_some() {
        format!("compiled in {ms} ms")
    } else {
        format!("does not compile; the compiler took {ms} ms")
    }
}

fn measured(size: &SizeResult) -> String {
    let (place, candidates) = (size.candidate + 1, size.candidates);
    let candidate =
        if candidates > 1 { format!(", input {place} of {candidates}") } else { String::new() };
    format!(
        "n = {}{candidate}: {}, {} ms, {} MiB",
        size.size,
        size.outcome().name(),
        figure(size.runtime_ms, 3),
        figure(size.peak_memory_mb, 2),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use profiler_proto::v1::{Accepted, CoreAwaited, ProfileReport, Restarted, Started};

    fn line(kind: Kind) -> Option<String> {
        describe(&Event { kind: Some(kind), ..Event::default() })
    }

    #[test]
    fn size_shows_its_outcome_and_figures() {
        let size = SizeResult {
            size: 5000,
            outcome: Outcome::TimeLimit.into(),
            runtime_ms: Some(f64::INFINITY),
            peak_memory_mb: Some(3.5),
            ..SizeResult::default()
        };
        let text = "TIME_LIMIT, ∞ ms, 3.50 MiB";
        let second = SizeResult { candidate: 1, candidates: 3, ..size.clone() };
        assert_eq!(line(Kind::SizeMeasured(size)).unwrap(), format!("n = 5000: {text}"));
        let second = line(Kind::SizeMeasured(second)).unwrap();
        assert_eq!(second, format!("n = 5000, input 2 of 3: {text}"));
    }

    #[test]
    fn size_that_is_left_out_has_no_line() {
        let size = SizeResult { outcome: Outcome::NotRun.into(), ..SizeResult::default() };
        assert_eq!(line(Kind::SizeMeasured(size)), None);
    }

    #[test]
    fn program_that_does_not_compile_is_not_compiled() {
        let step = CompileStep { wall_ms: 280.0, ..CompileStep::default() };
        let of_caller = CompileStep { binary_bytes: Some(9), ..CompileStep::default() };
        let command = "g++".into();
        let compiled = CompileStep { binary_bytes: Some(9), command, ..step.clone() };
        let failed = "does not compile; the compiler took 280 ms";
        assert_eq!(line(Kind::Compiled(step)).unwrap(), failed);
        assert_eq!(line(Kind::Compiled(compiled)).unwrap(), "compiled in 280 ms");
        assert_eq!(line(Kind::Compiled(of_caller)).unwrap(), "compiled program");
    }

    #[test]
    fn queue_position_is_shown_only_while_waiting() {
        let accepted = |queue_position| line(Kind::Accepted(Accepted { queue_position }));
        assert_eq!(accepted(0), None);
        assert_eq!(accepted(2).unwrap(), "waiting: 2 ahead");
    }

    #[test]
    fn restart_says_why_and_that_sizes_are_void() {
        let again = Restarted { reason: "its worker was lost".into(), ..Restarted::default() };
        let void = "restarted on another host: its worker was lost; the sizes above are void";
        assert_eq!(line(Kind::Restarted(again)).unwrap(), void);
    }

    #[test]
    fn wait_for_a_core_names_its_holder() {
        let awaited = CoreAwaited { core: 1, holder: "swiftprof, process 4711".into() };
        let waiting = "waiting for core 1: swiftprof, process 4711";
        assert_eq!(line(Kind::CoreAwaited(awaited)).unwrap(), waiting);
    }

    #[test]
    fn start_names_its_worker() {
        let started = |worker: &str| Started { worker: worker.into(), ..Started::default() };
        assert_eq!(line(Kind::Started(started("node-7"))).unwrap(), "started on node-7");
        assert_eq!(line(Kind::Started(started(""))), None);
    }

    #[test]
    fn ending_is_left_to_the_result() {
        assert_eq!(line(Kind::Finished(ProfileReport::default())), None);
    }
}
