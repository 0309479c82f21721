//! Requests whose sender asks the engine to send the answer to somebody else. No such answer
//! arrives in the queue or at another client.

use crate::rights::guarded::{Guarded, Role};
use crate::rights::{PATIENCE, POOL, accepted, run};
use async_nats::{Client, Subscriber, jetstream};
use futures::StreamExt;
use profiler_fleet::Gateway;
use std::slice::from_ref;
use tokio::time::timeout;

/// Message of a gateway. A subscriber receives it after all earlier messages.
const REAL: &str = "real";
/// Message of a hostile program.
const FORGED: &str = "forged";
const CLAIM: &str = "sp1.req.some";

/// The subject of a request, and its payload.
type Question = (String, String);

struct Scene {
    guarded: Guarded,
    gateway: Gateway,
    /// A connection in the role of a gateway, through which the test sends messages.
    owner: Client,
    /// The subject of the only caller's jobs.
    jobs: String,
    /// The subjects to which other clients subscribe, and their subscriptions.
    ears: Vec<(String, Subscriber)>,
}

impl Scene {
    /// Queues one job, and subscribes a worker and a gateway to their subjects.
    async fn set(guarded: Guarded) -> Self {
        let gateway = Gateway::new(guarded.prepare().await);
        accepted(&gateway, run("one", "mine")).await;
        let owner = guarded.client(Role::Gateway).await;
        let queue = jetstream::new(owner.clone()).get_stream("SP_JOBS").await.expect("a stream");
        let mut subjects = queue.info_with_subjects(">").await.expect("read");
        let (jobs, _) = subjects.next().await.expect("a subject").expect("read");
        let worker = guarded.client(Role::Worker).await;
        let mut ears = Vec::new();
        for subject in ["sp1.ctl.one", "sp1.rollcall"] {
            ears.push((subject.into(), worker.subscribe(subject.to_owned()).await.expect("sent")));
        }
        worker.flush().await.expect("flushed");
        ears.push(("sp1.hold".into(), owner.subscribe("sp1.hold").await.expect("sent")));
        owner.flush().await.expect("flushed");
        Self { guarded, gateway, owner, jobs, ears }
    }

    /// Returns the subjects on which a misdirected answer would do harm.
    fn targets(&self) -> Vec<String> {
        let ears = self.ears.iter().map(|(subject, _)| subject.clone());
        ears.chain([self.jobs.clone(), format!("sp1.job.{POOL}.other"), CLAIM.into()]).collect()
    }

    /// Returns the requests that a worker may send. The last one takes a job.
    fn questions_of_a_worker(&self) -> Vec<Question> {
        let lane = self.jobs.rsplit('.').next().unwrap_or_default();
        [
            ("$JS.API.STREAM.INFO.SP_JOBS", ""),
            ("$JS.API.STREAM.MSG.GET.SP_LOGS", r#"{"last_by_subj":"sp1.ev.one"}"#),
            ("sp1.ev.other", "an event"),
            (&format!("$JS.API.CONSUMER.INFO.SP_JOBS.{POOL}_{lane}"), ""),
            (
                &format!("$JS.API.CONSUMER.MSG.NEXT.SP_JOBS.{POOL}_{lane}"),
                r#"{"batch":1,"no_wait":true}"#,
            ),
        ]
        .map(|(subject, question)| (subject.to_owned(), question.to_owned()))
        .into()
    }

    /// Sends every request with every target as its reply subject. Repeats each request with a
    /// reply to `hostile` itself, which shows that the engine answers it.
    async fn ask(&self, hostile: &Client, targets: &[String], questions: &[Question]) {
        for target in targets {
            for (subject, question) in questions {
                let (subject, question) = (subject.clone(), question.clone());
                let asked = hostile.publish_with_reply(
                    subject.clone(),
                    target.clone(),
                    question.clone().into(),
                );
                asked.await.expect("sent");
                let own = timeout(PATIENCE, hostile.request(subject.clone(), question.into()));
                // If an answer was queued as a job, the engine may hand out no job.
                let is_sent = matches!(own.await, Ok(Ok(_))) || subject.contains("MSG.NEXT");
                assert!(is_sent, "{subject} is not answered");
            }
        }
    }

    /// Returns a description of each message that arrived where it does harm.
    async fn arrived(&mut self) -> Vec<String> {
        let mut arrived = Vec::new();
        for (subject, ear) in &mut self.ears {
            self.owner.publish(subject.clone(), REAL.into()).await.expect("sent");
            loop {
                let heard = timeout(PATIENCE, ear.next()).await.expect("in time").expect("a word");
                if heard.payload == REAL {
                    break;
                }
                arrived.push(format!("{subject}: {heard:?}"));
            }
        }
        // This run is queued and logged after all answers, so no answer can still arrive.
        let real = accepted(&self.gateway, run("two", "")).await;
        let context = jetstream::new(self.owner.clone());
        let queue = context.get_stream("SP_JOBS").await.expect("a stream");
        let queued = queue.cached_info().state.last_sequence;
        // The queue has had two messages: the first job and this one.
        if (queued, real.job_sequence) != (2, 2) {
            arrived.push(format!("the queue: {} messages", queued.saturating_sub(2)));
        }
        let logs = context.get_stream("SP_LOGS").await.expect("a stream");
        if logs.get_last_raw_message_by_subject(CLAIM).await.is_ok() {
            arrived.push(CLAIM.into());
        }
        arrived
    }
}

#[tokio::test]
async fn workers_answers_reach_nobody_else() {
    let Some(guarded) = Guarded::start().await else { return };
    Box::pin(answers_of_a_worker(guarded)).await;
}

#[tokio::test]
async fn nor_do_they_in_a_cluster() {
    let Some(guarded) = Guarded::cluster().await else { return };
    Box::pin(answers_of_a_worker(guarded)).await;
}

async fn answers_of_a_worker(guarded: Guarded) {
    let mut scene = Box::pin(Scene::set(guarded)).await;
    let hostile = scene.guarded.client(Role::Worker).await;
    let questions = scene.questions_of_a_worker();
    scene.ask(&hostile, &scene.targets(), &questions).await;
    assert_eq!(Box::pin(scene.arrived()).await, Vec::<String>::new());
}

/// A worker receives its own messages. The engine must not treat one of them as a request, whose
/// receiver may send to its reply subject.
#[tokio::test]
async fn worker_gives_itself_no_right_to_speak() {
    let Some(guarded) = Guarded::start().await else { return };
    let mut scene = Box::pin(Scene::set(guarded)).await;
    let hostile = scene.guarded.client(Role::Worker).await;
    let mut own = hostile.subscribe("sp1.worker").await.expect("sent");
    for target in scene.targets() {
        let said = hostile.publish_with_reply("sp1.worker", target.clone(), FORGED.into());
        said.await.expect("sent");
        timeout(PATIENCE, own.next()).await.expect("in time").expect("its own word");
        hostile.publish(target, FORGED.into()).await.expect("sent");
    }
    hostile.flush().await.expect("flushed");
    scene.ask(&hostile, &[], from_ref(&scene.questions_of_a_worker()[0])).await;
    assert_eq!(Box::pin(scene.arrived()).await, Vec::<String>::new());
}

#[tokio::test]
async fn viewers_answers_reach_nobody_else() {
    let Some(guarded) = Guarded::start().await else { return };
    let mut scene = Box::pin(Scene::set(guarded)).await;
    let hostile = scene.guarded.client(Role::Viewer).await;
    let mut targets = scene.targets();
    // A viewer may send messages to this subject.
    targets.retain(|target| target != "sp1.rollcall");
    let questions = ["SP_LOGS", "SP_JOBS"]
        .map(|stream| (format!("$JS.API.STREAM.INFO.{stream}"), String::new()));
    scene.ask(&hostile, &targets, &questions).await;
    assert_eq!(Box::pin(scene.arrived()).await, Vec::<String>::new());
}
