//! Sandboxes in which nothing of the job has run yet.
//!
//! A program can leave something for its next run in its sandbox, or in what the host counts. A new
//! sandbox holds nothing that an earlier run left in its own.

use super::slowing::{a_host_slows_so, most_slowed_ms};
use crate::error::{EarlyEnd, SandboxFault};
use crate::figures::units::hex;
use crate::job::{Job, Point};
use crate::measure::session::{MeasureSession, place_program};
use crate::measure::verdict::judge;
use crate::report::{ColdRun, MeasuredSize, Verdict};
use crate::sandbox::{Pool, Sandbox};
use profiler_proto::v1::{LimitKind, Outcome};
use runner_protocol::{Binary, Sample, Variant};
use tokio::task::JoinSet;

/// Maximum number of cold runs of a size whose time decides, each in another sandbox. A busy host
/// can slow a run, so the cold runs are repeated as long as one contradicts the measured runs by no
/// more than that.
const COLD_RUNS: u32 = 3;

/// A new sandbox that is starting or has started.
pub(crate) struct Spare {
    pool: Pool,
    starting: JoinSet<Result<Sandbox, SandboxFault>>,
    started: Option<Result<Sandbox, SandboxFault>>,
}

impl Spare {
    /// Starts a sandbox of `pool`, or takes one that waits.
    pub(crate) fn start(pool: &Pool) -> Self {
        let (pool, acquiring) = (pool.clone(), pool.clone());
        let mut starting = JoinSet::new();
        starting.spawn(async move { acquiring.acquire().await });
        Self { pool, starting, started: None }
    }

    /// Waits until the sandbox has started. Timed runs must not begin earlier, because an engine
    /// may start a container on the measured core.
    pub(crate) async fn wait(&mut self) {
        if self.started.is_none() {
            self.started = self.starting.join_next().await.and_then(Result::ok);
        }
    }

    /// Destroys the sandbox, and returns when it is gone. A sandbox that is still starting stays
    /// with the pool.
    pub(crate) async fn end(mut self) {
        self.starting.abort_all();
        self.wait().await;
        if let Some(Ok(sandbox)) = self.started {
            sandbox.end().await;
        }
    }

    /// Waits for the sandbox, and puts the binary and nothing else of the job into it. A sandbox
    /// that was lost while it waited is replaced.
    pub(crate) async fn with(
        self,
        binary: Binary,
        session: &mut MeasureSession<'_>,
    ) -> Result<Sandbox, EarlyEnd> {
        let bytes = session.channel.fetch(Variant::Plain, binary.bytes).await?;
        self.with_bytes(session.job, &bytes).await
    }

    /// Does what [`Self::with`] does, with the bytes of the binary.
    pub(crate) async fn with_bytes(mut self, job: &Job, bytes: &[u8]) -> Result<Sandbox, EarlyEnd> {
        let lost = || SandboxFault::Lost("its start was interrupted".into());
        self.wait().await;
        let mut sandbox = self.started.ok_or_else(lost)??;
        if sandbox.channel.has_ended() {
            sandbox = self.pool.acquire().await?;
        }
        place_program(job, &mut sandbox, bytes).await?;
        Ok(sandbox)
    }
}

/// Runs a measured size once in a new sandbox. Returns the sample, or the verdict of a run that did
/// not end OK. If the run contradicts the measured ones, and the host may have slowed it, it is
/// repeated in another sandbox.
pub(crate) async fn run(
    pool: &Pool,
    session: &mut MeasureSession<'_>,
    binary: Binary,
    measured: &MeasuredSize,
) -> Result<Result<ColdRun, Verdict>, EarlyEnd> {
    let point = measured.point();
    let mut cold = run_once(pool, session, binary, point).await?;
    for _ in 1..COLD_RUNS {
        if !is_excused(measured, &cold) {
            break;
        }
        cold = run_once(pool, session, binary, point).await?;
    }
    let (sample, words) = match cold {
        Ok(cold) => cold,
        Err(verdict) => return Ok(Err(verdict)),
    };
    let is_other =
        measured.stdout.as_ref().is_some_and(|known| !known.varies && known.words_sha256 != words);
    // The output may vary from run to run. Then that of one more new run differs too.
    let writes_otherwise = is_other
        && matches!(run_once(pool, session, binary, point).await?, Ok((_, again)) if again == words);
    Ok(Ok(ColdRun { sample, writes_otherwise }))
}

/// Whether a cold run contradicts the measured ones, and a busy host can explain that.
fn is_excused(measured: &MeasuredSize, cold: &Result<(Sample, String), Verdict>) -> bool {
    match cold {
        Ok((cold, _)) => measured.contradicted_by(cold).is_some_and(|ways| a_host_slows_so(&ways)),
        Err(Verdict { outcome: Outcome::TimeLimit, evidence }) => {
            let met_ms = evidence.met_value.unwrap_or(f64::INFINITY);
            // The wall clock includes any wait for the host.
            evidence.limit() == LimitKind::Wall || met_ms <= most_slowed_ms(measured.runtime_ms())
        }
        Err(_) => false,
    }
}

/// Returns the sample and the digest of the written words.
async fn run_once(
    pool: &Pool,
    session: &mut MeasureSession<'_>,
    binary: Binary,
    point: Point,
) -> Result<Result<(Sample, String), Verdict>, EarlyEnd> {
    let mut sandbox = Spare::start(pool).with(binary, session).await?;
    let mut cold = session.elsewhere(&mut sandbox.channel);
    let ran = cold.run(point, session.job.limits.wall_stop()).await;
    sandbox.end().await;
    let (execution, written) = ran?;
    let verdict = judge(&execution, &session.job.limits, &written.stderr_tail);
    let words = hex(&written.stdout_words_sha256);
    Ok(if verdict.outcome == Outcome::Ok { Ok((execution.sample, words)) } else { Err(verdict) })
}
