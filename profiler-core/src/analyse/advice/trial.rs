//! Trial of one change: the changed program and the original run in turns, on the same input and
//! the same processor.

use super::change::Change;
use super::speedup::Round;
use crate::build::Builder;
use crate::error::SandboxFault;
use crate::figures::units::{MS_PER_SECOND, hex};
use crate::figures::{RuntimeClock, headline, valid_samples};
use crate::job::Job;
use crate::limits::{COMPILING_BYTES, LEAST_SPEEDUP};
use crate::measure::session::{MeasureSession, program_bytes};
use crate::measure::verdict::{judge, judge_binary};
use crate::report::MeasuredSize;
use crate::sandbox::{CoreReservation, Pool, Sandbox};
use profiler_proto::v1::Outcome;
use runner_protocol::{Binary, Sample, Variant};
use std::time::{Duration, Instant};

/// Number of measured rounds. A first look comes before them. Its runs do not count, because they
/// decide whether there are any rounds.
const ROUNDS: usize = 6;
/// Target duration of a turn. A turn has as many runs as fit into this time, but at least one and
/// at most [`MOST_RUNS`].
const TURN: Duration = Duration::from_millis(100);
const MOST_RUNS: u32 = 10;
/// Reason for not advising a change that gains too little.
pub(super) const NOT_FASTER: &str = "it is not clearly faster";
/// The indices of the two programs, and their names in messages.
const ORIGINAL: usize = 0;
const CHANGED: usize = 1;
const NAMES: [&str; 2] = ["the original", "it"];
const OUT_OF_TIME: &str = "the time for trials was over";

/// A sandbox in which the original and a changed program run in turns.
pub(super) struct Bench<'a> {
    pub(super) job: &'a Job,
    pub(super) pool: &'a Pool,
    pub(super) builder: &'a Builder,
    pub(super) sandbox: Sandbox,
    /// The size at which changes are tried.
    pub(super) size: &'a MeasuredSize,
    /// All sizes of the job.
    pub(super) sizes: &'a [MeasuredSize],
    /// The time after which no trial and no round begins.
    pub(super) end: Instant,
}

/// A binary that was copied out of the sandbox.
pub(super) struct Program {
    binary: Binary,
    bytes: Vec<u8>,
}

/// Result of a trial: the rounds, and the number of inputs on which both programs wrote the same
/// output. The error is the reason why there are no rounds.
pub(super) type Tried = Result<(Vec<Round>, u32), String>;

impl Bench<'_> {
    /// Compiles a program, and copies the binary out of the sandbox. `None` if it does not compile.
    pub(super) async fn compile(&mut self, job: &Job) -> Result<Option<Program>, SandboxFault> {
        let Self { sandbox, builder, .. } = self;
        // The new binary replaces the last one.
        sandbox.builds_bytes = 0;
        let bytes = program_bytes(job, sandbox);
        sandbox.lease.limit_memory(COMPILING_BYTES.max(bytes)).await?;
        let built = builder.obtain(job, sandbox, Variant::Plain).await?;
        let Some(binary) = built.compiled.binary else { return Ok(None) };
        let bytes = sandbox.channel.fetch(Variant::Plain, binary.bytes).await?;
        Ok(Some(Program { binary, bytes }))
    }

    /// Tries a change against the original, if there is time.
    pub(super) async fn try_change(
        &mut self,
        original: &Program,
        change: &Change,
    ) -> Result<Tried, SandboxFault> {
        if Instant::now() >= self.end {
            return Ok(Err(OUT_OF_TIME.into()));
        }
        let (source, flags) = (change.source.clone(), change.flags.clone());
        let job = Job { source, flags, ..self.job.clone() };
        let Some(changed) = self.compile(&job).await? else {
            return Ok(Err("it does not compile".into()));
        };
        if judge_binary(changed.binary, &self.job.limits).is_some() {
            return Ok(Err("it is larger than the memory limit".into()));
        }
        let Self { job, pool, sandbox, size, sizes, end, .. } = self;
        sandbox.builds_bytes = original.binary.bytes.max(changed.binary.bytes);
        let bytes = program_bytes(job, sandbox);
        sandbox.lease.limit_memory(bytes).await?;
        let reservation = match pool.cores_of(&sandbox.hello) {
            Some(cores) => Some(cores.take().await),
            None => None,
        };
        let core = reservation.as_ref().and_then(CoreReservation::core);
        let session = MeasureSession::new(job, &mut sandbox.channel, core);
        Turns { session, size, programs: [original, &changed], end: *end }.compare(sizes).await
    }
}

/// Turns of the original and the changed program.
struct Turns<'a> {
    session: MeasureSession<'a>,
    size: &'a MeasuredSize,
    programs: [&'a Program; 2],
    end: Instant,
}

impl Turns<'_> {
    async fn compare(mut self, sizes: &[MeasuredSize]) -> Result<Tried, SandboxFault> {
        let runs = runs_of_turn(self.size);
        let mut both = Vec::new();
        for program in [ORIGINAL, CHANGED] {
            match self.turn(program, self.size, runs).await? {
                Ok(samples) => both.push(samples),
                Err(why) => return Ok(Err(why)),
            }
        }
        let clock = self.session.job.clock_rule().choose(both.iter().map(Vec::as_slice)).clock;
        let Some(look) = round(&both[ORIGINAL], &both[CHANGED], clock) else {
            return Ok(Err("its time is unknown".into()));
        };
        if look.times() < LEAST_SPEEDUP {
            return Ok(Err(NOT_FASTER.into()));
        }
        let mut same_outputs = 1;
        for other in sizes.iter().filter(|it| it.is_ok() && it.point() != self.size.point()) {
            if Instant::now() >= self.end {
                return Ok(Err(OUT_OF_TIME.into()));
            }
            if let Err(why) = self.turn(CHANGED, other, 1).await? {
                return Ok(Err(why));
            }
            same_outputs += 1;
        }
        let mut rounds = Vec::new();
        for number in 0..ROUNDS {
            if Instant::now() >= self.end {
                return Ok(Err(OUT_OF_TIME.into()));
            }
            // The programs alternate in going first, so that the order favours neither.
            let order = if number % 2 == 0 { [ORIGINAL, CHANGED] } else { [CHANGED, ORIGINAL] };
            let mut of_program = [Vec::new(), Vec::new()];
            for program in order {
                match self.turn(program, self.size, runs).await? {
                    Ok(samples) => of_program[program] = samples,
                    Err(why) => return Ok(Err(why)),
                }
            }
            rounds.extend(round(&of_program[ORIGINAL], &of_program[CHANGED], clock));
        }
        Ok(Ok((rounds, same_outputs)))
    }

    /// Runs a program at a size. Each run must end OK, and write what the original wrote when the
    /// size was measured. Otherwise the runs do not count, and the inner error is the reason.
    async fn turn(
        &mut self,
        program: usize,
        size: &MeasuredSize,
        runs: u32,
    ) -> Result<Result<Vec<Sample>, String>, SandboxFault> {
        let (point, limits) = (size.point(), self.session.job.limits);
        let ran = self.session.time_build(&self.programs[program].bytes, point, runs).await?;
        let (n, who) = (point.size, NAMES[program]);
        for run in &ran.repetitions {
            let outcome = judge(run, &limits, &[]).outcome;
            if outcome != Outcome::Ok {
                return Ok(Err(format!("{who} ended with {} at n = {n}", outcome.name())));
            }
        }
        let hash = hex(&ran.written.stdout_sha256);
        let is_same = size.stdout.as_ref().is_some_and(|it| it.sha256 == hash);
        if !is_same || ran.other_outputs > 0 {
            return Ok(Err(format!("{who} wrote a different output at n = {n}")));
        }
        Ok(Ok(ran.repetitions.iter().map(|run| run.sample).collect()))
    }
}

/// Returns the number of runs of a turn, which is the same for both programs.
fn runs_of_turn(size: &MeasuredSize) -> u32 {
    let fitting = TURN.as_secs_f64() * MS_PER_SECOND / size.runtime_ms();
    (2..=MOST_RUNS).rev().find(|&runs| f64::from(runs) <= fitting).unwrap_or(1)
}

fn round(original: &[Sample], changed: &[Sample], clock: RuntimeClock) -> Option<Round> {
    let ms = |samples: &[Sample]| {
        headline(&valid_samples(samples, clock), clock).map(|headline| headline.ms)
    };
    let round = Round { original_ms: ms(original)?, changed_ms: ms(changed)? };
    (round.original_ms > 0.0 && round.changed_ms > 0.0).then_some(round)
}
