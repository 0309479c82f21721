//! Frames of the submitted source, and the functions of nodes.

use profiler_decode::counter_output::{Node, Target};
use profiler_decode::symbols::{Frame, Place, SourceLine, Symbols};

/// The lines and names of the frames in the source.
pub(crate) fn source_frames(
    frames: &[Frame],
) -> impl DoubleEndedIterator<Item = (SourceLine, u32)> {
    frames.iter().filter_map(|frame| match frame.place {
        Place::Source(line) => Some((line, frame.name)),
        Place::Library | Place::Unknown => None,
    })
}

/// The function that executed a node's instructions; `None` if it is not in the program.
pub(super) fn function_of(symbols: &Symbols, node: &Node) -> Option<u32> {
    match node.target {
        Target::Inside(target) => Some(symbols.function(target)),
        Target::Library(_) => None,
    }
}
