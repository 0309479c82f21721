//! What the runner is asked to run, once there is a binary.

use crate::error::SandboxFault;
use crate::job::Job;
use crate::limits::{ANSWER_MARGIN, LEAST_REPETITIONS, MOST_REPETITIONS};
use crate::measure::nanoseconds;
use crate::sandbox::{Channel, unexpected};
use runner_protocol::{
    Clock, Counted, File, Input, Limits, Probed, Profiled, Ran, Request, Response, Run, Stop,
    Subject, Variant,
};
use std::time::Duration;

/// A batch that ends when its budget does, and a repetition may begin just before.
const STOPS_PER_BATCH: u32 = 2;
/// The program, gprof, and addr2line where gprof refuses.
const STOPS_PER_PROFILE: u32 = 3;

/// Asks a runner for runs of one job.
pub(crate) struct Runs<'a> {
    pub(crate) job: &'a Job,
    pub(crate) channel: &'a mut Channel,
    /// Where the program is pinned to.
    pub(crate) core: Option<u32>,
}

impl Runs<'_> {
    /// All timed runs of one size, within `budget`.
    pub(crate) async fn timed(&mut self, size: u32, budget: Duration) -> Result<Ran, SandboxFault> {
        let stop = stop(LEAST_REPETITIONS, MOST_REPETITIONS, budget);
        let run = Run { warm_up: true, stop, ..self.size(size).await? };
        self.batch(run, budget).await
    }

    /// Runs without a warm-up of what is not the program.
    pub(crate) async fn beside(
        &mut self,
        subject: Subject,
        (least, most): (u32, u32),
        budget: Duration,
    ) -> Result<Ran, SandboxFault> {
        let stop = stop(least, most, budget);
        let run = Run { subject, stop, stdout_head: 0, ..self.once(Input::Size(0)) };
        self.batch(run, budget).await
    }

    /// One run that is looked into, for at most `within` of wall clock.
    pub(crate) async fn probe(
        &mut self,
        size: u32,
        within: Duration,
    ) -> Result<Probed, SandboxFault> {
        let run = self.size(size).await?;
        let request = Request::Probe(Run { limits: wall_limited(run.limits, within), ..run });
        match self.channel.ask(&request, within + ANSWER_MARGIN).await? {
            Response::Probed(probed) => Ok(probed),
            other => Err(unexpected(&other)),
        }
    }

    /// Puts the instruction counter where [`Self::count`] needs it.
    pub(crate) async fn place_counter(&mut self) -> Result<(), SandboxFault> {
        self.channel.put(File::Counter, sandbox_image::COUNTER).await
    }

    /// One run under the instruction counter, for at most `within` of wall clock.
    pub(crate) async fn count(
        &mut self,
        size: u32,
        within: Duration,
    ) -> Result<Counted, SandboxFault> {
        let run = self.size(size).await?;
        let request = Request::Count(Run { limits: wall_limited(run.limits, within), ..run });
        match self.channel.ask(&request, within + ANSWER_MARGIN).await? {
            Response::Counted(counted) => Ok(counted),
            other => Err(unexpected(&other)),
        }
    }

    /// One run of the build that gprof can read.
    pub(crate) async fn profile(&mut self, size: u32) -> Result<Profiled, SandboxFault> {
        let subject = Subject::Build(Variant::Gprof);
        let request = Request::Profile(Run { subject, ..self.size(size).await? });
        let within = STOPS_PER_PROFILE * self.job.limits.wall_stop() + ANSWER_MARGIN;
        match self.channel.ask(&request, within).await? {
            Response::Profiled(profiled) => Ok(profiled),
            other => Err(unexpected(&other)),
        }
    }

    async fn batch(&mut self, run: Run, budget: Duration) -> Result<Ran, SandboxFault> {
        let within = budget + STOPS_PER_BATCH * self.job.limits.wall_stop() + ANSWER_MARGIN;
        match self.channel.ask(&Request::Run(run), within).await? {
            Response::Ran(ran) => Ok(ran),
            other => Err(unexpected(&other)),
        }
    }

    /// One run of the program with the input of `size`, which is put into its place.
    async fn size(&mut self, size: u32) -> Result<Run, SandboxFault> {
        let input = match self.job.inputs.get(&size) {
            Some(bytes) => {
                self.channel.put(File::Input, bytes).await?;
                Input::Put
            }
            None => Input::Size(size),
        };
        Ok(self.once(input))
    }

    fn once(&self, input: Input) -> Run {
        Run {
            subject: Subject::Build(Variant::Plain),
            warm_up: false,
            core: self.core,
            input,
            limits: self.job.limits.for_runner(),
            stop: stop(1, 1, Duration::ZERO),
            stdout_head: self.job.stdout_bytes,
        }
    }
}

fn stop(least: u32, most: u32, budget: Duration) -> Stop {
    Stop { least, most, budget_ns: nanoseconds(budget) }
}

/// The limits of a run whose time is no figure: nothing but the wall clock ends it.
fn wall_limited(limits: Limits, within: Duration) -> Limits {
    let wall_ns = nanoseconds(within);
    let cpu_s = limits.cpu_s.max(within.as_secs() + 1);
    Limits { time_ns: wall_ns, clock: Clock::Wall, wall_ns, cpu_s, ..limits }
}
