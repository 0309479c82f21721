//! What crosses the channel in both directions.

use crate::allocations::Allocated;
use crate::compile::{Compile, Compiled, Fetch, Generate, Generated, Piece};
use crate::enter::Hello;
use crate::execution::BatchResult;
use crate::run::{Continue, Run};
use crate::side_runs::{Counted, Probed, Profiled};
use crate::trace::Traced;
use serde::{Deserialize, Serialize};

/// What the host asks for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Request {
    /// Keep to these processors from now on, with all that is started but a measured program; no
    /// answer.
    KeepTo(Vec<u32>),
    /// A piece of a file; no answer.
    Put(Piece),
    /// Compile the source that was put.
    Compile(Compile),
    /// Say what a compiled variant's binary holds.
    Fetch(Fetch),
    /// Make an input.
    Generate(Generate),
    /// Make a longer input; no answer.
    Continue(Continue),
    /// Measure.
    Run(Run),
    /// Run once and look at its memory. Nothing of this run is timed.
    Probe(Run),
    /// Run once under the instruction counter, which was put. Nothing of this run is timed.
    Count(Run),
    /// Run the `Variant::Lines` build once under the instruction counter, which was put, and say
    /// where it executed what. Nothing of this run is timed.
    Trace(Run),
    /// Run the `Variant::Gprof` build once and say where its time went.
    Profile(Run),
    /// Run the `Variant::Allocations` build once and say what it allocated. Nothing of this run
    /// is timed.
    Allocate(Run),
}

/// What the runner answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Response {
    /// The first frame of a runner.
    Hello(Hello),
    /// Answers [`Request::Compile`].
    Compiled(Compiled),
    /// Answers [`Request::Fetch`]: at most [`MAX_PIECE_BYTES`](crate::MAX_PIECE_BYTES), and nothing
    /// after the end.
    Fetched(#[serde(with = "serde_bytes")] Vec<u8>),
    /// Answers [`Request::Generate`].
    Generated(Generated),
    /// Answers [`Request::Run`].
    Batch(BatchResult),
    /// Answers [`Request::Probe`].
    Probed(Probed),
    /// Answers [`Request::Count`].
    Counted(Counted),
    /// Answers [`Request::Trace`].
    Traced(Traced),
    /// Answers [`Request::Profile`].
    Profiled(Profiled),
    /// Answers [`Request::Allocate`].
    Allocated(Allocated),
    /// The runner itself failed; the sandbox is not to be used again.
    Broken(String),
}
