//! The tree of calls: a node for every chain of calls, with what was executed at its end.
//!
//! A recursion does not grow it. A call goes back to a node on the way to the root where that one
//! was entered for the same function, and the calls on the way to both are the same set: so a node
//! tells which calls were under way, each once, and what a call cost with all that it led to counts
//! a recursion once. The tree is bounded all the same: calls that find it full are charged to nodes
//! that know the call alone.

use crate::translation::address_map::Spread;
use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::mem::offset_of;

/// Most nodes that know all their callers.
const CHAINS: usize = 1 << 15;
/// Most nodes. Calls that need more are charged to their caller.
pub(crate) const NODES: usize = 1 << 16;
/// Most calls that are known by caller, place and target.
const EDGES: usize = 1 << 18;
/// The longest chain of calls, each of which counts once.
const DEPTH: u16 = 256;
/// The root: what nobody called.
pub(crate) const ROOT: u32 = 0;
/// The parent of nodes that know the call alone.
const NOBODY: u32 = u32::MAX;
/// The entries that a cache has for callers, and the bytes of one.
const CACHE_WAYS: u32 = 16;
const CACHE_ENTRY_BYTES: u32 = 32;
/// Where a cache's entry has the target.
pub(crate) const CACHE_TARGET: u32 = 16;

#[expect(clippy::cast_possible_truncation, reason = "a node is small")]
pub(crate) const SLOT: u8 = offset_of!(Node, slot) as u8;
#[expect(clippy::cast_possible_truncation, reason = "a node is small")]
pub(crate) const CALLS: u8 = offset_of!(Node, calls) as u8;

/// The end of a chain of calls.
#[repr(C, align(64))]
pub(crate) struct Node {
    /// The instructions that were executed here; while it is current, that less what the counter
    /// showed when it became so.
    pub(crate) charged: u64,
    /// How often it was called.
    pub(crate) calls: u64,
    /// Which entry of a call's cache is for it, in bytes.
    pub(crate) slot: u64,
    pub(crate) parent: u32,
    /// The address behind the call; 0 where a library made it.
    pub(crate) site: u32,
    /// What was called: an address in the program, or that of the pointer to what is outside.
    pub(crate) target: u32,
    /// Whether it is outside of the program.
    pub(crate) library: bool,
    /// Whether its site is on the way to the root for the first time.
    fresh: bool,
    depth: u16,
}

/// A call: the place it returns to, and what is called.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Call {
    pub(crate) site: u32,
    pub(crate) target: u32,
    pub(crate) library: bool,
}

/// See the module.
pub(crate) struct Tree {
    /// They stay where they are: generated code has their addresses.
    pub(crate) nodes: Vec<Node>,
    edges: HashMap<(u32, Call), u32, BuildHasherDefault<Spread>>,
    /// Whether there were more chains than there is room for.
    pub(crate) full: bool,
}

impl Tree {
    /// A root alone, which is a library's if a library starts the program.
    pub(crate) fn new(target: u32, library: bool) -> Self {
        let (nodes, edges) = (Vec::with_capacity(NODES), HashMap::default());
        let mut tree = Self { nodes, edges, full: false };
        tree.add(NOBODY, Call { site: 0, target, library }, true);
        tree
    }

    /// The node that a call from `parent` leads to.
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

    /// The node that the address in the context means.
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

    /// The node on the way to the root that a recursion goes back to.
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
        let lost = above.parent == NOBODY && parent != ROOT;
        if !lost && self.nodes.len() < CHAINS && above.depth < DEPTH {
            let fresh = !self.up(parent).any(|(_, node)| node.site == call.site);
            return self.add(parent, call, fresh);
        }
        self.full = true;
        match self.edges.get(&(NOBODY, call)) {
            Some(&known) => known,
            None if self.nodes.len() < NODES => {
                let alone = self.add(NOBODY, call, true);
                self.edges.insert((NOBODY, call), alone);
                alone
            }
            None => parent,
        }
    }

    fn add(&mut self, parent: u32, call: Call, fresh: bool) -> u32 {
        let number = u32::try_from(self.nodes.len()).unwrap_or(NOBODY);
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

/// The bytes of a call's cache. With a target's entry added to a node's there are nearly twice as
/// many.
pub(crate) fn cache_bytes(by_target: bool) -> u32 {
    if by_target { 2 * CACHE_WAYS * CACHE_ENTRY_BYTES } else { CACHE_WAYS * CACHE_ENTRY_BYTES }
}

/// Which entry a target uses, by the low bits of its address, in bytes.
pub(crate) fn spread(low: u16) -> u16 {
    let mixed = low ^ (low >> 4) ^ (low >> 8) ^ (low >> 12);
    let ways = u16::try_from(CACHE_WAYS).unwrap_or(1);
    mixed % ways * u16::try_from(CACHE_ENTRY_BYTES).unwrap_or(0)
}
