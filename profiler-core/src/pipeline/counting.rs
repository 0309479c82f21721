//! The sandbox in which instructions are counted, for the report and for growth.
//!
//! A program could leave answers in the sandbox of its timed runs, and only look them up when it is
//! counted. So it is counted in a sandbox in which nothing was timed, and no answer judged.

use crate::analyse::instructions;
use crate::error::EarlyEnd;
use crate::job::Job;
use crate::measure::session::MeasureSession;
use crate::measure::size::cold::Spare;
use crate::sandbox::{Borrowed, Pool};
use runner_protocol::Binary;

/// The sandbox of the counts: first it starts, then it has the program.
#[derive(Default)]
pub(super) struct Counting {
    starting: Option<Spare>,
    sandbox: Option<Borrowed>,
}

impl Counting {
    /// Starts the sandbox, if the job counts anything.
    pub(super) fn start(job: &Job, pool: &Pool) -> Self {
        let starting = instructions::are_counted(job).then(|| Spare::start(pool));
        Self { starting, sandbox: None }
    }

    /// Waits until the sandbox has started, as timed runs must; see [`Spare::wait`].
    pub(super) async fn wait(&mut self) {
        if let Some(starting) = &mut self.starting {
            starting.wait().await;
        }
    }

    /// Returns the sandbox, with the program in it. Without it, returns the job's `own` one.
    pub(super) async fn sandbox<'s>(
        &'s mut self,
        job: &Job,
        own: &'s mut Borrowed,
        binary: Binary,
    ) -> &'s mut Borrowed {
        self.apart(job, own, binary).await.unwrap_or(own)
    }

    /// Returns the sandbox, with the program in it; `None` if it could not be started.
    pub(super) async fn apart<'s>(
        &'s mut self,
        job: &Job,
        own: &mut Borrowed,
        binary: Binary,
    ) -> Option<&'s mut Borrowed> {
        if let Some(starting) = self.starting.take() {
            let mut session = MeasureSession::new(job, &mut own.channel, None);
            match starting.with(binary, &mut session).await {
                Ok(sandbox) => self.sandbox = Some(sandbox),
                Err(EarlyEnd { message, .. }) => {
                    tracing::warn!(target: "Profiler", message, "the counts have no new sandbox");
                }
            }
        }
        self.sandbox.as_mut()
    }

    /// Destroys the sandbox, and returns when it is gone.
    pub(super) async fn end(self) {
        if let Some(starting) = self.starting {
            starting.end().await;
        }
        if let Some(sandbox) = self.sandbox {
            sandbox.end().await;
        }
    }
}
