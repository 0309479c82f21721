//! Attribution of one run's instructions to lines, functions and chains of calls.

use crate::execution::{Execution, Written};
use crate::run::Run;
use serde::{Deserialize, Serialize};

/// Maximum number of lines in a [`Trace`]: those with the most instructions.
pub const MAX_TRACE_LINES: usize = 4000;
/// Maximum number of lines of a run that is counted by line: those with the most instructions. The
/// lines of all runs of a job must fit a frame.
pub const MAX_COUNTED_LINES: usize = 2000;
/// Maximum number of functions in a [`Trace`]: those with the most instructions.
pub const MAX_TRACE_FUNCTIONS: usize = 1000;
/// Maximum number of chains of calls in a [`Trace`]: those with the most instructions.
pub const MAX_TRACE_STACKS: usize = 2000;
/// Longest name of a function in a [`Trace`], in bytes; longer names are cut.
pub const MAX_NAME_BYTES: usize = 400;

/// Maximum number of calls in a [`Stack`]: the innermost ones, and the outermost ones.
pub const MAX_STACK_CALLS: usize = 32;

/// Maximum number of samples of a run.
pub const MAX_SAMPLES: u32 = 4096;
/// Maximum number of lines in [`SampledLines`]: those with the most samples.
pub const MAX_SAMPLED_LINES: usize = 200;

/// Suffixes of the names of functions that the compiler has cloned or split. The first is in
/// demangled names; the others are in names that have nothing to demangle, such as `main.cold`.
const CLONES: [&str; 5] = [" [clone ", ".cold", ".part.", ".constprop.", ".isra."];

/// The function's name in the source, without the suffix of a clone.
pub fn original_name(name: &str) -> &str {
    let end = CLONES.iter().filter_map(|clone| name.find(clone)).min();
    end.map_or(name, |end| &name[..end])
}

/// One run of the [`Variant::Plain`](crate::Variant::Plain) build under the instruction counter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Traced {
    /// Ending of the run, and its figures under the counter.
    pub execution: Execution,
    /// Attribution of its instructions, or the reason why it is unknown.
    pub trace: Result<Trace, String>,
    /// The run's output.
    pub written: Written,
}

/// Attribution of a run's instructions to the source. A line or function includes the library code
/// that was inlined into it, and the instructions that libraries executed for it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trace {
    /// All instructions, as in [`Counted`](crate::Counted).
    pub instructions: u64,
    /// Instructions outside of libraries; absent if the program is static. Inlined library code and
    /// instances of library templates are the program's own.
    pub own_instructions: Option<u64>,
    /// Instructions that are charged to lines of the source. Only those that ran before and after
    /// the source's code are missing.
    pub charged_instructions: u64,
    /// Names of functions and paths of files; the other fields refer to them by index.
    pub names: Vec<String>,
    /// The lines of the source, those with the most instructions first.
    pub lines: Vec<LineCost>,
    /// The functions of the source, those with the most inclusive instructions first.
    pub functions: Vec<FunctionCost>,
    /// The chains of calls, those with the most instructions first.
    pub stacks: Vec<StackCost>,
    /// Whether there were more chains of calls than the counter can tell apart. Inclusive costs are
    /// then too small.
    pub is_partial: bool,
}

/// A line of the program.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct SourceLine {
    /// The path of the file among the program's other files; absent for the submitted source.
    pub file: Option<String>,
    /// The line number, from 1.
    pub line: u32,
}

/// Lines of the source, from 1, and the instructions of each, without those of the source's
/// functions that it calls.
pub type LineCounts = Vec<(u32, u64)>;

/// The cost of a line of the source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineCost {
    /// Index of the path of the line's file; absent for the submitted source.
    pub file: Option<u32>,
    /// The line number, from 1.
    pub line: u32,
    /// Index of the name of the function that executed most of the line's instructions.
    pub function: u32,
    /// Instructions, without those of the source's functions that the line calls.
    pub instructions: u64,
    /// Instructions, including the functions that the line calls. Each instruction counts once,
    /// even if recursion makes the line active several times. In a recursive function this is an
    /// estimate: the line's own instructions are divided among the activations like the function's
    /// total.
    pub inclusive: u64,
    /// The execution count of the line's most executed instruction, without inlined library code;
    /// absent if the line has no such instruction.
    pub count: Option<u64>,
}

/// The cost of a function of the source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FunctionCost {
    /// Index of the function's name.
    pub name: u32,
    /// Index of the path of the file where the function begins; absent for the submitted source,
    /// and if the file is unknown.
    pub file: Option<u32>,
    /// The first line of the function; 0 if it is unknown, for example because the function was
    /// inlined everywhere.
    pub line: u32,
    /// Instructions, without those of the source's functions that it calls.
    pub instructions: u64,
    /// Instructions, including those of the functions that it calls; a recursion counts once.
    pub inclusive: u64,
    /// The number of calls; absent if the function was inlined.
    pub calls: Option<u64>,
}

/// The cost of the innermost function of a chain of calls, without the functions that it calls.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StackCost {
    /// Indices of the names of functions, outermost first. Recursive calls appear once.
    pub frames: Vec<u32>,
    /// Instructions.
    pub instructions: u64,
}

/// One run of the [`Variant::Plain`](crate::Variant::Plain) build that was traced to its crash, or
/// to the limit of the wall clock.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Faulted {
    /// Ending of the run. It has no figures.
    pub execution: Execution,
    /// The calls of the thread that crashed, or at the limit those of the first thread; `None` if
    /// they are unknown, or if the run ended in another way.
    pub stack: Option<Stack>,
}

/// The calls of the source on a stack.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stack {
    /// The calls, the innermost first. At most [`MAX_STACK_CALLS`].
    pub calls: Vec<StackCall>,
    /// Whether there are calls that were not read, or that are left out.
    pub is_cut: bool,
}

/// A call of a function of the source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StackCall {
    /// The function's name.
    pub function: String,
    /// Path of the file; empty for the submitted source.
    pub file: String,
    /// The line, from 1, that was executed or that made the next call.
    pub line: u32,
    /// Number of times that this call, or the sequence of calls that it belongs to, follows itself.
    pub times: u32,
}

/// Request to run the [`Variant::Plain`](crate::Variant::Plain) build once, untimed, and to look at
/// its stack after each interval of processor time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SampleLines {
    /// The run.
    pub run: Run,
    /// The interval, in nanoseconds of processor time.
    pub interval_ns: u64,
}

/// Answer to [`SampleLines`]: the lines that were being executed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SampledLines {
    /// Ending of the run. It has no figures.
    pub execution: Execution,
    /// The run's output.
    pub written: Written,
    /// Number of samples, at most [`MAX_SAMPLES`]. Some may belong to no line. 0 if the program has
    /// several threads.
    pub samples: u32,
    /// The lines, those with the most samples first. At most [`MAX_SAMPLED_LINES`].
    pub lines: Vec<LineSamples>,
}

/// The samples that are charged to a line of the source. Library code that the line calls or
/// inlines is included; functions of the source that it calls are not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineSamples {
    /// Path of the file; empty for the submitted source.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// Number of samples.
    pub samples: u32,
}
