//! Tasks in the form of SwiftSolve's datasets (`TaskMetadata`). A job takes bounds, limits, inputs
//! and test cases from a task file. Other keys are ignored.

use crate::file;
use crate::v1::{self, TestCase};
use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

/// The key of a task's input specs.
pub const INPUT_SPEC: &str = "input_spec";
/// Longest file of a task or of test cases, in bytes. JSON takes up to twice the space of most
/// texts.
pub const MAX_TASK_BYTES: u64 = 96 << 20;
/// The keys that a task must have.
const KEYS: [&str; 4] = ["task_id", "input_bounds", "time_limit_ms", "memory_limit_mb"];
/// Number of hexadecimal digits of a SHA-256.
const SHA256_DIGITS: usize = 64;

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
    /// Inputs and the expected answers. SwiftSolve's `ProblemInput` calls them `unit_tests`.
    #[serde(default, alias = "unit_tests", deserialize_with = "test_cases")]
    pub test_cases: Vec<TestCase>,
    /// The form of the inputs: one spec, or a list of candidates.
    #[serde(default)]
    pub input_spec: Option<Value>,
    /// The folder of the task's file, if it is in a file.
    #[serde(skip)]
    pub folder: Option<PathBuf>,
}

/// A test case as a file writes it.
#[derive(Deserialize)]
struct Entry {
    input: String,
    output: Option<String>,
    output_words_sha256: Option<String>,
}

struct Case(TestCase);

impl<'de> Deserialize<'de> for Case {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_map(CaseVisitor)
    }
}

struct CaseVisitor;

impl<'de> Visitor<'de> for CaseVisitor {
    type Value = Case;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a test case")
    }

    /// Converts the test case here, so that an error has its place in the file.
    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Case, A::Error> {
        let entry = Entry::deserialize(MapAccessDeserializer::new(map))?;
        let Entry { input, output, output_words_sha256 } = entry;
        let case = test_case(input, output, output_words_sha256.as_deref());
        case.map(Case).map_err(A::Error::custom)
    }
}

/// Reads the test cases in a task file. All other keys may be absent.
pub fn read_test_cases(path: &Path) -> Result<Vec<TestCase>, file::Error> {
    #[derive(Deserialize)]
    struct Tests {
        #[serde(default, alias = "unit_tests", deserialize_with = "test_cases")]
        test_cases: Vec<TestCase>,
    }
    let text = file::text(path, MAX_TASK_BYTES)?;
    let Tests { test_cases } =
        serde_json::from_str(&text).map_err(|error| file::Error::of_json(&error))?;
    if test_cases.is_empty() {
        let allowed = "must have the key test_cases or unit_tests: a list of objects with input, \
                       and either output or output_words_sha256";
        return Err(file::Error::Syntax(allowed.into()));
    }
    Ok(test_cases)
}

fn test_cases<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<TestCase>, D::Error> {
    Ok(Vec::<Case>::deserialize(from)?.into_iter().map(|Case(case)| case).collect())
}

/// Builds a test case from its expected output, or from the SHA-256 of its words in hexadecimal.
///
/// # Errors
///
/// Returns what is allowed.
pub fn test_case(
    input: String,
    output: Option<String>,
    words_sha256: Option<&str>,
) -> Result<TestCase, &'static str> {
    match (output, words_sha256) {
        (Some(output), None) => Ok(TestCase { input, output, ..TestCase::default() }),
        (None, Some(hex)) => {
            let output_words_sha256 =
                sha256(hex).ok_or("output_words_sha256 must have 64 hexadecimal digits")?;
            Ok(TestCase { input, output_words_sha256, ..TestCase::default() })
        }
        _ => Err("a test case must have either output or output_words_sha256"),
    }
}

fn sha256(hex: &str) -> Option<Vec<u8>> {
    let digits = hex.chars().map(|digit| u8::try_from(digit.to_digit(16)?).ok());
    let digits: Vec<u8> = digits.collect::<Option<_>>()?;
    let bytes = digits.chunks_exact(2).map(|pair| (pair[0] << 4) | pair[1]);
    (digits.len() == SHA256_DIGITS).then(|| bytes.collect())
}

impl Task {
    /// Reads the task in a file.
    pub fn read(path: &Path) -> Result<Self, file::Error> {
        let task = Self::parse(&file::text(path, MAX_TASK_BYTES)?)?;
        Ok(Self { folder: path.parent().map(Path::to_owned), ..task })
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
            job.input_specs = file::specs_in(spec.clone(), self.folder.as_deref())?;
        }
        Ok(())
    }

    /// Adds the task's test cases to a job.
    pub fn ask_answers(&self, job: &mut v1::Job) {
        job.test_cases.clone_from(&self.test_cases);
    }
}
