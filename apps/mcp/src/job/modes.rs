//! The jobs of tools that do more than measure one program, or less.

use super::{Options, TESTS_TASK};
use profiler_compare::Outputs;
use profiler_proto::v1;

/// Number of inputs of a stress test. Its time ends it earlier, if the programs are slow.
const INPUTS: u32 = 100_000;
/// Precision at which every input runs once.
const ONE_RUN: f64 = 1.0;

impl Options {
    /// Returns the same options for a search for the worst input of size n. The program's own time
    /// is measured only at n.
    pub(crate) fn searching(self, n: u64, seconds: u64, goal: v1::WorstGoal, line: u32) -> Self {
        let worst = v1::WorstSearch {
            size: Some(n),
            seconds: Some(seconds as f64),
            goal: goal.into(),
            line,
            ..Default::default()
        };
        let growth = v1::Growth::Timed.into();
        let job = v1::Job { input_sizes: vec![n], worst: Some(worst), growth, ..self.job };
        Self { job, ..self }
    }

    /// Returns the same options for a stress test against a program whose answers are right.
    pub(crate) fn stressing(self, reference: String, seconds: u64) -> Self {
        let compiler_flags = self.flags();
        let reference = v1::OtherProgram { code_cpp: reference, compiler_flags, files: Vec::new() };
        let seconds = Some(seconds as f64);
        let stress = v1::StressTest { reference: Some(reference), inputs: Some(INPUTS), seconds };
        Self { job: v1::Job { stress: Some(stress), ..self.job }, ..self }
    }

    /// Whether a program judges the answers.
    pub(crate) fn has_checker_program(&self) -> bool {
        self.job.checker_program.is_some()
    }

    /// Whether there are tests, and none has an expected output.
    pub(crate) fn are_tests_unjudged(&self) -> bool {
        !self.unjudged_inputs.is_empty()
    }

    /// Returns the same options for a verdict on the tests alone, or for one run on each input of
    /// tests without an expected output. Their inputs have the sizes 1, 2, and so on.
    pub(crate) fn running_tests(self) -> Self {
        if !self.are_tests_unjudged() {
            return Self { job: v1::Job { reward: true, ..self.job }, ..self };
        }
        let inputs = self.unjudged_inputs.iter().zip(1..);
        let inputs =
            inputs.map(|(input, size)| v1::ExplicitInput { size, data: input.as_bytes().into() });
        let inputs: Vec<_> = inputs.collect();
        let code = self.job.code.clone().unwrap_or_default();
        let job = v1::Job {
            input_sizes: inputs.iter().map(|input| input.size).collect(),
            inputs,
            growth: v1::Growth::Timed.into(),
            input_experiment: v1::InputExperiment::Off.into(),
            precision: Some(ONE_RUN),
            skip_after_limits: false,
            code: Some(v1::CodeMessage { task_id: TESTS_TASK.into(), ..code }),
            ..self.job
        };
        Self { job, ..self }
    }

    /// Makes the checker judge the outputs at the sizes, so that programs with different right
    /// answers can be compared. Unless the checker is a program, `outputs` decides whether they are
    /// judged.
    pub(crate) fn judging_outputs(mut self, outputs: Outputs) -> Self {
        let has_comparison = outputs == Outputs::Agree && self.job.names_comparison();
        self.job.check_sizes = self.job.checker_program.is_some() || has_comparison;
        self
    }

    /// Whether a report lacks the judgements that these options ask for.
    pub(crate) fn are_unjudged_in(&self, report: &v1::ProfileReport) -> bool {
        self.job.check_sizes && report.lacks_output_checks()
    }

    /// The same options for a comparison with another program, in one job.
    pub(crate) fn against(&self, code_cpp: &str) -> Self {
        let compiler_flags = self.flags();
        let against = Some(v1::OtherProgram {
            code_cpp: code_cpp.to_owned(),
            compiler_flags,
            files: Vec::new(),
        });
        Self { job: v1::Job { against, ..self.job.clone() }, ..self.clone() }
    }

    /// The flags of the program, which another program shares.
    fn flags(&self) -> Vec<String> {
        self.job.code.as_ref().map(|code| code.compiler_flags.clone()).unwrap_or_default()
    }
}
