//! The result of a program that was counted to its end: the line with the count, and the profile.

use crate::abort;
use crate::context;
use crate::profiling::profile::{Profile, executions, profile};

/// Writes the count and ends with the program's code.
pub(crate) fn finish(code: i32) -> ! {
    abort::write(line().as_bytes());
    if let Some(profile) = profile() {
        profile.settle();
        abort::write(&encoded(profile));
    }
    abort::exit(code)
}

/// The line with the count.
pub(crate) fn line() -> String {
    let (total, own) = (context::total(), profile().map_or_else(context::own, |p| own_of(p)));
    let own = if own < total { format!(" own {own}") } else { String::new() };
    format!("instructions {total}{own}\n")
}

/// The number of instructions of a profiled program's own code.
fn own_of(profile: &Profile) -> u64 {
    let blocks = profile.blocks.iter().enumerate();
    blocks.map(|(at, block)| executions(at) * block.lengths.len() as u64).sum()
}

/// The profile, encoded as `main` describes.
fn encoded(profile: &Profile) -> Vec<u8> {
    let executed = |at: &usize| executions(*at) > 0;
    let blocks: Vec<usize> = (0..profile.blocks.len()).filter(executed).collect();
    let nodes = &profile.tree.nodes;
    let mut bytes = Vec::new();
    let mut put = |number: u32| bytes.extend(number.to_le_bytes());
    for count in [blocks.len(), nodes.len(), profile.tree.full.into()] {
        put(u32::try_from(count).unwrap_or(0));
    }
    for at in blocks {
        let block = &profile.blocks[at];
        bytes.extend((block.start - profile.base).to_le_bytes());
        bytes.extend(executions(at).to_le_bytes());
        bytes.push(u8::try_from(block.lengths.len()).unwrap_or(0));
        bytes.extend(&block.lengths);
    }
    let in_file = |address: u32| address.saturating_sub(profile.base);
    for node in nodes {
        let ids = [node.parent, in_file(node.site), in_file(node.target), node.library.into()];
        bytes.extend(ids.iter().flat_map(|id| id.to_le_bytes()));
        bytes.extend([node.calls, node.charged].iter().flat_map(|number| number.to_le_bytes()));
    }
    bytes
}
