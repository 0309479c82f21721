//! A step that runs while others run.

use crate::steps::failure::Failure;
use std::thread::{self, JoinHandle};
use std::time::Instant;

/// A step under way.
pub(crate) struct Background {
    name: &'static str,
    under_way: JoinHandle<Result<(), Failure>>,
}

impl Background {
    /// Begins a step; what it prints appears between the lines of the others.
    pub(crate) fn begin(
        name: &'static str,
        step: impl FnOnce() -> Result<(), Failure> + Send + 'static,
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

    /// Waits for its end.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        let panicked = |_| Err(Failure::Missing(format!("{} panicked", self.name)));
        self.under_way.join().unwrap_or_else(panicked)
    }
}
