//! The result of a program that was counted to its end: the line with the count, and the profile.

use crate::abort;
use crate::context;
use crate::profiling::profile::{Profile, profile};
use crate::profiling::tallies::tallies;

/// Writes the count, and exits with the program's code.
pub(crate) fn finish(code: i32) -> ! {
    let line = line();
    let encoded = profile().map_or_else(Vec::new, |profile| {
        profile.settle();
        encoded(profile)
    });
    abort::record(&line, &encoded);
    abort::exit(code)
}

/// The line with the count.
pub(crate) fn line() -> String {
    let of_blocks = tallies().map_or(0, |tallies| tallies.instructions());
    // In a profiled program, the total already includes the instructions of its blocks.
    let total = context::total() + if profile().is_some() { 0 } else { of_blocks };
    let own = context::own() + of_blocks;
    let own = if own < total { format!(" own {own}") } else { String::new() };
    format!("instructions {total}{own}\n")
}

/// Encodes the executed blocks of the program: their number, and the blocks, as `main` describes.
pub(crate) fn blocks() -> Vec<u8> {
    let (count, blocks) = tallies().map_or((0, Vec::new()), |tallies| tallies.encoded());
    [&count.to_le_bytes()[..], &blocks].concat()
}

/// The profile, encoded as `main` describes.
fn encoded(profile: &Profile) -> Vec<u8> {
    let (blocks, encoded) = tallies().map_or((0, Vec::new()), |tallies| tallies.encoded());
    let nodes = &profile.tree.nodes;
    let counts = [blocks, u32::try_from(nodes.len()).unwrap_or(0), profile.tree.full.into()];
    let mut bytes: Vec<u8> = counts.iter().flat_map(|count| count.to_le_bytes()).collect();
    bytes.extend(encoded);
    let in_file = |address: u32| address.saturating_sub(profile.base);
    for node in nodes {
        let ids = [node.parent, in_file(node.site), in_file(node.target), node.library.into()];
        bytes.extend(ids.iter().flat_map(|id| id.to_le_bytes()));
        bytes.extend([node.calls, node.charged].iter().flat_map(|number| number.to_le_bytes()));
    }
    bytes
}
