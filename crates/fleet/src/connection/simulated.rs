//! A simulated engine for tests: streams in memory, under tokio's clock, with connections that
//! lose, delay and repeat what they carry. The same tests judge it and the real engine.

mod link;
mod random;
mod reader;
mod signal;
mod state;
mod streams;

pub use link::{Faults, Link};
pub use random::Random;

use super::Fleet;
use super::engine::{
    Answer, Consumer, Engine, EngineError, Heard, Job, Listening, LogReader, NewConsumer, Put,
    Stored, StreamName, StreamState, Why, Word,
};
use crate::error::FleetError;
use bytes::Bytes;
use futures::{FutureExt, StreamExt};
use reader::Reader;
use signal::Signal;
use state::{Pulse, State};
use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{self, Poll};
use std::time::Duration;
use streams::Kept;
use tokio::sync::mpsc;
use tokio::time::timeout;

/// A simulated engine. Clones are the same engine.
#[derive(Clone)]
pub struct SimulatedEngine {
    state: Arc<Mutex<State>>,
    pulse: Signal<Pulse>,
}

/// The streams at some time.
pub struct Backup(BTreeMap<StreamName, Kept>);

impl SimulatedEngine {
    /// Starts an engine without streams.
    pub fn new(seed: u64) -> Self {
        let state = Arc::new(Mutex::new(State::new(Random::new(seed))));
        Self { state, pulse: Signal::new(Pulse { is_up: true, starts: 0 }) }
    }

    /// Connects as a gateway, and makes the missing streams, whatever the state of the engine.
    pub fn prepare(&self) -> (Fleet, Link) {
        self.work(State::prepare);
        self.join()
    }

    /// Connects as a worker, whatever the state of the engine.
    pub fn join(&self) -> (Fleet, Link) {
        let link = self.connect();
        (self.over(&link), link)
    }

    /// Makes a connection for a process that has yet to join.
    pub fn connect(&self) -> Link {
        Link::new(self.pulse.clone(), self.work(|state| state.random.fork()))
    }

    /// Joins as a gateway, and makes the missing streams.
    ///
    /// # Errors
    /// If the engine cannot be reached.
    pub fn try_prepare(&self, link: &Link) -> Result<Fleet, FleetError> {
        self.reach(link)?;
        self.work(State::prepare);
        Ok(self.over(link))
    }

    /// Joins as a worker.
    ///
    /// # Errors
    /// If the engine cannot be reached, or no gateway has made the streams.
    pub fn try_join(&self, link: &Link) -> Result<Fleet, FleetError> {
        self.reach(link)?;
        let found = self.look(|state| state.stream(StreamName::Logs).map(drop));
        found.map_err(FleetError::when("find the streams"))?;
        Ok(self.over(link))
    }

    fn reach(&self, link: &Link) -> Result<(), FleetError> {
        let is_reached = self.pulse.get().is_up && link.carries();
        is_reached.then_some(()).ok_or_else(|| FleetError::new("connect", "connection refused"))
    }

    fn over(&self, link: &Link) -> Fleet {
        Fleet::over(Connection { engine: self.clone(), link: link.clone() })
    }

    /// Stops it, as a power cut does.
    pub fn kill(&self) {
        self.pulse.change(|pulse| pulse.is_up = false);
    }

    /// Starts it again with what it had stored.
    pub fn restart(&self) {
        self.pulse.change(|pulse| *pulse = Pulse { is_up: true, starts: pulse.starts + 1 });
    }

    /// Loses one of its streams: the logs, or the queue.
    pub fn lose(&self, is_queue: bool) {
        let name = if is_queue { StreamName::Jobs } else { StreamName::Logs };
        self.work(|state| state.lose(name));
    }

    /// Makes its disk full, or gives it room.
    pub fn fill(&self, is_full: bool) {
        self.work(|state| state.is_full = is_full);
    }

    /// Bounds the size of its logs, in bytes.
    pub fn limit_logs(&self, bytes: u64) {
        self.work(|state| state.log_limit = Some(bytes));
    }

    /// Stores a message, whatever it says.
    pub fn put(&self, subject: &str, payload: &'static [u8]) {
        let _ = self.work(|state| {
            let stream = StreamName::of(subject);
            state.stream(stream)?.store(stream, subject, Put::of(payload))
        });
    }

    /// Makes its consumers take all jobs of the queue to have ended.
    pub fn forget_jobs(&self) {
        let _ = self.work(|state| state.stream(StreamName::Jobs).map(Kept::forget_jobs));
    }

    /// Returns a backup of its streams.
    pub fn back_up(&self) -> Backup {
        Backup(self.work(|state| state.back_up()))
    }

    /// Restores a backup; without one, all streams are lost.
    pub fn restore(&self, backup: Option<Backup>) {
        let streams = backup.map(|Backup(streams)| streams).unwrap_or_default();
        self.work(|state| state.restore(streams));
        self.restart();
    }

    /// Returns the number of messages in the stream of logs.
    pub fn log_length(&self) -> usize {
        self.look(|state| state.stream(StreamName::Logs).map_or(0, |logs| logs.length()))
    }

    fn look<T>(&self, look: impl FnOnce(&mut State) -> T) -> T {
        look(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn work<T>(&self, work: impl FnOnce(&mut State) -> T) -> T {
        let done = self.look(work);
        // Wakes the readers.
        self.pulse.change(|_| {});
        done
    }
}

impl StreamName {
    /// Returns the stream of a subject.
    fn of(subject: &str) -> Self {
        match subject.split('.').nth(1) {
            Some("job") => Self::Jobs,
            Some("blob") => Self::Blobs,
            _ => Self::Logs,
        }
    }
}

struct Connection {
    engine: SimulatedEngine,
    link: Link,
}

impl Connection {
    fn call<T: Send + 'static>(
        &self,
        operation: &'static str,
        work: impl Fn(&mut State) -> Result<T, EngineError> + Send + 'static,
    ) -> Answer<'static, T> {
        let engine = self.engine.clone();
        self.link.call(operation, move || engine.work(&work))
    }

    fn in_jobs<T: Send + 'static>(
        &self,
        operation: &'static str,
        work: impl Fn(&mut Kept) -> Result<T, EngineError> + Send + 'static,
    ) -> Answer<'static, T> {
        self.call(operation, move |state| work(state.stream(StreamName::Jobs)?))
    }
}

impl Engine for Connection {
    fn is_connected(&self) -> bool {
        self.engine.pulse.get().is_up && self.link.seems_up()
    }

    fn publish(&self, subject: String, payload: Bytes) -> Answer<'_, ()> {
        let sent = self.call("publish", move |state| {
            state.publish(&subject, &payload, None);
            Ok(())
        });
        // The client returns once it has sent the message.
        tokio::spawn(sent);
        async { Ok(()) }.boxed()
    }

    fn flush(&self) -> Answer<'_, ()> {
        self.call("flush", |_| Ok(()))
    }

    fn request(&self, subject: String, payload: Bytes) -> Answer<'_, ()> {
        let (engine, link) = (self.engine.clone(), self.link.clone());
        let asked = self.call("request", move |state| {
            let inbox = format!("_INBOX.{}", state.random.below(usize::MAX));
            let (id, heard) = state.listen(inbox.clone(), None, link.watch());
            if state.publish(&subject, &payload, Some(&inbox)) {
                return Ok(Subscription { id, heard, engine: engine.clone() });
            }
            state.leave(id);
            Err(EngineError { why: Why::Nobody, ..EngineError::other("no responders") })
        });
        async {
            let mut answers = asked.await?;
            let answered = timeout(super::ANSWER_TIMEOUT, answers.next()).await;
            answered.map(drop).map_err(EngineError::other)
        }
        .boxed()
    }

    fn listen(&self, subject: String, group: Option<&str>) -> Answer<'_, Box<dyn Listening>> {
        // The client tells the engine, and again after each connection, without an answer.
        let (group, link) = (group.map(String::from), self.link.clone());
        let (id, heard) = self.engine.work(|state| state.listen(subject, group, link.watch()));
        let subscription = Subscription { id, heard, engine: self.engine.clone() };
        async { Ok(Box::new(subscription) as Box<dyn Listening>) }.boxed()
    }

    fn store(&self, subject: String, put: Put) -> Answer<'_, u64> {
        self.call("store", move |state| {
            if state.is_full {
                return Err(EngineError::other("insufficient storage"));
            }
            let stream = StreamName::of(&subject);
            if stream == StreamName::Logs && state.lacks_room(&put) {
                return Err(EngineError { why: Why::Full, ..EngineError::other("maximum bytes") });
            }
            state.stream(stream)?.store(stream, &subject, put.clone())
        })
    }

    fn last<'a>(&'a self, of: StreamName, subject: &'a str) -> Answer<'a, Option<Stored>> {
        let subject = subject.to_owned();
        self.call("read", move |state| Ok(state.stream(of)?.last_of(&subject)))
    }

    fn next<'a>(
        &'a self,
        of: StreamName,
        subject: &'a str,
        from: u64,
    ) -> Answer<'a, Option<Stored>> {
        let subject = subject.to_owned();
        self.call("read", move |state| Ok(state.stream(of)?.next_of(&subject, from)))
    }

    fn at(&self, of: StreamName, position: u64) -> Answer<'_, Option<Stored>> {
        self.call("read", move |state| Ok(state.stream(of)?.at(position)))
    }

    fn remove(&self, from: StreamName, position: u64) -> Answer<'_, ()> {
        self.call("remove", move |state| {
            state.stream(from)?.remove(position);
            Ok(())
        })
    }

    fn state(&self, of: StreamName) -> Answer<'_, StreamState> {
        self.call("state", move |state| {
            let limit = state.log_limit.filter(|_| of == StreamName::Logs);
            let stream = state.stream(of)?;
            let (created, last, bytes) = (stream.created, stream.last, stream.bytes());
            Ok(StreamState { created, last, bytes, limit, oldest: None })
        })
    }

    fn make_streams(&self) -> Answer<'_, ()> {
        self.call("make_streams", |state| {
            state.prepare();
            Ok(())
        })
    }

    fn subjects(&self, matching: String) -> Answer<'_, Vec<(String, usize)>> {
        self.in_jobs("subjects", move |jobs| Ok(jobs.subjects(&matching)))
    }

    fn read_logs(&self, after: u64, _: Duration) -> Answer<'_, Box<dyn LogReader>> {
        let made = self.call("read_logs", |state| state.stream(StreamName::Logs).map(drop));
        async move {
            made.await?;
            let SimulatedEngine { state, pulse } = self.engine.clone();
            let reader = Reader::new(state, pulse, self.link.clone(), after + 1);
            Ok(Box::new(reader) as Box<dyn LogReader>)
        }
        .boxed()
    }

    fn make_consumer(&self, new: NewConsumer) -> Answer<'_, ()> {
        self.in_jobs("make_consumer", move |jobs| {
            jobs.make_consumer(new.clone());
            Ok(())
        })
    }

    fn consumer<'a>(&'a self, name: &'a str) -> Answer<'a, Box<dyn Consumer>> {
        let known = name.to_owned();
        let found = self.in_jobs("consumer", move |jobs| Ok(jobs.has_consumer(&known)));
        async move {
            if !found.await? {
                return Err(EngineError::other("consumer not found"));
            }
            let (engine, link) = (self.engine.clone(), self.link.clone());
            let fetcher = Fetcher { connection: Self { engine, link }, name: name.to_owned() };
            Ok(Box::new(fetcher) as Box<dyn Consumer>)
        }
        .boxed()
    }

    fn has_jobs<'a>(&'a self, consumer: &'a str) -> Answer<'a, bool> {
        let consumer = consumer.to_owned();
        self.in_jobs("has_jobs", move |jobs| Ok(jobs.has_jobs(&consumer)))
    }

    fn delete_consumer<'a>(&'a self, name: &'a str) -> Answer<'a, ()> {
        let name = name.to_owned();
        self.in_jobs("delete_consumer", move |jobs| {
            jobs.delete_consumer(&name);
            Ok(())
        })
    }

    fn acknowledge(&self, reply: String, word: Word) -> Answer<'_, ()> {
        self.in_jobs("acknowledge", move |jobs| jobs.acknowledge(&reply, word))
    }
}

struct Fetcher {
    connection: Connection,
    name: String,
}

impl Consumer for Fetcher {
    fn fetch(&self) -> Answer<'_, Option<Job>> {
        let name = self.name.clone();
        self.connection.in_jobs("fetch", move |jobs| jobs.fetch(&name))
    }
}

struct Subscription {
    id: u32,
    heard: mpsc::UnboundedReceiver<Heard>,
    engine: SimulatedEngine,
}

impl Drop for Subscription {
    fn drop(&mut self) {
        self.engine.work(|state| state.leave(self.id));
    }
}

impl futures::Stream for Subscription {
    type Item = Heard;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut task::Context<'_>) -> Poll<Option<Heard>> {
        self.heard.poll_recv(cx)
    }
}

impl Listening for Subscription {
    fn drain(&mut self) -> Answer<'_, ()> {
        self.engine.work(|state| state.leave(self.id));
        async { Ok(()) }.boxed()
    }
}
