//! The lines of the program that the inputs of a series reach.

use crate::process::runner::Runner;
use crate::runs::compile::own_files;
use crate::sys::fault::{Result, Stage};
use profiler_decode::counter_output::Exited;
use profiler_decode::elf::LineTable;
use runner_protocol::{Run, SourceLine};
use std::collections::HashSet;
use std::fs::File;

/// The lines with code, and those that no input has reached so far.
#[derive(Debug, Default)]
pub(super) struct Reached {
    table: LineTable,
    /// The lines that were reached, as indices.
    lines: HashSet<usize>,
    /// The blocks whose lines are known: their first addresses and their numbers of instructions.
    blocks: HashSet<(u32, usize)>,
}

impl Reached {
    /// Reads the lines of the program. There are none if they cannot be read.
    pub(super) fn of_program(runner: &Runner, request: &Run) -> Result<Self> {
        let (program, _) = runner.program(request.subject);
        let binary = File::open(program).stage("open a binary")?;
        let table = LineTable::read(&binary, &own_files()?).unwrap_or_default();
        Ok(Self { table, ..Self::default() })
    }

    /// Returns the lines that an input is the first to reach, as indices.
    pub(super) fn new_lines(&mut self, exited: &Exited<'_>) -> Vec<u32> {
        let Self { table, lines, blocks } = self;
        let mut found = Vec::new();
        for block in exited.blocks().filter(|block| block.executions > 0) {
            let begin = block.addresses.first().copied().unwrap_or(0);
            if blocks.insert((begin, block.addresses.len())) {
                let reached = block.addresses.iter().filter_map(|&at| table.line_at(at));
                let new = reached.filter(|line| lines.insert(*line));
                found.extend(new.filter_map(|line| u32::try_from(line).ok()));
            }
        }
        found
    }

    /// Returns all lines with code.
    pub(super) fn code_lines(self) -> Vec<SourceLine> {
        self.table.lines
    }
}
