//! Requirements of tests on a machine: packages, a Docker daemon, the image, tools.

pub mod base;
pub mod debian;
pub(crate) mod engine;
pub mod packages;
pub(crate) mod tools;
