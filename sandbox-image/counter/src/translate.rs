//! From a decoded block to generated code: a copy of its instructions, an addition to a counter,
//! and what stands for the jump at its end.

use crate::block::{Block, End};
use crate::context::COUNTERS;
use crate::layout::{CALLS, REACH};
use crate::links::Links;
use crate::memory::Memory;
use crate::profile::{is_inside, profile};
use crate::report;
use crate::trail::profiled_end;
use crate::writer::{ON_CALL, SPILLED_RCX, TARGET, absolute, counter, poke};
use iced_x86::{Decoder, DecoderOptions, Instruction, Register};

/// How many blocks are translated ahead where one surely follows another.
const AHEAD: usize = 32;
/// Prefixes that name a segment with a base of its own.
const FS_PREFIX: u8 = 0x64;
const GS_PREFIX: u8 = 0x65;

/// Translates blocks.
pub(crate) struct Translator {
    pub(crate) links: Links,
    block: Block,
    ahead: Block,
    counter: usize,
}

impl Translator {
    pub(crate) fn new() -> Self {
        Self { links: Links::new(), block: Block::new(), ahead: Block::new(), counter: 0 }
    }

    /// The translation of the block at `target`.
    pub(crate) fn find(&mut self, target: u64, memory: &mut Memory) -> u32 {
        let target = memory.reachable(target);
        match self.links.find(target) {
            Some(known) => known.at,
            None => self.translate(target, memory),
        }
    }

    /// The same for the target of an indirect jump, which from now on finds it by itself.
    pub(crate) fn find_indirect(&mut self, target: u64, memory: &mut Memory) -> u32 {
        let reachable = memory.reachable(target);
        self.links.header(reachable);
        self.find(target, memory)
    }

    /// Translates the block at `start` and what surely follows it.
    fn translate(&mut self, start: u32, memory: &mut Memory) -> u32 {
        let at = self.links.hot.at;
        self.block.decode(start, memory.code(start));
        if let End::Refused(reason) = self.block.end {
            report::unsupported(reason);
        }
        for ahead in 1..=AHEAD {
            let next = self.block.next().filter(|&next| next < REACH).map(absolute);
            let known = next.and_then(|next| self.links.find(next));
            let fresh = known.is_none() && ahead < AHEAD && self.look_ahead(next, memory);
            let dead =
                known.is_some_and(|known| known.flags_dead) || fresh && self.ahead.flags_dead;
            self.block.find_place(dead);
            self.links.begin(self.block.start, self.block.flags_dead);
            self.emit();
            match (fresh, next) {
                (true, _) => std::mem::swap(&mut self.block, &mut self.ahead),
                (false, Some(next)) => {
                    self.links.exit(&[0xE9], next);
                    break;
                }
                (false, None) => break,
            }
        }
        at
    }

    /// Decodes the block behind the present one, if it can be translated right after it.
    fn look_ahead(&mut self, next: Option<u32>, memory: &mut Memory) -> bool {
        let other = |&next: &u32| next != self.block.start && memory.is_code(next);
        let Some(next) = next.filter(other) else { return false };
        self.ahead.decode(next, memory.code(next));
        self.ahead.find_place(false);
        !matches!(self.ahead.end, End::Refused(_))
    }

    /// Emits one block, without the jump to what surely follows.
    fn emit(&mut self) {
        let block = &self.block;
        let profile = profile();
        let inside = is_inside(block.start.into());
        let profiled = profile.is_some();
        let tally = profile.filter(|_| inside).map(|profile| profile.tally(block));
        // One that is profiled has one counter, for its chains of calls are charged by it.
        self.counter = if profiled { 0 } else { (self.counter + 1) % COUNTERS };
        let counter = counter(self.counter);
        let by = u8::try_from(block.instructions.len()).unwrap_or(0);
        let indirect = matches!(block.end, End::Return | End::IndirectJump | End::IndirectCall);
        let late = block.place.is_none() && indirect && !profiled;
        if block.place.is_none() && !late {
            self.links.hot.count_aside(counter, by, tally);
        }
        let copied = match block.end {
            End::Next | End::Fault => block.instructions.len(),
            _ => block.instructions.len() - 1,
        };
        for (at, instruction) in block.instructions.iter().enumerate() {
            if block.place == Some(at) {
                self.links.hot.count(counter, by);
                if let Some(tally) = tally {
                    self.links.hot.count(tally, 1);
                }
            }
            if at < copied {
                copy(&mut self.links, block, instruction);
            }
        }
        let late = late.then_some((counter, by));
        let Some(last) = block.instructions.last() else { return };
        if profiled {
            profiled_end(&mut self.links, block, last);
        } else {
            end(&mut self.links, block, last, late);
        }
    }
}

/// The original bytes of an instruction.
pub(crate) fn original<'a>(block: &'a Block, instruction: &Instruction) -> &'a [u8] {
    let offset = absolute(instruction.ip()) - block.start;
    // SAFETY: the instruction was decoded from there; translated code stays mapped while it is
    // being copied.
    unsafe { std::slice::from_raw_parts(block.bytes.add(offset as usize), instruction.len()) }
}

/// Copies an instruction. What it addresses relative to itself stays where it was.
fn copy(links: &mut Links, block: &Block, instruction: &Instruction) {
    let start = links.hot.at;
    let bytes = original(block, instruction);
    links.hot.put(bytes);
    if instruction.is_ip_rel_memory_operand() {
        let mut decoder = Decoder::with_ip(64, bytes, instruction.ip(), DecoderOptions::NONE);
        let offsets = {
            let again = decoder.decode();
            decoder.get_constant_offsets(&again)
        };
        relocate(links, start, offsets.displacement_offset(), instruction);
    }
}

/// Sets the displacement in the instruction that was emitted from `start` on, its last code.
fn relocate(links: &Links, start: u32, offset: usize, instruction: &Instruction) {
    let operand = instruction.memory_displacement64();
    let displacement = operand.wrapping_sub(u64::from(links.hot.at));
    let Ok(displacement) = i32::try_from(displacement.cast_signed()) else {
        report::unsupported("it addresses what is too far away");
    };
    let site = start + absolute(offset as u64);
    poke(site, &displacement.to_le_bytes());
}

/// Emits what stands for the last instruction; `late` is the count that is not yet added.
pub(crate) fn end(links: &mut Links, block: &Block, last: &Instruction, late: Option<(u32, u8)>) {
    match block.end {
        End::Next | End::Fault | End::Jump | End::Refused(_) => {}
        End::Call => links.hot.push(block.behind()),
        End::Condition => {
            let bytes = original(block, last);
            let opcode = bytes.len() - if last.is_jcc_short() { 2 } else { 5 };
            links.exit(&[0x0F, 0x80 | bytes[opcode] & 0xF], near(block));
            links.exit(&[0xE9], block.behind());
        }
        End::Counted => {
            let bytes = original(block, last);
            links.hot.put(&bytes[..bytes.len() - 1]);
            links.hot.put(&[5]); // over the jump
            links.exit(&[0xE9], block.behind());
            links.exit(&[0xE9], near(block));
        }
        End::System => system(links, block.behind()),
        End::Return => {
            links.hot.save_rcx(SPILLED_RCX);
            pop_target(links, last);
            jump(links, late);
        }
        End::IndirectJump | End::IndirectCall => {
            links.hot.save_rcx(SPILLED_RCX);
            load_operand(links, original(block, last), last);
            if block.end == End::IndirectCall {
                links.hot.push(block.behind());
            }
            jump(links, late);
        }
    }
}

/// Emits what a return does with the stack; its target is in rcx then.
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
        _ => report::unsupported("it jumps too far away"),
    }
}

/// Jumps to the address in rcx.
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
        report::unsupported("it has a jump that is not supported");
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
    // The operand in the middle of the encoding stays, the register becomes rcx.
    links.hot.put(&[0x48 | rex, 0x8B, (rest[1] & 0b1100_0111) | 0b1000]);
    let displacement = links.hot.at;
    links.hot.put(&rest[2..]);
    if instruction.is_ip_rel_memory_operand() {
        relocate(links, start, (displacement - start) as usize, instruction);
    }
}

/// A system call: at once, unless it is one that the counter must see.
fn system(links: &mut Links, next: u32) {
    let hot = &mut links.hot;
    hot.save_rcx(SPILLED_RCX);
    hot.put(&[0x0F, 0xB7, 0xC8]); // movzx ecx, ax
    hot.put(&[0x0F, 0xB6, 0x89]); // movzx ecx, byte [rcx + CALLS]
    hot.put(&absolute(CALLS).to_le_bytes());
    hot.put(&[0xE3, 19]); // jrcxz, over the next two
    hot.cause(next);
    hot.leave(ON_CALL);
    hot.put(&[0x0F, 0x05, 0xB9]); // syscall; mov ecx, next
    hot.put(&next.to_le_bytes());
}
