//! Runs that explain figures: counted by line, with counted questions, under gprof, with recorded
//! allocations, traced to a crash, or sampled.

use super::side_limits::{counted, recorded, traced};
use super::{InputOf, MeasureSession, STARTS_PER_FORK, STOPS_WITH_ADDR2LINE};
use crate::error::SandboxFault;
use crate::figures::units::nanoseconds;
use crate::job::Point;
use crate::limits::{ANSWER_MARGIN, MAX_COUNT};
use crate::measure::interactive;
use crate::report::MeasuredSize;
use profiler_proto::v1::Warning;
use runner_protocol::ask::{Allocate, CountByLine, FindFault, Profile, ReadLines};
use runner_protocol::{
    Allocated, Counted, Faulted, Input, LineCounts, Profiled, Run, SampleLines, SampledLines,
    Subject, Variant,
};
use std::time::Duration;

/// Number of programs that a profile runs: the program, gprof, and addr2line if gprof fails.
const STOPS_PER_PROFILE: u32 = 3;

impl MeasureSession<'_> {
    /// Counts the instructions of one run by line, for at most `within` of wall clock. The counter
    /// must be in the sandbox. [`Self::read_lines`] returns the lines.
    pub(crate) async fn count_by_line(
        &mut self,
        input: impl Into<InputOf<'_>>,
        within: Duration,
    ) -> Result<Counted, SandboxFault> {
        let run = self.on(input).await?;
        let run = Run { limits: counted(run.limits, within), ..run };
        self.channel.ask(CountByLine(run), STARTS_PER_FORK * within + ANSWER_MARGIN).await
    }

    /// Returns the lines of the runs that [`Self::count_by_line`] has counted, in their order.
    pub(crate) async fn read_lines(&mut self) -> Result<Vec<LineCounts>, SandboxFault> {
        let run = self.once(Input::Size(0));
        let run = Run { limits: traced(run.limits, MAX_COUNT), ..run };
        self.channel.ask(ReadLines(run), MAX_COUNT + ANSWER_MARGIN).await
    }

    /// Runs the program and its interactor once, and counts the lines that the program writes.
    /// See [`interactive::questions`].
    pub(crate) async fn count_questions(
        &mut self,
        size: &MeasuredSize,
    ) -> Result<Result<Option<u64>, Warning>, SandboxFault> {
        let interactor = interactive::limits(self.job);
        let run = Run { interactor, counts_lines: true, ..self.point(size.point()).await? };
        let ran = self.batch(run, Duration::ZERO).await?;
        Ok(interactive::questions(&ran, size))
    }

    /// Runs the program once, for at most `within` of wall clock, and finds the calls at its crash
    /// or at that limit.
    pub(crate) async fn find_fault(
        &mut self,
        input: impl Into<InputOf<'_>>,
        within: Duration,
    ) -> Result<Faulted, SandboxFault> {
        let run = self.on(input).await?;
        let run = Run { limits: traced(run.limits, within), ..run };
        self.channel.ask(FindFault(run), STOPS_WITH_ADDR2LINE * within + ANSWER_MARGIN).await
    }

    /// Runs the program once, for at most `within` of wall clock, and samples its lines after each
    /// `interval` of processor time.
    pub(crate) async fn sample_lines(
        &mut self,
        point: Point,
        interval: Duration,
        within: Duration,
    ) -> Result<SampledLines, SandboxFault> {
        let run = self.point(point).await?;
        let run = Run { limits: traced(run.limits, within), ..run };
        let request = SampleLines { run, interval_ns: nanoseconds(interval) };
        self.channel.ask(request, STOPS_WITH_ADDR2LINE * within + ANSWER_MARGIN).await
    }

    /// Runs the build for gprof once.
    pub(crate) async fn profile(&mut self, point: Point) -> Result<Profiled, SandboxFault> {
        let subject = Subject::Build(Variant::Gprof);
        let run = Run { subject, ..self.point(point).await? };
        let within = STOPS_PER_PROFILE * self.job.limits.wall_stop() + ANSWER_MARGIN;
        self.channel.ask(Profile(run), within).await
    }

    /// Runs the build that records its allocations once, for at most `within` of wall clock.
    pub(crate) async fn allocated(
        &mut self,
        input: impl Into<InputOf<'_>>,
        within: Duration,
    ) -> Result<Allocated, SandboxFault> {
        let run = self.on(input).await?;
        let limits = recorded(run.limits, within);
        let run = Run { subject: Subject::Build(Variant::Allocations), limits, ..run };
        self.channel.ask(Allocate(run), STOPS_WITH_ADDR2LINE * within + ANSWER_MARGIN).await
    }
}
