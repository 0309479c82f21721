//! The only place that assembles a report. Steps return values, and the pipeline adds each value
//! here as soon as the step finishes. A run that ends early therefore still has a report of its
//! finished steps.

use super::allocations::Allocations;
use super::compile_step::CompileStep;
use super::evidence::Verdict;
use super::host::Host;
use super::host::fingerprint;
use super::hotspots::Hotspots;
use super::input_check::{InputCheck, InputUse};
use super::outcome::Outcome;
use super::profile_report::{Advice, ProfileReport, StartUp, TestCaseResult, WorstInput};
use super::size_result::{Instructions, SizeResult};
use super::warning::{Warning, WarningCode};
use crate::figures::units::{mib, ms};
use crate::figures::{ClockRule, RuntimeClock, TwoWays, are_concurrent, contradiction};
use crate::job::{Inputs, Job, Point, incomparable};
use runner_protocol::{Hello, Sample};
use std::time::SystemTime;

/// Maximum difference of our peak from GNU time's without a warning, in MiB.
const MEMORY_TOLERANCE_MB: f64 = 2.0;

/// A report under construction.
pub(crate) struct ReportBuilder {
    report: ProfileReport,
    rule: ClockRule,
    /// Whether the inputs are the default ones: n and a newline.
    default_inputs: bool,
}

impl ReportBuilder {
    /// A report without results.
    pub(crate) fn new(job: &Job, run_id: &str, host: Host) -> Self {
        let has_specs = matches!(job.inputs, Inputs::Described(_));
        let report = ProfileReport {
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
            input_check: None,
            schedule_end: None,
            precision: job.brief_precision(),
            input_seed: if has_specs { job.options.input_seed } else { 0 },
            worst: None,
            advice: None,
            turns: Vec::new(),
            growth: None,
        };
        let default_inputs = matches!(job.inputs, Inputs::Size);
        let mut builder = Self { report, rule: job.clock_rule(), default_inputs };
        builder.warn(incomparable(&job.flags).map(|flag| {
            let problem = format!("{flag} makes figures incomparable with those of other hosts");
            Warning::new(WarningCode::IncomparableFlag, problem)
        }));
        builder
    }

    /// Sets where the sandbox runs, and what is not enforced there. Without a sandbox nothing is.
    pub(crate) fn set_host(&mut self, hello: &Hello, not_enforced: Vec<String>) {
        let host = &mut self.report.host;
        host.not_enforced = not_enforced;
        host.kernel.clone_from(&hello.kernel);
        host.cpu_model.clone_from(&hello.cpu_model);
        host.cpus = hello.cpus;
        host.cgroup_version = hello.cgroup.map(u32::from);
    }

    /// Sets the cost of compiling the program, and the host's fingerprint with this toolchain.
    pub(crate) fn set_compile(&mut self, step: CompileStep, toolchain: Option<&str>) {
        let toolchain = toolchain.unwrap_or(&step.compiler);
        self.report.host.fingerprint = Some(fingerprint(&self.report.host, toolchain));
        self.report.compile = Some(step);
    }

    /// Sets the cost of compiling the interactor.
    pub(crate) fn set_interactor_compile(&mut self, step: CompileStep) {
        self.report.interactor_compile = Some(step);
    }

    /// Sets the processor that measures; `None` if the host has no core to spare.
    pub(crate) fn set_measured_core(&mut self, core: Option<u32>) {
        self.report.host.measured_core = core;
        if core.is_none() {
            let problem =
                "the program shares its only core with everything else, so figures are unreliable";
            self.warn([Warning::new(WarningCode::OneCore, problem)]);
        }
    }

    /// Adds an observation of how many other programs are being measured. The report keeps the
    /// maximum.
    pub(crate) fn add_neighbours(&mut self, neighbours: u32) {
        self.report.host.neighbours = self.report.host.neighbours.max(Some(neighbours));
    }

    /// Sets the time of the calibration, in milliseconds.
    pub(crate) fn set_calibration(&mut self, calibration_ms: Option<f64>) {
        self.report.host.calibration_ms = calibration_ms;
    }

    /// Sets the runs of the empty program.
    pub(crate) fn set_start_up(&mut self, samples: Vec<Sample>) {
        let clock = self.rule.choose([&samples[..]]).clock;
        self.report.start_up = StartUp::from_samples(samples, clock);
        if self.report.start_up.is_none() {
            let problem = "with these flags and limits, an empty program does not compile or does \
                           not end OK";
            self.warn([Warning::new(WarningCode::NoStartUp, problem)]);
        }
    }

    /// The samples of the empty program; empty if the start-up is unknown.
    pub(crate) fn start_up_samples(&self) -> &[Sample] {
        self.report.start_up.as_ref().map_or(&[], |start_up| &start_up.samples)
    }

    /// Adds the result of the next test case, and the warning about it.
    pub(crate) fn add_test_case(&mut self, result: TestCaseResult, warning: Option<Warning>) {
        self.report.test_cases.push(result);
        self.warn(warning);
    }

    /// The finished sizes.
    pub(crate) fn sizes(&self) -> &[SizeResult] {
        &self.report.sizes
    }

    /// Adds a size's result and its warnings.
    pub(crate) fn add_size(&mut self, result: SizeResult) {
        self.warn(doubts_of_result(&result));
        self.report.sizes.push(result);
    }

    /// Adds a run of a measured size in a new sandbox, with a warning if it contradicts the others.
    pub(crate) fn add_cold_run(&mut self, point: Point, cold: Result<Sample, Verdict>) {
        let found = self.report.sizes.iter_mut().find(|size| size.point() == point);
        let Some(size) = found else { return };
        let doubt = match cold {
            Ok(sample) => {
                size.cold_run = Some(sample);
                doubt_of_ways(size)
            }
            Err(verdict) => {
                size.fails_cold = true;
                let problem = format!(
                    "the program behaves in two ways on the same input: in a new sandbox it ended \
                     with {}",
                    verdict.outcome.as_str()
                );
                Some(Warning::about(WarningCode::TwoWays, point, problem))
            }
        };
        self.warn(doubt);
    }

    /// Forgets the results of the sizes and the warnings about them. Returns their number.
    pub(crate) fn forget_sizes(&mut self) -> usize {
        self.report.warnings.retain(|warning| warning.size.is_none());
        std::mem::take(&mut self.report.sizes).len()
    }

    /// Sets whether the inputs held all that the program reads.
    pub(crate) fn set_input_check(&mut self, check: InputCheck) {
        self.report.input_check = Some(check);
    }

    /// Whether the program lacked input because nobody declared any.
    pub(crate) fn is_without_input(&self) -> bool {
        let check = self.report.input_check.as_ref();
        self.default_inputs && check.is_some_and(|check| check.input_use == InputUse::Starved)
    }

    /// Sets why a growing schedule stopped.
    pub(crate) fn set_schedule_end(&mut self, end: Option<String>) {
        self.report.schedule_end = end;
    }

    /// Sets the count of the size at `index`, or adds the warning that it has none.
    pub(crate) fn set_instructions(
        &mut self,
        index: usize,
        counted: Result<Instructions, Warning>,
        method: &'static str,
    ) {
        match counted {
            Ok(count) => {
                self.report.sizes[index].instructions = Some(count);
                self.report.instructions_method = Some(method);
            }
            Err(warning) => self.warn([warning]),
        }
    }

    /// The hotspots; empty before they are set.
    pub(crate) fn hotspots(&self) -> &Hotspots {
        &self.report.hotspots
    }

    /// Sets the hotspots.
    pub(crate) fn set_hotspots(&mut self, hotspots: Hotspots) {
        self.report.hotspots = hotspots;
    }

    /// Sets the worst input.
    pub(crate) fn set_worst(&mut self, worst: WorstInput) {
        self.report.worst = Some(Box::new(worst));
    }

    /// Sets the advice.
    pub(crate) fn set_advice(&mut self, advice: Advice) {
        self.report.advice = Some(Box::new(advice));
    }

    /// Sets the allocations.
    pub(crate) fn set_allocations(&mut self, allocations: Option<Allocations>) {
        self.report.allocations = allocations;
    }

    /// Adds warnings. A warning names its candidate only if there are several.
    pub(crate) fn warn(&mut self, warnings: impl IntoIterator<Item = Warning>) {
        let several = self.report.candidates.len() > 1;
        self.report.warnings.extend(warnings.into_iter().map(|warning| {
            let candidate = warning.candidate.filter(|_| several);
            Warning { candidate, ..warning }
        }));
    }

    /// Finishes the report, with all sizes on one clock.
    pub(crate) fn finish(mut self) -> ProfileReport {
        let chosen = self.rule.choose(self.report.sizes.iter().map(|size| &size.samples[..]));
        self.report.clock = chosen.clock;
        self.report.clock_reason = chosen.reason.into();
        if self.rule.requested != Some(RuntimeClock::Wall) && chosen.clock == RuntimeClock::Wall {
            let problem =
                format!("{}: runtime_ms is wall clock, which includes load", chosen.reason);
            self.warn([Warning::new(WarningCode::WallClock, problem)]);
        }
        let start_up = self.report.start_up.take().map(|start_up| start_up.samples);
        let start_up = start_up.unwrap_or_default();
        for size in &mut self.report.sizes {
            size.settle(chosen.clock, &start_up);
        }
        self.report.start_up = StartUp::from_samples(start_up, chosen.clock);
        if let Some(mut check) = self.report.input_check.take() {
            let largest = self.report.sizes.last().filter(|_| self.default_inputs);
            check.default_input = largest.map(|size| format!("{}\n", size.size));
            self.warn(check.warning());
            self.report.input_check = Some(check);
        }
        let is_brief = self.report.precision.is_some();
        let doubts = self.report.sizes.iter().flat_map(|size| doubts_of_figures(size, is_brief));
        let doubts: Vec<_> = doubts.collect();
        self.warn(doubts);
        self.report.timestamp = SystemTime::now();
        self.report
    }
}

/// The warnings about a result that do not depend on the clock.
fn doubts_of_result(result: &SizeResult) -> Vec<Warning> {
    let (point, mut warnings) = (result.point(), Vec::new());
    if !matches!(result.outcome, Outcome::Ok | Outcome::NotRun) {
        let ended = result.outcome.as_str();
        let signal = result.evidence.signal.map_or_else(String::new, |s| format!(" ({s})"));
        let problem = match result.outcome {
            Outcome::InteractorFailed => "the interactor failed".to_owned(),
            Outcome::ProtocolError => "the interactor rejected the program's output".to_owned(),
            _ => format!("the program ended with {ended}{signal}"),
        };
        warnings.push(Warning::about(WarningCode::RuntimeFailure, point, problem));
        if !result.samples.is_empty() {
            let count = result.samples.len();
            let plural = if count == 1 { "" } else { "s" };
            let problem = format!("{count} run{plural} before the failure ended OK");
            warnings.push(Warning::about(WarningCode::Unstable, point, problem));
        }
    }
    warnings.extend(doubt_of_ways(result));
    warnings
        .extend(doubt_of_peak(result).map(|(code, problem)| Warning::about(code, point, problem)));
    if let (Some(time), Some(warm_up)) = (&result.gnu_time, &result.warm_up) {
        let (theirs, ours) = (time.max_resident_mb, mib(warm_up.peak_rss_bytes));
        if (theirs - ours).abs() > MEMORY_TOLERANCE_MB {
            let problem = format!(
                "/usr/bin/time reports a peak of {theirs:.1} MiB, the runner {ours:.1} MiB"
            );
            warnings.push(Warning::about(WarningCode::MemoryMismatch, point, problem));
        }
    }
    warnings
}

/// The warning about a program that did not do the same work in all runs.
fn doubt_of_ways(result: &SizeResult) -> Option<Warning> {
    let TwoWays { faster, slower } = result.two_ways()?;
    let cpu_ms = |sample: Option<&Sample>| ms(sample.and_then(|s| s.cpu_ns).unwrap_or(0));
    let (count, all) = (faster.len(), faster.len() + slower.len());
    let problem = format!(
        "the program behaves in two ways on the same input: {count} of {all} runs took at most \
         {:.1} ms of processor time, the others at least {:.1} ms; the figures are of the slower runs",
        cpu_ms(faster.last()),
        cpu_ms(slower.first()),
    );
    Some(Warning::about(WarningCode::TwoWays, result.point(), problem))
}

/// The warning about a peak that is not simply that of the largest resident set.
fn doubt_of_peak(size: &SizeResult) -> Option<(WarningCode, String)> {
    let figures = size.figures.as_ref().filter(|_| size.is_ok())?;
    if let Some(held) = size.held_mb() {
        let resident = figures.peak_memory_mb.max;
        let problem = format!(
            "the program held {held:.1} MiB in one of its runs, and at most {resident:.1} MiB are \
             resident in one process of the repetitions; peak_memory_mb is what it held"
        );
        return Some((WarningCode::MemoryBeside, problem));
    }
    let problem = "several threads or processes ran, and no memory cgroup counted them together: \
                   peak_memory_mb is that of the largest process";
    (!size.peak_is_counted() && are_concurrent(&size.samples))
        .then(|| (WarningCode::LargestProcess, problem.to_owned()))
}

/// The warnings about figures on the report's clock. Whoever asks for a brief job knows that its
/// headlines are not precise.
fn doubts_of_figures(size: &SizeResult, is_brief: bool) -> impl Iterator<Item = Warning> {
    let point = size.point();
    let doubts = [noisy(size).filter(|_| !is_brief), inconsistent(size)];
    doubts.into_iter().flatten().map(move |(code, problem)| Warning::about(code, point, problem))
}

/// The warning about a headline that is not precise enough. How precise that of a single run is,
/// nobody knows.
fn noisy(size: &SizeResult) -> Option<(WarningCode, String)> {
    let headline = size.figures.as_ref().filter(|_| size.is_ok())?.headline;
    let half = headline.width_ms() / 2.0;
    let (share, count) = (half / headline.ms * 100.0, size.samples.len());
    if count < 2 {
        return None;
    }
    let problem =
        format!("runtime_ms is known to ± {half:.3} ms ({share:.1} %) after {count} runs");
    (!headline.known).then_some((WarningCode::Noisy, problem))
}

/// The warning about figures that contradict each other.
fn inconsistent(size: &SizeResult) -> Option<(WarningCode, String)> {
    let sample = contradiction(&size.samples)?;
    let [wall, cpu, delay] =
        [Some(sample.wall_ns), sample.cpu_ns, sample.run_delay_ns].map(|ns| ms(ns.unwrap_or(0)));
    let problem = format!(
        "wall_ms {wall:.3} of one run is less than cpu_ms {cpu:.3} plus run_delay_ms {delay:.3}, \
         so blocked_ms is left out"
    );
    Some((WarningCode::Inconsistent, problem))
}
