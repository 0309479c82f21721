//! The commands that packaging and installing need.

pub(crate) mod generate;
pub(crate) mod image_build;
