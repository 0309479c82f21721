//! The turn of a job among the jobs of its host.

use crate::job::Job;
use futures::FutureExt;
use futures::future::{BoxFuture, ready};

/// The permissions that a job waits for, in this order, and the end of its turn.
pub struct Turn<'a> {
    /// Completes when the program may be compiled, perhaps while another one is measured.
    pub to_build: BoxFuture<'a, ()>,
    /// Completes when the program may be measured.
    pub to_measure: BoxFuture<'a, ()>,
    /// Called when the rest of the job needs no core of its own, so that another job can be
    /// measured.
    pub measured: Box<dyn FnOnce() + Send + 'a>,
}

impl Turn<'_> {
    /// The turn of a job that waits for nobody.
    pub fn now() -> Self {
        let (to_build, to_measure) = (ready(()).boxed(), ready(()).boxed());
        Self { to_build, to_measure, measured: Box::new(|| ()) }
    }
}

/// Whether a job that has been measured runs its program, or another one, on a core of its own
/// again.
pub(super) fn is_measured_again(job: &Job) -> bool {
    job.options.advice || job.worst.is_some() || job.against.is_some()
}
