//! The counter's part of the loop. Generated code leaves to [`arrive`], which finds or makes the
//! translation of the code where the program continues.

use crate::context::{R11, RAX, RBX, RCX, RDX, address, context};
use crate::leave_reason;
use crate::profiling::profile::profile;
use crate::program::memory::Memory;
use crate::program::origin::Origin;
use crate::program::processor;
use crate::program::series::Series;
use crate::program::system_calls;
use crate::translation::translate::Translator;

/// The counter's knowledge of the program.
pub(crate) struct Machine {
    pub(crate) memory: Memory,
    pub(crate) translator: Translator,
    inputs: Inputs,
}

/// The inputs of the program.
pub(crate) enum Inputs {
    /// The one on stdin.
    One,
    /// Several, one after the other in this process.
    Series(Box<Series>),
    /// Several, each in a process that is forked from this one.
    Origin(Origin),
}

impl Machine {
    /// Prepares the program to begin at `entry`, with its stack pointer at `stack`.
    /// [`start`](crate::enter::start) then runs it.
    pub(crate) fn prepare(memory: Memory, entry: u64, stack: u64, inputs: Inputs) {
        match inputs {
            Inputs::One => system_calls::intercept(),
            Inputs::Series(_) | Inputs::Origin(_) => system_calls::intercept_all(),
        }
        let translator = Translator::new();
        let machine = Box::leak(Box::new(Self { memory, translator, inputs }));
        let resume = machine.translator.find(entry, &mut machine.memory);
        let context = context();
        context.machine = std::ptr::from_mut(machine) as u64;
        context.registers[crate::context::RSP] = stack;
        context.flags = INITIAL_FLAGS;
        context.resume = address(resume.into());
    }

    fn arrive(&mut self, why: u64) -> u64 {
        let cause = context().cause;
        let links = &mut self.translator.links;
        let mut must_clear = !links.has_room();
        let target = match why {
            leave_reason::ENTER => return profile().map_or(0, |profile| profile.fill(cause)),
            leave_reason::RETURN => {
                if let Some(profile) = profile() {
                    profile.unwind(true);
                }
                return address(cause);
            }
            leave_reason::EXIT => {
                let taken = u32::try_from(cause).ok().and_then(|number| links.take(number));
                taken.map_or(0, u64::from)
            }
            leave_reason::INDIRECT => context().target,
            leave_reason::IDENTIFY => {
                identify();
                cause
            }
            leave_reason::CROSS => {
                if let Some(profile) = profile() {
                    profile.cross(cause);
                }
                context().target
            }
            _ => {
                must_clear |= match &mut self.inputs {
                    Inputs::One => system_calls::handle(&mut self.memory),
                    Inputs::Series(series) => series.handle(&mut self.memory),
                    Inputs::Origin(origin) => {
                        origin.handle(&mut self.memory).unwrap_or_else(|| {
                            self.inputs = Inputs::One;
                            system_calls::intercept();
                            system_calls::handle(&mut self.memory)
                        })
                    }
                };
                let context = context();
                // In a series, the next input may continue at another address.
                let cause = context.cause;
                // `syscall` leaves these values in the registers.
                context.registers[RCX] = cause;
                context.registers[R11] = context.flags;
                cause
            }
        };
        if must_clear {
            self.translator.links.clear();
        }
        let find = match why {
            leave_reason::INDIRECT => Translator::find_indirect,
            _ => Translator::find,
        };
        address(find(&mut self.translator, target, &mut self.memory).into())
    }
}

/// Answers the `cpuid` in the program's registers.
fn identify() {
    let registers = &mut context().registers;
    let low = |register: u64| u32::try_from(register & u64::from(u32::MAX)).unwrap_or(0);
    let [leaf, entry] = [RAX, RCX].map(|register| low(registers[register]));
    for (register, value) in [RAX, RBX, RCX, RDX].into_iter().zip(processor::cpuid(leaf, entry)) {
        registers[register] = value.into();
    }
}

/// The flags of a new process: interrupts are enabled, and the reserved bit is set.
const INITIAL_FLAGS: u64 = 0x202;

/// Handles an exit from generated code, and returns the address to continue at.
///
/// # Safety
/// Only [`enter`](crate::enter) may call this: [`Machine::prepare`] made `machine`, and nobody
/// borrows it.
pub(crate) unsafe extern "C" fn arrive(why: u64, machine: *mut Machine) -> u64 {
    // SAFETY: see above.
    unsafe { &mut *machine }.arrive(why)
}

const _: () = assert!(RAX == 0, "`enter` saves rax first");
