//! Readings: what the shapes of the samples can mean, and what each meaning costs.

pub(crate) mod alternatives;
mod cases;
mod cells;
pub(crate) mod content;
pub(crate) mod cost;
pub(crate) mod evidence;
pub(crate) mod frontier;
mod pairs;
pub(crate) mod records;
pub(crate) mod search;
pub(crate) mod used;
mod view;
