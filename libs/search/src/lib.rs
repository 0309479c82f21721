//! Searches the inputs that specs allow for the one that costs a program most.
//!
//! ```text
//! InputSpec ── what it leaves open ──> Space
//!                                        │ ask                    tell
//!               Genome ── spec ── bytes ──> (a program runs) ──> Cost ──> elites ──> next Genome
//! ```
//!
//! A genome makes the choices that a spec leaves open: the order of an array, the pattern of a
//! string, the part of a range, and so on. It is rendered to a spec, whose inputs the declared spec
//! could have made too. Its parameters are fractions and lengths, so one genome gives an input of
//! every size. Singularity (Wei et al., 2018) searches at small sizes for patterns of large ones in
//! this way. `PerfFuzz` (Lemieux et al., 2018) keeps the best input of each counted part of a
//! program.
//!
//! `LibAFL` and other maintained libraries mutate bytes, or trees of a grammar, inside the fuzzed
//! process. Their mutations break the promises of a spec, and their corpora hold inputs of one
//! size. So this crate uses only their ideas.
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
