//! Measures a program outside any job, for `doctor` and the benchmarks. They get raw samples of
//! runs exactly like those of a job.

use crate::build::{CompileLimits, check_tools};
use crate::error::SandboxFault;
use crate::job::{DEFAULT_FLAGS, RunLimits};
use crate::limits::{ANSWER_MARGIN, DEFAULT_MEMORY_MB, DEFAULT_TIMEOUT, MIB};
use crate::sandbox::{Backend, CoreReservation, Cores, Sandbox};
use runner_protocol::ask::{Count, Repeat};
use runner_protocol::{Compile, Counted, File, Input, NamedFiles, Run, Sample, Subject, Variant};
use std::time::Duration;

/// Time limit of a request. Every requested batch takes less.
const PATIENCE: Duration = Duration::from_secs(60);

/// A sandbox, and the last program that was compiled in it.
pub struct BenchSession {
    sandbox: Sandbox,
    /// Reservation of the processor that measures, until the session ends.
    reservation: Option<CoreReservation>,
}

impl BenchSession {
    /// Starts a sandbox in which jobs can run, and reserves one of `cores`. Without `cores` nothing
    /// is pinned.
    pub async fn start(backend: &dyn Backend, cores: Option<&Cores>) -> Result<Self, SandboxFault> {
        let mut sandbox = backend.start().await?;
        check_tools(&sandbox.hello)?;
        let Some(cores) = cores.filter(|cores| cores.are_on_host_of(&sandbox.hello)) else {
            return Ok(Self { sandbox, reservation: None });
        };
        if !cores.rest().is_empty() {
            sandbox.channel.keep_to(cores.rest()).await?;
        }
        Ok(Self { sandbox, reservation: Some(cores.take().await) })
    }

    /// Compiles `source` with the default flags.
    pub async fn compile(&mut self, source: &str) -> Result<(), SandboxFault> {
        self.sandbox.channel.put(File::Source, source.as_bytes()).await?;
        let flags = DEFAULT_FLAGS.map(String::from).into();
        let limits = CompileLimits::default();
        let request = Compile {
            variant: Variant::Plain,
            flags,
            limits: limits.for_runner(),
            may_use_header: true,
        };
        let within = limits.wall + ANSWER_MARGIN;
        let compiled = self.sandbox.channel.ask(request, within).await?;
        if compiled.binary.is_none() {
            let said = String::from_utf8_lossy(&compiled.output);
            return Err(SandboxFault::failed("compile a program")(said));
        }
        Ok(())
    }

    /// Times `repetitions` runs of the program after a warm-up, with size `n` on stdin.
    pub async fn time(&mut self, n: u64, repetitions: u32) -> Result<Vec<Sample>, SandboxFault> {
        let ran = self.sandbox.channel.ask(Repeat(self.run(n, repetitions)), PATIENCE).await?;
        let is_whole = ran.repetitions.len() == repetitions as usize;
        if !is_whole || !ran.repetitions.iter().all(|execution| execution.ending.is_success()) {
            return Err(SandboxFault::failed("time a program")(format!(
                "{} of {repetitions} runs, the last {:?}",
                ran.repetitions.len(),
                ran.repetitions.last().map(|execution| execution.ending)
            )));
        }
        Ok(ran.repetitions.into_iter().map(|execution| execution.sample).collect())
    }

    /// Puts the instruction counter into the sandbox, for [`Self::count`].
    pub async fn place_counter(&mut self, counter: &[u8]) -> Result<(), SandboxFault> {
        self.sandbox.channel.put(File::Counter, counter).await
    }

    /// Counts the program's instructions, with size `n` on stdin.
    pub async fn count(&mut self, n: u64) -> Result<Counted, SandboxFault> {
        self.sandbox.channel.ask(Count(self.run(n, 1)), PATIENCE).await
    }

    /// Destroys the sandbox; returns when it is gone.
    pub async fn end(self) {
        self.sandbox.end().await;
    }

    fn run(&self, n: u64, repetitions: u32) -> Run {
        let limits = RunLimits {
            timeout: DEFAULT_TIMEOUT,
            grace: Duration::ZERO,
            memory_bytes: u64::from(DEFAULT_MEMORY_MB) * MIB,
            address_space_bytes: None,
            clock: None,
        };
        Run {
            subject: Subject::Build(Variant::Plain),
            warm_up: true,
            gnu_time: true,
            core: self.reservation.as_ref().and_then(CoreReservation::core),
            input: Input::Size(n),
            files: NamedFiles::default(),
            limits: limits.for_runner(),
            stop: super::stop::stop(repetitions, repetitions, PATIENCE),
            stdout_head: 0,
            interactor: None,
            counts_lines: false,
        }
    }
}

#[cfg(test)]
mod tests;
