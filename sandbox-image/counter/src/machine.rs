//! The counter's own side: what generated code is left for.

use crate::context::{R11, RAX, RCX, context};
use crate::memory::Memory;
use crate::profile::profile;
use crate::translate::Translator;
use crate::{calls, enter};

/// Everything that the counter knows of the program it runs.
pub(crate) struct Machine {
    pub(crate) memory: Memory,
    pub(crate) translator: Translator,
}

impl Machine {
    /// Runs the program from `entry` on, with its stack pointer at `stack`.
    pub(crate) fn run(memory: Memory, entry: u64, stack: u64) -> ! {
        let machine = Box::leak(Box::new(Self { memory, translator: Translator::new() }));
        calls::intercept();
        let resume = machine.find(entry);
        let context = context();
        context.machine = std::ptr::from_mut(machine) as u64;
        context.registers[crate::context::RSP] = stack;
        context.flags = INITIAL_FLAGS;
        context.resume = resume;
        // SAFETY: the context is complete, and nothing of this thread is used again but its stack.
        unsafe { enter::start() }
    }

    fn find(&mut self, target: u64) -> u64 {
        u64::from(self.translator.find(target, &mut self.memory))
    }

    fn arrive(&mut self, why: u64) -> u64 {
        let cause = context().cause;
        let full = !self.translator.links.has_room();
        match why {
            enter::EXIT => {
                let taken = u32::try_from(cause).ok();
                let target = taken.and_then(|number| self.translator.links.take(number));
                if full {
                    self.translator.links.clear();
                }
                self.find(target.map_or(0, u64::from))
            }
            enter::INDIRECT => {
                if full {
                    self.translator.links.clear();
                }
                let target = context().target;
                u64::from(self.translator.find_indirect(target, &mut self.memory))
            }
            enter::ENTER => profile().map_or(0, |profile| profile.fill(cause)),
            enter::RETURN => {
                if let Some(profile) = profile() {
                    profile.unwind(true);
                }
                cause
            }
            enter::CROSS => {
                if let Some(profile) = profile() {
                    profile.cross(cause);
                }
                if full {
                    self.translator.links.clear();
                }
                self.find(context().target)
            }
            _ => {
                let stale = calls::handle(&mut self.memory);
                let context = context();
                // What the instruction leaves in these registers.
                context.registers[RCX] = cause;
                context.registers[R11] = context.flags;
                if stale || full {
                    self.translator.links.clear();
                }
                self.find(cause)
            }
        }
    }
}

/// The flags of a new process: interrupts are on, and a bit that always is.
const INITIAL_FLAGS: u64 = 0x202;

/// Comes from generated code, and returns where it goes on.
///
/// # Safety
/// Only for [`enter`]: `machine` is the one that `Machine::run` made, and is not borrowed.
pub(crate) unsafe extern "C" fn arrive(why: u64, machine: *mut Machine) -> u64 {
    // SAFETY: see above.
    unsafe { &mut *machine }.arrive(why)
}

const _: () = assert!(RAX == 0, "`enter` saves rax first");
