//! Putting a report together, result by result.

use crate::compile;
use crate::error::SandboxFault;
use crate::job::Job;
use crate::measure::{Figures, GnuTime, ParseError, RuntimeClock, mib, runtime_ns};
use crate::outcome::{Outcome, Verdict};
use crate::report::{Host, Output, ProfileReport, SizeResult, Warning};
use crate::sandbox::Backend;
use runner_protocol::{Execution, Hello, Ran, Sample};
use std::fmt::Write;
use std::time::SystemTime;

/// A peak that differs from GNU time's by more than this is a warning, in MiB.
const MEMORY_TOLERANCE_MB: f64 = 2.0;

impl ProfileReport {
    /// A report without results.
    pub(crate) fn begin(job: &Job, run_id: &str, backend: &dyn Backend) -> Self {
        let host = Host {
            backend: backend.name().into(),
            not_enforced: backend.not_enforced(),
            ..Host::default()
        };
        let mut report = Self {
            task_id: job.task_id.clone(),
            iteration: job.iteration,
            timestamp: SystemTime::now(),
            run_id: run_id.into(),
            sizes: Vec::new(),
            compile: None,
            host,
            clock: job.limits.clock.unwrap_or(RuntimeClock::Unloaded),
            clock_reason: String::new(),
            warnings: Vec::new(),
            hotspots: Vec::new(),
        };
        for flag in compile::incomparable(&job.flags) {
            let problem = format!("{flag} makes figures incomparable with those of other hosts");
            report.warn("incomparable_flag", None, problem);
        }
        report
    }

    /// The sandbox has been started: where it is.
    pub(crate) fn met(&mut self, hello: &Hello) -> Result<(), SandboxFault> {
        self.host.kernel.clone_from(&hello.kernel);
        self.host.cpu_model.clone_from(&hello.cpu_model);
        self.host.cpus = hello.cpus;
        self.host.cgroup_version = hello.cgroup.map(u32::from);
        if hello.missing_tools.is_empty() {
            return Ok(());
        }
        let missing = hello.missing_tools.join(", ");
        Err(SandboxFault::Unsupported(format!(
            "the sandbox lacks {missing}: install g++, binutils and time"
        )))
    }

    /// Adds a warning.
    pub(crate) fn warn(
        &mut self,
        code: &'static str,
        size: Option<u32>,
        message: impl Into<String>,
    ) {
        self.warnings.push(Warning { code, size, message: message.into() });
    }

    /// Adds a size's result, and what its reader must know.
    pub(crate) fn add(&mut self, result: SizeResult) {
        let size = Some(result.size);
        if result.outcome != Outcome::Ok {
            let ended = result.outcome.as_str();
            let signal = result.evidence.signal.map_or_else(String::new, |s| format!(" ({s})"));
            self.warn("runtime_failure", size, format!("the program ended with {ended}{signal}"));
            if !result.samples.is_empty() {
                let count = result.samples.len();
                self.warn("unstable", size, format!("{count} run(s) before it ended OK"));
            }
        }
        if let (Some(time), Some(warm_up)) = (&result.gnu_time, &result.warm_up) {
            let (theirs, ours) = (time.max_resident_mb, mib(warm_up.peak_rss_bytes));
            if (theirs - ours).abs() > MEMORY_TOLERANCE_MB {
                let problem = format!("/usr/bin/time saw a peak of {theirs:.1} MiB, we {ours:.1}");
                self.warn("memory_mismatch", size, problem);
            }
        }
        self.sizes.push(result);
    }

    /// One clock for all sizes.
    pub(crate) fn settle_clock(&mut self, job: &Job) {
        let samples = self.sizes.iter().flat_map(|size| &size.samples);
        let (clock, reason) = choose_clock(job, samples);
        (self.clock, self.clock_reason) = (clock, reason.into());
        if job.limits.clock.is_none() && self.clock == RuntimeClock::Wall {
            let problem = format!("{}: runtime_ms is wall clock, load included", self.clock_reason);
            self.warn("wall_clock", None, problem);
        }
        for size in &mut self.sizes {
            size.figures = Figures::of(&size.samples, clock);
        }
        self.timestamp = SystemTime::now();
    }
}

impl SizeResult {
    /// A size at which the program was not even started.
    pub(crate) fn never_started(size: u32, verdict: Verdict) -> Self {
        Self {
            size,
            candidate: 0,
            outcome: verdict.outcome,
            evidence: verdict.evidence,
            figures: None,
            samples: Vec::new(),
            warm_up: None,
            gnu_time: None,
            stdout: None,
            stderr_tail: String::new(),
        }
    }

    /// The result of a size's runs. The first run that is not OK is the size's outcome; without one
    /// it is OK, and a warm-up that used up the budget is the only sample.
    pub(crate) fn of(job: &Job, size: u32, ran: &Ran) -> Result<Self, ParseError> {
        let verdict =
            |execution: &Execution| Verdict::of(execution, &job.limits, &ran.written.stderr_tail);
        let mut runs = ran.warm_up.iter().chain(&ran.repetitions).map(verdict);
        let failed = runs.clone().find(|verdict| verdict.outcome != Outcome::Ok);
        // There is always a run: a warm-up that was lost is followed by a repetition.
        let Some(verdict_of_size) = failed.or_else(|| runs.next_back()) else {
            return Err(ParseError("result of any run"));
        };
        let ok = |execution: &&Execution| verdict(execution).outcome == Outcome::Ok;
        let mut samples: Vec<Sample> =
            ran.repetitions.iter().take_while(ok).map(|execution| execution.sample).collect();
        if ran.repetitions.is_empty() {
            samples.extend(ran.warm_up.iter().filter(ok).map(|execution| execution.sample));
        }
        let text = ran.gnu_time.as_deref().map(String::from_utf8_lossy);
        if let Some(text) = &text {
            tracing::debug!(target: "Profiler", size, %text, "/usr/bin/time");
        }
        let written = &ran.written;
        Ok(Self {
            candidate: 0,
            figures: Figures::of(&samples, choose_clock(job, &samples).0),
            samples,
            warm_up: ran.warm_up.as_ref().map(|execution| execution.sample),
            gnu_time: text.map(|text| GnuTime::parse(&text)).transpose()?,
            stdout: Some(Output {
                bytes: written.stdout_bytes,
                sha256: hex(&written.stdout_sha256),
                head: written.stdout_head.clone(),
            }),
            stderr_tail: String::from_utf8_lossy(&written.stderr_tail).into_owned(),
            ..Self::never_started(size, verdict_of_size)
        })
    }

    /// One line for the log.
    pub(crate) fn log(&self) {
        let (size, outcome) = (self.size, self.outcome.as_str());
        let (runtime_ms, peak_memory_mb) = (self.runtime_ms(), self.peak_memory_mb());
        if self.outcome == Outcome::Ok {
            tracing::info!(target: "Profiler", size, runtime_ms, peak_memory_mb, "measured");
        } else {
            let evidence = &self.evidence;
            tracing::warn!(target: "Profiler", size, outcome, ?evidence, "measured");
        }
    }
}

/// The clock of the headline, and why: the one the job names, else the unloaded one unless several
/// threads or processes ran, whose waiting nobody can subtract.
fn choose_clock<'a>(
    job: &Job,
    samples: impl IntoIterator<Item = &'a Sample>,
) -> (RuntimeClock, &'static str) {
    let samples: Vec<_> = samples.into_iter().collect();
    let any = |met: fn(&Sample) -> bool| samples.iter().copied().any(met);
    match job.limits.clock {
        Some(clock) => (clock, "as the request chose"),
        None if any(|s| runtime_ns(s, RuntimeClock::Unloaded).is_none()) => {
            (RuntimeClock::Wall, "this kernel does not tell how long a process waited")
        }
        None if any(|s| s.concurrent) => (RuntimeClock::Wall, "several threads or processes ran"),
        None if samples.is_empty() => (RuntimeClock::Unloaded, "nothing was measured"),
        None => (RuntimeClock::Unloaded, "one thread ran"),
    }
}

/// Lower-case hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
