//! Links one translated block to another.
//!
//! An *exit* is a direct jump whose target is not translated yet. It leads to a piece of cold code
//! that names the exit, and is patched as soon as its target has a translation.
//!
//! A jump with a target known only at run time notes the target, and jumps through a table by the
//! low 16 bits of the target. There it finds a *header*, which compares the noted target with its
//! own. If they are equal, the header goes on to the block, otherwise to the next header of the
//! same 16 bits. The last header leaves to the counter. None of this changes a flag.

use crate::context::{address, bucket, place};
use crate::layout::{BUCKET_COUNT, COLD, HOT};
use crate::leave_reason::{EXIT, INDIRECT};
use crate::profiling::profile::profile;
use crate::translation::address_map::Map;
use crate::translation::writer::{JUMP_BYTES, SPILLED_RCX, TARGET, Writer, patch};

/// The free space that each area needs before a translation, in bytes.
pub(crate) const ROOM: u32 = 1 << 17;
/// Marks the end of a list of exits.
const NONE: u32 = u32::MAX;
/// A translated block.
#[derive(Clone, Copy)]
pub(crate) struct Translated {
    pub(crate) at: u32,
    /// Whether the block uses no flags from before it.
    pub(crate) flags_dead: bool,
}

struct Exit {
    target: u32,
    /// The address of the jump's displacement.
    site: u32,
    /// The next exit with the same target.
    next: u32,
}

/// All translated code, and the links within it.
pub(crate) struct Links {
    pub(crate) hot: Writer,
    pub(crate) cold: Writer,
    blocks: Map<Translated>,
    exits: Vec<Exit>,
    /// First exit that waits for each target.
    waiting: Map<u32>,
    /// Destination of an indirect jump if the table has no translation for its target.
    miss: u32,
}

impl Links {
    pub(crate) fn new() -> Self {
        let mut links = Self {
            hot: Writer::new(&HOT),
            cold: Writer::new(&COLD),
            blocks: Map::default(),
            exits: Vec::new(),
            waiting: Map::default(),
            miss: 0,
        };
        links.has_room();
        links.clear();
        links
    }

    /// Forgets every translation.
    pub(crate) fn clear(&mut self) {
        self.hot.clear();
        self.cold.clear();
        self.blocks.clear();
        self.exits.clear();
        self.waiting.clear();
        if let Some(profile) = profile() {
            profile.forget_places();
        }
        self.miss = self.cold.at;
        self.cold.leave(INDIRECT);
        let miss = address(self.miss.into());
        for at in 0..BUCKET_COUNT as u64 {
            *bucket(at) = miss;
        }
    }

    /// Whether there is room for a translation. Makes that room accessible.
    pub(crate) fn has_room(&mut self) -> bool {
        self.hot.has_room(ROOM) && self.cold.has_room(ROOM)
    }

    pub(crate) fn find(&self, target: u32) -> Option<Translated> {
        self.blocks.get(&target).copied()
    }

    /// Makes the next code the translation of `target`, and links the waiting exits to it.
    pub(crate) fn begin(&mut self, target: u32, flags_dead: bool) {
        let at = self.hot.at;
        self.blocks.insert(target, Translated { at, flags_dead });
        let mut exit = self.waiting.remove(&target);
        while let Some(Exit { site, next, .. }) =
            exit.and_then(|exit| self.exits.get(exit as usize))
        {
            patch(*site, at);
            exit = Some(*next);
        }
    }

    /// Emits a jump to the translation of `target`; it begins with `opcode`.
    pub(crate) fn exit(&mut self, opcode: &[u8], target: u32) {
        self.hot.put(opcode);
        let site = self.hot.at;
        self.hot.put(&[0; 4]);
        if let Some(known) = self.find(target) {
            return patch(site, known.at);
        }
        patch(site, self.cold.at);
        let number = u32::try_from(self.exits.len()).unwrap_or(NONE);
        let next = self.waiting.insert(target, number).unwrap_or(NONE);
        self.exits.push(Exit { target, site, next });
        self.cold.cause(number);
        self.cold.leave(EXIT);
    }

    /// The target of an exit that was taken. If its jump is the last code so far, the jump is
    /// removed, so that the target's translation can follow without a jump.
    pub(crate) fn take(&mut self, number: u32) -> Option<u32> {
        let exit = self.exits.get(number as usize)?;
        let end = exit.site + 4;
        if end == self.hot.at
            && self.hot.ends_with_jump()
            && !self.blocks.contains_key(&exit.target)
        {
            self.hot.at -= JUMP_BYTES;
        }
        Some(exit.target)
    }

    /// Emits the header of `target`. If the block has no translation yet, the translation must
    /// follow directly.
    pub(crate) fn header(&mut self, target: u32) {
        let head = bucket(u64::from(target));
        let at = self.hot.at;
        self.hot.load_rcx(TARGET);
        self.hot.add_rcx(target.wrapping_neg());
        self.hot.put(&[0xE3, 5]); // jrcxz, over the jump
        self.hot.jump(place(*head));
        self.hot.load_rcx(SPILLED_RCX);
        if let Some(known) = self.find(target) {
            self.hot.jump(known.at);
        }
        *head = address(at.into());
    }
}
