//! Invariants after every job, whatever its program did.

use crate::acceptance::gnu_time_contradicts;
use crate::group::FEW;
use profiler_core::limits::PATIENCE;
use profiler_proto::v1::{DetectionMethod, Outcome, SizeResult};
use profiler_tests::harness::{Backend, Ended, SIZE};
use profiler_tests::model::Case;
use profiler_tests::remains::{self, Holdings};

/// Maximum change of a benign program's peak resident set after a hostile one. The kernel counts in
/// batches, so smaller changes mean nothing.
const SAME_MEMORY_MB: f64 = 1.0;
/// If a benign program takes longer than this on a machine that runs nothing else, something
/// disturbed it. An emulated processor's times mean nothing.
const BENIGN_MS: f64 = 100.0;
/// Less than a benign program's libraries alone, so its peak cannot be smaller.
const BENIGN_MIN_MB: f64 = 1.0;
/// Maximum excess of one thread's processor time over the wall clock, because the two are not read
/// at the same moment.
const SAME_MOMENT_NS: u64 = 100_000;

/// Whether the ending is one of the expected ones.
pub(crate) fn is_expected(case: &Case, ended: &Ended) -> bool {
    case.expected.iter().any(|expected| expected.admits(ended))
}

/// Describes what is wrong with the answer.
pub(crate) fn of_answer(case: &Case, ended: &Ended) -> Vec<String> {
    let mut wrong = Vec::new();
    if !is_expected(case, ended) {
        wrong.push(format!("expected one of {:#?}", case.expected));
    }
    let last = ended.events().iter().filter(|event| event.is_last()).count();
    if last != 1 {
        wrong.push(format!("{last} last events"));
    }
    let answer = format!("{ended:?}");
    let told = case.secrets.iter().filter(|secret| answer.contains(**secret));
    wrong.extend(told.map(|secret| format!("the answer has {secret:?} in it")));
    wrong.extend(ended.report().sizes.iter().flat_map(of_size));
    wrong
}

/// Describes what is wrong with a size's figures.
fn of_size(result: &SizeResult) -> Vec<String> {
    let mut wrong = Vec::new();
    wrong.extend(gnu_time_contradicts(result));
    // The kernel does not report at which size it killed, so the verdict gives at least the limit.
    let seen = result.evidence.as_ref().filter(|it| it.method() != DetectionMethod::OomKill);
    if let Some(evidence) = seen.filter(|it| it.met_value < it.limit_value) {
        wrong.push(format!("a limit was not met: {evidence:?}"));
    }
    let alone = result.samples.iter().chain(&result.warm_up).filter(|sample| !sample.concurrent);
    let ahead = alone.filter(|sample| sample.cpu_ns > Some(sample.wall_ns + SAME_MOMENT_NS));
    wrong.extend(ahead.map(|sample| format!("one thread's time is above the wall's: {sample:?}")));
    wrong
}

/// The state of the host, of this process and of a benign job before hostile programs run.
pub(crate) struct Before {
    /// The peak resident set of the benign program.
    usual_mb: f64,
    holdings: Holdings,
    /// Remains of earlier programs.
    left: Vec<String>,
}

impl Before {
    /// The state now, with a benign job. Describes the job if it is not as it should be.
    pub(crate) async fn now(backend: &Backend, left: Vec<String>) -> Result<Self, String> {
        let usual_mb = benign_mb(backend, None).await?;
        Ok(Self { usual_mb, holdings: Holdings::now(), left })
    }

    /// Describes what has changed since: on the host, in this process, and for a benign job.
    pub(crate) async fn changes(&self, backend: &Backend) -> Vec<String> {
        let left = remains::left(&self.left).await;
        let mut wrong: Vec<_> = left.into_iter().map(|left| format!("left: {left}")).collect();
        wrong.extend(benign_mb(backend, Some(self.usual_mb)).await.err());
        wrong.extend(Holdings::now().grown_since(self.holdings));
        wrong
    }
}

/// The peak resident set of a benign job. Describes the job if it has not ended well, or not as
/// usual.
async fn benign_mb(backend: &Backend, usual: Option<f64>) -> Result<f64, String> {
    let ended = backend.profile("hello").timed().untried().repetitions(FEW).await;
    if ended.error().is_some() || ended.outcome(SIZE) != Outcome::Ok {
        return Err(format!("a benign job: {ended:#?}"));
    }
    let benign = ended.size(SIZE);
    let [runtime, memory] = [benign.runtime_ms(), benign.peak_memory_mb()];
    let is_usual = runtime > 0.0
        && (runtime < BENIGN_MS || PATIENCE > 1)
        && memory > BENIGN_MIN_MB
        && usual.is_none_or(|usual| (memory - usual).abs() <= SAME_MEMORY_MB);
    let before = usual.map(|usual| format!(", {usual} MiB before"));
    is_usual
        .then_some(memory)
        .ok_or_else(|| format!("a benign job{}: {benign:#?}", before.unwrap_or_default()))
}
