//! Rates of right, wrong and undecided growth classes, and the calibration of their confidence.
//! Constants of the classifier may be chosen on the programs in `choose`. Those in `look` were
//! inspected, and those in `held` only validate the result.

mod answer;
mod class;
mod families;
pub(crate) mod program;
mod run;
mod score;
mod table;

pub(crate) use run::{GrowthArgs, run};
