//! Searches the inputs that specs allow for the one that costs a program most.
//!
//! ```text
//! InputSpec ── what it leaves open ──> Space
//!                                        │ ask                    tell
//!               Genome ── spec ── bytes ──> (a program runs) ──> Cost ──> elites ──> next Genome
//! ```
//!
//! A genome makes the choices that a spec leaves open: the order of an array, the pattern of a
//! string, the part of a range, and so on. It is rendered to a spec whose inputs are also possible
//! inputs of the declared spec. The parameters of a genome are fractions and lengths, so one genome
//! gives an input of every size. In this way, Singularity (Wei et al., 2018) searches at small
//! sizes for patterns that apply to large sizes. `PerfFuzz` (Lemieux et al., 2018) keeps the
//! costliest input for each part of a program whose executions it counts.
//!
//! A stress test uses genomes too: those of [`Space::stress`] have few and special values. An input
//! that reaches new code of the program is [`varied`]. Of an input that makes a program fail,
//! [`Shrink`] makes the values smaller.
//!
//! `LibAFL` and other maintained libraries mutate bytes, or trees of a grammar, inside the fuzzed
//! process. Their mutations break the promises of a spec, and their corpora hold inputs of one
//! size. So this crate uses only their ideas.
//!
//! Nothing here runs a program or reads a clock: the same calls give the same genomes.

#![forbid(unsafe_code)]

mod description;
mod edit;
mod freedom;
mod gene;
mod genome;
mod named;
mod narrow;
mod random;
mod render;
mod search;
mod space;

pub use edit::{Shrink, varied};
pub use genome::Genome;
pub use search::{Cost, Elite, Search, Settings, Trial, Way};
pub use space::Space;
