//! Generators: programs of a task's author that make inputs which no spec describes. All inputs are
//! made before anything is measured.

use super::judge_program::{JudgeProgram, Unable, exit_code, first_line};
use crate::build::Builder;
use crate::error::{EarlyEnd, SandboxFault};
use crate::figures::units::mib;
use crate::job::{Inputs, Job, OtherProgram, Sizes};
use crate::limits::{
    ANSWER_MARGIN, BETWEEN_TIME, GENERATORS_TIME, JUDGE_MEMORY_BYTES, MAX_INPUT_BYTES,
    MAX_INPUTS_BYTES,
};
use crate::measure::verdict::judge;
use crate::sandbox::{Channel, Pool};
use profiler_proto::v1::{ErrorCode, Outcome};
use runner_protocol::{Made, Make, Written};
use std::collections::BTreeMap;
use std::time::Instant;

/// Whether a generator makes inputs of `job`.
pub(crate) fn has_generator(job: &Job) -> bool {
    matches!(&job.inputs, Inputs::Described(it) if it.generators().next().is_some())
}

/// Makes the inputs of all generators at the sizes of `job`. Returns the job with them. Default
/// sizes and those of a growing schedule end before the first input that is too long.
pub(crate) async fn make_inputs(
    job: &Job,
    builder: &Builder,
    pool: &Pool,
) -> Result<Job, EarlyEnd> {
    let Inputs::Described(candidates) = &job.inputs else { return Ok(job.clone()) };
    let names = candidates.names();
    let mut inputs = MadeInputs {
        sizes: job.sizes.clone(),
        by_point: BTreeMap::new(),
        bytes: 0,
        begun: Instant::now(),
    };
    for described in candidates.generators() {
        let own = names.get(described.0 as usize).filter(|_| names.len() > 1);
        let name = own.map_or("the generator".into(), |own| format!("the generator of {own}"));
        let mut generator = Generator::start(job, described, (builder, pool), &name).await?;
        // The further inputs of one candidate could take the room of the next one's.
        let for_growth = !job.runs_once() && candidates.generators().count() == 1;
        let made = inputs.add(&mut generator, &name, for_growth).await;
        generator.program.end().await;
        made?;
    }
    let MadeInputs { sizes, by_point, .. } = inputs;
    Ok(Job { sizes, inputs: Inputs::Described(candidates.with_made(by_point)), ..job.clone() })
}

/// Inputs that were made so far.
struct MadeInputs {
    /// Sizes of the job, without those whose inputs are too long.
    sizes: Sizes,
    /// The inputs, by size and candidate.
    by_point: BTreeMap<(u64, u32), Vec<u8>>,
    /// Length of all inputs.
    bytes: usize,
    begun: Instant,
}

/// A generator in a sandbox of its own.
struct Generator {
    program: JudgeProgram,
    candidate: u32,
    seed: u32,
}

/// Reason why there is no input, as the end of a sentence about the generator.
#[derive(Debug)]
pub(crate) enum Fault {
    /// The input is too long. Those of smaller sizes may not be.
    TooLong(String),
    /// A run exceeded its limit of time or memory.
    Limit(String),
    /// The generator failed.
    Failed(String),
}

impl MadeInputs {
    /// Makes the inputs of one generator, called `name`. If `for_growth`, also makes some at sizes
    /// between the requested ones, which growth may need.
    async fn add(
        &mut self,
        generator: &mut Generator,
        name: &str,
        for_growth: bool,
    ) -> Result<(), EarlyEnd> {
        for size in self.sizes.requested().to_vec() {
            let Err(fault) = self.add_one(generator, size).await? else { continue };
            let is_possible = self.sizes.possible().contains(&size);
            let may_end = match fault {
                Fault::TooLong(_) => true,
                Fault::Limit(_) => is_possible,
                Fault::Failed(_) => false,
            };
            let why = format!("{name} {}", fault.reason());
            if !may_end || !self.sizes.end_before(size, &why) {
                return Err(EarlyEnd { code: ErrorCode::InvalidInput, message: why });
            }
            break;
        }
        let largest = self.sizes.requested().last().copied().unwrap_or(0);
        let between = self.sizes.growing(1, largest);
        let is_list = self.sizes.promised().is_some();
        let begun = Instant::now();
        for &size in between.possible().iter().filter(|_| is_list && for_growth) {
            let is_made = self.by_point.contains_key(&(size, generator.candidate));
            if begun.elapsed() > BETWEEN_TIME
                || !is_made && self.add_one(generator, size).await?.is_err()
            {
                break;
            }
        }
        Ok(())
    }

    /// Makes the input of one size, within the limits of all inputs together.
    async fn add_one(
        &mut self,
        generator: &mut Generator,
        n: u64,
    ) -> Result<Result<(), Fault>, SandboxFault> {
        if self.begun.elapsed() > GENERATORS_TIME {
            let time = GENERATORS_TIME.as_secs();
            let why = format!("took longer than {time} s for the sizes below n = {n}");
            return Ok(Err(Fault::Limit(why)));
        }
        let input = match generator.make(n).await? {
            Ok(input) => input,
            Err(fault) => return Ok(Err(fault)),
        };
        let bytes = self.bytes + input.len();
        if bytes > MAX_INPUTS_BYTES {
            let most = mib(MAX_INPUTS_BYTES as u64);
            let why = format!("wrote more than {most} MiB for the sizes up to n = {n}");
            return Ok(Err(Fault::TooLong(why)));
        }
        self.bytes = bytes;
        self.by_point.insert((n, generator.candidate), input);
        Ok(Ok(()))
    }
}

impl Generator {
    /// Compiles a generator of `job`, called `name`, in a sandbox of `pool`.
    async fn start(
        job: &Job,
        (candidate, program, seed): (u32, &OtherProgram, u32),
        (builder, pool): (&Builder, &Pool),
        name: &str,
    ) -> Result<Self, EarlyEnd> {
        match JudgeProgram::start(job, program, 0, (builder, pool)).await {
            Ok(program) => Ok(Self { program, candidate, seed }),
            Err(Unable::NoSandbox(fault)) => Err(fault.into()),
            Err(unable) => {
                let message = format!("{name} {unable}");
                Err(EarlyEnd { code: ErrorCode::InvalidInput, message })
            }
        }
    }

    /// Makes an input, and once more to see that it is the same.
    async fn make(&mut self, n: u64) -> Result<Result<Vec<u8>, Fault>, SandboxFault> {
        let JudgeProgram { job, sandbox } = &mut self.program;
        let (channel, arguments) = (&mut sandbox.channel, (n, self.seed));
        let first = match run_generator(job, channel, arguments).await? {
            Ok(written) => written,
            Err(fault) => return Ok(Err(fault)),
        };
        let input = channel.fetch_stdout(first.stdout_bytes).await?;
        Ok(match run_generator(job, channel, arguments).await? {
            Ok(second) if second.stdout_sha256 == first.stdout_sha256 => Ok(input),
            Ok(_) => {
                let seed = self.seed;
                let why = "wrote something else at its second run with the same arguments";
                Err(Fault::Failed(format!("{why}, n = {n} and seed {seed}")))
            }
            Err(fault) => Err(fault),
        })
    }
}

impl Fault {
    /// The end of the sentence.
    pub(crate) fn reason(&self) -> &str {
        match self {
            Self::TooLong(why) | Self::Limit(why) | Self::Failed(why) => why,
        }
    }
}

/// Runs the generator that `job` has as its program once, with n and a seed as its arguments.
pub(crate) async fn run_generator(
    job: &Job,
    channel: &mut Channel,
    (n, seed): (u64, u32),
) -> Result<Result<Written, Fault>, SandboxFault> {
    let request = Make { n, seed, limits: job.limits.for_runner() };
    let within = job.limits.wall_stop() + ANSWER_MARGIN;
    let Made { execution, written } = channel.ask(request, within).await?;
    let ended = judge(&execution, &job.limits, &written.stderr_tail);
    let too_long = || {
        let most = mib(MAX_INPUT_BYTES as u64);
        Fault::TooLong(format!("wrote more than {most} MiB at n = {n}"))
    };
    let fault = match (ended.outcome, exit_code(&ended)) {
        (Outcome::Ok, _) if written.stdout_bytes > MAX_INPUT_BYTES as u64 => too_long(),
        (Outcome::Ok, _) if written.stdout_bytes == 0 => {
            Fault::Failed(format!("wrote nothing at n = {n}"))
        }
        (Outcome::Ok, _) => return Ok(Ok(written)),
        (Outcome::OutputLimit, _) => too_long(),
        (Outcome::TimeLimit, _) => {
            let most = job.limits.timeout.as_secs_f64();
            Fault::Limit(format!("took longer than {most} s at n = {n}"))
        }
        (Outcome::MemoryLimit, _) => {
            let most = mib(JUDGE_MEMORY_BYTES);
            Fault::Limit(format!("needed more than {most} MiB of memory at n = {n}"))
        }
        (_, ending) => {
            let ending =
                ending.map_or_else(|why| why, |code| format!("ended with exit code {code}"));
            let said = first_line(&written.stderr_tail);
            let said = if said.is_empty() { said } else { format!(": {said}") };
            Fault::Failed(format!("{ending} at n = {n}{said}"))
        }
    };
    Ok(Err(fault))
}
