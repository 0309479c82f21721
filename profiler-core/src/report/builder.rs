//! The only place that assembles a report. Steps return values, and the pipeline adds each value
//! here as soon as the step finishes. A run that ends early therefore still has a report of its
//! finished steps.

mod later_runs;
mod verdicts;

use super::fingerprint::{METHOD_VERSION, fingerprint};
use super::hotspots::Hotspots;
use super::measured_size::{MeasuredSize, StartUpCosts};
use super::reading;
use super::warnings::{doubts_of_figures, doubts_of_result, lack_of_input};
use crate::figures::units::MS_PER_SECOND;
use crate::figures::{ClockRule, RuntimeClock, message, size_figures};
use crate::job::{Inputs, Job, SCHEMA_VERSION, incomparable};
use profiler_decode::counter_output::COUNTED_CPU;
use profiler_proto::v1::{self, InputUse, Warning, WarningCode};
use runner_protocol::{Hello, NamedFiles, Sample};
use std::time::{Duration, SystemTime};

/// The report's message type.
pub const REPORT_TYPE: &str = "profile_report";

/// A report under construction.
pub(crate) struct ReportBuilder {
    /// Everything but the host, the sizes, the start-up, and what follows from them.
    report: v1::ProfileReport,
    host: v1::Host,
    /// Features of the host's processor, for its fingerprint.
    cpu_flags: String,
    sizes: Vec<MeasuredSize>,
    start_up: Vec<Sample>,
    /// Instructions of the empty program; `None` if they were not counted.
    start_up_instructions: Option<u64>,
    rule: ClockRule,
    /// The clock of every figure, once it is chosen.
    clock: RuntimeClock,
    /// Whether the inputs are the default ones: n and a newline.
    default_inputs: bool,
    /// Whether a count contradicted the timed runs.
    doubts_counts: bool,
    raw_samples: bool,
    /// The files that the program opens in place of stdin and stdout.
    files: NamedFiles,
}

impl ReportBuilder {
    /// A report without results.
    pub(crate) fn new(job: &Job, run_id: &str, backend: &str) -> Self {
        let has_specs = matches!(job.inputs, Inputs::Described(_));
        let report = v1::ProfileReport {
            r#type: REPORT_TYPE.into(),
            task_id: job.task_id.clone(),
            iteration: job.iteration,
            schema_version: SCHEMA_VERSION.into(),
            run_id: run_id.into(),
            candidates: match &job.inputs {
                Inputs::Size | Inputs::Explicit(_) => Vec::new(),
                Inputs::Described(candidates) => candidates.names(),
            },
            code_cpp: String::from_utf8_lossy(&job.source).into_owned(),
            files: job.files.clone(),
            precision: job.brief_precision(),
            input_seed: if has_specs { job.options.input_seed } else { 0 },
            ..v1::ProfileReport::default()
        };
        let mut builder = Self {
            report,
            host: v1::Host {
                backend: backend.into(),
                method_version: METHOD_VERSION,
                counted_cpu: COUNTED_CPU.into(),
                ..v1::Host::default()
            },
            cpu_flags: String::new(),
            sizes: Vec::new(),
            start_up: Vec::new(),
            start_up_instructions: None,
            rule: job.clock_rule(),
            clock: job.limits.clock.unwrap_or(RuntimeClock::Unloaded),
            default_inputs: matches!(job.inputs, Inputs::Size),
            doubts_counts: false,
            raw_samples: job.options.raw_samples,
            files: job.options.files,
        };
        builder.warn(incomparable(&job.flags).map(|flag| {
            let problem = format!("{flag} makes figures incomparable with those of other hosts");
            Warning::new(WarningCode::IncomparableFlag, problem)
        }));
        builder
    }

    /// Sets where the sandbox runs, and what is not enforced there.
    pub(crate) fn set_host(&mut self, hello: &Hello, not_enforced: Vec<String>) {
        let host = &mut self.host;
        host.not_enforced = not_enforced;
        host.kernel.clone_from(&hello.kernel);
        host.cpu_model.clone_from(&hello.cpu_model);
        self.cpu_flags.clone_from(&hello.cpu_flags);
        host.cpus = hello.cpus;
        host.cgroup_version = hello.cgroup.map(u32::from);
    }

    /// The host that measures.
    pub(crate) fn host(&self) -> &v1::Host {
        &self.host
    }

    /// Sets the cost of compiling the program, and the host's fingerprint with this toolchain.
    pub(crate) fn set_compile(&mut self, step: v1::CompileStep, toolchain: Option<&str>) {
        let toolchain = toolchain.unwrap_or(&step.compiler);
        self.host.fingerprint = Some(fingerprint(&self.host, &self.cpu_flags, toolchain));
        self.report.compile = Some(step);
    }

    /// Whether the cost of compiling the program is set.
    pub(crate) fn is_compiled(&self) -> bool {
        self.report.compile.is_some()
    }

    /// Sets the cost of compiling the interactor.
    pub(crate) fn set_interactor_compile(&mut self, step: v1::CompileStep) {
        self.report.interactor_compile = Some(step);
    }

    /// Sets the measured core; `None` if the host has no core to spare.
    pub(crate) fn set_measured_core(&mut self, core: Option<u32>) {
        self.host.measured_core = core;
        if core.is_none() {
            let problem =
                "the program shares the only core with all other work, so figures are unreliable";
            self.warn([Warning::new(WarningCode::OneCore, problem)]);
        }
    }

    /// Adds an observation of how many other programs are being measured. The report keeps the
    /// maximum.
    pub(crate) fn add_neighbours(&mut self, neighbours: u32) {
        self.host.neighbours = self.host.neighbours.max(Some(neighbours));
    }

    /// Sets the time that the run waited for a core; `None` if it asked for none.
    pub(crate) fn set_core_wait(&mut self, waited: Option<Duration>) {
        self.host.core_wait_ms = waited.map(|waited| waited.as_secs_f64() * MS_PER_SECOND);
    }

    /// Sets the time of the calibration, in milliseconds.
    pub(crate) fn set_calibration(&mut self, calibration_ms: Option<f64>) {
        self.host.calibration_ms = calibration_ms;
    }

    /// Sets the runs of the empty program, and its instructions if they were counted.
    pub(crate) fn set_start_up(&mut self, samples: Vec<Sample>, instructions: Option<u64>) {
        let clock = self.rule.choose([&samples[..]]).clock;
        if size_figures(&samples, clock).is_none() {
            let problem = "with these flags and limits, an empty program does not compile or does \
                           not end OK";
            self.warn([Warning::new(WarningCode::NoStartUp, problem)]);
        } else {
            (self.start_up, self.start_up_instructions) = (samples, instructions);
        }
    }

    /// The samples of the empty program; empty if the start-up is unknown.
    pub(crate) fn start_up_samples(&self) -> &[Sample] {
        &self.start_up
    }

    /// The costs of the empty program that a count is compared with.
    pub(crate) fn start_up_costs(&self) -> StartUpCosts {
        let figures = size_figures(&self.start_up, RuntimeClock::Wall);
        let user_ms = figures.and_then(|it| it.user_ms).map_or(0.0, |it| it.median);
        StartUpCosts { instructions: self.start_up_instructions, user_ms }
    }

    /// The cost of starting a program, on the report's clock; `None` if it is unknown.
    pub(crate) fn start_up(&self) -> Option<v1::StartUp> {
        let figures = size_figures(&self.start_up, self.clock)?;
        Some(v1::StartUp {
            runtime_ms: figures.headline?.ms,
            peak_memory_mb: figures.peak_memory_mb?.max,
            figures: Some(figures),
            instructions: self.start_up_instructions,
        })
    }

    /// The finished sizes, rising.
    pub(crate) fn sizes(&self) -> &[MeasuredSize] {
        &self.sizes
    }

    /// Returns a size's result as the job wants it published.
    pub(crate) fn published(&self, result: &MeasuredSize) -> v1::SizeResult {
        let published = result.published(self.raw_samples);
        // A file that the program opens has a position of its own, which is not known.
        let read = published.input_read_bytes.filter(|_| self.files.input.is_none());
        v1::SizeResult { input_read_bytes: read, ..published }
    }

    /// Adds a size's result, in order, and its warnings.
    pub(crate) fn add_size(&mut self, result: MeasuredSize) {
        self.warn(doubts_of_result(&result));
        let place = (result.size, result.candidate);
        let at = self.sizes.partition_point(|it| (it.size, it.candidate) <= place);
        self.sizes.insert(at, result);
    }

    /// Sets whether the inputs held all that the program reads.
    pub(crate) fn set_input_check(&mut self, check: v1::InputCheck) {
        self.report.input_check = Some(check);
    }

    /// Returns the check of whether the inputs held all that the program reads; `None` before the
    /// check.
    pub(crate) fn input_check(&self) -> Option<&v1::InputCheck> {
        self.report.input_check.as_ref()
    }

    /// Whether the program lacked input because nobody declared any, or opens a file instead.
    pub(crate) fn is_without_input(&self) -> bool {
        let check = self.input_check().filter(|check| check.input_use() == InputUse::Starved);
        check.is_some_and(|check| self.default_inputs || check.opened_file.is_some())
    }

    /// Sets why a growing schedule stopped, or why default sizes were left out.
    pub(crate) fn set_schedule_end(&mut self, end: Option<String>) {
        self.report.schedule_end = end;
    }

    /// Notes that a count contradicted the timed runs, so that no count is evidence of growth.
    pub(crate) fn doubt_counts(&mut self) {
        self.doubts_counts = true;
    }

    /// Whether a count contradicted the timed runs.
    pub(crate) fn doubts_counts(&self) -> bool {
        self.doubts_counts
    }

    /// Sets the hotspots.
    pub(crate) fn set_hotspots(&mut self, hotspots: Hotspots) {
        let Hotspots { method, lines, functions, stacks } = hotspots;
        self.report.set_hotspots_method(method);
        self.report.hotspot_lines = lines;
        self.report.hotspot_functions = functions;
        self.report.call_stacks = stacks;
    }

    /// Sets the worst input.
    pub(crate) fn set_worst(&mut self, worst: v1::WorstInput) {
        self.report.worst = Some(Box::new(worst));
    }

    /// Sets the result of the stress test.
    pub(crate) fn set_stress(&mut self, stress: v1::StressResult) {
        self.report.stress = Some(Box::new(stress));
    }

    /// Sets the advice.
    pub(crate) fn set_advice(&mut self, advice: v1::Advice) {
        self.report.advice = Some(advice);
    }

    /// Sets the run with sanitizers.
    pub(crate) fn set_sanitizer(&mut self, run: Option<v1::SanitizerRun>) {
        self.report.sanitizer = run;
    }

    /// Sets the place at which the program fails.
    pub(crate) fn set_fault(&mut self, fault: Option<v1::Fault>) {
        self.report.fault = fault;
    }

    /// Sets the allocations.
    pub(crate) fn set_allocations(&mut self, allocations: Option<v1::AllocationReport>) {
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

    /// The clock of every figure; final once the report is settled.
    pub(crate) fn clock(&self) -> RuntimeClock {
        self.clock
    }

    /// Puts all sizes on one clock, and adds the warnings about their figures. No size may be added
    /// afterwards.
    pub(crate) fn settle(&mut self) {
        let chosen = self.rule.choose(self.sizes.iter().map(|size| &size.samples[..]));
        self.clock = chosen.clock;
        self.report.runtime_clock_reason = chosen.reason.into();
        if self.rule.requested != Some(RuntimeClock::Wall) && chosen.clock == RuntimeClock::Wall {
            let problem =
                format!("{}: runtime_ms is wall clock time, which includes load", chosen.reason);
            self.warn([Warning::new(WarningCode::WallClock, problem)]);
        }
        for size in &mut self.sizes {
            size.settle(chosen.clock, &self.start_up);
        }
        if let Some(mut check) = self.report.input_check.take() {
            let largest = self.sizes.last().filter(|_| self.default_inputs);
            check.default_input = largest.map(|size| format!("{}\n", size.size));
            self.warn(lack_of_input(&check));
            self.report.input_check = Some(check);
        }
        let is_brief = self.report.precision.is_some();
        let doubts = self.sizes.iter().flat_map(|size| doubts_of_figures(size, is_brief));
        let doubts: Vec<_> = doubts.chain(reading::doubts(&self.sizes)).collect();
        self.warn(doubts);
    }

    /// Finishes the report, which must be settled.
    pub(crate) fn finish(self) -> v1::ProfileReport {
        let start_up = self.start_up();
        let mut report = v1::ProfileReport {
            timestamp_utc: Some(SystemTime::now().into()),
            sizes: self.sizes.iter().map(|size| self.published(size)).collect(),
            host: Some(self.host),
            runtime_clock: message::clock(self.clock).into(),
            start_up,
            ..self.report
        };
        report.summarize();
        report
    }
}
