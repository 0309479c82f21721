//! The call tree: a node for every chain of calls, with the instructions executed at its end.
//!
//! Recursion does not grow the tree. A recursive call leads back to a node on the path to the root,
//! which was entered for the same function after the same set of calls. So each active call appears
//! once in a node's path, and the inclusive cost of a call counts a recursion once. The tree is
//! bounded in any case: when it is full, further calls are charged to nodes without callers.

use crate::translation::address_map::Spread;
use profiler_decode::counter_output::NO_PARENT;
use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::mem::offset_of;

/// Maximum number of nodes with all their callers.
const CHAINS: usize = 1 << 15;
/// Maximum number of nodes. Calls that need more are charged to their caller.
pub(crate) const NODES: usize = 1 << 16;
/// Maximum number of known calls by caller, site and target.
const EDGES: usize = 1 << 18;
/// Maximum depth of a chain of calls; each call counts once.
const DEPTH: u16 = 256;
/// The root, which has no caller.
pub(crate) const ROOT: u32 = 0;
/// The number of entries for callers in a cache, and the size of an entry in bytes.
const CACHE_WAYS: u32 = 16;
const CACHE_ENTRY_BYTES: u32 = 32;
/// The offset of the target in a cache's entry.
pub(crate) const CACHE_TARGET: u32 = 16;

#[expect(clippy::cast_possible_truncation, reason = "a node is small")]
pub(crate) const SLOT: u8 = offset_of!(Node, slot) as u8;
#[expect(clippy::cast_possible_truncation, reason = "a node is small")]
pub(crate) const CALLS: u8 = offset_of!(Node, calls) as u8;

/// A node: the end of a chain of calls.
#[repr(C, align(64))]
pub(crate) struct Node {
    /// The instructions executed here. While the node is current, the value that the counter had
    /// when the node became current is subtracted.
    pub(crate) charged: u64,
    pub(crate) calls: u64,
    /// The offset of this node's entry in a call's cache, in bytes.
    pub(crate) slot: u64,
    pub(crate) parent: u32,
    /// The address after the call; 0 if a library made the call.
    pub(crate) site: u32,
    /// The callee: its address in the program, or the address of the pointer to a callee outside.
    pub(crate) target: u32,
    /// Whether the callee is outside the program.
    pub(crate) library: bool,
    /// Whether its site appears for the first time on the path from the root.
    fresh: bool,
    depth: u16,
}

/// A call: its return address, and its callee.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Call {
    pub(crate) site: u32,
    pub(crate) target: u32,
    pub(crate) library: bool,
}

pub(crate) struct Tree {
    /// The nodes never move, because generated code has their addresses.
    pub(crate) nodes: Vec<Node>,
    edges: HashMap<(u32, Call), u32, BuildHasherDefault<Spread>>,
    /// Whether there were more chains than fit.
    pub(crate) full: bool,
}

impl Tree {
    /// A tree with only the root, which is a library's node if a library starts the program.
    pub(crate) fn new(target: u32, library: bool) -> Self {
        let (nodes, edges) = (Vec::with_capacity(NODES), HashMap::default());
        let mut tree = Self { nodes, edges, full: false };
        tree.add(NO_PARENT, Call { site: 0, target, library }, true);
        tree
    }

    /// The node for a call from `parent`.
    pub(crate) fn child(&mut self, parent: u32, call: Call) -> u32 {
        if let Some(&known) = self.edges.get(&(parent, call)) {
            return known;
        }
        let child = self.folded(parent, call).unwrap_or_else(|| self.grown(parent, call));
        if self.edges.len() < EDGES {
            self.edges.insert((parent, call), child);
        }
        child
    }

    /// The number of the node at this address.
    pub(crate) fn number(&self, address: u64) -> u32 {
        let offset = address.wrapping_sub(self.nodes.as_ptr() as u64);
        let number = usize::try_from(offset).unwrap_or(0) / size_of::<Node>();
        u32::try_from(number.min(self.nodes.len() - 1)).unwrap_or(ROOT)
    }

    pub(crate) fn address(&self, number: u32) -> u64 {
        &raw const self.nodes[number as usize] as u64
    }

    fn up(&self, from: u32) -> impl Iterator<Item = (u32, &Node)> {
        let node = |number: u32| self.nodes.get(number as usize).map(|node| (number, node));
        std::iter::successors(node(from), move |(_, last)| node(last.parent))
    }

    /// The node on the path to the root that a recursive call leads back to.
    fn folded(&self, parent: u32, call: Call) -> Option<u32> {
        if !self.up(parent).any(|(_, node)| node.site == call.site) {
            return None;
        }
        for (number, node) in self.up(parent) {
            let same = node.target == call.target && node.library == call.library;
            if same && self.up(number).any(|(_, above)| above.site == call.site) {
                return Some(number);
            }
            if node.fresh {
                return None;
            }
        }
        None
    }

    fn grown(&mut self, parent: u32, call: Call) -> u32 {
        let above = &self.nodes[parent as usize];
        let lost = above.parent == NO_PARENT && parent != ROOT;
        if !lost && self.nodes.len() < CHAINS && above.depth < DEPTH {
            let fresh = !self.up(parent).any(|(_, node)| node.site == call.site);
            return self.add(parent, call, fresh);
        }
        self.full = true;
        match self.edges.get(&(NO_PARENT, call)) {
            Some(&known) => known,
            None if self.nodes.len() < NODES => {
                let alone = self.add(NO_PARENT, call, true);
                self.edges.insert((NO_PARENT, call), alone);
                alone
            }
            None => parent,
        }
    }

    fn add(&mut self, parent: u32, call: Call, fresh: bool) -> u32 {
        let number = u32::try_from(self.nodes.len()).unwrap_or(NO_PARENT);
        let depth = self.nodes.get(parent as usize).map_or(0, |above| above.depth + 1);
        self.nodes.push(Node {
            charged: 0,
            calls: 0,
            slot: u64::from(number % CACHE_WAYS * CACHE_ENTRY_BYTES),
            parent,
            site: call.site,
            target: call.target,
            library: call.library,
            fresh,
            depth,
        });
        number
    }
}

/// The size of a call's cache, in bytes. A target's offset is added to a node's offset, so a cache
/// with targets is twice as large.
pub(crate) fn cache_bytes(by_target: bool) -> u32 {
    if by_target { 2 * CACHE_WAYS * CACHE_ENTRY_BYTES } else { CACHE_WAYS * CACHE_ENTRY_BYTES }
}

/// The offset of a target's entry, in bytes, by the low bits of its address.
pub(crate) fn spread(low: u16) -> u16 {
    let mixed = low ^ (low >> 4) ^ (low >> 8) ^ (low >> 12);
    let ways = u16::try_from(CACHE_WAYS).unwrap_or(1);
    mixed % ways * u16::try_from(CACHE_ENTRY_BYTES).unwrap_or(0)
}
