//! Chains of calls, as folded stacks.

use super::source_frames::{function_of, source_frames};
use profiler_decode::counter_output::{Node, Profile, Target};
use profiler_decode::symbols::{NAMELESS, Symbols};
use runner_protocol::{MAX_TRACE_STACKS, StackCost};
use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};

/// Frame for the instructions before the source's code runs: those of the loader, and of the
/// library that calls `main`.
const START_UP: &str = "[start-up]";
/// Frame for a library function without a known name.
const LIBRARY: &str = "[library]";
/// Maximum number of frames of a stack. Deeper calls are charged to the last of these frames.
const MAX_FRAMES: usize = 64;

/// Sums the cost of each chain of calls in `counted`. Chains with the same functions are merged.
pub(super) fn stacks(counted: &Profile, symbols: &mut Symbols) -> Vec<StackCost> {
    let [start_up, library] = [START_UP, LIBRARY].map(|name| symbols.intern(name));
    let symbols = &*symbols;
    let source: BTreeSet<u32> = executed(counted, symbols).collect();
    let mut costs: HashMap<Vec<u32>, u64> = HashMap::new();
    for node in counted.nodes.iter().filter(|node| node.instructions > 0) {
        let mut chain = vec![node];
        while let Some(parent) = chain.last().and_then(|last| last.parent) {
            chain.push(&counted.nodes[parent]);
        }
        let mut frames = Vec::new();
        for (depth, here) in chain.iter().rev().enumerate() {
            let frame = frame(symbols, here).unwrap_or_else(|| {
                // Stubs and the binding of symbols belong to the function that is finally called.
                let is_outside = matches!(here.target, Target::Library(_));
                let is_last = is_outside && depth + 1 == chain.len();
                let known = frames.last().is_some_and(|&last| !source.contains(&last));
                if is_last && !known { library } else { NAMELESS }
            });
            let sites = here.site.map(|site| symbols.frames(site)).unwrap_or_default();
            let inlined = source_frames(sites.split_last().map_or(&[], |(_, inner)| inner));
            frames.extend(inlined.rev().map(|(_, name)| name).chain([frame]));
        }
        frames.retain(|&frame| frame != NAMELESS);
        frames.dedup();
        match frames.iter().position(|frame| source.contains(frame)) {
            Some(first) => drop(frames.drain(..first)),
            None => frames = vec![start_up],
        }
        frames.truncate(MAX_FRAMES);
        let cost = costs.entry(frames).or_default();
        *cost = cost.saturating_add(node.instructions);
    }
    let cost = |(frames, instructions)| StackCost { frames, instructions };
    largest(costs.into_iter().map(cost).collect())
}

/// The functions of the source that were executed.
fn executed<'a>(counted: &'a Profile, symbols: &'a Symbols) -> impl Iterator<Item = u32> + 'a {
    let addresses = counted.blocks.iter().flat_map(|block| &block.addresses);
    addresses.flat_map(|&address| source_frames(symbols.frames(address)).map(|(_, name)| name))
}

/// The name of a node's function.
fn frame(symbols: &Symbols, node: &Node) -> Option<u32> {
    let name = match node.target {
        Target::Inside(_) => function_of(symbols, node).unwrap_or(NAMELESS),
        Target::Library(pointer) => symbols.library_function(pointer),
    };
    (name != NAMELESS).then_some(name)
}

/// The stacks with the most instructions.
fn largest(mut stacks: Vec<StackCost>) -> Vec<StackCost> {
    stacks.sort_by(|a, b| {
        (Reverse(a.instructions), &a.frames).cmp(&(Reverse(b.instructions), &b.frames))
    });
    stacks.truncate(MAX_TRACE_STACKS);
    stacks
}
