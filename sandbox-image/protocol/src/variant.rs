//! The builds of a program.

use serde::{Deserialize, Serialize};

/// Which build of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Variant {
    /// As the flags say: the only one that is timed.
    Plain,
    /// With `-g -pg -no-pie` added.
    Gprof,
    /// With debug information added, and no other code.
    Lines,
    /// With lines and frame pointers, not static, and linked behind what tells of malloc and its
    /// kin.
    Allocations,
    /// An empty `main` instead of the program, with the same flags: what starting alone costs.
    Empty,
    /// The other side of an interactive task, from a source of its own.
    Interactor,
}
