//! Tasks in the form of SwiftSolve's datasets (`TaskMetadata`). A job takes bounds, limits, inputs
//! and test cases from a task file. Other keys are ignored.

use crate::file;
use crate::v1;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

/// The key of a task's input specs.
pub const INPUT_SPEC: &str = "input_spec";
/// The keys that a task must have.
const KEYS: [&str; 4] = ["task_id", "input_bounds", "time_limit_ms", "memory_limit_mb"];

/// A task.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Task {
    /// Name of the task.
    pub task_id: String,
    /// The largest value of each variable.
    pub input_bounds: BTreeMap<String, i64>,
    /// The task's own time limit, in milliseconds.
    pub time_limit_ms: f64,
    /// The task's memory limit, in MiB.
    pub memory_limit_mb: u32,
    /// Expected growth of the time, as people write it: "O(n log n)".
    #[serde(default)]
    pub expected_complexity: Option<String>,
    /// Inputs and the expected answers.
    #[serde(default)]
    pub test_cases: Vec<TestCase>,
    /// The form of the inputs: one spec, or a list of candidates.
    #[serde(default)]
    pub input_spec: Option<Value>,
}

/// An input and the expected answer.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct TestCase {
    /// The program's stdin.
    pub input: String,
    /// The expected stdout.
    pub output: String,
}

impl Task {
    /// Reads the task in a file.
    pub fn read(path: &Path) -> Result<Self, file::Error> {
        Self::parse(&file::text(path)?)
    }

    /// Parses the task in a text. If keys are missing, the error names all of them.
    pub fn parse(text: &str) -> Result<Self, file::Error> {
        let wrong = |error| file::Error::of_json(&error);
        let value: Value = serde_json::from_str(text).map_err(wrong)?;
        let missing: Vec<_> = KEYS.into_iter().filter(|key| value.get(key).is_none()).collect();
        if !missing.is_empty() {
            let (missing, keys) = (missing.join(", "), KEYS.join(", "));
            return Err(file::Error::Syntax(format!("lacks {missing}; a task has {keys}")));
        }
        serde_json::from_str(text).map_err(wrong)
    }

    /// Fills in the bounds, limits and inputs that a job does not set. Paths of faults begin at the
    /// value of [`INPUT_SPEC`].
    pub fn apply(&self, job: &mut v1::Job) -> Result<(), file::Error> {
        let own = std::mem::take(&mut job.input_bounds);
        job.input_bounds = self.input_bounds.clone();
        job.input_bounds.extend(own);
        let limits = job.limits.get_or_insert_default();
        limits.runtime_limit_ms.get_or_insert(self.time_limit_ms);
        limits.memory_mb.get_or_insert(self.memory_limit_mb);
        if let Some(spec) = &self.input_spec
            && job.input_specs.is_empty()
            && job.inputs.is_empty()
        {
            job.input_specs = file::specs(spec.clone())?;
        }
        Ok(())
    }

    /// Adds the task's test cases to a job.
    pub fn ask_answers(&self, job: &mut v1::Job) {
        let cases = self.test_cases.iter().cloned();
        job.test_cases = cases.map(|c| v1::TestCase { input: c.input, output: c.output }).collect();
    }
}
