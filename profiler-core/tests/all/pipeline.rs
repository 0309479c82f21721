//! The whole pipeline over the fake sandbox: every event of a run, and what the run returns.

mod advice;
mod allocations;
mod binary_cache;
mod checker;
mod compiler;
mod core_reservation;
mod endings;
mod figures;
mod growing_schedule;
mod growth_runs;
mod harness;
mod hotspots;
mod input_candidates;
mod input_check;
mod instructions;
mod interactive;
mod memory_probe;
mod outcomes;
mod reward;
mod startup;
mod summary;
mod test_cases;
mod turns;
mod two_ways;
mod validator;
mod worst_input;
