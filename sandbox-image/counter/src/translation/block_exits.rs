//! Replaces the last instruction of a block.

use crate::abort;
use crate::context::{Context, R8, R9, R10, RDI, RDX, RSI};
use crate::layout::absolute;
use crate::layout::{CALLS, REACH};
use crate::leave_reason::{CALL, IDENTIFY};
use crate::translation::block::{Block, End};
use crate::translation::block_chaining::Links;
use crate::translation::instruction_pointer::FS_PREFIX;
use crate::translation::writer::{SPILLED_RCX, TARGET, field};
use iced_x86::{Instruction, Register};
use std::mem::offset_of;

/// The registers of a call's arguments, and `mov` of each to a place in the context.
const ARGUMENTS: [(usize, [u8; 5]); 6] = [
    (RDI, [0x65, 0x48, 0x89, 0x3C, 0x25]),
    (RSI, [0x65, 0x48, 0x89, 0x34, 0x25]),
    (RDX, [0x65, 0x48, 0x89, 0x14, 0x25]),
    (R10, [0x65, 0x4C, 0x89, 0x14, 0x25]),
    (R8, [0x65, 0x4C, 0x89, 0x04, 0x25]),
    (R9, [0x65, 0x4C, 0x89, 0x0C, 0x25]),
];
const BEYOND: u32 = field(offset_of!(Context, beyond));
const REGISTERS: u32 = field(offset_of!(Context, registers));

/// The original bytes of an instruction.
pub(crate) fn original<'a>(block: &'a Block, instruction: &Instruction) -> &'a [u8] {
    let offset = absolute(instruction.ip()) - block.start;
    // SAFETY: the instruction was decoded from these bytes, and code stays mapped while it is
    // copied.
    unsafe { std::slice::from_raw_parts(block.bytes.add(offset as usize), instruction.len()) }
}

/// Emits an instruction whose operand is relative to the code, with the operand's address instead.
/// `head` ends before the displacement, and `tail` begins after it. The byte before a displacement
/// says that it is relative; without that bit, a byte without registers follows.
pub(super) fn put_fixed(links: &mut Links, head: &[u8], tail: &[u8], instruction: &Instruction) {
    let Some((kind, head)) = head.split_last() else { return };
    let operand = match instruction.memory_displacement64() {
        address if address < REACH => absolute(address),
        _ => abort::unsupported("it addresses memory that is too far away"),
    };
    links.hot.put(head);
    links.hot.put_with(&[kind & !1, 0x25], operand);
    links.hot.put(tail);
}

/// Emits the replacement of the last instruction; `late` is the counter to which the block's count
/// is not added yet, and the count.
pub(crate) fn end(links: &mut Links, block: &Block, last: &Instruction, late: Option<(u32, u8)>) {
    match block.end {
        End::Next | End::Fault | End::Jump | End::Refused(_) => {}
        End::Call => links.hot.push(block.end_address()),
        End::Condition => {
            let bytes = original(block, last);
            let opcode = bytes.len() - if last.is_jcc_short() { 2 } else { 5 };
            links.exit(&[0x0F, 0x80 | bytes[opcode] & 0xF], near(block));
            links.exit(&[0xE9], block.end_address());
        }
        End::Counted => {
            let bytes = original(block, last);
            links.hot.put(&bytes[..bytes.len() - 1]);
            links.hot.put(&[5]); // over the jump
            links.exit(&[0xE9], block.end_address());
            links.exit(&[0xE9], near(block));
        }
        End::System => system(links, block.end_address()),
        End::Identify => {
            links.hot.cause(block.end_address());
            links.hot.leave(IDENTIFY);
        }
        End::Return => {
            links.hot.save_rcx(SPILLED_RCX);
            pop_target(links, last);
            jump(links, late);
        }
        End::IndirectJump | End::IndirectCall => {
            links.hot.save_rcx(SPILLED_RCX);
            load_operand(links, original(block, last), last);
            if block.end == End::IndirectCall {
                links.hot.push(block.end_address());
            }
            jump(links, late);
        }
    }
}

/// Emits a return's effect on the stack; the target of the return is then in rcx.
pub(crate) fn pop_target(links: &mut Links, last: &Instruction) {
    links.hot.put(&[0x59]); // pop rcx
    if let Ok(more @ 1..) = u32::try_from(last.stack_pointer_increment() - 8) {
        links.hot.put(&[0x48, 0x8D, 0xA4, 0x24]); // lea rsp, [rsp + more]
        links.hot.put(&more.to_le_bytes());
    }
}

/// The target of the direct jump at the end.
pub(crate) fn near(block: &Block) -> u32 {
    match block.target() {
        target if target < REACH => absolute(target),
        _ => abort::unsupported("it jumps too far away"),
    }
}

/// Emits a jump to the address in rcx.
fn jump(links: &mut Links, late: Option<(u32, u8)>) {
    links.hot.save_rcx(TARGET);
    match late {
        None => links.hot.jump_by_bucket(),
        Some((counter, by)) => {
            links.hot.count_by_rcx(counter, by);
            links.hot.jump_by_target();
        }
    }
}

/// Emits `mov rcx, operand` for the operand of an indirect jump.
pub(crate) fn load_operand(links: &mut Links, bytes: &[u8], instruction: &Instruction) {
    let Some(opcode) = bytes.iter().position(|&byte| byte == 0xFF) else {
        abort::unsupported("it has a jump that is not supported");
    };
    let (prefixes, rest) = bytes.split_at(opcode);
    if instruction.segment_prefix() == Register::FS {
        links.hot.put(&[FS_PREFIX]);
    }
    let rex = prefixes.last().filter(|&&prefix| prefix & 0xF0 == 0x40).map_or(0, |rex| rex & 0b11);
    // Keep the operand, which is in the middle of the encoding, and change the register to rcx.
    let head = [0x48 | rex, 0x8B, (rest[1] & 0b1100_0111) | 0b1000];
    if instruction.is_ip_rel_memory_operand() {
        return put_fixed(links, &head, &[], instruction);
    }
    links.hot.put(&head);
    links.hot.put(&rest[2..]);
}

/// Emits a system call, which goes directly to the kernel unless the counter must intercept it. The
/// counter also gets calls with an argument that could be an address beyond the program's: the
/// sixth byte of an address says that. And it gets calls whose first argument could be the result
/// file. The kernel changes rcx and r11 in any case.
fn system(links: &mut Links, next: u32) {
    let hot = &mut links.hot;
    hot.save_rcx(SPILLED_RCX);
    hot.put(&[0x44, 0x0F, 0xB7, 0xD8]); // movzx r11d, ax
    hot.put(&[0x65, 0x45, 0x0F, 0xB6, 0x9B]); // movzx r11d, byte gs:[r11 + CALLS]
    hot.put(&absolute(CALLS).to_le_bytes());
    for (register, store) in ARGUMENTS {
        let slot = REGISTERS + absolute(register as u64 * 8);
        hot.put_with(&store, slot);
        hot.put_with(&[0x65, 0x0F, 0xB6, 0x0C, 0x25], slot + 5); // movzx ecx, byte gs:[slot + 5]
        hot.put_with(&[0x65, 0x0F, 0xB6, 0x89], BEYOND); // movzx ecx, byte gs:[rcx + BEYOND]
        hot.put(&[0x4D, 0x8D, 0x1C, 0x0B]); // lea r11, [r11 + rcx]
    }
    let result = u32::try_from(abort::descriptor()).unwrap_or(0);
    hot.put_with(&[0x8D, 0x8F], result.wrapping_neg()); // lea ecx, [rdi - result]
    hot.put(&[0xE3, 5]); // jrcxz, to the next but two
    hot.put(&[0x4C, 0x89, 0xD9]); // mov rcx, r11
    hot.put(&[0xE3, 21]); // jrcxz, over the next two
    hot.cause(next);
    hot.leave(CALL);
    hot.put(&[0x0F, 0x05, 0xB9]); // syscall; mov ecx, next
    hot.put(&next.to_le_bytes());
}
