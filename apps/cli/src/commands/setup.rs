//! The commands of whoever packages or installs swiftprof.

pub(crate) mod generate;
pub(crate) mod image_build;
