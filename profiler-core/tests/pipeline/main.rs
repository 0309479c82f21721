//! The whole pipeline over the fake sandbox: every event of a run, and what the run returns.

mod cache;
mod compile;
mod cores;
mod count;
mod endings;
mod figures;
mod harness;
mod hotspots;
mod memory;
mod outcomes;
mod startup;
