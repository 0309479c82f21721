//! Samples of the stack of a traced process.

use super::view::{ProcessMemory, view};
use crate::sys::facts::now;
use nix::unistd::Pid;
use profiler_decode::unwind::{Registers, Unwinder};
use runner_protocol::MAX_SAMPLES;
use std::collections::HashMap;
use std::time::Duration;

/// Maximum number of calls of the program in a sample. Library code that is no line of the source
/// can have many, such as a recursive sort.
const MAX_SAMPLE_CALLS: usize = 64;
/// Maximum number of times that the mappings are read. A program may load code while it runs.
const MAX_VIEWS: u32 = 16;
/// Maximum time for one sample.
const SAMPLE_TIME: Duration = Duration::from_millis(50);

/// Samples of the stack of a process.
#[derive(Default)]
pub(crate) struct Samples<'a> {
    /// Its memory, and its code when it was last looked at.
    view: Option<(ProcessMemory, Unwinder<'a>)>,
    views: u32,
    /// Number of samples.
    pub(crate) taken: u32,
    /// The addresses of calls in the program, the innermost first, with the number of samples that
    /// have these.
    pub(crate) stacks: HashMap<Vec<u64>, u32>,
    /// Whether the process started threads. Only one of them is sampled.
    pub(crate) has_threads: bool,
}

impl<'a> Samples<'a> {
    /// Whether there is room for another sample.
    pub(crate) fn has_room(&self) -> bool {
        self.taken < MAX_SAMPLES && !self.has_threads
    }

    /// Adds the stack of the stopped thread of a process, whose program has this path.
    pub(super) fn take(
        &mut self,
        (process, program): (Pid, &'a str),
        registers: Option<Registers>,
        is_late: &dyn Fn() -> bool,
    ) {
        self.taken += 1;
        let Some(registers) = registers else { return };
        let is_known = |(_, code): &(_, Unwinder<'_>)| code.has_code(registers.pc);
        if !self.view.as_ref().is_some_and(is_known) && self.views < MAX_VIEWS {
            self.views += 1;
            self.view =
                view(process).map(|(mappings, memory)| (memory, Unwinder::new(mappings, program)));
        }
        let Some((memory, code)) = &mut self.view else { return };
        memory.page.take();
        let until = now() + SAMPLE_TIME;
        let is_over = || now() > until || is_late();
        let calls = code.calls(memory, registers, MAX_SAMPLE_CALLS, is_over);
        *self.stacks.entry(calls.addresses).or_default() += 1;
    }
}
