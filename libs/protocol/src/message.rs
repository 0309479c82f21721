//! Messages in both directions.

use crate::allocations::Allocated;
use crate::compile::{Compile, Compiled, Fetch, FetchStdout, Generate, Generated, Piece};
use crate::enter::Hello;
use crate::execution::BatchResult;
use crate::run::{Continue, Run};
use crate::side_runs::{
    Check, Checked, CountSeries, Counted, CountedSeries, Made, Make, Probed, Profiled,
};
use crate::trace::{Faulted, LineCounts, SampleLines, SampledLines, Traced};
use serde::{Deserialize, Serialize};

/// A request of the host.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Request {
    /// Restricts the runner, and everything but measured programs, to these processors; no answer.
    KeepTo(Vec<u32>),
    /// Stores a piece of a file; no answer.
    Put(Piece),
    /// Compiles the source that was put.
    Compile(Compile),
    /// Returns a part of a build's binary.
    Fetch(Fetch),
    /// Generates an input.
    Generate(Generate),
    /// Makes a longer input; no answer.
    Continue(Continue),
    /// Measures repetitions.
    Run(Run),
    /// Runs the program once as a memory probe, untimed.
    Probe(Run),
    /// Runs the program once under the instruction counter, untimed. The counter must have been
    /// put.
    Count(Run),
    /// Like [`Request::Count`], in a process that is forked from one that has not read its input
    /// yet. Requests that follow each other, with only inputs put between them, share that process.
    CountForked(Run),
    /// Runs the `Variant::Plain` build once under the instruction counter, untimed, and keeps where
    /// it executed its instructions for [`Request::ReadLines`].
    CountByLine(Run),
    /// Returns the lines of the runs that were counted by line since the last such request. The
    /// tool that knows the lines has the limits of this run.
    ReadLines(Run),
    /// Runs the program once on each of several inputs under the instruction counter, untimed.
    CountSeries(CountSeries),
    /// Runs the `Variant::Plain` build once under the instruction counter, untimed, and returns
    /// where it executed its instructions.
    Trace(Run),
    /// Runs the `Variant::Plain` build once, untimed, and returns the calls at its crash or at the
    /// limit of the wall clock.
    FindFault(Run),
    /// Runs the `Variant::Plain` build once, untimed, and returns the lines at which it was seen.
    SampleLines(SampleLines),
    /// Runs the `Variant::Gprof` build once, and returns where its time went.
    Profile(Run),
    /// Runs the `Variant::Allocations` build once, untimed, and returns what it allocated.
    Allocate(Run),
    /// Returns a part of the last run's stdout.
    FetchStdout(FetchStdout),
    /// Runs a checker on the files that were put.
    Check(Check),
    /// Runs a generator, whose stdout is the input.
    Make(Make),
}

/// An answer of the runner.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Response {
    /// The first frame of a runner.
    Hello(Hello),
    /// Answers [`Request::Compile`].
    Compiled(Compiled),
    /// Answers [`Request::Fetch`] and [`Request::FetchStdout`]: at most
    /// [`MAX_PIECE_BYTES`](crate::MAX_PIECE_BYTES), and empty after the end.
    Fetched(#[serde(with = "serde_bytes")] Vec<u8>),
    /// Answers [`Request::Generate`].
    Generated(Generated),
    /// Answers [`Request::Run`].
    Batch(BatchResult),
    /// Answers [`Request::Probe`].
    Probed(Probed),
    /// Answers [`Request::Count`], [`Request::CountForked`] and [`Request::CountByLine`].
    Counted(Counted),
    /// Answers [`Request::ReadLines`]: an element for each run that has a count, in their order,
    /// with no lines if they are not known.
    Lines(Vec<LineCounts>),
    /// Answers [`Request::CountSeries`].
    CountedSeries(CountedSeries),
    /// Answers [`Request::Trace`].
    Traced(Traced),
    /// Answers [`Request::FindFault`].
    Faulted(Faulted),
    /// Answers [`Request::SampleLines`].
    SampledLines(SampledLines),
    /// Answers [`Request::Profile`].
    Profiled(Profiled),
    /// Answers [`Request::Allocate`].
    Allocated(Allocated),
    /// Answers [`Request::Check`].
    Checked(Checked),
    /// Answers [`Request::Make`].
    Made(Made),
    /// The runner itself failed. The sandbox must not be used again.
    Broken(String),
}
