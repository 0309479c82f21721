//! A job that can be run: every field was checked.

use super::draft::OtherProgram;
use super::input_candidates::Candidates;
use super::options::Options;
use super::run_limits::RunLimits;
use super::sizes::{Point, Sizes};
use super::source_files::files_bytes;
use super::stress_plan::StressPlan;
use super::worst_plan::WorstPlan;
use crate::figures::ClockRule;
use crate::limits::{MAX_REPETITIONS_TIME, ONE_RUN_PRECISION};
use profiler_decode::addr2line::OwnFiles;
use profiler_proto::v1::{SourceFile, TestCase};
use profiler_statistics::KNOWN_SHARE;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::time::Duration;

/// Source of the input of a size.
#[derive(Debug, Clone, PartialEq)]
pub enum Inputs {
    /// The input is the size: `{n}\n`.
    Size,
    /// The caller gave an input for each size.
    Explicit(BTreeMap<u64, Vec<u8>>),
    /// Specs describe the inputs.
    Described(Candidates),
}

/// A job that can be run.
#[derive(Debug, Clone, PartialEq)]
pub struct Job {
    /// The task's id.
    pub task_id: String,
    /// Number of the attempt, counted by the caller.
    pub iteration: u32,
    /// The program's source; empty if the caller has compiled the program.
    pub source: Vec<u8>,
    /// The program that the caller has compiled; empty if `source` is compiled.
    pub program: Vec<u8>,
    /// The program's further headers and sources.
    pub files: Vec<SourceFile>,
    /// The flags for g++, all allowed.
    pub flags: Vec<String>,
    /// The sizes; none if only the verdict counts.
    pub sizes: Sizes,
    /// Input on the program's stdin.
    pub inputs: Inputs,
    /// Limits of one run.
    pub limits: RunLimits,
    /// The task's own runtime limit, if the task has one. `limits.timeout` is a little longer,
    /// unless the request sets it.
    pub runtime_limit: Option<Duration>,
    /// Share of the time of the job's own measurements that counting for growth may take in
    /// addition.
    pub growth_share: f64,
    /// Search for the worst input, if requested. It needs specs of the inputs.
    pub worst: Option<WorstPlan>,
    /// Stress test in place of measuring, if requested.
    pub stress: Option<StressPlan>,
    /// Options that steps use exactly as the request declares them.
    pub options: Options,
    /// Program to measure in turns with this one. Everything else is the same for both.
    pub against: Option<OtherProgram>,
    /// The interactor of an interactive task.
    pub interactor: Option<OtherProgram>,
    /// The program that judges the answers to the test cases, in place of `options.checker`.
    pub checker: Option<OtherProgram>,
    /// The program that checks the inputs.
    pub validator: Option<OtherProgram>,
    /// The program whose output at a size is the expected one for the checker; `None` if that is
    /// the job's own output. Only `options.check_sizes` needs it.
    pub reference: Option<OtherProgram>,
    /// The test cases. `options.test_order` says whether they run before or after the sizes.
    pub test_cases: Vec<TestCase>,
}

impl Job {
    /// Returns an upper bound of the length of the longest input, in bytes.
    pub fn input_bytes(&self) -> u64 {
        let longest = match &self.inputs {
            Inputs::Size => 0,
            Inputs::Explicit(inputs) => inputs.values().map(Vec::len).max().unwrap_or(0) as u64,
            Inputs::Described(candidates) => candidates.most_bytes(),
        };
        let tests = self.test_cases.iter().map(|case| case.input.len() as u64);
        tests.fold(longest, u64::max)
    }

    /// The number of candidate inputs of each size.
    pub fn candidates(&self) -> u32 {
        match &self.inputs {
            Inputs::Size | Inputs::Explicit(_) => 1,
            Inputs::Described(candidates) => candidates.count(),
        }
    }

    /// Relative precision of the headlines of a brief job; `None` for any other job, whose sizes
    /// are repeated until their headlines are known.
    pub fn brief_precision(&self) -> Option<f64> {
        // In a brief job, a long warm-up may be the only run of a size. An interactive task has no
        // warm-up.
        let can_be_brief = self.interactor.is_none() || self.runs_once();
        self.options.precision.filter(|share| *share > KNOWN_SHARE && can_be_brief)
    }

    /// Whether the job takes little time, so that jobs like it may overlap.
    pub fn is_brief(&self) -> bool {
        self.options.reward || self.brief_precision().is_some()
    }

    /// Whether something of the job can need the measured core after its sizes.
    pub(crate) fn times_until_its_end(&self) -> bool {
        self.options.advice || self.worst.is_some() || self.against.is_some()
    }

    /// Whether every size runs only once.
    pub(crate) fn runs_once(&self) -> bool {
        self.options.repetitions.is_none()
            && self.options.precision.is_some_and(|share| share >= ONE_RUN_PRECISION)
    }

    /// Whether the job takes the pace of its processor from a recent job. Measuring it would take
    /// longer than such a job's runs, which are no more precise than that pace.
    pub(crate) fn shares_pace(&self) -> bool {
        self.brief_precision().is_some() || self.options.repetitions == Some(1)
    }

    /// Maximum time of the warm-up and the timed runs of a size, if the job sets the number of
    /// runs.
    pub(crate) fn repetitions_time(&self) -> Option<Duration> {
        self.options.repetitions.map(|count| (count + 1) * self.limits.wall_stop())
    }

    /// Returns the reason if the job cannot have as many repetitions as it asks for.
    pub(super) fn too_many_repetitions(&self) -> Option<String> {
        let each = self.repetitions_time()?;
        let Some(sizes) = self.sizes.promised() else {
            return Some("cannot be used with the schedule AUTO, which has a time budget".into());
        };
        let sizes = u32::try_from(sizes).unwrap_or(u32::MAX);
        let all = each.checked_mul(sizes).and_then(|all| all.checked_mul(self.candidates()));
        (all.is_none_or(|all| all > MAX_REPETITIONS_TIME)).then(|| {
            let hours = MAX_REPETITIONS_TIME.as_secs() / 3600;
            format!(
                "must let all runs end within {hours} h by their limits; use fewer repetitions or \
                 a shorter timeout"
            )
        })
    }

    /// Returns the texts of the program's files.
    pub(crate) fn sources(&self) -> impl Iterator<Item = &[u8]> {
        let files = self.files.iter().map(|file| file.text.as_bytes());
        [self.source.as_slice()].into_iter().chain(files)
    }

    /// Returns the paths of the program's files besides the source.
    pub(crate) fn own_files(&self) -> OwnFiles {
        OwnFiles::new(self.files.iter().map(|file| file.path.clone()))
    }

    /// Makes the same job for the program that this one is compared with.
    pub(crate) fn of_other(&self, other: &OtherProgram) -> Self {
        let OtherProgram { source, files, flags } = other.clone();
        Self { source, files, flags, program: Vec::new(), against: None, ..self.clone() }
    }

    /// Makes the job of the program that this one is compared with. If the outputs are judged, this
    /// program is the reference, unless the job has another one.
    pub(crate) fn opposite(&self, other: &OtherProgram) -> Self {
        let own = || OtherProgram {
            source: self.source.clone(),
            files: self.files.clone(),
            flags: self.flags.clone(),
        };
        let reference =
            self.options.check_sizes.then(|| self.reference.clone().unwrap_or_else(own));
        Self { reference, ..self.of_other(other) }
    }

    /// Returns the same job with runs for times alone: without judgement of its outputs, a search
    /// for the place of its failure, a count of its questions, and samples of its time.
    pub(crate) fn unjudged(&self) -> Cow<'_, Self> {
        let options = Options {
            check_sizes: false,
            sanitize: false,
            fault_location: false,
            count_questions: false,
            time_shares: false,
            ..self.options.clone()
        };
        if options == self.options {
            return Cow::Borrowed(self);
        }
        Cow::Owned(Self { options, ..self.clone() })
    }

    /// Makes the input of `point` on the host. `None` if it has none.
    pub(crate) fn input(&self, point: Point) -> Option<Vec<u8>> {
        match &self.inputs {
            Inputs::Size => Some(format!("{}\n", point.size).into_bytes()),
            Inputs::Explicit(inputs) => inputs.get(&point.size).cloned(),
            Inputs::Described(candidates) => {
                if let Some(made) = candidates.made(point) {
                    return Some(made.to_vec());
                }
                let mut bytes = Vec::new();
                candidates.recipe(point)?.write(&mut bytes).ok()?;
                Some(bytes)
            }
        }
    }

    /// Returns the memory that the job's programs, inputs and expected outputs take, in bytes.
    pub fn bytes(&self) -> usize {
        let Self { against, interactor, checker, validator, reference, .. } = self;
        let others = [against, interactor, checker, validator, reference];
        let others: usize = others.into_iter().flatten().map(OtherProgram::bytes).sum();
        let files = files_bytes(&self.files);
        let tests = self.test_cases.iter().map(|case| case.input.len() + case.output.len());
        let tests: usize = tests.sum();
        let inputs = match &self.inputs {
            Inputs::Size => 0,
            Inputs::Explicit(inputs) => inputs.values().map(Vec::len).sum(),
            Inputs::Described(candidates) => candidates.own_bytes(),
        };
        let stress = self.stress.as_ref().map_or(0, StressPlan::bytes);
        self.source.len() + self.program.len() + files + others + tests + inputs + stress
    }

    /// Returns the rule for choosing the clock of the job's headline.
    pub(crate) fn clock_rule(&self) -> ClockRule {
        ClockRule { requested: self.limits.clock, interactive: self.interactor.is_some() }
    }
}
