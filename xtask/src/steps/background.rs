//! Steps that run while others do.

use crate::steps::failure::Failure;
use crate::steps::shell::end_children;
use std::sync::{Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Instant;

/// The first failure of a check in the background. It ends the foreground, whose own failure then
/// means nothing.
static FAILED_CHECK: Mutex<Option<Failure>> = Mutex::new(None);

/// A step under way, and its result.
pub(crate) struct Background<T> {
    name: &'static str,
    under_way: JoinHandle<Result<T, Failure>>,
}

impl<T: Send + 'static> Background<T> {
    /// Begins a step. Its output appears between the lines of other steps.
    pub(crate) fn begin(
        name: &'static str,
        step: impl FnOnce() -> Result<T, Failure> + Send + 'static,
    ) -> Self {
        println!("\n==> {name}, in the background");
        let timed = move || {
            let begun = Instant::now();
            let done = step();
            let ended = if done.is_ok() { "" } else { " FAILED after" };
            println!(
                "<== {name}, in the background:{ended} {:.1} s",
                begun.elapsed().as_secs_f64()
            );
            done
        };
        Self { name, under_way: thread::spawn(timed) }
    }

    /// Whether the step has ended.
    pub(crate) fn has_ended(&self) -> bool {
        self.under_way.is_finished()
    }

    /// Waits for the end of the step.
    pub(crate) fn finish(self) -> Result<T, Failure> {
        let panicked = |_| Err(Failure::Missing(format!("{} panicked", self.name)));
        self.under_way.join().unwrap_or_else(panicked)
    }
}

impl Background<()> {
    /// Begins a check. If it fails, everything else ends at once.
    pub(crate) fn begin_check(
        name: &'static str,
        check: impl FnOnce() -> Result<(), Failure> + Send + 'static,
    ) -> Self {
        Self::begin(name, move || {
            check().map_err(|cause| {
                let failed = format!("{name} failed: {cause}");
                let step = Failure::Step { name: name.into(), cause: Box::new(cause) };
                *FAILED_CHECK.lock().unwrap_or_else(PoisonError::into_inner) = Some(step);
                end_children();
                Failure::Missing(failed)
            })
        })
    }
}

/// The check in the background that ended the foreground, if one did.
pub(crate) fn failed_check() -> Option<Failure> {
    FAILED_CHECK.lock().unwrap_or_else(PoisonError::into_inner).take()
}
