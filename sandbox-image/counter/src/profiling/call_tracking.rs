//! Generates code that follows calls and returns, for profiling.
//!
//! Instructions are charged to the current [`Node`]. One counter counts all of them. When the
//! current node changes, the counter's value is added to the old node and subtracted from the new
//! one.
//!
//! A call looks up its target's node in its cache. It pushes the stack pointer and the current node
//! to the shadow stack, and makes the new node current. A return whose stack pointer equals the
//! last entry's pops the entry. Rust handles everything else: a call that is not in its cache
//! ([`ENTER`](crate::leave_reason::ENTER)), which is then tried again, and a return that does not
//! match ([`RETURN`](crate::leave_reason::RETURN)). The code changes no flags, because the program
//! may still need them.

use crate::context::Context;
use crate::layout::SPREADS;
use crate::layout::absolute;
use crate::profiling::call_tree::{CACHE_TARGET, CALLS, Node, SLOT};
use crate::translation::writer::{
    RAX_FROM, RAX_TO, SPILLED_RAX, SPILLED_RCX, SPILLED_RDX, TARGET, TOTAL, Writer, field, patch,
};
use std::mem::offset_of;

const NODE: u32 = field(offset_of!(Context, node));
const SHADOW: u32 = field(offset_of!(Context, shadow));
pub(crate) const INSIDE: u32 = field(offset_of!(Context, inside));
pub(crate) const OUTSIDE: u32 = field(offset_of!(Context, outside));

/// Encodings of instructions, up to their place.
const RDX_TO: [u8; 5] = [0x65, 0x48, 0x89, 0x14, 0x25];
const RDX_FROM: [u8; 5] = [0x65, 0x48, 0x8B, 0x14, 0x25];
/// `lea rcx, [rcx + rax]; jrcxz` over the next jump.
const UNLESS_SUM_IS_0: [u8; 6] = [0x48, 0x8D, 0x0C, 0x01, 0xE3, 5];

/// The displacements of the jumps out of a piece of code.
pub(crate) type Misses = [Option<u32>; 2];

impl Writer {
    /// Emits a jump to be patched later, and returns the address of its displacement.
    pub(crate) fn jump_somewhere(&mut self) -> u32 {
        self.put(&[0xE9, 0, 0, 0, 0]);
        self.at - 4
    }

    /// Emits a jump that is taken if this table has an entry for the fourth byte of the noted
    /// target. Uses rcx.
    pub(crate) fn jump_if_target_is(&mut self, table: u32) -> u32 {
        self.put_with(&[0x65, 0x0F, 0xB6, 0x0C, 0x25], TARGET + 3); // movzx ecx, byte [TARGET + 3]
        self.jump_if(table)
    }

    /// Emits a jump that is taken if this table has an entry for the fourth byte of the return
    /// address. Uses rcx.
    pub(crate) fn jump_if_return_is(&mut self, table: u32) -> u32 {
        self.put(&[0x0F, 0xB6, 0x4C, 0x24, 3]); // movzx ecx, byte [rsp + 3]
        self.jump_if(table)
    }

    fn jump_if(&mut self, table: u32) -> u32 {
        self.put_with(&[0x65, 0x0F, 0xB6, 0x89], table); // movzx ecx, byte [rcx + table]
        self.put(&[0xE3, 5]); // jrcxz, over the jump
        self.jump_somewhere()
    }

    /// Emits code that enters the node of a call or jump, through the cache at `cache`. The
    /// program's rcx must be spilled. With `by_target`, the noted target selects the node too. With
    /// `pushes`, the code pushes to the shadow stack, as for a call.
    pub(crate) fn enter(&mut self, cache: u32, by_target: bool, pushes: bool) -> Misses {
        self.put_with(&RAX_TO, SPILLED_RAX);
        self.put_with(&RDX_TO, SPILLED_RDX);
        self.put_with(&RAX_FROM, NODE);
        if by_target {
            self.put_with(&[0x65, 0x0F, 0xB7, 0x0C, 0x25], TARGET); // movzx ecx, word [TARGET]
            // movzx edx, word [rcx * 2 + SPREADS]
            self.put_with(&[0x65, 0x0F, 0xB7, 0x14, 0x4D], absolute(SPREADS));
            self.put(&[0x48, 0x8B, 0x48, SLOT]); // mov rcx, [rax + SLOT]
            self.put(&[0x48, 0x8D, 0x14, 0x0A]); // lea rdx, [rdx + rcx]
        } else {
            self.put(&[0x48, 0x8B, 0x50, SLOT]); // mov rdx, [rax + SLOT]
        }
        self.put_with(&[0x65, 0x48, 0x8B, 0x8A], cache); // mov rcx, [rdx + cache]
        self.put(&UNLESS_SUM_IS_0);
        let mut misses = [Some(self.jump_somewhere()), None];
        if by_target {
            self.put_with(&RAX_FROM, TARGET);
            self.put_with(&[0x65, 0x48, 0x8B, 0x8A], cache + CACHE_TARGET);
            self.put(&UNLESS_SUM_IS_0);
            misses[1] = Some(self.jump_somewhere());
            self.put_with(&RAX_FROM, NODE);
        }
        self.put_with(&[0x65, 0x48, 0x8B, 0x92], cache + 8); // mov rdx, [rdx + cache + 8]
        if pushes {
            self.load_rcx(SHADOW);
            self.put(&[0x48, 0x89, 0x21]); // mov [rcx], rsp
            self.put(&[0x48, 0x89, 0x41, 8]); // mov [rcx + 8], rax
            self.put(&[0x48, 0x8D, 0x49, 16]); // lea rcx, [rcx + 16]
            self.save_rcx(SHADOW);
        }
        self.switch();
        self.put(&[0x48, 0x8B, 0x50, CALLS]); // mov rdx, [rax + CALLS]
        self.put(&[0x48, 0x8D, 0x52, 1]); // lea rdx, [rdx + 1]
        self.put(&[0x48, 0x89, 0x50, CALLS]); // mov [rax + CALLS], rdx
        self.unspill();
        misses
    }

    /// Emits code that pops the last call, if the return belongs to it. rcx must be spilled.
    pub(crate) fn leave_node(&mut self) -> Misses {
        self.put_with(&RAX_TO, SPILLED_RAX);
        self.put_with(&RDX_TO, SPILLED_RDX);
        self.put_with(&RAX_FROM, SHADOW);
        self.put(&[0x48, 0x8B, 0x48, 0xF0]); // mov rcx, [rax - 16]
        self.put(&[0x48, 0xF7, 0xD1]); // not rcx
        self.put(&[0x48, 0x8D, 0x4C, 0x0C, 1]); // lea rcx, [rsp + rcx + 1]
        self.put(&[0xE3, 5]); // jrcxz, over the jump
        let miss = self.jump_somewhere();
        self.put(&[0x48, 0x8B, 0x50, 0xF8]); // mov rdx, [rax - 8]
        self.put(&[0x48, 0x8D, 0x40, 0xF0]); // lea rax, [rax - 16]
        self.put_with(&RAX_TO, SHADOW);
        self.put_with(&RAX_FROM, NODE);
        self.switch();
        self.unspill();
        [Some(miss), None]
    }

    /// Emits a switch from the node in rax to the node in rdx, which ends up in rax. Uses rcx.
    fn switch(&mut self) {
        self.put_with(&RDX_TO, NODE);
        self.load_rcx(TOTAL);
        self.put(&[0x48, 0x8B, 0x10]); // mov rdx, [rax]
        self.put(&[0x48, 0x8D, 0x14, 0x0A]); // lea rdx, [rdx + rcx]
        self.put(&[0x48, 0x89, 0x10]); // mov [rax], rdx
        self.put_with(&RAX_FROM, NODE);
        self.put(&[0x48, 0xF7, 0xD1]); // not rcx
        self.put(&[0x48, 0x8B, 0x10]); // mov rdx, [rax]
        self.put(&[0x48, 0x8D, 0x54, 0x0A, 1]); // lea rdx, [rdx + rcx + 1]
        self.put(&[0x48, 0x89, 0x10]); // mov [rax], rdx
    }

    fn unspill(&mut self) {
        self.put_with(&RDX_FROM, SPILLED_RDX);
        self.put_with(&RAX_FROM, SPILLED_RAX);
        self.load_rcx(SPILLED_RCX);
    }

    /// Emits the code that `misses` jump to. It restores the program's registers and leaves
    /// generated code.
    pub(crate) fn miss(&mut self, misses: Misses, cause: u32, reason: u64) {
        for site in misses.into_iter().flatten() {
            patch(site, self.at);
        }
        self.unspill();
        self.cause(cause);
        self.leave(reason);
    }
}

const _: () = assert!(offset_of!(Node, charged) == 0, "it is addressed without a displacement");
