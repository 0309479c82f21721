//! Files that enter and leave the sandbox, and compilation.

use crate::execution::Execution;
use crate::run::Limits;
use crate::variant::Variant;
use serde::{Deserialize, Serialize};

/// A piece of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Piece {
    /// File that the piece belongs to.
    pub file: File,
    /// Whether it is the first piece, which replaces the file.
    pub first: bool,
    /// Content of the piece, at most [`MAX_PIECE_BYTES`](crate::MAX_PIECE_BYTES).
    #[serde(with = "serde_bytes")]
    pub bytes: Vec<u8>,
}

/// A file that the host puts into the sandbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum File {
    /// The submitted source.
    Source,
    /// The input of the next run whose input is [`Input::Put`](crate::Input::Put).
    Input,
    /// The inputs of the next [`CountSeries`](crate::CountSeries): each is a little-endian `u32`
    /// length and that many bytes.
    Inputs,
    /// The recipe for [`Generate`].
    Recipe,
    /// The source of the interactor.
    Interactor,
    /// A binary that was compiled earlier, from the same source by the same toolchain.
    Binary(Variant),
    /// The instruction counter: a static executable.
    Counter,
    /// The input generator: a static executable.
    Generator,
}

/// Request to generate an input from [`File::Recipe`], in place of [`File::Input`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Generate {
    /// Limits of the generator's process, which ends before the runner answers.
    pub limits: Limits,
}

/// The result of generating an input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Generated {
    /// Ending and figures of the process.
    pub execution: Execution,
    /// The length of the input.
    pub bytes: u64,
    /// The end of the process's stderr.
    #[serde(with = "serde_bytes")]
    pub stderr_tail: Vec<u8>,
}

/// Request to compile [`File::Source`], or the other source that the build is made from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Compile {
    /// The build.
    pub variant: Variant,
    /// The flags for g++, already checked.
    pub flags: Vec<String>,
    /// Limits of the compiler and of the tools that it starts.
    pub limits: Limits,
}

/// The result of a compilation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Compiled {
    /// The command line.
    pub command: String,
    /// The compiler's version, from `g++ -dumpfullversion`.
    pub compiler: String,
    /// Ending and figures of g++.
    pub execution: Execution,
    /// The beginning of the output of g++.
    #[serde(with = "serde_bytes")]
    pub output: Vec<u8>,
    /// Whether the output was cut.
    pub truncated: bool,
    /// The binary, if there is one.
    pub binary: Option<Binary>,
}

/// A compiled program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Binary {
    /// Size of the file.
    pub bytes: u64,
    /// Sum of `p_memsz` over its `PT_LOAD` segments: the memory that exec alone maps.
    pub segment_bytes: u64,
}

/// Request for a part of a binary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fetch {
    /// The build.
    pub variant: Variant,
    /// The offset of the part, in bytes.
    pub offset: u64,
}
