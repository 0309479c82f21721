//! State that the steps of a job share.

use super::counting::Counting;
use crate::build::{BinaryCache, Builder};
use crate::job::Job;
use crate::measure::size::cold::Spare;
use crate::measure::startup::{KnownEmpty, KnownPaces};
use crate::measure::test_cases::Validator;
use crate::measure::worst::WorstCase;
use crate::report::{Events, ReportBuilder};
use crate::sandbox::Pool;
use futures::future::BoxFuture;
use runner_protocol::Binary;

/// Sources of the sandboxes and of the builds for profiling jobs. Clones share them.
#[derive(Clone)]
pub struct Profiler {
    /// Source of the sandboxes.
    pub pool: Pool,
    /// Source of the builds.
    pub builder: Builder,
    pub(super) paces: KnownPaces,
    /// The counts of empty programs.
    pub(super) empty: KnownEmpty,
}

impl Profiler {
    /// A profiler that uses sandboxes of `pool`. It keeps binaries in `cache`, if there is one.
    pub fn new(pool: Pool, cache: Option<BinaryCache>) -> Self {
        let builder = Builder::new(pool.backend().clone(), cache);
        Self { pool, builder, paces: KnownPaces::default(), empty: KnownEmpty::default() }
    }

    /// The same profiler for the jobs of `owner`. It finds cached binaries of this owner only.
    #[must_use]
    pub fn for_owner(&self, owner: &str) -> Self {
        Self { builder: self.builder.for_owner(owner), ..self.clone() }
    }
}

/// State that the steps of a job share.
pub(super) struct Context<'a> {
    pub(super) job: &'a Job,
    pub(super) profiler: &'a Profiler,
    pub(super) report: &'a mut ReportBuilder,
    pub(super) events: &'a mut Events,
    /// The wait until the program may be measured; `None` after it.
    pub(super) to_measure: Option<BoxFuture<'a, ()>>,
    /// Ends the turn once nothing else of the job is timed; `None` if something is until its end.
    pub(super) measured: Option<Box<dyn FnOnce() + Send + 'a>>,
    /// The sandbox for the last size, until that size runs.
    pub(super) spare: Option<Spare>,
    /// The sandbox for counted runs.
    pub(super) counting: Counting,
    /// The early check of the input.
    pub(super) trial: Trial,
    /// The validator, from its compilation on.
    pub(super) validator: Option<Validator>,
    /// The search for the worst input, while it goes on.
    pub(super) worst: Option<Box<WorstCase>>,
}

/// The early check of a job's input.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Trial {
    /// The check was not tried yet.
    #[default]
    Due,
    /// The job has none.
    Without,
    /// The check failed, so the input is checked after the timed runs.
    Failed,
    /// The job goes on.
    Passed,
    /// The job ends, because the program lacks its input.
    Starved,
}

impl Context<'_> {
    /// Waits until the program may be measured.
    pub(super) async fn turn(&mut self) {
        if let Some(to_measure) = self.to_measure.take() {
            to_measure.await;
        }
    }
}

/// The builds in the sandbox.
#[derive(Debug, Clone, Copy)]
pub(super) struct Built {
    pub(super) binary: Binary,
    /// Whether the empty program compiled.
    pub(super) empty: bool,
}

/// Reason why nothing was measured.
#[derive(Debug, Clone, Copy)]
pub(super) enum Unmeasured {
    /// The program gave a wrong answer to a test case.
    Wrong,
    /// The program gave no wrong answer, but a test case has no verdict.
    NotAllJudged,
    /// The program lacks its input.
    NotFed,
}

impl Unmeasured {
    pub(super) fn sentence(self) -> &'static str {
        match self {
            Self::Wrong => "the program is wrong on a test case",
            Self::NotAllJudged => "not every test case has a verdict",
            Self::NotFed => "the program lacked input",
        }
    }
}
