//! Files that go in and out, and compiling.

use crate::execution::Execution;
use crate::run::Limits;
use crate::variant::Variant;
use serde::{Deserialize, Serialize};

/// A piece of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Piece {
    /// Which file.
    pub file: File,
    /// Whether it is the first piece: the file begins anew.
    pub first: bool,
    /// At most [`MAX_PIECE_BYTES`](crate::MAX_PIECE_BYTES).
    #[serde(with = "serde_bytes")]
    pub bytes: Vec<u8>,
}

/// A file that the host puts into the sandbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum File {
    /// The source.
    Source,
    /// The input of the next run, if that is [`Input::Put`](crate::Input::Put).
    Input,
    /// The recipe that [`Generate`] makes an input by.
    Recipe,
    /// The source of the other side of an interactive task.
    Interactor,
    /// A binary that was compiled before, from the same source by the same toolchain.
    Binary(Variant),
    /// The instruction counter: a static executable.
    Counter,
    /// What makes inputs: a static executable.
    Generator,
}

/// Make an input by the recipe that was put, where [`File::Input`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Generate {
    /// Limits of the process that does it, which is gone before the answer.
    pub limits: Limits,
}

/// How making an input went.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Generated {
    /// How the process ended.
    pub execution: Execution,
    /// The length of the input.
    pub bytes: u64,
    /// The end of what the process complained of.
    #[serde(with = "serde_bytes")]
    pub stderr_tail: Vec<u8>,
}

/// Compile the source that was put.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Compile {
    /// The build.
    pub variant: Variant,
    /// g++'s flags, already checked.
    pub flags: Vec<String>,
    /// Limits of the compiler and what it starts.
    pub limits: Limits,
}

/// How a compilation went.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Compiled {
    /// The command line.
    pub command: String,
    /// The compiler's version, as `g++ -dumpfullversion` says it.
    pub compiler: String,
    /// How g++ ended and what it cost.
    pub execution: Execution,
    /// The beginning of its output.
    #[serde(with = "serde_bytes")]
    pub output: Vec<u8>,
    /// Whether that was cut.
    pub truncated: bool,
    /// The binary, if there is one.
    pub binary: Option<Binary>,
}

/// A compiled program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Binary {
    /// Size of the file.
    pub bytes: u64,
    /// Sum of `p_memsz` over its `PT_LOAD` segments: what exec alone will map.
    pub segment_bytes: u64,
}

/// A part of a binary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fetch {
    /// The build.
    pub variant: Variant,
    /// Where the part begins.
    pub offset: u64,
}
