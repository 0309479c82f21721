//! What the counter says of a program that it profiles; see the counter's `main.rs`.

use std::collections::BTreeSet;

/// Most that is read, in bytes.
pub(crate) const MAX_BYTES: usize = 16 << 20;
/// Most blocks and nodes.
const MAX_BLOCKS: u32 = 1 << 17;
const MAX_NODES: u32 = 1 << 16;
/// Most addresses that are looked up.
const MAX_ADDRESSES: usize = 200_000;
/// The parent of a node whose callers are not known.
const NOBODY: u32 = u32::MAX;

/// A block of the program: the addresses of its instructions, and how often it was executed.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Block {
    pub(crate) addresses: Vec<u32>,
    pub(crate) executions: u64,
}

/// The end of a chain of calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Node {
    /// A node before this one.
    pub(crate) parent: Option<usize>,
    /// An address in the instruction that called; absent where a library did.
    pub(crate) site: Option<u32>,
    /// What was called.
    pub(crate) target: Target,
    pub(crate) calls: u64,
    pub(crate) instructions: u64,
}

/// What a call leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    /// An address in the program.
    Inside(u32),
    /// A library, by the pointer at this address of the program; 0 if by none.
    Library(u32),
}

/// All of it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Ledger {
    pub(crate) instructions: u64,
    pub(crate) blocks: Vec<Block>,
    pub(crate) nodes: Vec<Node>,
    /// Whether there were more chains of calls than are told apart.
    pub(crate) is_full: bool,
}

/// Reads what stands behind the counter's line; `None` if that is something else.
pub(crate) fn read(instructions: u64, bytes: &[u8]) -> Option<Ledger> {
    let mut from = Reader(bytes);
    let [blocks, nodes, full] = [from.u32()?, from.u32()?, from.u32()?];
    if blocks > MAX_BLOCKS || nodes > MAX_NODES {
        return None;
    }
    let blocks = (0..blocks).map(|_| from.block()).collect::<Option<Vec<_>>>()?;
    let nodes = (0..nodes as usize).map(|at| from.node(at)).collect::<Option<Vec<_>>>()?;
    let ledger = Ledger { instructions, blocks, nodes, is_full: full != 0 };
    (from.0.is_empty() && ledger.addresses().len() <= MAX_ADDRESSES).then_some(ledger)
}

impl Ledger {
    /// Every address whose line matters.
    pub(crate) fn addresses(&self) -> BTreeSet<u32> {
        let executed = self.blocks.iter().flat_map(|block| block.addresses.iter().copied());
        let called = self.nodes.iter().filter_map(|node| match node.target {
            Target::Inside(target) => Some(target),
            Target::Library(_) => None,
        });
        let sites = self.nodes.iter().filter_map(|node| node.site);
        executed.chain(called).chain(sites).collect()
    }

    /// Every pointer that a library was called by.
    pub(crate) fn pointers(&self) -> BTreeSet<u32> {
        let pointers = self.nodes.iter().filter_map(|node| match node.target {
            Target::Library(pointer) => Some(pointer),
            Target::Inside(_) => None,
        });
        pointers.filter(|&pointer| pointer != 0).collect()
    }
}

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*taken)
    }

    fn u32(&mut self) -> Option<u32> {
        self.take().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Option<u64> {
        self.take().map(u64::from_le_bytes)
    }

    fn block(&mut self) -> Option<Block> {
        let (mut address, executions) = (self.u32()?, self.u64()?);
        let [count] = self.take()?;
        let mut addresses = Vec::with_capacity(count.into());
        for _ in 0..count {
            addresses.push(address);
            let [length] = self.take()?;
            address = address.checked_add(length.into())?;
        }
        Some(Block { addresses, executions })
    }

    fn node(&mut self, at: usize) -> Option<Node> {
        let [parent, site, target, library] = [self.u32()?, self.u32()?, self.u32()?, self.u32()?];
        let parent = (parent != NOBODY).then_some(parent as usize);
        if parent.is_some_and(|parent| parent >= at) {
            return None;
        }
        let target = if library == 0 { Target::Inside(target) } else { Target::Library(target) };
        let (calls, instructions) = (self.u64()?, self.u64()?);
        Some(Node { parent, site: site.checked_sub(1), target, calls, instructions })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A block of two instructions, a root and what it called.
    fn said() -> Vec<u8> {
        let mut said: Vec<u8> = [1_u32, 2, 0].iter().flat_map(|n| n.to_le_bytes()).collect();
        said.extend(0x1000_u32.to_le_bytes());
        said.extend(7_u64.to_le_bytes());
        said.extend([2, 3, 5]);
        for node in [[NOBODY, 0, 0, 1], [0, 0x1008, 0x3fc0, 1]] {
            said.extend(node.iter().flat_map(|n| n.to_le_bytes()));
            said.extend([1_u64, 20].iter().flat_map(|n| n.to_le_bytes()));
        }
        said
    }

    #[test]
    fn what_the_counter_says() {
        let ledger = read(54, &said()).unwrap();
        assert_eq!(ledger.blocks, [Block { addresses: vec![0x1000, 0x1003], executions: 7 }]);
        let called = &ledger.nodes[1];
        assert_eq!((called.parent, called.site), (Some(0), Some(0x1007)));
        assert_eq!(called.target, Target::Library(0x3fc0));
        assert_eq!(ledger.addresses(), BTreeSet::from([0x1000, 0x1003, 0x1007]));
        assert_eq!(ledger.pointers(), BTreeSet::from([0x3fc0]));
    }

    #[test]
    fn what_is_cut_or_longer_is_nothing() {
        let said = said();
        for cut in 0..said.len() {
            assert_eq!(read(54, &said[..cut]), None, "{cut}");
        }
        assert_eq!(read(54, &[&said[..], &[0]].concat()), None);
    }

    #[test]
    fn counts_and_parents_are_bounded() {
        let with = |at: usize, number: u32| {
            let mut said = said();
            said[at..at + 4].copy_from_slice(&number.to_le_bytes());
            read(54, &said)
        };
        assert_eq!(with(0, u32::MAX), None);
        assert_eq!(with(4, MAX_NODES + 1), None);
        // The second node's parent, which must come before it.
        let parent = said().len() - 32;
        assert!(with(parent, 0).is_some());
        assert_eq!(with(parent, 1), None);
    }
}
