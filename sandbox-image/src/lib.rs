//! The sandbox image.
