//! Specs of inputs: their problems, and the bytes that they become.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may fail")]

mod bands_and_polygons;
mod common;
mod contest_shapes;
mod generator;
mod golden;
mod layouts;
mod problems;
mod relations;
mod shapes;
mod steps;
mod unsaid;
