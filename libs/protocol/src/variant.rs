//! The builds of a program.

use serde::{Deserialize, Serialize};

/// Build of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Variant {
    /// With the requested flags and line information, which changes no byte of the code. This build
    /// is timed, and its instructions are counted, in total and by line.
    Plain,
    /// With `-g -pg -no-pie` added.
    Gprof,
    /// With line information and frame pointers, not static, and linked after the hook that records
    /// allocations.
    Allocations,
    /// An empty `main` with the same flags, which shows the cost of starting alone.
    Empty,
    /// The interactor of an interactive task, from its own source.
    Interactor,
    /// With AddressSanitizer, UndefinedBehaviorSanitizer and line information, not static.
    Sanitized,
}
