//! How often the class of growth is told right, wrong, or not at all, and whether its confidence is
//! what it says. Constants of the classifier may be chosen on the programs in `choose`; those in
//! `look` only show what came of it.

mod answer;
mod class;
mod program;
mod run;
mod score;
mod table;

pub(crate) use run::{Asked, run};
