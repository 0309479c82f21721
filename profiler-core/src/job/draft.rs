//! Request of a caller, unchecked.

use super::options::Options;
use super::sizes::SizeLists;
use super::worst_plan::WorstDraft;
use crate::figures::RuntimeClock;
use profiler_input::InputSpec;
use std::collections::BTreeMap;

/// The version of the message contract.
pub const SCHEMA_VERSION: &str = "1.0.0";

/// Request of a caller, unchecked. Violations name fields as the wire does.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Draft {
    /// `code.type`: empty or `code`.
    pub message_type: String,
    /// `code.task_id`.
    pub task_id: String,
    /// `code.iteration`.
    pub iteration: u32,
    /// `code.schema_version`: empty or `1.0.0`.
    pub schema_version: String,
    /// `code.code_cpp`, as bytes because a file need not be UTF-8.
    pub source: Vec<u8>,
    /// `code.compiler_flags`. An empty list means the default flags.
    pub flags: Vec<String>,
    /// `input_bounds`.
    pub bounds: BTreeMap<String, i64>,
    /// `size_variable`.
    pub size_variable: Option<String>,
    /// `input_sizes`, `input_scales` and `extra_corner_cases`.
    pub sizes: SizeLists,
    /// `inputs`, by size, in the caller's order.
    pub inputs: Vec<(u64, Vec<u8>)>,
    /// `input_specs`.
    pub specs: Vec<InputSpec>,
    /// `limits.timeout_ms`.
    pub timeout_ms: Option<f64>,
    /// `limits.runtime_limit_ms`.
    pub runtime_limit_ms: Option<f64>,
    /// `limits.memory_mb`.
    pub memory_mb: Option<u32>,
    /// `limits.address_space_mb`.
    pub address_space_mb: Option<u32>,
    /// `runtime_clock`; `None` lets the profiler choose.
    pub clock: Option<RuntimeClock>,
    /// The share of the job's own time that counting for growth may take on top. A setting, and no
    /// field of the wire.
    pub growth_share: Option<f64>,
    /// `worst`.
    pub worst: Option<WorstDraft>,
    /// The other options, by their names on the wire.
    pub options: Options,
    /// `against`.
    pub against: Option<OtherProgram>,
    /// `interactor`.
    pub interactor: Option<Interactor>,
    /// `test_cases`.
    pub test_cases: Vec<TestCase>,
}

/// An input and the answer that the program must give.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TestCase {
    /// The program's stdin.
    pub input: Vec<u8>,
    /// The expected stdout. Blanks and line ends do not matter.
    pub output: Vec<u8>,
}

/// The interactor of an interactive task: a second program that exchanges messages with the first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Interactor {
    /// The source.
    pub source: Vec<u8>,
    /// Flags for g++. In a draft, an empty list means the default flags.
    pub flags: Vec<String>,
}

/// A program that is compared with the job's own.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OtherProgram {
    /// The source.
    pub source: Vec<u8>,
    /// Flags for g++. In a draft, an empty list means the default flags.
    pub flags: Vec<String>,
}
