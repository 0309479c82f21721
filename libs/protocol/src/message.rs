//! Messages in both directions.

use crate::allocations::Allocated;
use crate::compile::{Compile, Compiled, Fetch, Generate, Generated, Piece};
use crate::enter::Hello;
use crate::execution::BatchResult;
use crate::run::{Continue, Run};
use crate::side_runs::{CountSeries, Counted, CountedSeries, Probed, Profiled};
use crate::trace::Traced;
use serde::{Deserialize, Serialize};

/// A request of the host.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Request {
    /// Processors for the runner and everything but a measured program, from now on; no answer.
    KeepTo(Vec<u32>),
    /// A piece of a file; no answer.
    Put(Piece),
    /// Compile the source that was put.
    Compile(Compile),
    /// Return a part of a build's binary.
    Fetch(Fetch),
    /// Generate an input.
    Generate(Generate),
    /// Make a longer input; no answer.
    Continue(Continue),
    /// Measure repetitions.
    Run(Run),
    /// Run once as a memory probe. Nothing of this run is timed.
    Probe(Run),
    /// Run once under the instruction counter, which must be in the sandbox. Nothing of this run is
    /// timed.
    Count(Run),
    /// Run once on each of several inputs under the instruction counter. Nothing is timed.
    CountSeries(CountSeries),
    /// Run the `Variant::Plain` build once under the instruction counter, and return where it
    /// executed its instructions. Nothing of this run is timed.
    Trace(Run),
    /// Run the `Variant::Gprof` build once, and return where its time went.
    Profile(Run),
    /// Run the `Variant::Allocations` build once, and return what it allocated. Nothing of this run
    /// is timed.
    Allocate(Run),
}

/// An answer of the runner.
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
    /// Answers [`Request::CountSeries`].
    CountedSeries(CountedSeries),
    /// Answers [`Request::Trace`].
    Traced(Traced),
    /// Answers [`Request::Profile`].
    Profiled(Profiled),
    /// Answers [`Request::Allocate`].
    Allocated(Allocated),
    /// The runner itself failed. The sandbox must not be used again.
    Broken(String),
}
