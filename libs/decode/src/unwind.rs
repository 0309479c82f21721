//! Unwinds the stack of a stopped process, from its memory alone.
//!
//! Each module of the process (the program, a library) has its unwind tables in memory, in
//! `.eh_frame_hdr` and `.eh_frame`. The process can write all of it, so a process can forge its own
//! stack. Sections, rules and steps have bounds.

mod machine;
mod module;
mod rule;

pub use machine::{Mapping, Memory, REGISTERS, Registers};

use machine::{NUMBERS, Step, word};
use module::Module;
use rule::Rule;
use std::collections::HashMap;

/// Maximum number of calls that are unwound.
pub const MAX_CALLS: usize = 1 << 17;
/// Maximum number of rules, one per distinct address on the stack.
const MAX_RULES: usize = 1 << 12;
/// Maximum number of mappings of code whose tables are read. Each takes up to 4 MiB.
const MAX_MODULES: usize = 32;

/// The calls on a stack.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Calls {
    /// Addresses in the binary of the program, the innermost first. Libraries are left out.
    pub addresses: Vec<u64>,
    /// Whether the last call that was reached is not the outermost one.
    pub is_cut: bool,
}

/// Unwinds the stacks of one process. Tables and rules that were read once are kept.
pub struct Unwinder<'a> {
    mappings: Vec<Mapping>,
    /// The end of the path of the program.
    program: &'a str,
    /// By the start of a mapping of code; `None` if it has no tables. At most [`MAX_MODULES`].
    modules: HashMap<u64, Option<Module>>,
    /// By address; `None` if it has no rule. At most [`MAX_RULES`].
    rules: HashMap<u64, Option<Rule>>,
}

impl<'a> Unwinder<'a> {
    /// Returns an unwinder for a process with these mappings. `program` is the end of the path of
    /// its program.
    pub fn new(mappings: Vec<Mapping>, program: &'a str) -> Self {
        Self { mappings, program, modules: HashMap::new(), rules: HashMap::new() }
    }

    /// Whether `address` is in a mapping of code.
    pub fn has_code(&self, address: u64) -> bool {
        self.mappings.iter().any(|it| it.is_code && it.contains(address))
    }

    /// Unwinds a stack from `registers`, up to `most` calls of the program. Stops early once
    /// `is_late`.
    pub fn calls(
        &mut self,
        memory: &impl Memory,
        registers: Registers,
        most: usize,
        is_late: impl Fn() -> bool,
    ) -> Calls {
        // Rules of earlier stacks must leave room for those of this one.
        if self.rules.len() > MAX_RULES / 2 {
            self.rules.clear();
        }
        let program = self.program;
        let mut calls = Calls::default();
        let mut at = registers;
        for depth in 0..MAX_CALLS {
            // A return address comes after its call. If the call is the last instruction of a
            // function, the address belongs to the next function.
            let address = if depth == 0 { at.pc } else { at.pc.wrapping_sub(1) };
            if let Some(module) = self.module(memory, address)
                && module.file.ends_with(program)
            {
                calls.addresses.push(address.wrapping_sub(module.bias));
            }
            // A search takes time in each step: a process can have many mappings.
            if calls.addresses.len() == most || is_late() {
                break;
            }
            match self.step(memory, &at, address, depth == 0) {
                Step::To(caller) => at = *caller,
                Step::Outermost => return calls,
                Step::Unknown => break,
            }
        }
        calls.is_cut = true;
        calls
    }

    /// The module that has code at `address`.
    fn module(&mut self, memory: &impl Memory, address: u64) -> Option<&Module> {
        let Self { mappings, modules, .. } = self;
        let code = mappings.iter().find(|it| it.is_code && it.contains(address))?;
        if modules.len() == MAX_MODULES && !modules.contains_key(&code.start) {
            return None;
        }
        let load = || Module::load(memory, mappings, code);
        modules.entry(code.start).or_insert_with(load).as_ref()
    }

    fn step(&mut self, memory: &impl Memory, at: &Registers, address: u64, is_first: bool) -> Step {
        if !self.rules.contains_key(&address) {
            if self.rules.len() == MAX_RULES {
                return Step::Unknown;
            }
            let rule = self.module(memory, address).and_then(|module| Rule::find(module, address));
            self.rules.insert(address, rule);
        }
        if let Some(Some(rule)) = self.rules.get(&address) {
            return rule.apply(at, memory, is_first);
        }
        // A call through a bad pointer: nothing but the return address is there.
        if is_first && self.module(memory, address).is_none() {
            returned(memory, at)
        } else {
            Step::Unknown
        }
    }
}

/// The caller of a function that has not executed any instruction.
fn returned(memory: &impl Memory, at: &Registers) -> Step {
    let (stack, link) = NUMBERS;
    let mut caller = at.clone();
    let pc = if cfg!(target_arch = "aarch64") {
        at.values[link]
    } else {
        let pointer = at.values[stack];
        caller.values[stack] = pointer.map(|pointer| pointer.wrapping_add(8));
        pointer.and_then(|pointer| word(memory, pointer))
    };
    let Some(pc) = pc else { return Step::Unknown };
    caller.pc = pc;
    Step::To(Box::new(caller))
}

#[cfg(test)]
mod tests;
