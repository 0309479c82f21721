//! The whole pipeline over the fake sandbox: every event of a run, and what the run returns.

mod allocations;
mod answers;
mod auto;
mod cache;
mod compile;
mod cores;
mod count;
mod described;
mod endings;
mod figures;
mod growth;
mod harness;
mod hotspots;
mod memory;
mod outcomes;
mod startup;
mod talks;
