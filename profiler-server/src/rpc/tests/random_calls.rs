//! Calls that come and go at random. The runs must behave like those of a short model.

use crate::config::Quota;
use crate::rpc::deadline::Deadline;
use crate::rpc::watch::Watch;
use crate::runs::{Attachment, DETACHED_LIMIT, GRACE, LiveRuns, Refusal, Submission};
use crate::store::{Store, Viewer};
use crate::telemetry::metrics::Metrics;
use crate::telemetry::run_record::Requester;
use futures::StreamExt;
use profiler_core::Profiler;
use profiler_core::job::Draft;
use profiler_core::sandbox::fake::stuck_pool;
use profiler_proto::v1::event::Kind;
use profiler_proto::v1::{self, ErrorCode, OnDisconnect};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use std::time::Duration;
use tokio::runtime::Builder;
use tokio::sync::watch;
use tokio::time::{Instant, sleep};

const CONCURRENCY: usize = 2;
const MAX_QUEUED: usize = 4;
/// Longer than any step takes: the paused clock does not advance while a task works.
const SETTLED: Duration = Duration::from_millis(1);
/// Pauses between calls, in seconds. No sum of them is near [`GRACE`] or [`DETACHED_LIMIT`].
const PAUSES_S: [u64; 3] = [7, 31, 1801];

/// One step of a random sequence.
#[derive(Debug, Clone)]
enum Step {
    Submit { caller: usize, request: Option<usize>, digest: u8, policy: OnDisconnect },
    Attach(Index),
    Leave { call: Index, past_deadline: bool },
    Cancel(Index),
    Pause(usize),
}

fn step() -> impl Strategy<Value = Step> {
    let policies = vec![OnDisconnect::Cancel, OnDisconnect::Grace, OnDisconnect::Detach];
    let policy = proptest::sample::select(policies);
    let request = proptest::option::of(0..3_usize);
    let submit =
        (0..3_usize, request, 0..8_u8, policy).prop_map(|(caller, request, other, policy)| {
            Step::Submit { caller, request, digest: u8::from(other == 0), policy }
        });
    let leave = (any::<Index>(), any::<bool>());
    prop_oneof![
        4 => submit,
        2 => any::<Index>().prop_map(Step::Attach),
        4 => leave.prop_map(|(call, past_deadline)| Step::Leave { call, past_deadline }),
        1 => any::<Index>().prop_map(Step::Cancel),
        2 => (0..PAUSES_S.len()).prop_map(Step::Pause),
    ]
}

/// A run in the model.
#[derive(Debug)]
struct Rule {
    run_id: String,
    caller: usize,
    request: Option<usize>,
    digest: u8,
    policy: OnDisconnect,
    /// Position that the run reports. `profiler-turns` tests the order of turns.
    position: watch::Receiver<u32>,
    begun: bool,
    holders: usize,
    /// Time and error code of the end that a limit brings, if nothing ends the run before.
    end: Option<(Instant, ErrorCode)>,
    ended: Option<ErrorCode>,
}

/// A call: its run, whether it holds the run, and whether it submitted it.
struct Call {
    run: usize,
    holds: bool,
    submits: bool,
    attachment: Attachment,
}

struct Model {
    runs: LiveRuns,
    store: Store,
    rules: Vec<Rule>,
    calls: Vec<Call>,
}

impl Model {
    fn live(&self) -> impl Iterator<Item = &Rule> {
        self.rules.iter().filter(|rule| rule.ended.is_none())
    }

    /// Ends the runs that have met their limit, and starts those whose turn it is.
    fn pass(&mut self) {
        let now = Instant::now();
        for rule in self.rules.iter_mut().filter(|rule| rule.ended.is_none()) {
            rule.ended = rule.end.filter(|(at, _)| *at <= now).map(|(_, code)| code);
        }
        for rule in self.rules.iter_mut().filter(|rule| rule.ended.is_none()) {
            let is_first = *rule.position.borrow() == 0;
            assert!(is_first || !rule.begun, "a run that began does not wait again: {rule:?}");
            rule.begun = is_first;
        }
    }

    /// Whether the queue has no room for another run of this caller.
    fn is_full(&self, caller: usize) -> bool {
        let waiting: Vec<_> = self.live().filter(|rule| !rule.begun).collect();
        let free = CONCURRENCY + MAX_QUEUED - self.live().count();
        free == 0 || (free == 1 && waiting.iter().any(|rule| rule.caller == caller))
    }

    async fn submit(
        &mut self,
        caller: usize,
        request: Option<usize>,
        digest: u8,
        policy: OnDisconnect,
    ) {
        let draft = Draft::new("hello", b"int main() {}");
        let submission = Submission {
            message: Vec::new(),
            defaults: Vec::new(),
            #[cfg(feature = "fleet")]
            same_pool_as: String::new(),
            job: draft.try_into().unwrap(),
            digest: [digest; 32],
            request_id: request.map(|request| request.to_string()).unwrap_or_default(),
            on_disconnect: policy,
            // All callers have one owner, so they share request IDs.
            requester: Requester { owner: String::new(), ..Requester::named(caller.to_string()) },
        };
        let answer = self.runs.submit(submission).await;
        let same = |rule: &Rule| request.is_some() && rule.request == request;
        if let Some(run) = self.rules.iter().position(same) {
            if self.rules[run].digest != digest {
                assert!(matches!(answer, Err(Refusal::RequestIdTaken(_))), "{answer:?}");
                return;
            }
            return self.call(run, true, answer.unwrap());
        }
        if self.is_full(caller) {
            assert!(matches!(answer, Err(Refusal::QueueFull { .. })), "{answer:?}");
            return;
        }
        let attachment = answer.unwrap();
        let end = (policy == OnDisconnect::Detach)
            .then(|| (Instant::now() + DETACHED_LIMIT, ErrorCode::Deadline));
        let (run_id, position) = (attachment.run_id.clone(), attachment.queue_position.clone());
        let (begun, holders, ended) = (false, 0, None);
        self.rules.push(Rule {
            run_id,
            caller,
            request,
            digest,
            policy,
            position,
            begun,
            holders,
            end,
            ended,
        });
        self.call(self.rules.len() - 1, true, attachment);
    }

    fn call(&mut self, run: usize, submits: bool, attachment: Attachment) {
        let rule = &mut self.rules[run];
        assert_eq!(attachment.run_id, rule.run_id);
        let holds = rule.ended.is_none() && (submits || rule.policy == OnDisconnect::Grace);
        assert_eq!(attachment.hold.is_some(), holds);
        if holds {
            rule.holders += 1;
            rule.end = rule.end.filter(|_| rule.policy == OnDisconnect::Detach);
        }
        self.calls.push(Call { run, holds, submits, attachment });
    }

    fn leave(&mut self, call: usize, past_deadline: bool) {
        let Call { run, holds, submits, mut attachment } = self.calls.swap_remove(call);
        if past_deadline && let Some(hold) = &mut attachment.hold {
            hold.deadline_passed();
        }
        drop(attachment);
        let rule = &mut self.rules[run];
        if !holds {
            return;
        }
        rule.holders -= 1;
        if rule.holders > 0 {
            return;
        }
        let now = Instant::now();
        rule.end = match rule.policy {
            OnDisconnect::Detach => rule.end,
            _ if past_deadline && submits => Some((now, ErrorCode::Deadline)),
            OnDisconnect::Unspecified | OnDisconnect::Cancel => Some((now, ErrorCode::Cancelled)),
            OnDisconnect::Grace => Some((now + GRACE, ErrorCode::Cancelled)),
        };
    }

    async fn take(&mut self, step: Step) {
        match step {
            Step::Submit { caller, request, digest, policy } => {
                self.submit(caller, request, digest, policy).await;
            }
            Step::Attach(run) if !self.rules.is_empty() => {
                let run = run.index(self.rules.len());
                let attachment = self
                    .runs
                    .attach(self.rules[run].run_id.clone(), Viewer::Everyone)
                    .await
                    .unwrap();
                self.call(run, false, attachment);
            }
            Step::Leave { call, past_deadline } if !self.calls.is_empty() => {
                self.leave(call.index(self.calls.len()), past_deadline);
            }
            Step::Cancel(run) if !self.rules.is_empty() => {
                let rule = {
                    let count = self.rules.len();
                    &mut self.rules[run.index(count)]
                };
                let done = self.runs.cancel(rule.run_id.clone(), Viewer::Everyone).await;
                assert_eq!(done.is_ok(), rule.ended.is_none(), "{done:?}");
                rule.ended = rule.ended.or(Some(ErrorCode::Cancelled));
            }
            Step::Pause(pause) => sleep(Duration::from_secs(PAUSES_S[pause])).await,
            Step::Attach(_) | Step::Leave { .. } | Step::Cancel(_) => {}
        }
        sleep(SETTLED).await;
        self.pass();
    }

    /// Compares the stored runs and the published positions with the model.
    async fn compare(&self) {
        for rule in &self.rules {
            let kept = self.store.run(&rule.run_id, &Viewer::Everyone).await.unwrap().unwrap();
            assert_eq!(kept.ended_time.is_some(), rule.ended.is_some(), "{rule:?}\n{kept:?}");
            assert_eq!(kept.error_code(), rule.ended.unwrap_or_default(), "{rule:?}");
        }
        // Every position in the queue belongs to one run.
        let mut positions: Vec<_> = self.live().map(|rule| *rule.position.borrow()).collect();
        positions.sort_unstable();
        let places = (0..).map(|at| if at < CONCURRENCY { 0 } else { u32::try_from(at).unwrap() });
        assert_eq!(positions, places.take(positions.len()).collect::<Vec<_>>());
        // The runs of one caller keep their order.
        for caller in 0..self.rules.len() {
            let own = self.live().filter(|rule| rule.caller == caller);
            assert!(own.map(|rule| *rule.position.borrow()).is_sorted(), "caller {caller}");
        }
    }

    /// A watch after any event gets every later event once, and one last event.
    async fn watch(&self) {
        for rule in &self.rules {
            let kept = self.store.run(&rule.run_id, &Viewer::Everyone).await.unwrap().unwrap();
            for after in 0..=kept.last_sequence + 1 {
                let attachment =
                    self.runs.attach(rule.run_id.clone(), Viewer::Everyone).await.unwrap();
                let watch = Watch::new(attachment, self.store.clone(), Deadline::default(), after);
                let events: Vec<_> = watch.into_stream().map(Result::unwrap).collect().await;
                let seen: Vec<_> = events.iter().map(|event| event.sequence).collect();
                assert_eq!(seen, (after + 1..=kept.last_sequence).collect::<Vec<_>>());
                let last = |event: &v1::Event| matches!(event.kind, Some(Kind::Failed(_)));
                assert_eq!(events.iter().filter(|event| last(event)).count(), seen.len().min(1));
            }
        }
    }
}

async fn play(steps: Vec<Step>) {
    let store = Store::in_memory().unwrap();
    let runs = LiveRuns::start(
        Profiler::new(stuck_pool(), None),
        store.clone(),
        Metrics::new("fake"),
        CONCURRENCY,
        MAX_QUEUED,
        Quota::default(),
    );
    let mut model = Model { runs, store, rules: Vec::new(), calls: Vec::new() };
    for step in steps {
        model.take(step).await;
        model.compare().await;
    }
    for rule in model.rules.iter_mut().filter(|rule| rule.ended.is_none()) {
        model.runs.cancel(rule.run_id.clone(), Viewer::Everyone).await.unwrap();
        rule.ended = Some(ErrorCode::Cancelled);
    }
    sleep(SETTLED).await;
    model.compare().await;
    model.watch().await;
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn runs_do_what_the_model_says(steps in vec(step(), 1..60)) {
        let runtime = Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
        runtime.block_on(play(steps));
    }
}
