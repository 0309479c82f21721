//! A runner that a hostile program controls. Whatever it answers, the host ends the run with a
//! report or an error, and both can be printed.
//!
//! The input is what the runner says about itself and its answers, in order. A sandbox that is
//! started again begins one answer later.

#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};
use profiler_core::cancel::cancel_signal;
use profiler_core::error::SandboxFault;
use profiler_core::job::{Draft, Job};
use profiler_core::report::Events;
use profiler_core::sandbox::{Backend, Channel, Lease, Pool, Sandbox};
use profiler_core::{Profiler, Turn, run_job};
use profiler_proto::json;
use profiler_proto::v1::{
    CheckerProgram, Interactor, OnMemoryLimit, ProfileReport, TestCase, event::Kind,
};
use runner_protocol::{Hello, MAX_STACK_CALLS, Response, SOURCES, decode, write_frame};
use std::io::Cursor;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The sizes of the job.
const SIZES: [u64; 2] = [0, 1000];

fuzz_target!(|bytes: &[u8]| -> Corpus {
    let Ok((hello, answers)) = decode::<(Hello, Vec<Response>)>(bytes) else {
        return Corpus::Reject;
    };
    // Nothing waits: all answers are ready, and the channel ends after the last one.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
    let runtime = runtime.expect("a runtime starts");
    for job in [alone(), interactive(), checked()] {
        let (hello, answers) = (hello.clone(), answers.clone());
        let hostile = Hostile { hello, answers, started: AtomicUsize::new(0) };
        runtime.block_on(profile(job, hostile));
    }
    Corpus::Keep
});

fn draft() -> Draft {
    let mut draft = Draft::new("hostile", "int main() {}");
    draft.request.input_sizes = SIZES.into();
    draft.request.on_memory_limit = OnMemoryLimit::Record.into();
    draft.request.raw_samples = true;
    draft
}

fn alone() -> Job {
    let mut draft = draft();
    draft.request.on_memory_limit = OnMemoryLimit::Abort.into();
    (draft.request.debug, draft.request.instructions) = (true, true);
    draft.request.allocations = true;
    (draft.request.fault_location, draft.request.time_shares) = (true, true);
    Job::try_from(draft).expect("it is valid")
}

fn interactive() -> Job {
    let mut draft = draft();
    let code_cpp = "int main() {}".into();
    draft.request.interactor = Some(Interactor { code_cpp, ..Interactor::default() });
    Job::try_from(draft).expect("it is valid")
}

fn checked() -> Job {
    let mut draft = draft();
    let code_cpp = "int main() {}".into();
    let checker = CheckerProgram { code_cpp, ..CheckerProgram::default() };
    draft.request.checker_program = Some(checker);
    draft.request.test_cases = vec![TestCase::default()];
    Job::try_from(draft).expect("it is valid")
}

async fn profile(job: Job, hostile: Hostile) {
    let profiler = Profiler::new(Pool::new(Arc::new(hostile), 0), None);
    let (mut events, mut watched) = Events::new("run");
    let (_stopper, mut stopped) = cancel_signal();
    let ended = run_job(&job, &profiler, &mut events, &mut stopped, Turn::now()).await;
    drop(events);
    let mut said = Vec::new();
    while let Some(event) = watched.recv().await {
        said.push(event);
    }
    let is_last = |kind: &&Kind| kind.is_last();
    assert_eq!(said.iter().filter_map(|event| event.kind.as_ref()).filter(is_last).count(), 1);
    for event in said {
        json::to_string(&event).expect("every event can be told");
    }
    match ended {
        Ok(report) => {
            assert_eq!(report.sizes.len(), SIZES.len());
            tell(&report);
        }
        Err(error) => {
            json::to_string(&*error).expect("every error can be told");
            error.partial.iter().for_each(tell);
        }
    }
}

fn tell(report: &ProfileReport) {
    assert!(
        report
            .sizes
            .iter()
            .map(|result| result.size)
            .eq(SIZES[..report.sizes.len()].iter().copied())
    );
    let is_share = |share: f64| (0.0..=1.0 + 1e-9).contains(&share);
    assert!(report.hotspot_lines.iter().all(
        |hotspot| is_share(hotspot.cumulative_share) && hotspot.time_share.is_none_or(is_share)
    ));
    assert!(report.fault.iter().all(|fault| fault.calls.len() <= MAX_STACK_CALLS));
    let text = json::to_string(report).expect("every report can be told");
    json::parse::<ProfileReport>(&text).expect("what was told can be read");
    json::strict(report).expect("every report has a strict form");
}

/// Starts sandboxes whose runner gives arbitrary answers.
struct Hostile {
    hello: Hello,
    answers: Vec<Response>,
    started: AtomicUsize,
}

#[async_trait::async_trait]
impl Backend for Hostile {
    fn name(&self) -> &'static str {
        "hostile"
    }

    async fn start(&self) -> Result<Sandbox, SandboxFault> {
        // A runner of other sources is refused at once, and no seed could name ours.
        let hello = Hello { sources: SOURCES.into(), ..self.hello.clone() };
        let skipped = self.started.fetch_add(1, Ordering::Relaxed);
        let mut said = Vec::new();
        for answer in [Response::Hello(hello)].iter().chain(self.answers.iter().skip(skipped)) {
            if write_frame(&mut said, answer).is_err() {
                break;
            }
        }
        let mut channel = Channel::new(Cursor::new(said), tokio::io::sink());
        let hello = channel.greet("here", "nothing mends it").await?;
        Ok(Sandbox { channel, hello, toolchain: None, builds_bytes: 0, lease: Box::new(Nothing) })
    }

    fn not_enforced(&self) -> Vec<String> {
        Vec::new()
    }
}

/// There is nothing to limit or to end.
struct Nothing;

#[async_trait::async_trait]
impl Lease for Nothing {
    async fn limit_memory(&mut self, _: u64) -> Result<(), SandboxFault> {
        Ok(())
    }

    async fn end(&mut self) {}
}
