//! Searches the inputs that specs allow for the one that costs a program most.
//!
//! ```text
//! Spec ── what it leaves open ──> Space
//!                                   │ ask                         tell
//!               Genome ── spec ── bytes ──> (a program runs) ──> Cost ──> elites ──> next Genome
//! ```
//!
//! A genome chooses the order of an array, the pattern of a string, the part of a range, and so on:
//! only what the spec leaves open. It is rendered to a spec of its own, whose inputs the declared
//! spec could have made too. Its parameters are fractions and lengths, so one genome gives an input
//! of every size. This is how Singularity (Wei et al., 2018) searches at small sizes for patterns
//! of large ones. That each counted part of a program keeps its own best input is the idea of
//! `PerfFuzz` (Lemieux et al., 2018).
//!
//! `LibAFL` and other kept libraries mutate bytes, or trees of a grammar, inside the fuzzed
//! process. Their mutations leave what a spec promises, and their corpora hold inputs of one
//! size. So only their ideas are used.
//!
//! Nothing here runs a program or reads a clock: the same calls give the same genomes.

#![forbid(unsafe_code)]

mod breed;
mod description;
mod duplicates;
mod freedom;
mod gene;
mod genome;
mod named;
mod random;
mod render;
mod search;
mod space;

pub use genome::Genome;
pub use search::{Cost, Elite, Search, Settings, Trial};
pub use space::Space;
