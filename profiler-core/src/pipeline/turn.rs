//! The turn of a job among the jobs of its host.

use futures::FutureExt;
use futures::future::{BoxFuture, ready};

/// The permissions that a job waits for, in this order, and the end of its turn.
pub struct Turn<'a> {
    /// Completes when the program may be compiled, perhaps while another one is measured.
    pub to_build: BoxFuture<'a, ()>,
    /// Completes when the program may be measured.
    pub to_measure: BoxFuture<'a, ()>,
    /// Ends the turn once nothing else of the job is timed, so that another job may be measured. A
    /// job that times something until its end never calls it.
    pub measured: Box<dyn FnOnce() + Send + 'a>,
}

impl Turn<'_> {
    /// The turn of a job that waits for nobody, and for which nobody waits.
    pub fn now() -> Self {
        Self {
            to_build: ready(()).boxed(),
            to_measure: ready(()).boxed(),
            measured: Box::new(|| ()),
        }
    }
}
