//! Hides where the program's code is executed.
//!
//! The processor notes the address of the last instruction of x87, and stores it with the state of
//! x87. That address is one of generated code. So each instruction that stores this state is
//! followed by one that sets the address in memory to 0. It changes no flag.

use crate::abort;
use crate::translation::writer::Writer;
use iced_x86::{Instruction, MemorySize, Mnemonic, Register};

/// The prefix for the segment of the program that has its own base.
pub(crate) const FS_PREFIX: u8 = 0x64;

/// Offset of the address in the stored state, and whether it has 64 bits. `None` if the instruction
/// does not store the state of x87.
fn noted(instruction: &Instruction) -> Option<(u32, bool)> {
    match instruction.mnemonic() {
        Mnemonic::Fnstenv | Mnemonic::Fnsave | Mnemonic::Fstenv | Mnemonic::Fsave => {
            let short = [MemorySize::FpuEnv14, MemorySize::FpuState94];
            if short.contains(&instruction.memory_size()) {
                abort::unsupported("it stores the state of x87 as 16-bit programs do");
            }
            Some((12, false))
        }
        Mnemonic::Fxsave
        | Mnemonic::Fxsave64
        | Mnemonic::Xsave
        | Mnemonic::Xsave64
        | Mnemonic::Xsavec
        | Mnemonic::Xsavec64
        | Mnemonic::Xsaveopt
        | Mnemonic::Xsaveopt64 => Some((8, true)),
        _ => None,
    }
}

/// Emits `mov [operand + offset], 0` after an instruction that stores the state of x87.
pub(crate) fn hide(code: &mut Writer, instruction: &Instruction) {
    let Some((offset, is_wide)) = noted(instruction) else { return };
    let (base, index) = (instruction.memory_base(), instruction.memory_index());
    let number = |register: Register| u8::try_from(register.number()).unwrap_or(0);
    if instruction.segment_prefix() == Register::FS {
        code.put(&[FS_PREFIX]);
    }
    // The address could wrap between the state and the noted address.
    if base.size() == 4 || index.size() == 4 {
        abort::unsupported("it stores the state of x87 at a 32-bit address");
    }
    let is_based = base != Register::None && !instruction.is_ip_rel_memory_operand();
    let base = if is_based { number(base) } else { 0b101 };
    let index = if index == Register::None { 0b100 } else { number(index) };
    let rex = 0x40 | u8::from(is_wide) << 3 | (index >> 3) << 1 | base >> 3;
    let mode = if is_based { 0b1000_0100 } else { 0b0000_0100 };
    let scale = u8::try_from(instruction.memory_index_scale().trailing_zeros()).unwrap_or(0);
    code.put(&[rex, 0xC7, mode, scale << 6 | (index & 0b111) << 3 | base & 0b111]);
    let displacement = instruction.memory_displacement64().wrapping_add(offset.into());
    let Ok(displacement) = i32::try_from(displacement.cast_signed()) else {
        abort::unsupported("it stores the state of x87 too far from a register");
    };
    code.put(&displacement.to_le_bytes());
    code.put(&[0; 4]);
}
