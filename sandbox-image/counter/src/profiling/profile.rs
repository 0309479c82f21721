//! The profile of a program: the cost of each chain of calls, in addition to that of each block in
//! [`tallies`](crate::profiling::tallies). [`call_tracking`](crate::profiling::call_tracking)
//! generates the code that updates it.

use crate::abort;
use crate::context::{Opened, READ_WRITE, RSP, address, context, map_hidden, total};
use crate::layout::absolute;
use crate::layout::{CACHES, MAIN, PAGE, SPREADS, TALLIES};
use crate::profiling::call_tree::{self, Call, Tree, cache_bytes};
use crate::program::image::Image;
use crate::sys;

/// Size of an entry of the shadow stack: a stack pointer, and the node to return to. A compiled
/// call takes at least as much of the program's stack; only handwritten code may take less.
const ENTRY_BYTES: u64 = 16;
/// Size of the largest shadow stack. An access to the page after it ends the program.
const SHADOW_BYTES: u64 = 1 << 30;
/// Beginnings of the stubs that unbound pointers lead to: `push`, with or without `endbr64` before
/// it.
const STUBS: [&[u8]; 2] = [&[0x68], &[0xF3, 0x0F, 0x1E, 0xFA, 0x68]];

/// A call or jump in generated code that has its own cache.
pub(crate) struct Place {
    /// The address in generated code at which the program continues after [`Profile::fill`]. The
    /// code there looks up the call in the cache again.
    pub(crate) retry: u32,
    /// The address after the call.
    pub(crate) site: u32,
    pub(crate) cache: u32,
    pub(crate) lead: Lead,
}

/// The target of a call or jump.
#[derive(Clone, Copy)]
pub(crate) enum Lead {
    To(u32),
    /// The value of this pointer of the program, which must not change once it is bound.
    Through(u32),
    /// The noted target. If it is outside the program, this pointer of the program leads to it.
    Anywhere(Option<u32>),
}

pub(crate) struct Profile {
    pub(crate) tree: Tree,
    places: Vec<Place>,
    cache: u32,
    caches: Opened,
    /// The difference between addresses in memory and in the program's file.
    pub(crate) base: u32,
    /// The addresses of the program's functions in memory, in ascending order.
    functions: Vec<u32>,
    shadow: u64,
}

/// The profile, if the program is profiled. Only one borrow of it may live at a time.
pub(crate) fn profile() -> Option<&'static mut Profile> {
    // SAFETY: null, or a pointer that `begin` has leaked.
    unsafe { (context().profile as *mut Profile).as_mut() }
}

/// Whether this address is in the program itself and not in a library.
pub(crate) fn is_inside(address: u64) -> bool {
    MAIN.contains(&address)
}

pub(crate) fn begin(main: &Image, functions: Vec<u32>) {
    let library = main.loader.is_some();
    let tree = Tree::new(if library { 0 } else { absolute(main.entry) }, library);
    Opened::from(SPREADS, READ_WRITE).reach(absolute(TALLIES.start));
    for low in 0..=u16::MAX {
        // SAFETY: `context::prepare` has mapped the table, and nobody else uses it yet.
        unsafe { (address(SPREADS) as *mut u16).add(low.into()).write(call_tree::spread(low)) };
    }
    let shadow = shadow_stack();
    let context = context();
    for (byte, address) in (0..=u8::MAX).zip((0_u64..).step_by(1 << 24)) {
        let inside = is_inside(address.max(MAIN.start));
        context.inside[usize::from(byte)] = inside.into();
        context.outside[usize::from(byte)] = (!inside).into();
    }
    context.node = tree.address(call_tree::ROOT);
    // This entry is above every stack, so it is never popped.
    // SAFETY: the first entry of what has just been mapped.
    unsafe { (shadow as *mut u64).write(u64::MAX) };
    context.shadow = shadow + ENTRY_BYTES;
    let profile = Box::new(Profile {
        tree,
        places: Vec::new(),
        cache: absolute(CACHES.start),
        caches: Opened::from(CACHES.start, READ_WRITE),
        base: absolute(main.base),
        functions,
        shadow,
    });
    context.profile = Box::into_raw(profile) as u64;
}

fn shadow_stack() -> u64 {
    map_hidden(SHADOW_BYTES + PAGE)
        .filter(|&start| sys::protect(start, SHADOW_BYTES, READ_WRITE))
        .unwrap_or_else(|| abort::unsupported("there is no room for its profile"))
}

impl Profile {
    /// Whether a direct jump from `site` to `target` leaves one function for another.
    pub(crate) fn is_tail_call(&self, site: u32, target: u32) -> bool {
        let starts = &self.functions;
        let own = starts.partition_point(|&start| start < site).checked_sub(1);
        own.is_some_and(|own| starts[own] != target) && starts.binary_search(&target).is_ok()
    }

    /// Adds a place. Returns the cause with which its code leaves to Rust, and its cache.
    pub(crate) fn place(&mut self, retry: u32, site: u32, lead: Lead) -> (u32, u32) {
        let bytes = cache_bytes(matches!(lead, Lead::Anywhere(_)));
        if u64::from(self.cache + bytes) > CACHES.end {
            abort::unsupported("it has too many calls");
        }
        let (number, cache) = (u32::try_from(self.places.len()).unwrap_or(0), self.cache);
        self.cache += bytes;
        self.caches.reach(self.cache);
        self.places.push(Place { retry, site, cache, lead });
        (number, cache)
    }

    /// Forgets all places and their caches, together with the generated code.
    pub(crate) fn forget_places(&mut self) {
        let bytes = (self.cache - absolute(CACHES.start)) as usize;
        // SAFETY: the area is mapped, and only generated code uses it.
        unsafe { (address(CACHES.start) as *mut u8).write_bytes(0, bytes) };
        self.cache = absolute(CACHES.start);
        self.places.clear();
    }

    /// Adds the current node's call to a place's cache, and returns the address to continue at.
    pub(crate) fn fill(&mut self, place: u64) -> u64 {
        let Some(place) = usize::try_from(place).ok().and_then(|place| self.places.get(place))
        else {
            sys::fault()
        };
        let Place { retry, site, cache, lead } = *place;
        let context = context();
        let call = call(site, lead, context.target);
        let parent = self.tree.number(context.node);
        let child = self.tree.child(parent, call);
        let mut entry = address(cache.into()) + self.tree.nodes[parent as usize].slot;
        if let Lead::Anywhere(_) = lead {
            entry += u64::from(call_tree::spread((context.target & 0xFFFF) as u16));
        }
        let found = [
            self.tree.address(parent).wrapping_neg(),
            self.tree.address(child),
            context.target.wrapping_neg(),
        ];
        // SAFETY: within the place's cache.
        unsafe { (entry as *mut [u64; 3]).write(found) };
        address(retry.into())
    }

    /// Handles a return that does not match the last call: pops every call that can no longer
    /// return, whatever ended it. With `returns` it also pops the call that is being returned from.
    pub(crate) fn unwind(&mut self, returns: bool) -> bool {
        let context = context();
        let stack = context.registers[RSP];
        let mut node = None;
        loop {
            // SAFETY: the first entry is above every stack, so there is always one.
            let [pointer, caller] =
                unsafe { ((context.shadow - ENTRY_BYTES) as *const [u64; 2]).read() };
            let gone = pointer < stack || returns && pointer == stack;
            if !gone || context.shadow == self.shadow + ENTRY_BYTES {
                break;
            }
            context.shadow -= ENTRY_BYTES;
            node = Some(caller);
        }
        if let Some(node) = node {
            let node = self.tree.number(node);
            self.switch(node);
        }
        node.is_some()
    }

    /// Handles a jump to the noted target, between the program and a library, or within the program
    /// with a library's return address on the stack. It can be a jump to an exception handler or to
    /// `setjmp`, a call, or a tail call.
    pub(crate) fn cross(&mut self, site: u64) {
        let (target, stack) = (context().target, context().registers[RSP]);
        let (from, into) = (is_inside(site), is_inside(target));
        // SAFETY: this is where a function that is jumped to finds its return address. A wrong
        // stack pointer ends the program.
        let returns_inside = is_inside(unsafe { (stack as *const u64).read_unaligned() });
        if from && !returns_inside && is_outside(target) {
            // The callee's return would go unnoticed.
            self.unwind(true);
            return;
        }
        if into && self.unwind(false) {
            return;
        }
        let parent = self.tree.number(context().node);
        let call = call(absolute(site), Lead::Anywhere(None), target);
        let child = self.tree.child(parent, call);
        if into && !from && !returns_inside {
            let entry = [stack, context().node];
            // SAFETY: the next entry; the page after the last entry ends the program.
            unsafe { (context().shadow as *mut [u64; 2]).write(entry) };
            context().shadow += ENTRY_BYTES;
        }
        self.switch(child);
        self.tree.nodes[child as usize].calls += 1;
    }

    fn switch(&mut self, to: u32) {
        let from = self.tree.number(context().node) as usize;
        let now = total();
        let charged = &mut self.tree.nodes[from].charged;
        *charged = charged.wrapping_add(now);
        let charged = &mut self.tree.nodes[to as usize].charged;
        *charged = charged.wrapping_sub(now);
        context().node = self.tree.address(to);
    }

    /// Charges the instructions that are not charged yet.
    pub(crate) fn settle(&mut self) {
        let current = self.tree.number(context().node);
        let charged = &mut self.tree.nodes[current as usize].charged;
        *charged = charged.wrapping_add(total());
    }
}

/// Whether a pointer to `target` is not bound yet.
fn is_stub(target: u64) -> bool {
    STUBS.iter().any(|stub| {
        // SAFETY: the program is about to jump there; if it is no code, the program ends either
        // way.
        let there = unsafe { std::slice::from_raw_parts(target as *const u8, stub.len()) };
        there == *stub
    })
}

/// Whether the callee is a library's function, bound or not.
fn is_outside(target: u64) -> bool {
    !is_inside(target) || is_stub(target)
}

/// The call from `site` to the noted `target`.
fn call(site: u32, lead: Lead, target: u64) -> Call {
    let outside = is_outside(target);
    let (target, library) = match lead {
        Lead::To(target) => (target, !is_inside(target.into())),
        Lead::Through(pointer) if outside => (pointer, true),
        Lead::Anywhere(pointer) if outside => (pointer.unwrap_or(0), true),
        Lead::Through(_) | Lead::Anywhere(_) => (absolute(target), false),
    };
    let site = if is_inside(site.into()) { site } else { 0 };
    Call { site, target, library }
}
