//! Translates a decoded block: copies its instructions, adds to a counter, and replaces the jump at
//! its end.

use crate::abort;
use crate::context::COUNTERS;
use crate::layout::REACH;
use crate::layout::absolute;
use crate::profiling::profile::{is_inside, profile};
use crate::profiling::profiled_exits::profiled_end;
use crate::profiling::tallies::tallies;
use crate::program::memory::Memory;
use crate::program::processor;
use crate::translation::block::{Block, End, INSTRUCTION_BYTES};
use crate::translation::block_chaining::Links;
use crate::translation::block_exits::{end, original, put_fixed};
use crate::translation::instruction_pointer;
use crate::translation::writer::{TOTAL, counter};
use iced_x86::{Decoder, DecoderOptions, Instruction, Mnemonic, Register};

/// Maximum number of blocks that are translated at a time, as long as one always follows another.
const AHEAD: usize = 32;
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

    /// The translation of the target of an indirect jump. The table finds it from now on.
    pub(crate) fn find_indirect(&mut self, target: u64, memory: &mut Memory) -> u32 {
        let reachable = memory.reachable(target);
        self.links.header(reachable);
        self.find(target, memory)
    }

    /// Translates the block at `start` and the blocks that always follow.
    fn translate(&mut self, start: u32, memory: &mut Memory) -> u32 {
        let at = self.links.hot.at;
        self.block.decode(start, memory.code(start));
        if let End::Refused(reason) = self.block.end {
            abort::unsupported(reason);
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

    /// Decodes the block after the current one, if it can be translated right after it.
    fn look_ahead(&mut self, next: Option<u32>, memory: &mut Memory) -> bool {
        let other = |&next: &u32| next != self.block.start && memory.is_code(next);
        let Some(next) = next.filter(other) else { return false };
        self.ahead.decode(next, memory.code(next));
        self.ahead.find_place(false);
        !matches!(self.ahead.end, End::Refused(_))
    }

    /// Emits one block, without a jump to the block that always follows.
    fn emit(&mut self) {
        let block = &self.block;
        let inside = is_inside(block.start.into());
        let profiled = profile().is_some();
        let tally = tallies().filter(|_| inside).map(|tallies| tallies.of(block));
        self.counter = (self.counter + 1) % COUNTERS;
        let (counter, tally) = match tally {
            // A profiled program has only one counter, because chains of calls are charged with its
            // value.
            tally if profiled => (TOTAL, tally),
            Some(tally) => (tally, None),
            None => (counter(inside, self.counter), None),
        };
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
                    self.links.hot.count(tally, by);
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

/// Copies an instruction. Addresses relative to the instruction still refer to the same place.
fn copy(links: &mut Links, block: &Block, instruction: &Instruction) {
    if instruction.mnemonic() == Mnemonic::Xgetbv {
        return links.hot.put(&processor::XGETBV);
    }
    let bytes = original(block, instruction);
    if instruction.is_ip_rel_memory_operand() {
        let mut decoder = Decoder::with_ip(64, bytes, instruction.ip(), DecoderOptions::NONE);
        let offsets = {
            let again = decoder.decode();
            decoder.get_constant_offsets(&again)
        };
        // The copy is a byte longer.
        if bytes.len() == INSTRUCTION_BYTES {
            abort::unsupported("it has an instruction that is too long");
        }
        let (head, rest) = bytes.split_at(offsets.displacement_offset());
        put_fixed(links, head, &rest[offsets.displacement_size()..], instruction);
    } else {
        links.hot.put(bytes);
    }
    instruction_pointer::hide(&mut links.hot, instruction);
    if instruction.mnemonic() == Mnemonic::Tzcnt && !processor::has_tzcnt() {
        complete_bsf(links, instruction.op0_register());
    }
}

/// Completes a `tzcnt` that the processor executes as `bsf`: if the operand was zero, the result is
/// its number of bits. Compilers use either instruction where they do not need the flags.
fn complete_bsf(links: &mut Links, result: Register) {
    let (number, bytes) = (result.number(), result.size());
    let byte = |number: usize| u8::try_from(number).unwrap_or(0);
    let mut set = Vec::new(); // mov result, bits
    if bytes == 2 {
        set.push(0x66);
    }
    if number >= 8 {
        set.push(0x41);
    }
    set.push(byte(0xB8 | number & 0b111));
    set.extend(&[byte(bytes * 8), 0, 0, 0][..bytes.min(4)]);
    links.hot.put(&[0x75, byte(set.len())]); // jnz, over it
    links.hot.put(&set);
}
