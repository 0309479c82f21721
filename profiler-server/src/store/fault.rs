//! Failure of the store.

use std::fmt;

/// A run cannot be stored or read now, because the disk is full or broken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("runs cannot be stored: {0}")]
pub struct StoreFault(String);

impl StoreFault {
    pub(super) fn new(cause: &impl fmt::Display) -> Self {
        Self(cause.to_string())
    }
}

/// Whether runs can be stored.
pub(crate) type StoreHealth = Result<(), StoreFault>;
