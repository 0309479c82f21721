//! Runs a job in the fake sandbox, and describes programs to run there.

#![expect(clippy::expect_used, reason = "a draft of a test is valid")]

use profiler_core::cancel::cancel_signal;
use profiler_core::job::{Draft, Job};
use profiler_core::report::Events;
use profiler_core::sandbox::fake::{
    BASE_NS, BASE_RSS, EMPTY_NS, Fake, Heard, INSTRUCTIONS_PER_NS, ended, ok,
};
use profiler_core::sandbox::{Cores, Pool};
use profiler_core::{Profiler, Turn, run_job};
use profiler_proto::Word;
use profiler_proto::v1::event::Kind;
use profiler_proto::v1::{
    self, ErrorCode, Event, GrowthClassification, GrowthReport, Host, ProfileReport, SandboxError,
    SizeResult,
};
use runner_protocol::{
    BatchResult, Compiled, Counted, Ending, Execution, Input, MAX_STDOUT_HEAD_BYTES, Request,
    Response, Subject, Variant,
};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The result of a run.
pub(crate) struct Told {
    pub(crate) events: Vec<Event>,
    pub(crate) ended: Result<ProfileReport, Box<SandboxError>>,
    /// The number of sandboxes that are left.
    pub(crate) alive: usize,
    /// The requests to the runners, without those of the input check and without the count of the
    /// empty program.
    pub(crate) heard: Vec<Request>,
}

impl Told {
    pub(crate) fn report(&self) -> &ProfileReport {
        match &self.ended {
            Ok(report) => report,
            Err(error) => error.partial.as_ref().expect("an error has a partial report"),
        }
    }

    pub(crate) fn host(&self) -> &Host {
        self.report().host.as_ref().expect("a report names its host")
    }

    pub(crate) fn growth(&self) -> &GrowthReport {
        self.report().growth.as_ref().expect("a size was measured")
    }

    pub(crate) fn time_growth(&self) -> &GrowthClassification {
        self.growth().time.as_ref().expect("time grows in some way")
    }

    pub(crate) fn memory_growth(&self) -> &GrowthClassification {
        self.growth().memory.as_ref().expect("memory grows in some way")
    }

    /// Kinds of the events, in order.
    pub(crate) fn said(&self) -> impl Iterator<Item = &Kind> {
        self.events.iter().filter_map(|event| event.kind.as_ref())
    }

    /// The kinds of events, such as `size_measured`, in order.
    pub(crate) fn kinds(&self) -> Vec<&'static str> {
        self.said().map(name).collect()
    }

    pub(crate) fn error(&self) -> String {
        match &self.ended {
            Ok(_) => "none".into(),
            Err(error) => format!("{}: {}", error.code().word(), error.message),
        }
    }

    pub(crate) fn warnings(&self) -> Vec<&'static str> {
        self.report().warnings.iter().map(|warning| warning.code().word()).collect()
    }

    pub(crate) fn runtimes_ms(&self) -> Vec<f64> {
        let sizes = self.report().sizes.iter();
        sizes.map(SizeResult::runtime_ms).collect()
    }
}

pub(crate) fn name(kind: &Kind) -> &'static str {
    match kind {
        Kind::Accepted(_) => "accepted",
        Kind::Started(_) => "started",
        Kind::Compiled(_) => "compiled",
        Kind::SizeMeasured(_) => "size_measured",
        Kind::Heartbeat(_) => "heartbeat",
        Kind::Restarted(_) => "restarted",
        Kind::CoreAwaited(_) => "core_awaited",
        Kind::Finished(_) => "finished",
        Kind::Failed(_) => "failed",
    }
}

/// Runs `draft` to its end.
pub(crate) async fn profile(draft: Draft, backend: Fake) -> Told {
    profile_stopping(draft, backend, |_| None).await
}

/// Runs `draft`, and cancels it when `reason` returns a code for an event.
pub(crate) async fn profile_stopping(
    draft: Draft,
    backend: Fake,
    reason: impl Fn(&Kind) -> Option<ErrorCode>,
) -> Told {
    profile_in(draft, backend, None, reason).await
}

/// The same, measured on one of these cores.
pub(crate) async fn profile_in(
    draft: Draft,
    backend: Fake,
    cores: Option<Cores>,
    reason: impl Fn(&Kind) -> Option<ErrorCode>,
) -> Told {
    profile_job(Job::try_from(draft).expect("a valid draft"), backend, cores, reason).await
}

/// The same for a job. The report has the raw samples.
pub(crate) async fn profile_job(
    mut job: Job,
    backend: Fake,
    cores: Option<Cores>,
    reason: impl Fn(&Kind) -> Option<ErrorCode>,
) -> Told {
    job.options.raw_samples = true;
    let (alive, heard) = (backend.alive(), Heard::default());
    let pool = Pool::new(Arc::new(backend.recording(heard.clone())), 0).with_cores(cores);
    let profiler = Profiler::new(pool, None);
    let (mut events, mut told) = Events::new("run");
    let (stopper, mut signal) = cancel_signal();
    let running = async {
        let ended = run_job(&job, &profiler, &mut events, &mut signal, Turn::now()).await;
        // The stream of events ends with the run.
        drop(events);
        ended
    };
    let watching = async {
        let mut events = Vec::new();
        while let Some(event) = told.recv().await {
            if let Some(code) = event.kind.as_ref().and_then(&reason) {
                stopper.cancel(code);
            }
            events.push(event);
        }
        events
    };
    let (ended, events) = tokio::join!(running, watching);
    let alive = alive.load(Ordering::SeqCst);
    let mut heard = heard.lock().expect("no runner panics with it").clone();
    heard.retain(|request| !checks_input(request) && !counts_empty(request));
    Told { events, ended, alive, heard }
}

/// Number of counted runs in the check of the input, which is before everything else that counts
/// instructions of the program.
pub(crate) const INPUT_CHECKS: u64 = 3;

/// Instructions of the empty program.
pub(crate) const EMPTY_INSTRUCTIONS: u64 = EMPTY_NS * INSTRUCTIONS_PER_NS;

/// Whether an answer is the count of the empty program. Programs whose counts are changed take
/// longer.
pub(crate) fn is_of_empty(counted: &Counted) -> bool {
    counted.instructions == Ok(EMPTY_INSTRUCTIONS)
}

pub(crate) fn counts_empty(request: &Request) -> bool {
    matches!(request, Request::Count(run) if run.subject == Subject::Build(Variant::Empty))
}

/// Whether a request is part of the check of the input. No other step keeps the output of counted
/// runs, or that of runs on n alone.
fn checks_input(request: &Request) -> bool {
    match request {
        Request::Continue(_) => true,
        Request::Count(run) => run.stdout_head == MAX_STDOUT_HEAD_BYTES,
        Request::Run(run) => run.stdout_head == MAX_STDOUT_HEAD_BYTES && run.input != Input::Put,
        _ => false,
    }
}

/// A program over exactly these sizes.
pub(crate) fn over(sizes: &[u64]) -> Draft {
    asking(Draft::new("task", "int main() {}"), |job| {
        job.code.get_or_insert_default().iteration = 1;
        job.input_sizes = sizes.into();
    })
}

/// A draft whose request is changed.
pub(crate) fn asking(mut draft: Draft, ask: impl FnOnce(&mut v1::Job)) -> Draft {
    ask(&mut draft.request);
    draft
}

/// The inputs of these sizes.
pub(crate) fn inputs<T: Into<Vec<u8>>>(
    all: impl IntoIterator<Item = (u64, T)>,
) -> Vec<v1::ExplicitInput> {
    all.into_iter().map(|(size, data)| v1::ExplicitInput { size, data: data.into() }).collect()
}

/// A program that costs 100 ns and 8 bytes for each element.
pub(crate) fn linear() -> Fake {
    Fake::costing(100, 8)
}

/// A linear program on a host that starts one sandbox only.
pub(crate) fn alone() -> Fake {
    let fake = linear();
    let available = fake.available();
    fake.bending(move |response| {
        if matches!(response, Response::Hello(_)) {
            available.store(false, Ordering::SeqCst);
        }
        Some(response)
    })
}

/// A linear program with this ending from size 1000 on.
pub(crate) fn failing(ending: Ending) -> Fake {
    failing_as(ended(ending, BASE_NS, BASE_RSS))
}

pub(crate) fn failing_as(execution: Execution) -> Fake {
    Fake::new(move |n| Some(if n < 1_000 { well(n) } else { execution.clone() }))
}

pub(crate) fn well(n: u64) -> Execution {
    ok(BASE_NS + 100 * n, BASE_RSS + 8 * n)
}

/// A linear program whose timed batches `bend` changes.
pub(crate) fn with_runs(bend: impl Fn(&mut BatchResult) + Send + Sync + 'static) -> Fake {
    linear().bending(move |mut response| {
        if let Response::Batch(ran) = &mut response
            && ran.warm_up.is_some()
        {
            bend(ran);
        }
        Some(response)
    })
}

/// A compiler whose `nth` compilation, from 1, is changed by `bend`.
pub(crate) fn with_compiler(nth: fn(usize) -> bool, bend: fn(&mut Compiled)) -> Fake {
    compiling(nth, move |mut compiled| {
        bend(&mut compiled);
        Some(compiled)
    })
}

/// A compiler whose sandbox is lost at the `nth` compilation, from 1.
pub(crate) fn losing_compiler(nth: fn(usize) -> bool) -> Fake {
    compiling(nth, |_| None)
}

fn compiling(
    nth: fn(usize) -> bool,
    bend: impl Fn(Compiled) -> Option<Compiled> + Send + Sync + 'static,
) -> Fake {
    let count = AtomicUsize::new(0);
    linear().bending(move |response| match response {
        Response::Compiled(compiled) if nth(count.fetch_add(1, Ordering::SeqCst) + 1) => {
            bend(compiled).map(Response::Compiled)
        }
        other => Some(other),
    })
}
