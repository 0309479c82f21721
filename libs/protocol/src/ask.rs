//! Pairs each request with its answer.
//!
//! Several requests carry a [`Run`], so each of these has its own type here.

use crate::allocations::Allocated;
use crate::compile::{Compile, Compiled, Fetch, FetchStdout, Generate, Generated};
use crate::execution::BatchResult;
use crate::message::{Request, Response};
use crate::run::Run;
use crate::side_runs::{
    Check, Checked, CountSeries, Counted, CountedSeries, Made, Make, Probed, Profiled,
};
use crate::trace::{Faulted, LineCounts, SampleLines, SampledLines, Traced};

/// A request that the runner answers.
pub trait Ask {
    /// The answer.
    type Answer;

    /// The request as it crosses the channel.
    fn into_request(self) -> Request;

    /// Reads the answer.
    ///
    /// # Errors
    /// The response itself, if it answers another request.
    #[expect(
        clippy::result_large_err,
        reason = "an unexpected answer ends the channel: it is rare"
    )]
    fn read_answer(response: Response) -> Result<Self::Answer, Response>;
}

/// Request to measure repetitions of a run; see [`Request::Run`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repeat(pub Run);

/// Request to run once and read the memory; see [`Request::Probe`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Probe(pub Run);

/// Request to run once under the instruction counter; see [`Request::Count`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Count(pub Run);

/// Request to run once under the instruction counter, in a forked process; see
/// [`Request::CountForked`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CountForked(pub Run);

/// Request to run once under the instruction counter, by line; see [`Request::CountByLine`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CountByLine(pub Run);

/// Request to return the lines of counted runs; see [`Request::ReadLines`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadLines(pub Run);

/// Request to run once under the instruction counter, by lines and calls; see [`Request::Trace`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trace(pub Run);

/// Request to run once and find the calls at the crash; see [`Request::FindFault`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FindFault(pub Run);

/// Request to run once under gprof; see [`Request::Profile`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Profile(pub Run);

/// Request to run once and record the allocations; see [`Request::Allocate`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Allocate(pub Run);

macro_rules! answers {
    ($($asked:ident($content:pat => $sent:expr) as $request:ident, $response:ident($answer:ty);)*) => {
        $(impl Ask for $asked {
            type Answer = $answer;

            fn into_request(self) -> Request {
                let $content = self;
                Request::$request($sent)
            }

            fn read_answer(response: Response) -> Result<$answer, Response> {
                match response {
                    Response::$response(answer) => Ok(answer),
                    other => Err(other),
                }
            }
        })*
    };
}

answers! {
    Compile(it => it) as Compile, Compiled(Compiled);
    Fetch(it => it) as Fetch, Fetched(Vec<u8>);
    Generate(it => it) as Generate, Generated(Generated);
    Repeat(Repeat(run) => run) as Run, Batch(BatchResult);
    Probe(Probe(run) => run) as Probe, Probed(Probed);
    Count(Count(run) => run) as Count, Counted(Counted);
    CountForked(CountForked(run) => run) as CountForked, Counted(Counted);
    CountByLine(CountByLine(run) => run) as CountByLine, Counted(Counted);
    ReadLines(ReadLines(run) => run) as ReadLines, Lines(Vec<LineCounts>);
    CountSeries(it => it) as CountSeries, CountedSeries(CountedSeries);
    Trace(Trace(run) => run) as Trace, Traced(Traced);
    FindFault(FindFault(run) => run) as FindFault, Faulted(Faulted);
    SampleLines(it => it) as SampleLines, SampledLines(SampledLines);
    Profile(Profile(run) => run) as Profile, Profiled(Profiled);
    Allocate(Allocate(run) => run) as Allocate, Allocated(Allocated);
    FetchStdout(it => it) as FetchStdout, Fetched(Vec<u8>);
    Check(it => it) as Check, Checked(Checked);
    Make(it => it) as Make, Made(Made);
}
