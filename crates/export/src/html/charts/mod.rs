//! Charts as SVG.

mod axis;
mod chart;

pub(super) use axis::Scale;
pub(super) use chart::{Chart, Mark};
