//! Writes machine code. It refers to the counter's area by offsets from the base of gs, and to the
//! program by 32-bit addresses.

use crate::context::{COUNTERS, Context, Opened, READ_WRITE, address};
use crate::layout::{BUCKETS, absolute};
use std::mem::offset_of;
use std::ops::Range;

/// The place of a field of the context, for generated code.
pub(crate) const fn field(offset: usize) -> u32 {
    absolute(offset as u64)
}

pub(crate) const SPILLED_RCX: u32 = field(offset_of!(Context, spilled_rcx));
pub(crate) const SPILLED_RAX: u32 = field(offset_of!(Context, spilled_rax));
pub(crate) const SPILLED_RDX: u32 = field(offset_of!(Context, spilled_rdx));
pub(crate) const TARGET: u32 = field(offset_of!(Context, target));
pub(crate) const CAUSE: u32 = field(offset_of!(Context, cause));
/// The table of entry points into Rust, in the order of [`leave_reason`](crate::leave_reason).
const WAYS_IN: u32 = field(offset_of!(Context, ways_in));
/// The first counter. A profiled program uses no other, because chains of calls are charged with
/// its value.
pub(crate) const TOTAL: u32 = field(offset_of!(Context, counters));

/// Encodings of instructions, up to their place. The first byte is the prefix for gs.
const RCX_TO: [u8; 5] = [0x65, 0x48, 0x89, 0x0C, 0x25];
const RCX_FROM: [u8; 5] = [0x65, 0x48, 0x8B, 0x0C, 0x25];
pub(crate) const RAX_TO: [u8; 5] = [0x65, 0x48, 0x89, 0x04, 0x25];
pub(crate) const RAX_FROM: [u8; 5] = [0x65, 0x48, 0x8B, 0x04, 0x25];
const ECX_FROM_U16: [u8; 5] = [0x65, 0x0F, 0xB7, 0x0C, 0x25];
const LEA_RCX_RCX: [u8; 3] = [0x48, 0x8D, 0x89];
const LEA_RAX_RAX: [u8; 3] = [0x48, 0x8D, 0x80];
const JUMP: u8 = 0xE9;
/// The length of a jump with a 32-bit displacement.
pub(crate) const JUMP_BYTES: u32 = 5;

/// An area of generated code, filled from the start.
pub(crate) struct Writer {
    pub(crate) at: u32,
    start: u32,
    end: u32,
    opened: Opened,
}

impl Writer {
    /// Begins to fill `area`, which must be one of the layout's areas for code.
    pub(crate) fn new(area: &Range<u64>) -> Self {
        let [start, end] = [area.start, area.end].map(absolute);
        let opened = Opened::from(area.start, READ_WRITE | libc::PROT_EXEC);
        Self { at: start, start, end, opened }
    }

    pub(crate) fn clear(&mut self) {
        self.at = self.start;
    }

    /// Whether there is room for this many bytes. Makes that room accessible.
    pub(crate) fn has_room(&mut self, bytes: u32) -> bool {
        let has_room = self.end - self.at > bytes;
        if has_room {
            self.opened.reach(self.at + bytes);
        }
        has_room
    }

    pub(crate) fn put(&mut self, bytes: &[u8]) {
        poke(self.at, bytes);
        self.at += u32::try_from(bytes.len()).unwrap_or(u32::MAX);
    }

    /// Whether the last instruction is a jump; valid only if it has a 32-bit displacement.
    pub(crate) fn ends_with_jump(&self) -> bool {
        // SAFETY: these bytes have been written before.
        self.at - self.start >= JUMP_BYTES
            && unsafe { (address((self.at - JUMP_BYTES).into()) as *const u8).read() } == JUMP
    }

    pub(crate) fn put_with(&mut self, bytes: &[u8], operand: u32) {
        self.put(bytes);
        self.put(&operand.to_le_bytes());
    }

    pub(crate) fn save_rcx(&mut self, to: u32) {
        self.put_with(&RCX_TO, to);
    }

    pub(crate) fn load_rcx(&mut self, from: u32) {
        self.put_with(&RCX_FROM, from);
    }

    /// Emits `lea rcx, [rcx + by]`. `by` is modulo 2^32 and small as a signed number.
    pub(crate) fn add_rcx(&mut self, by: u32) {
        self.put_with(&LEA_RCX_RCX, by);
    }

    /// Emits a jump to a known address.
    pub(crate) fn jump(&mut self, to: u32) {
        self.put(&[JUMP]);
        self.put(&to.wrapping_sub(self.at + 4).to_le_bytes());
    }

    /// Emits a jump that leaves generated code for this [reason](crate::leave_reason).
    pub(crate) fn leave(&mut self, reason: u64) {
        self.put_with(&[0x65, 0xFF, 0x24, 0x25], WAYS_IN + absolute(reason * 8)); // jmp [way]
    }

    /// Emits code that notes why generated code is left.
    pub(crate) fn cause(&mut self, cause: u32) {
        self.put_with(&[0x65, 0x48, 0xC7, 0x04, 0x25], CAUSE);
        self.put(&cause.to_le_bytes());
    }

    /// Emits a push of an original address, as a call would do.
    pub(crate) fn push(&mut self, address: u32) {
        self.put_with(&[0x68], address);
    }

    /// Emits an addition to a counter at a place where no flag is needed.
    pub(crate) fn count(&mut self, counter: u32, by: u8) {
        self.put_with(&[0x65, 0x48, 0x83, 0x04, 0x25], counter);
        self.put(&[by]);
    }

    /// Emits an addition to a counter and to a tally that changes no flag and no register.
    pub(crate) fn count_aside(&mut self, counter: u32, by: u8, tally: Option<u32>) {
        self.put_with(&RAX_TO, SPILLED_RAX);
        for counter in [counter].into_iter().chain(tally) {
            self.put_with(&RAX_FROM, counter);
            self.put_with(&LEA_RAX_RAX, u32::from(by));
            self.put_with(&RAX_TO, counter);
        }
        self.put_with(&RAX_FROM, SPILLED_RAX);
    }

    /// Emits an addition to a counter, using rcx.
    pub(crate) fn count_by_rcx(&mut self, counter: u32, by: u8) {
        self.load_rcx(counter);
        self.add_rcx(u32::from(by));
        self.save_rcx(counter);
    }

    /// Emits a jump to the target in rcx by its table entry.
    pub(crate) fn jump_by_bucket(&mut self) {
        self.put(&[0x0F, 0xB7, 0xC9]); // movzx ecx, cx
        self.bucket();
    }

    /// Emits a jump to the noted target by its table entry.
    pub(crate) fn jump_by_target(&mut self) {
        self.put_with(&ECX_FROM_U16, TARGET);
        self.bucket();
    }

    fn bucket(&mut self) {
        self.put_with(&[0x65, 0xFF, 0x24, 0xCD], absolute(BUCKETS));
    }
}

/// Overwrites generated code.
pub(crate) fn poke(at: u32, bytes: &[u8]) {
    let to = address(at.into()) as *mut u8;
    // SAFETY: `at` is in the areas for code, which `context::prepare` has mapped, and callers
    // ensure the space (see `block_chaining::ROOM`). Nothing in Rust ever borrows these bytes.
    unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), to, bytes.len()) };
}

/// Makes the displacement at `site`, the last 4 bytes of a jump, lead to `to`.
pub(crate) fn patch(site: u32, to: u32) {
    poke(site, &to.wrapping_sub(site + 4).to_le_bytes());
}

/// The place of a counter for the program's own code, or for libraries.
pub(crate) fn counter(own: bool, number: usize) -> u32 {
    TOTAL + absolute((usize::from(own) * COUNTERS + number) as u64 * 8)
}
