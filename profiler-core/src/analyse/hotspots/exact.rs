//! Hotspots from the counter's trace of a run.

use super::time_shares::{MATTERS, TimeShares};
use crate::report::Hotspots;
use profiler_decode::SOURCE_FILE;
use profiler_decode::hot_lines::MAX_HOT_LINES;
use profiler_proto::v1::{CallStack, Hotspot, HotspotFunction, HotspotsMethod, SourceFile};
use runner_protocol::Trace;

/// Converts a trace of a program with these files to hotspots. A line that takes much of the time
/// is among them even if others have more instructions. The trace comes from a sandbox and may be
/// forged, so a name that is missing, or a file that the program does not have, becomes empty.
pub(super) fn from_trace(
    trace: &Trace,
    files: &[SourceFile],
    times: Option<&TimeShares>,
) -> Hotspots {
    let whole = trace.charged_instructions.max(1);
    let share = |instructions: u64| instructions.min(whole) as f64 / whole as f64;
    let name = |at: u32| trace.names.get(at as usize).cloned().unwrap_or_default();
    let file = |at: Option<u32>| match at {
        None => SOURCE_FILE.into(),
        Some(at) => Some(name(at))
            .filter(|name| files.iter().any(|file| file.path == *name))
            .unwrap_or_default(),
    };
    let mut sum = 0_u64;
    let costly = trace.lines.iter().filter(|line| line.line > 0 && line.instructions > 0);
    let costly = costly.map(|line| {
        let file = file(line.file);
        let time = times.map(|times| times.of(&file, line.line));
        (line, file, time)
    });
    let takes_time = |time: Option<f64>| time.is_some_and(|time| time >= MATTERS);
    let slow = costly.clone().filter(|(_, _, time)| takes_time(*time)).count();
    let mut room = MAX_HOT_LINES.saturating_sub(slow);
    let kept = costly.filter(|(_, _, time)| {
        let fits = takes_time(*time) || room > 0;
        room -= usize::from(fits && !takes_time(*time));
        fits
    });
    let lines = kept.take(MAX_HOT_LINES).map(|(line, file, time)| {
        sum = sum.saturating_add(line.instructions);
        let self_share = share(line.instructions);
        let differs = |times: &TimeShares| time.is_some_and(|it| times.differ(self_share, it));
        Hotspot {
            file,
            line: line.line,
            function: name(line.function),
            self_share,
            time_share: time,
            time_differs: times.is_some_and(differs),
            cumulative_share: share(sum),
            count: line.count,
            instructions: Some(line.instructions),
            inclusive_share: Some(share(line.inclusive)),
        }
    });
    let functions = trace.functions.iter().map(|function| HotspotFunction {
        file: file(function.file),
        line: function.line,
        name: name(function.name),
        self_share: share(function.instructions),
        inclusive_share: share(function.inclusive),
        calls: function.calls,
        instructions: Some(function.instructions),
    });
    let stacks = trace.stacks.iter().map(|stack| CallStack {
        frames: stack.frames.iter().copied().map(name).collect(),
        instructions: stack.instructions,
    });
    Hotspots {
        method: HotspotsMethod::Instructions,
        lines: lines.collect(),
        functions: functions.collect(),
        stacks: stacks.collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use runner_protocol::{FunctionCost, LineCost, StackCost};

    fn trace() -> Trace {
        let line = |line, function, instructions, inclusive, count| LineCost {
            file: None,
            line,
            function,
            instructions,
            inclusive,
            count,
        };
        Trace {
            instructions: 5_000,
            own_instructions: Some(900),
            charged_instructions: 1_000,
            names: vec!["work(int)".into(), "main".into()],
            lines: vec![line(7, 0, 412, 570, Some(1_234)), line(9, 1, 88, 1_000, None)],
            functions: vec![FunctionCost {
                name: 0,
                file: None,
                line: 5,
                instructions: 412,
                inclusive: 570,
                calls: Some(3),
            }],
            stacks: vec![StackCost { frames: vec![1, 0, 9], instructions: 412 }],
            is_partial: false,
        }
    }

    #[test]
    fn strict_form_of_a_line() {
        let lines: Vec<String> =
            from_trace(&trace(), &[], None).lines.iter().map(ToString::to_string).collect();
        assert_eq!(lines[0], "41.2% self, 57.0% inclusive, 1234 times, in work(int)");
        assert_eq!(lines[1], "8.8% self, 100.0% inclusive, in main");
    }

    #[test]
    fn shares_are_those_of_the_source_and_not_of_the_start_up() {
        let found = from_trace(&trace(), &[], None);
        assert!((found.lines[1].cumulative_share - 0.5).abs() < 1e-9);
        assert!((found.functions[0].inclusive_share - 0.57).abs() < 1e-9);
    }

    #[test]
    fn names_that_are_not_there_are_empty() {
        assert_eq!(from_trace(&trace(), &[], None).stacks[0].frames, ["main", "work(int)", ""]);
    }

    #[test]
    fn line_names_its_file_if_the_program_has_it() {
        let mut trace = trace();
        trace.names.push("lib/a.h".into());
        trace.lines[0].file = Some(2);
        let file = SourceFile { path: "lib/a.h".into(), text: String::new() };
        let files = |files: &[SourceFile]| {
            let found = from_trace(&trace, files, None);
            found.lines.into_iter().map(|line| line.file).collect::<Vec<_>>()
        };
        assert_eq!(files(&[file]), ["lib/a.h", SOURCE_FILE]);
        assert_eq!(files(&[]), ["", SOURCE_FILE]);
    }

    #[test]
    fn slow_line_is_listed_before_lines_with_more_instructions() {
        let mut trace = trace();
        let line = |line| LineCost { line, ..trace.lines[0].clone() };
        trace.lines = (1..=2 * u32::try_from(MAX_HOT_LINES).unwrap()).map(line).collect();
        let lines = |times: Option<&TimeShares>| {
            let found = from_trace(&trace, &[], times).lines;
            found.into_iter().map(|line| (line.line, line.time_share)).collect::<Vec<_>>()
        };
        assert_eq!(lines(None).last(), Some(&(50, None)));
        let times = TimeShares::of_lines(100, [(SOURCE_FILE, 2, 30), (SOURCE_FILE, 99, 70)]);
        let listed = lines(Some(&times));
        assert_eq!((listed.len(), listed[1]), (MAX_HOT_LINES, (2, Some(0.3))));
        assert_eq!(listed[48..], [(49, Some(0.0)), (99, Some(0.7))]);
    }

    #[test]
    fn share_is_at_most_the_whole() {
        let forged = Trace { charged_instructions: 0, ..trace() };
        assert!(
            from_trace(&forged, &[], None).lines.iter().all(|line| line.cumulative_share <= 1.0)
        );
    }
}
