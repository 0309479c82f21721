//! The sections of the page.

mod allocations;
mod conditions;
mod flame_graph;
mod functions;
mod growth;
mod header;
mod heap_map;
mod plots;
mod sizes;
mod source;
mod test_cases;
mod warnings;

pub(super) use allocations::allocations;
pub(super) use conditions::conditions;
pub(super) use flame_graph::flame_graph;
pub(crate) use flame_graph::flame_graph_svg;
pub(super) use functions::functions;
pub(super) use growth::{advice, growth, worst_input};
pub(super) use header::header;
pub(super) use heap_map::heap_map;
pub(super) use plots::plots;
pub(super) use sizes::sizes;
pub(super) use source::source;
pub(super) use test_cases::test_cases;
pub(super) use warnings::warnings;
