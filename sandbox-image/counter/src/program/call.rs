//! A system call of the program.

use crate::context::{R8, R9, R10, RAX, RDI, RDX, RSI, context};
use libc::c_long;

/// An argument, as the kernel reads it for an `int`.
pub(crate) fn low(argument: u64) -> u64 {
    argument & u64::from(u32::MAX)
}

/// A system call, with its arguments.
pub(crate) struct Call {
    pub(crate) number: c_long,
    pub(crate) arguments: [u64; 6],
}

impl Call {
    /// Flags of mappings that request an exact address.
    pub(crate) const PLACED: u64 = (libc::MAP_FIXED | libc::MAP_FIXED_NOREPLACE) as u64;

    /// The call in the program's registers.
    pub(crate) fn made() -> Self {
        let registers = &context().registers;
        Self {
            number: c_long::try_from(low(registers[RAX])).unwrap_or(-1),
            arguments: [RDI, RSI, RDX, R10, R8, R9].map(|register| registers[register]),
        }
    }

    /// The program's exit code, if the call ends it.
    pub(crate) fn exit_code(&self) -> Option<i32> {
        let ends = matches!(self.number, libc::SYS_exit | libc::SYS_exit_group);
        ends.then(|| i32::try_from(self.arguments[0] & 0xFF).unwrap_or(0))
    }
}
