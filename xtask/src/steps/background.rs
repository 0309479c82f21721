//! A step that runs while others do.

use crate::steps::failure::Failure;
use std::thread::{self, JoinHandle};
use std::time::Instant;

/// A step under way, and what it will return.
pub(crate) struct Background<T> {
    name: &'static str,
    under_way: JoinHandle<Result<T, Failure>>,
}

impl<T: Send + 'static> Background<T> {
    /// Begins a step; what it prints appears between the lines of the others.
    pub(crate) fn begin(
        name: &'static str,
        step: impl FnOnce() -> Result<T, Failure> + Send + 'static,
    ) -> Self {
        println!("\n==> {name}, in the background");
        let timed = move || {
            let begun = Instant::now();
            let done = step();
            println!("<== {name}, in the background: {:.1} s", begun.elapsed().as_secs_f64());
            done
        };
        Self { name, under_way: thread::spawn(timed) }
    }

    /// Whether it has ended.
    pub(crate) fn has_ended(&self) -> bool {
        self.under_way.is_finished()
    }

    /// Waits for its end.
    pub(crate) fn finish(self) -> Result<T, Failure> {
        let panicked = |_| Err(Failure::Missing(format!("{} panicked", self.name)));
        self.under_way.join().unwrap_or_else(panicked)
    }
}
