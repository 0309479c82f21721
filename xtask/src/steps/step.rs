//! Steps of a task: each is announced, timed, and named if it fails.

use crate::steps::busy::Ticks;
use crate::steps::failure::Failure;
use std::env;
use std::time::{Duration, Instant};

/// Variable that names the required tools, separated by commas. Without these, tests fail instead
/// of being skipped.
const REQUIRE: &str = "PROFILER_TEST_REQUIRE";

/// The steps that were taken.
#[derive(Default)]
pub struct Steps {
    taken: Vec<(&'static str, Duration)>,
}

impl Steps {
    /// Takes a step.
    pub fn take<T>(
        &mut self,
        name: &'static str,
        step: impl FnOnce() -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        println!("\n==> {name}");
        let (begun, ticks) = (Instant::now(), Ticks::now());
        let done = step();
        let took = begun.elapsed();
        self.taken.push((name, took));
        println!(
            "<== {name}: {:.1} s, processors {} % busy",
            took.as_secs_f64(),
            ticks.busy_percent()
        );
        done.map_err(|cause| Failure::Step { name: name.into(), cause: Box::new(cause) })
    }

    /// Takes a step that makes `tool` ready for the tests. If it fails and `tool` is not required,
    /// the tests that want it will be skipped.
    pub(crate) fn prepare<T>(
        &mut self,
        name: &'static str,
        tool: &str,
        step: impl FnOnce() -> Result<T, Failure>,
    ) -> Result<Option<T>, Failure> {
        match self.take(name, step) {
            Ok(done) => Ok(Some(done)),
            Err(failure) if is_required(tool) => Err(failure),
            Err(failure) => {
                println!("    tests that want {tool} will be skipped: {failure}");
                Ok(None)
            }
        }
    }

    /// Prints how long each step took.
    pub fn summarise(&self) {
        println!("\nsteps");
        for (name, took) in self.taken() {
            println!("{:8.1} s  {name}", took.as_secs_f64());
        }
    }

    /// The steps taken so far, and how long each took.
    pub(crate) fn taken(&self) -> impl Iterator<Item = (&str, Duration)> {
        self.taken.iter().copied()
    }
}

fn is_required(tool: &str) -> bool {
    env::var(REQUIRE).is_ok_and(|names| names.split(',').any(|name| name.trim() == tool))
}
