//! The lines and functions of the fake's program.

use runner_protocol::{
    Blocks, Counted, FunctionCost, InputCount, Left, LeftKind, LineCost, Record, SeriesLines, Site,
    SourceLine, StackCost, Sums, Trace,
};

/// Attributes `all` instructions: three quarters to `work(int)`, the rest to `main`.
pub(super) fn attribution(all: u64, own_instructions: Option<u64>) -> Trace {
    Trace {
        instructions: all,
        own_instructions,
        charged_instructions: all,
        names: vec!["work(int)".into(), "main".into()],
        lines: vec![
            LineCost {
                file: None,
                line: 7,
                function: 0,
                instructions: all / 4 * 3,
                inclusive: all / 4 * 3,
                count: Some(all / 4),
            },
            LineCost {
                file: None,
                line: 12,
                function: 1,
                instructions: all / 4,
                inclusive: all,
                count: Some(1),
            },
        ],
        functions: vec![
            FunctionCost {
                name: 1,
                file: None,
                line: 11,
                instructions: all / 4,
                inclusive: all,
                calls: Some(1),
            },
            FunctionCost {
                name: 0,
                file: None,
                line: 5,
                instructions: all / 4 * 3,
                inclusive: all / 4 * 3,
                calls: Some(1),
            },
        ],
        stacks: vec![
            StackCost { frames: vec![1, 0], instructions: all / 4 * 3 },
            StackCost { frames: vec![1], instructions: all / 4 },
        ],
        is_partial: false,
    }
}

/// The lines with code, if they are asked for. Every input reaches all of them.
pub(super) fn code_lines(asked: &SeriesLines) -> Vec<SourceLine> {
    match asked {
        SeriesLines::Reached => [7, 12].map(|line| SourceLine { file: None, line }).into(),
        SeriesLines::None | SeriesLines::Cost(_) => Vec::new(),
    }
}

/// The result for an input of a series. All instructions belong to the line of the request.
pub(super) fn in_series(counted: Counted, asked: &SeriesLines, is_first: bool) -> InputCount {
    let mut count = InputCount::from(counted);
    match asked {
        SeriesLines::Cost(_) => count.line_instructions = count.instructions.clone().ok(),
        SeriesLines::Reached if is_first => count.new_lines = vec![0, 1],
        SeriesLines::None | SeriesLines::Reached => {}
    }
    count
}

/// The record of a run's allocations. All of its `bytes` are one lost block.
pub(super) fn record(bytes: u64) -> Record {
    let trace = Some(vec![0x40_1136]);
    let (allocations, left_blocks, peak_blocks) = (1, 1, 1);
    let (allocated_bytes, peak_bytes, left_bytes) = (bytes, bytes, bytes);
    let left = Left::from([(LeftKind::Lost, Blocks { blocks: left_blocks, bytes })]);
    let site = Site { trace, allocations, allocated_bytes, peak_bytes, left };
    let sums = Sums {
        allocations,
        allocated_bytes,
        peak_bytes,
        peak_blocks,
        left_blocks,
        left_bytes,
        ..Sums::default()
    };
    let lines = "0x0000000000401136\nwork(int)\n/tmp/main.cpp:7\n".into();
    Record { sums, sites: vec![site], lines, ..Record::default() }
}
