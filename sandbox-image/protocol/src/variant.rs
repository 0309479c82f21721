//! The builds of a program.

use serde::{Deserialize, Serialize};

/// Which build of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Variant {
    /// With exactly the requested flags; the only timed build.
    Plain,
    /// With `-g -pg -no-pie` added.
    Gprof,
    /// With debug information added; the code is the same.
    Lines,
    /// With lines and frame pointers, not static, and linked after the hook that records
    /// allocations.
    Allocations,
    /// An empty `main` with the same flags, which shows the cost of starting alone.
    Empty,
    /// The interactor of an interactive task, from its own source.
    Interactor,
}
