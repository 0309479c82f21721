//! Putting a report together, result by result.

use super::fingerprint;
use crate::error::SandboxFault;
use crate::figures::units::hex;
use crate::figures::units::{mib, ms};
use crate::figures::{GnuTime, Memory, ParseError, RuntimeClock, contradiction, runtime_ns};
use crate::job::Point;
use crate::job::incomparable;
use crate::job::{Inputs, Job};
use crate::measure::interactive;
use crate::measure::verdict::judge;
use crate::report::WarningCode;
use crate::report::ending_name;
use crate::report::hotspots::Hotspots;
use crate::report::{Host, Output, ProfileReport, SizeResult, StartUp, Warning};
use crate::report::{Outcome, Verdict};
use crate::sandbox::Backend;
use crate::sandbox::CoreReservation;
use runner_protocol::{Execution, Hello, Probed, Ran, Sample};
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
            source: String::from_utf8_lossy(&job.source).into_owned(),
            timestamp: SystemTime::now(),
            run_id: run_id.into(),
            sizes: Vec::new(),
            compile: None,
            interactor_compile: None,
            host,
            start_up: None,
            instructions_method: None,
            clock: job.limits.clock.unwrap_or(RuntimeClock::Unloaded),
            clock_reason: String::new(),
            warnings: Vec::new(),
            hotspots: Hotspots::default(),
            allocations: None,
            candidates: match &job.inputs {
                Inputs::Size | Inputs::Explicit(_) => Vec::new(),
                Inputs::Described(candidates) => candidates.names(),
            },
            test_cases: Vec::new(),
            schedule_end: None,
            growth: None,
        };
        for flag in incomparable(&job.flags) {
            let problem = format!("{flag} makes figures incomparable with those of other hosts");
            report.warn(WarningCode::IncomparableFlag, None, problem);
        }
        report
    }

    /// The sandbox has been started: where it is.
    pub(crate) fn met(&mut self, backend: &dyn Backend, hello: &Hello) -> Result<(), SandboxFault> {
        // Some of it a backend knows from its first runner.
        self.host.not_enforced = backend.not_enforced();
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

    /// The program has been compiled: with what.
    pub(crate) fn compiled_by(&mut self, toolchain: &str) {
        self.host.fingerprint = Some(fingerprint::of(&self.host, toolchain));
    }

    /// Measuring begins: where.
    pub(crate) fn permitted(&mut self, permit: &CoreReservation) {
        self.host.measured_core = permit.core();
        self.look_around(permit);
        if permit.core().is_none() {
            let problem = "one core runs the program and everything else: figures promise nothing";
            self.warn(WarningCode::OneCore, None, problem);
        }
    }

    /// Whether others measure at this moment.
    pub(crate) fn look_around(&mut self, permit: &CoreReservation) {
        self.host.neighbours = self.host.neighbours.max(Some(permit.neighbours()));
    }

    /// What these runs of the empty program say that starting costs.
    pub(crate) fn started_in(&mut self, job: &Job, samples: Vec<Sample>) {
        let (clock, _) = choose_clock(job, &samples);
        self.start_up = StartUp::of(samples, clock);
        if self.start_up.is_none() {
            let problem = "an empty program does not compile, or does not end OK, with these flags \
                           and limits";
            self.warn(WarningCode::NoStartUp, None, problem);
        }
    }

    /// The result of a size's runs, on the clock that they alone call for.
    pub(crate) fn result(
        &self,
        job: &Job,
        point: Point,
        ran: &Ran,
    ) -> Result<SizeResult, ParseError> {
        let mut result = SizeResult::of(job, point, ran)?;
        let (clock, _) = choose_clock(job, &result.samples);
        result.settle(clock, self.start_up.as_ref().map_or(&[], |start_up| &start_up.samples));
        Ok(result)
    }

    /// Adds to a result what was seen in a run that was looked into; one that ended otherwise than the
    /// timed ones tells nothing of them.
    pub(crate) fn seen(&mut self, result: &mut SizeResult, probed: &Probed) {
        if probed.execution.ending.is_success() {
            result.memory = probed.memory.as_ref().map(Memory::of);
        } else {
            let ended = ending_name(probed.execution.ending);
            let problem = format!("looked into, the program ended otherwise: {ended}");
            self.warn(WarningCode::ProbeDiffers, Some(result.point()), problem);
        }
    }

    /// Adds a warning.
    pub(crate) fn warn(
        &mut self,
        code: WarningCode,
        point: Option<Point>,
        message: impl Into<String>,
    ) {
        let size = point.map(|point| point.size);
        let candidate = point.filter(|_| self.candidates.len() > 1).map(|point| point.candidate);
        self.warnings.push(Warning { code, size, candidate, message: message.into() });
    }

    /// Adds a size's result, and what its reader must know.
    pub(crate) fn add(&mut self, result: SizeResult) {
        let point = Some(result.point());
        if result.outcome != Outcome::Ok {
            let ended = result.outcome.as_str();
            let signal = result.evidence.signal.map_or_else(String::new, |s| format!(" ({s})"));
            let problem = match result.outcome {
                Outcome::InteractorFailed => "the interactor failed".to_owned(),
                Outcome::ProtocolError => {
                    "the interactor did not accept what it was told".to_owned()
                }
                _ => format!("the program ended with {ended}{signal}"),
            };
            self.warn(WarningCode::RuntimeFailure, point, problem);
            if !result.samples.is_empty() {
                let count = result.samples.len();
                self.warn(
                    WarningCode::Unstable,
                    point,
                    format!("{count} run(s) before that one ended OK"),
                );
            }
        }
        if let (Some(time), Some(warm_up)) = (&result.gnu_time, &result.warm_up) {
            let (theirs, ours) = (time.max_resident_mb, mib(warm_up.peak_rss_bytes));
            if (theirs - ours).abs() > MEMORY_TOLERANCE_MB {
                let problem = format!("/usr/bin/time saw a peak of {theirs:.1} MiB, we {ours:.1}");
                self.warn(WarningCode::MemoryMismatch, point, problem);
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
            self.warn(WarningCode::WallClock, None, problem);
        }
        let start_up = self.start_up.take().map(|start_up| start_up.samples).unwrap_or_default();
        for size in &mut self.sizes {
            size.settle(clock, &start_up);
        }
        self.start_up = StartUp::of(start_up, clock);
        for at in 0..self.sizes.len() {
            let size = &self.sizes[at];
            let (point, doubts) = (size.point(), [noisy(size), inconsistent(size)]);
            for (code, problem) in doubts.into_iter().flatten() {
                self.warn(code, Some(point), problem);
            }
        }
        self.timestamp = SystemTime::now();
    }
}

impl SizeResult {
    /// A size at which the program was not even started.
    pub(crate) fn never_started(point: Point, verdict: Verdict) -> Self {
        Self {
            size: point.size,
            candidate: point.candidate,
            candidates: 1,
            outcome: verdict.outcome,
            evidence: verdict.evidence,
            figures: None,
            memory: None,
            net_runtime_ms: None,
            below_noise_floor: None,
            instructions: None,
            input_bytes: None,
            samples: Vec::new(),
            warm_up: None,
            gnu_time: None,
            stdout: None,
            stderr_tail: String::new(),
            interactor: None,
        }
    }

    /// The result of a size's runs. The first run that is not OK is the size's outcome; without one
    /// it is OK, and a warm-up that used up the budget is the only sample. It has no figures yet.
    fn of(job: &Job, point: Point, ran: &Ran) -> Result<Self, ParseError> {
        if let Some(clock) = job.limits.clock.filter(|_| job.interactor.is_some()) {
            return Self::of_talks(job, point, ran, clock);
        }
        let verdict =
            |execution: &Execution| judge(execution, &job.limits, &ran.written.stderr_tail);
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
            tracing::debug!(target: "Profiler", size = point.size, %text, "/usr/bin/time");
        }
        let written = &ran.written;
        Ok(Self {
            samples,
            warm_up: ran.warm_up.as_ref().map(|execution| execution.sample),
            gnu_time: text.map(|text| GnuTime::parse(&text)).transpose()?,
            stdout: Some(Output {
                bytes: written.stdout_bytes,
                sha256: hex(&written.stdout_sha256),
                head: written.stdout_head.clone(),
            }),
            stderr_tail: String::from_utf8_lossy(&written.stderr_tail).into_owned(),
            ..Self::never_started(point, verdict_of_size)
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

/// The warning about a size whose headline is not known well enough.
fn noisy(size: &SizeResult) -> Option<(WarningCode, String)> {
    let headline = size.figures.as_ref().filter(|_| size.is_ok())?.headline;
    let half = headline.width_ms() / 2.0;
    let (share, count) = (half / headline.ms * 100.0, size.samples.len());
    let problem =
        format!("runtime_ms is known to ± {half:.3} ms ({share:.1} %) after {count} runs");
    (!headline.known).then_some((WarningCode::Noisy, problem))
}

/// The warning about a size whose figures contradict each other.
fn inconsistent(size: &SizeResult) -> Option<(WarningCode, String)> {
    let sample = contradiction(&size.samples)?;
    let [wall, cpu, delay] =
        [Some(sample.wall_ns), sample.cpu_ns, sample.run_delay_ns].map(|ns| ms(ns.unwrap_or(0)));
    let problem = format!(
        "wall_ms {wall:.3} of one run is less than cpu_ms {cpu:.3} and run_delay_ms {delay:.3} \
         together: blocked_ms is left out"
    );
    Some((WarningCode::Inconsistent, problem))
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
        Some(RuntimeClock::Cpu) if job.interactor.is_some() => {
            (RuntimeClock::Cpu, interactive::WHY_CPU)
        }
        Some(clock) => (clock, "as the request chose"),
        None if any(|s| runtime_ns(s, RuntimeClock::Unloaded).is_none()) => {
            (RuntimeClock::Wall, "this kernel does not tell how long a process waited")
        }
        None if any(|s| s.concurrent) => (RuntimeClock::Wall, "several threads or processes ran"),
        None if samples.is_empty() => (RuntimeClock::Unloaded, "nothing was measured"),
        None => (RuntimeClock::Unloaded, "one thread ran"),
    }
}
