//! Replaces the last instruction of a block.

use crate::abort;
use crate::layout::absolute;
use crate::layout::{CALLS, REACH};
use crate::leave_reason::{CALL, IDENTIFY};
use crate::translation::block::{Block, End};
use crate::translation::block_chaining::Links;
use crate::translation::writer::{SPILLED_RCX, TARGET, poke};
use iced_x86::{Instruction, Register};

/// Prefixes for segments that have their own base.
const FS_PREFIX: u8 = 0x64;
const GS_PREFIX: u8 = 0x65;

/// The original bytes of an instruction.
pub(crate) fn original<'a>(block: &'a Block, instruction: &Instruction) -> &'a [u8] {
    let offset = absolute(instruction.ip()) - block.start;
    // SAFETY: the instruction was decoded from these bytes, and code stays mapped while it is
    // copied.
    unsafe { std::slice::from_raw_parts(block.bytes.add(offset as usize), instruction.len()) }
}

/// Sets the displacement in the last instruction of the emitted code, which begins at `start`.
pub(super) fn relocate(links: &Links, start: u32, offset: usize, instruction: &Instruction) {
    let operand = instruction.memory_displacement64();
    let displacement = operand.wrapping_sub(u64::from(links.hot.at));
    let Ok(displacement) = i32::try_from(displacement.cast_signed()) else {
        abort::unsupported("it addresses memory that is too far away");
    };
    let site = start + absolute(offset as u64);
    poke(site, &displacement.to_le_bytes());
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
    let start = links.hot.at;
    let Some(opcode) = bytes.iter().position(|&byte| byte == 0xFF) else {
        abort::unsupported("it has a jump that is not supported");
    };
    let (prefixes, rest) = bytes.split_at(opcode);
    let segment = match instruction.segment_prefix() {
        Register::FS => Some(FS_PREFIX),
        Register::GS => Some(GS_PREFIX),
        _ => None,
    };
    if let Some(segment) = segment {
        links.hot.put(&[segment]);
    }
    let rex = prefixes.last().filter(|&&prefix| prefix & 0xF0 == 0x40).map_or(0, |rex| rex & 0b11);
    // Keep the operand, which is in the middle of the encoding, and change the register to rcx.
    links.hot.put(&[0x48 | rex, 0x8B, (rest[1] & 0b1100_0111) | 0b1000]);
    let displacement = links.hot.at;
    links.hot.put(&rest[2..]);
    if instruction.is_ip_rel_memory_operand() {
        relocate(links, start, (displacement - start) as usize, instruction);
    }
}

/// Emits a system call, which goes directly to the kernel unless the counter must intercept it.
fn system(links: &mut Links, next: u32) {
    let hot = &mut links.hot;
    hot.save_rcx(SPILLED_RCX);
    hot.put(&[0x0F, 0xB7, 0xC8]); // movzx ecx, ax
    hot.put(&[0x0F, 0xB6, 0x89]); // movzx ecx, byte [rcx + CALLS]
    hot.put(&absolute(CALLS).to_le_bytes());
    hot.put(&[0xE3, 19]); // jrcxz, over the next two
    hot.cause(next);
    hot.leave(CALL);
    hot.put(&[0x0F, 0x05, 0xB9]); // syscall; mov ecx, next
    hot.put(&next.to_le_bytes());
}
