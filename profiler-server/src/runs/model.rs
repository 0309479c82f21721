//! Callers that come and go at random: the runs must do what a few lines of rules say.

use super::*;
use crate::GRACE;
use crate::backend::stuck;
use crate::deadline::Deadline;
use crate::watch::Watch;
use futures::StreamExt;
use profiler_core::job::Draft;
use profiler_proto::v1::event::Kind;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use tokio::runtime::Builder;
use tokio::time::{Instant, sleep};

const CONCURRENCY: usize = 2;
const MAX_QUEUED: usize = 4;
/// Longer than anything here takes, by a clock that stands still while somebody works.
const SETTLED: Duration = Duration::from_millis(1);
/// No sum of them is near [`GRACE`] or [`crate::DETACHED_LIMIT`].
const PAUSES_S: [u64; 3] = [7, 31, 1801];

/// What happens.
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

/// A run as the rules see it.
#[derive(Debug)]
struct Rule {
    run_id: String,
    caller: usize,
    request: Option<usize>,
    digest: u8,
    policy: OnDisconnect,
    round: u64,
    begun: bool,
    holders: usize,
    /// When it ends by itself, and how.
    end: Option<(Instant, &'static str)>,
    ended: Option<&'static str>,
}

/// A call: its run, whether the run lives by it, and whether it submitted it.
struct Call {
    run: usize,
    holds: bool,
    submits: bool,
    attached: Attached,
}

struct Model {
    runs: Runs,
    store: Store,
    rules: Vec<Rule>,
    calls: Vec<Call>,
    round: u64,
}

impl Model {
    fn live(&self) -> impl Iterator<Item = &Rule> {
        self.rules.iter().filter(|rule| rule.ended.is_none())
    }

    /// Ends what has run out of time, and begins what has its turn.
    fn pass(&mut self) {
        let now = Instant::now();
        for rule in self.rules.iter_mut().filter(|rule| rule.ended.is_none()) {
            rule.ended = rule.end.filter(|(at, _)| *at <= now).map(|(_, code)| code);
        }
        loop {
            let begun = self.live().filter(|rule| rule.begun).count();
            let waiting = self.rules.iter_mut().filter(|rule| rule.ended.is_none() && !rule.begun);
            // The first of the smallest: in the order in which they came.
            let Some(next) = waiting.min_by_key(|rule| rule.round).filter(|_| begun < CONCURRENCY)
            else {
                return;
            };
            next.begun = true;
            self.round = self.round.max(next.round);
        }
    }

    /// How many stand in front of a live run.
    fn place(&self, run: usize) -> usize {
        let this = &self.rules[run];
        let in_front = |(at, rule): (usize, &Rule)| {
            let waits = rule.ended.is_none() && !rule.begun;
            waits && (rule.round, at) < (this.round, run)
        };
        let waiting = self.rules.iter().enumerate().filter(|&one| in_front(one)).count();
        if this.begun { 0 } else { CONCURRENCY + waiting }
    }

    /// Whether a caller is refused.
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
        let draft =
            Draft { task_id: "hello".into(), source: b"int main() {}".into(), ..Draft::default() };
        let submission = Submission {
            job: draft.try_into().unwrap(),
            digest: [digest; 32],
            request_id: request.map(|request| request.to_string()).unwrap_or_default(),
            on_disconnect: policy,
            caller: caller.to_string(),
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
        let attached = answer.unwrap();
        let last = self.live().filter(|rule| rule.caller == caller).map(|rule| rule.round).max();
        let round = last.unwrap_or(0).max(self.round) + 1;
        let end = (policy == OnDisconnect::Detach)
            .then(|| (Instant::now() + crate::DETACHED_LIMIT, "deadline"));
        let run_id = attached.run_id.clone();
        let (begun, holders, ended) = (false, 0, None);
        self.rules.push(Rule {
            run_id,
            caller,
            request,
            digest,
            policy,
            round,
            begun,
            holders,
            end,
            ended,
        });
        self.call(self.rules.len() - 1, true, attached);
    }

    fn call(&mut self, run: usize, submits: bool, attached: Attached) {
        let rule = &mut self.rules[run];
        assert_eq!(attached.run_id, rule.run_id);
        let holds = rule.ended.is_none() && (submits || rule.policy == OnDisconnect::Grace);
        assert_eq!(attached.hold.is_some(), holds);
        if holds {
            rule.holders += 1;
            rule.end = rule.end.filter(|_| rule.policy == OnDisconnect::Detach);
        }
        self.calls.push(Call { run, holds, submits, attached });
    }

    fn leave(&mut self, call: usize, past_deadline: bool) {
        let Call { run, holds, submits, mut attached } = self.calls.swap_remove(call);
        if past_deadline && let Some(hold) = &mut attached.hold {
            hold.past_deadline();
        }
        drop(attached);
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
            _ if past_deadline && submits => Some((now, "deadline")),
            OnDisconnect::Cancel => Some((now, "cancelled")),
            OnDisconnect::Grace => Some((now + GRACE, "cancelled")),
        };
    }

    async fn take(&mut self, step: Step) {
        match step {
            Step::Submit { caller, request, digest, policy } => {
                self.submit(caller, request, digest, policy).await;
            }
            Step::Attach(run) if !self.rules.is_empty() => {
                let run = run.index(self.rules.len());
                let attached = self.runs.attach(self.rules[run].run_id.clone()).await.unwrap();
                self.call(run, false, attached);
            }
            Step::Leave { call, past_deadline } if !self.calls.is_empty() => {
                self.leave(call.index(self.calls.len()), past_deadline);
            }
            Step::Cancel(run) if !self.rules.is_empty() => {
                let rule = {
                    let count = self.rules.len();
                    &mut self.rules[run.index(count)]
                };
                let done = self.runs.cancel(rule.run_id.clone()).await;
                assert_eq!(done.is_ok(), rule.ended.is_none(), "{done:?}");
                rule.ended = rule.ended.or(Some("cancelled"));
            }
            Step::Pause(pause) => sleep(Duration::from_secs(PAUSES_S[pause])).await,
            Step::Attach(_) | Step::Leave { .. } | Step::Cancel(_) => {}
        }
        sleep(SETTLED).await;
        self.pass();
    }

    /// What is kept and told is what the rules say.
    async fn compare(&self) {
        for rule in &self.rules {
            let kept = self.store.run(&rule.run_id).await.unwrap().unwrap();
            assert_eq!(kept.ended_time.is_some(), rule.ended.is_some(), "{rule:?}\n{kept:?}");
            assert_eq!(kept.error_code, rule.ended.unwrap_or_default(), "{rule:?}");
        }
        for call in self.calls.iter().filter(|call| self.rules[call.run].ended.is_none()) {
            let told = *call.attached.place.borrow();
            assert_eq!(told as usize, self.place(call.run), "{:?}", self.rules[call.run]);
        }
    }

    /// Whoever watches from whichever event on gets what is behind it, once, and one last event.
    async fn watch(&self) {
        for rule in &self.rules {
            let kept = self.store.run(&rule.run_id).await.unwrap().unwrap();
            for after in 0..=kept.last_sequence + 1 {
                let attached = self.runs.attach(rule.run_id.clone()).await.unwrap();
                let watch = Watch::new(attached, self.store.clone(), Deadline::default(), after);
                let events: Vec<_> = watch.stream().map(Result::unwrap).collect().await;
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
    let runs = Runs::new(stuck(), store.clone(), CONCURRENCY, MAX_QUEUED);
    let mut model = Model { runs, store, rules: Vec::new(), calls: Vec::new(), round: 0 };
    for step in steps {
        model.take(step).await;
        model.compare().await;
    }
    for rule in model.rules.iter_mut().filter(|rule| rule.ended.is_none()) {
        model.runs.cancel(rule.run_id.clone()).await.unwrap();
        rule.ended = Some("cancelled");
    }
    sleep(SETTLED).await;
    model.compare().await;
    model.watch().await;
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn runs_do_what_the_rules_say(steps in vec(step(), 1..60)) {
        let runtime = Builder::new_current_thread().enable_all().start_paused(true).build().unwrap();
        runtime.block_on(play(steps));
    }
}
