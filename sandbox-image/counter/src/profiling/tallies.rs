//! Tallies: the number of instructions that each block of the program itself executed.
//!
//! Profiles and series report them. In a series, a block adds to its tally instead of one of the
//! [`COUNTERS`](crate::context::COUNTERS), so a tally costs no extra instruction.

use crate::abort;
use crate::context::{Opened, READ_WRITE, address, context};
use crate::layout::{TALLIES, absolute};
use crate::program::image::Image;
use crate::translation::address_map::Map;
use crate::translation::block::Block;

/// The maximum number of blocks.
const BLOCKS: usize = ((TALLIES.end - TALLIES.start) / 8) as usize;

/// A block of the program.
struct Counted {
    start: u32,
    lengths: Box<[u8]>,
}

/// The blocks that have a tally; see the module.
pub(crate) struct Tallies {
    blocks: Vec<Counted>,
    known: Map<Vec<u32>>,
    opened: Opened,
    /// The difference between addresses in memory and in the program's file.
    base: u32,
}

/// The tallies, if blocks have some. Only one borrow of them may live at a time.
pub(crate) fn tallies() -> Option<&'static mut Tallies> {
    // SAFETY: null, or a pointer that `begin` has leaked.
    unsafe { (context().tallies as *mut Tallies).as_mut() }
}

/// Gives every block of the program a tally.
pub(crate) fn begin(main: &Image) {
    let opened = Opened::from(TALLIES.start, READ_WRITE);
    let base = absolute(main.base);
    let tallies = Tallies { blocks: Vec::new(), known: Map::default(), opened, base };
    context().tallies = Box::into_raw(Box::new(tallies)) as u64;
}

impl Tallies {
    /// The place of a block's tally.
    pub(crate) fn of(&mut self, block: &Block) -> u32 {
        let lengths = || block.instructions.iter().map(|i| u8::try_from(i.len()).unwrap_or(0));
        let alike = self.known.entry(block.start).or_default();
        let same = |&&at: &&u32| self.blocks[at as usize].lengths.iter().copied().eq(lengths());
        let number = alike.iter().find(same).copied().unwrap_or_else(|| {
            if self.blocks.len() == BLOCKS {
                abort::unsupported("it has too much code");
            }
            let number = u32::try_from(self.blocks.len()).unwrap_or(0);
            self.blocks.push(Counted { start: block.start, lengths: lengths().collect() });
            alike.push(number);
            self.opened.reach(absolute(TALLIES.start) + (number + 1) * 8);
            number
        });
        absolute(TALLIES.start) + number * 8
    }

    /// Returns the instructions that each block executed so far, in the order of the blocks.
    pub(crate) fn values(&self) -> Vec<u64> {
        // SAFETY: `of` bounds the number of blocks, and `context::prepare` has mapped the area.
        let all = unsafe {
            std::slice::from_raw_parts(address(TALLIES.start) as *const u64, self.blocks.len())
        };
        all.to_vec()
    }

    /// Sets the tallies back to `values`. The tallies of blocks that came later become 0.
    pub(crate) fn return_to(&self, values: &[u64]) {
        for at in 0..self.blocks.len() {
            let value = values.get(at).copied().unwrap_or(0);
            // SAFETY: see `values`.
            unsafe { (address(TALLIES.start) as *mut u64).add(at).write(value) };
        }
    }

    /// The instructions of all blocks.
    pub(crate) fn instructions(&self) -> u64 {
        self.values().iter().sum()
    }

    /// The number of executed blocks, and the blocks, encoded as `main` describes.
    pub(crate) fn encoded(&self) -> (u32, Vec<u8>) {
        let (mut count, mut bytes) = (0, Vec::new());
        for (block, instructions) in self.blocks.iter().zip(self.values()) {
            if instructions > 0 {
                count += 1;
                let executions = instructions / block.lengths.len() as u64;
                bytes.extend((block.start - self.base).to_le_bytes());
                bytes.extend(executions.to_le_bytes());
                bytes.push(u8::try_from(block.lengths.len()).unwrap_or(0));
                bytes.extend(&block.lengths);
            }
        }
        (count, bytes)
    }
}
