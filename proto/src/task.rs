//! Tasks as SwiftSolve's datasets describe them (`TaskMetadata`): what of a task file a job is
//! told. Keys that are not needed here are that project's own.

use crate::file;
use crate::v1;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// A task.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Task {
    /// Its name.
    pub task_id: String,
    /// The largest value of each variable.
    pub input_bounds: BTreeMap<String, i64>,
    /// Its own time limit, in milliseconds.
    pub time_limit_ms: f64,
    /// Its memory limit, in MiB.
    pub memory_limit_mb: u32,
    /// How its time is to grow, as people write it: "O(n log n)".
    #[serde(default)]
    pub expected_complexity: Option<String>,
    /// Inputs, and what they are to be answered with.
    #[serde(default)]
    pub test_cases: Vec<TestCase>,
    /// What its inputs look like: one spec, or a list of candidates.
    #[serde(default)]
    pub input_spec: Option<Value>,
}

/// An input, and what it is to be answered with.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct TestCase {
    /// What the program finds on its stdin.
    pub input: String,
    /// What it must write to its stdout.
    pub output: String,
}

impl Task {
    /// The task in a file.
    pub fn read(path: &Path) -> Result<Self, file::Error> {
        let mut text = String::new();
        File::open(path)?.take(file::MAX_FILE_BYTES + 1).read_to_string(&mut text)?;
        if text.len() as u64 > file::MAX_FILE_BYTES {
            return Err(file::Error::TooLong);
        }
        serde_json::from_str(&text).map_err(|error| file::Error::Syntax(format!("json: {error}")))
    }

    /// Tells a job what it has not been told: bounds, limits, and inputs where it has none.
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

    /// Has a job answer the task's test cases first.
    pub fn ask_answers(&self, job: &mut v1::Job) {
        let cases = self.test_cases.iter().cloned();
        job.test_cases = cases.map(|c| v1::TestCase { input: c.input, output: c.output }).collect();
    }
}
