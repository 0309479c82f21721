//! Where the instructions of one run were executed, by lines, functions and chains of calls.

use crate::execution::{Execution, Written};
use serde::{Deserialize, Serialize};

/// Most lines in a [`Trace`]: those with the most instructions.
pub const MAX_TRACE_LINES: usize = 4000;
/// Most functions in a [`Trace`], likewise.
pub const MAX_TRACE_FUNCTIONS: usize = 1000;
/// Most chains of calls in a [`Trace`], likewise.
pub const MAX_TRACE_STACKS: usize = 2000;
/// Longest name of a function in a [`Trace`], in bytes; the rest is left out.
pub const MAX_NAME_BYTES: usize = 400;

/// What stands behind a function's name where the compiler made another one of it, or split it:
/// demangled, and where there is nothing to demangle, as in `main.cold`.
const CLONES: [&str; 5] = [" [clone ", ".cold", ".part.", ".constprop.", ".isra."];

/// The name of the function that the source has.
pub fn original_name(name: &str) -> &str {
    let end = CLONES.iter().filter_map(|clone| name.find(clone)).min();
    end.map_or(name, |end| &name[..end])
}

/// One run of the [`Variant::Lines`](crate::Variant::Lines) build under the instruction counter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Traced {
    /// How it ended, and what it took under the counter.
    pub execution: Execution,
    /// Where its instructions were executed, or why that cannot be told.
    pub trace: Result<Trace, String>,
    /// What it wrote.
    pub written: Written,
}

/// Where a run's instructions were executed. Everything of a line or function has in it what was
/// inlined into it from libraries, and what libraries executed for it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trace {
    /// All of them, as [`Counted`](crate::Counted) has them.
    pub instructions: u64,
    /// Those of code that was compiled from the source, inlined library code and instances of
    /// library templates included, library functions that it calls not.
    pub own_instructions: u64,
    /// Those that lines of the source are charged with, all of them together: all but what is
    /// executed before the source is and behind it.
    pub charged_instructions: u64,
    /// Names of functions, which the rest refers to by their place.
    pub names: Vec<String>,
    /// The lines of the source, those with the most instructions first.
    pub lines: Vec<LineCost>,
    /// The functions of the source, those with the most inclusive instructions first.
    pub functions: Vec<FunctionCost>,
    /// The chains of calls, those with the most instructions first.
    pub stacks: Vec<StackCost>,
    /// Whether there were more chains of calls than are told apart: inclusive costs are too small
    /// then.
    pub is_partial: bool,
}

/// What a line of the source cost.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineCost {
    /// From 1.
    pub line: u32,
    /// The name of the function that executed most of it.
    pub function: u32,
    /// Instructions, those of the source's functions that it calls not included.
    pub instructions: u64,
    /// Those included, each once, however often the line is under way. In functions that call
    /// themselves an estimate: what a line executes itself is divided among their activations like
    /// the function's whole.
    pub inclusive: u64,
    /// The most that one of its own instructions was executed, not of inlined library code; absent
    /// where it has none.
    pub count: Option<u64>,
}

/// What a function of the source cost.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FunctionCost {
    /// Its name.
    pub name: u32,
    /// Where it begins; 0 where that is not known, as of one that was inlined everywhere.
    pub line: u32,
    /// Instructions, those of the source's functions that it calls not included.
    pub instructions: u64,
    /// Those included; a recursion counts once.
    pub inclusive: u64,
    /// How often it was called; absent where it was inlined.
    pub calls: Option<u64>,
}

/// What the innermost function of a chain of calls cost by itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StackCost {
    /// The names of the functions, the outermost first. A recursion stands there once.
    pub frames: Vec<u32>,
    /// Instructions.
    pub instructions: u64,
}
