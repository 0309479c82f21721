//! The sandbox in which instructions are counted, for the report and for growth.
//!
//! A program could leave answers in the sandbox of its timed runs, and only look them up when it is
//! counted. So it is counted in a sandbox in which nothing was timed, and no answer judged. The
//! check of the input on small sizes is neither, so it lends its sandbox: a container costs more
//! than all counts of a brief job.

use crate::analyse::instructions;
use crate::error::EarlyEnd;
use crate::job::Job;
use crate::measure::session::MeasureSession;
use crate::measure::size::cold::Spare;
use crate::sandbox::{Pool, Sandbox};
use profiler_proto::v1::{InputExperiment, Warning, WarningCode};
use runner_protocol::Binary;

/// The sandbox of the counts.
#[derive(Default)]
pub(super) enum Counting {
    /// The job needs none.
    #[default]
    Without,
    /// The sandbox could not be started.
    Lacking,
    /// Starts, or waits without the program.
    Starting(Spare),
    /// Lent to the check of the input, which may have given it back with the program.
    Lent { back: Option<Sandbox>, pool: Pool },
    /// Has the program.
    Ready(Sandbox),
}

impl Counting {
    /// Starts the sandbox, if the job counts anything or checks its input first.
    pub(super) fn start(job: &Job, pool: &Pool) -> Self {
        let checks_first = job.options.input_experiment == InputExperiment::First;
        if instructions::are_counted(job) || (checks_first && job.interactor.is_none()) {
            Self::Starting(Spare::start(pool))
        } else {
            Self::Without
        }
    }

    /// Waits until the sandbox has started, as timed runs must; see [`Spare::wait`].
    pub(super) async fn wait(&mut self) {
        if let Self::Starting(starting) = self {
            starting.wait().await;
        }
    }

    /// Lends the sandbox, or a new one if it was not started.
    pub(super) fn lend(&mut self, pool: &Pool) -> Spare {
        match std::mem::take(self) {
            Self::Starting(spare) => {
                *self = Self::Lent { back: None, pool: pool.clone() };
                spare
            }
            other => {
                *self = other;
                Spare::start(pool)
            }
        }
    }

    /// Takes back the lent sandbox with the program in it.
    pub(super) async fn take_back(&mut self, sandbox: Sandbox) {
        match self {
            Self::Lent { back, .. } => *back = Some(sandbox),
            _ => sandbox.end().await,
        }
    }

    /// Returns the sandbox, with the program in it. Without it, returns the job's `own` one.
    pub(super) async fn sandbox<'s>(
        &'s mut self,
        job: &Job,
        own: &'s mut Sandbox,
        binary: Binary,
    ) -> &'s mut Sandbox {
        self.apart(job, own, binary).await.unwrap_or(own)
    }

    /// Returns the sandbox, with the program in it; `None` if it could not be started. If it was
    /// not given back, or was lost, another one is started.
    pub(super) async fn apart<'s>(
        &'s mut self,
        job: &Job,
        own: &mut Sandbox,
        binary: Binary,
    ) -> Option<&'s mut Sandbox> {
        *self = match std::mem::take(self) {
            Self::Starting(starting) => Self::with_program(starting, job, own, binary).await,
            Self::Lent { back, pool } => match back.and_then(not_lost) {
                Some(sandbox) => Self::Ready(sandbox),
                None => Self::with_program(Spare::start(&pool), job, own, binary).await,
            },
            settled => settled,
        };
        match self {
            Self::Ready(sandbox) => Some(sandbox),
            _ => None,
        }
    }

    async fn with_program(spare: Spare, job: &Job, own: &mut Sandbox, binary: Binary) -> Self {
        let mut session = MeasureSession::new(job, &mut own.channel, None);
        match spare.with(binary, &mut session).await {
            Ok(sandbox) => Self::Ready(sandbox),
            Err(EarlyEnd { message, .. }) => {
                tracing::warn!(target: "Profiler", message, "the counts have no new sandbox");
                Self::Lacking
            }
        }
    }

    /// Returns the warning that the job counts in its own sandbox; `None` if it does not, or if the
    /// warning was returned before.
    pub(super) fn take_warning(&mut self) -> Option<Warning> {
        let Self::Lacking = self else { return None };
        *self = Self::Without;
        let problem = "no new sandbox could be started for the counts, so earlier runs of the \
                       program may have made them smaller";
        Some(Warning::new(WarningCode::NoNewSandbox, problem))
    }

    /// Destroys the sandbox, and returns when it is gone.
    pub(super) async fn end(self) {
        match self {
            Self::Without | Self::Lacking => {}
            Self::Starting(starting) => starting.end().await,
            Self::Lent { back, .. } => {
                if let Some(sandbox) = back {
                    sandbox.end().await;
                }
            }
            Self::Ready(sandbox) => sandbox.end().await,
        }
    }
}

fn not_lost(mut sandbox: Sandbox) -> Option<Sandbox> {
    (!sandbox.channel.has_ended()).then_some(sandbox)
}
