//! What a machine needs before tests can run: packages, a Docker daemon, the image, tools.

pub(crate) mod base;
pub(crate) mod debian;
pub(crate) mod engine;
pub(crate) mod packages;
pub(crate) mod tools;
