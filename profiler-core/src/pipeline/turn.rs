//! The turn of a job among the jobs of its host.

use futures::FutureExt;
use futures::future::{BoxFuture, ready};

/// The permissions that a job waits for, in this order.
pub struct Turn<'a> {
    /// Completes when the program may be compiled, perhaps while another one is measured.
    pub to_build: BoxFuture<'a, ()>,
    /// Completes when the program may be measured.
    pub to_measure: BoxFuture<'a, ()>,
}

impl Turn<'_> {
    /// The turn of a job that waits for nobody.
    pub fn now() -> Self {
        Self { to_build: ready(()).boxed(), to_measure: ready(()).boxed() }
    }
}
