//! The state of a simulated engine: its streams, and who listens.

use super::random::Random;
use super::signal::Signal;
use super::streams::Kept;
use crate::connection::engine::{EngineError, Heard, Put, StreamName, Why};
use bytes::Bytes;
use std::collections::BTreeMap;
use tokio::sync::mpsc;

/// The condition of the engine.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pulse {
    pub(super) is_up: bool,
    /// Number of its starts. A start forgets the readers.
    pub(super) starts: u32,
}

pub(super) struct State {
    pub(super) random: Random,
    /// Whether the disk has no room.
    pub(super) is_full: bool,
    /// Maximum size of the logs, in bytes.
    pub(super) log_limit: Option<u64>,
    streams: BTreeMap<StreamName, Kept>,
    listeners: Vec<Listener>,
    /// Number of the things made so far.
    made: u32,
}

struct Listener {
    id: u32,
    subject: String,
    group: Option<String>,
    /// Whether its connection is cut.
    is_cut: Signal<bool>,
    heard: mpsc::UnboundedSender<Heard>,
}

impl State {
    pub(super) fn new(random: Random) -> Self {
        let (streams, listeners) = Default::default();
        Self { random, is_full: false, log_limit: None, streams, listeners, made: 0 }
    }

    fn number(&mut self) -> u32 {
        self.made += 1;
        self.made
    }

    /// Makes the streams that are missing.
    pub(super) fn prepare(&mut self) {
        for name in [StreamName::Logs, StreamName::Jobs, StreamName::Blobs] {
            if !self.streams.contains_key(&name) {
                let created = self.number().into();
                self.streams.insert(name, Kept::new(created));
            }
        }
    }

    pub(super) fn stream(&mut self, name: StreamName) -> Result<&mut Kept, EngineError> {
        self.streams.get_mut(&name).ok_or_else(|| EngineError {
            why: Why::Absent,
            ..EngineError::other("stream not found")
        })
    }

    /// Whether the logs have no room for a message.
    pub(super) fn lacks_room(&self, put: &Put) -> bool {
        let logs = self.streams.get(&StreamName::Logs);
        let bytes = |logs: &Kept| logs.bytes().saturating_add(put.payload.len() as u64);
        self.log_limit.zip(logs).is_some_and(|(limit, logs)| bytes(logs) > limit)
    }

    pub(super) fn lose(&mut self, name: StreamName) {
        self.streams.remove(&name);
    }

    /// Returns the streams, to restore them later.
    pub(super) fn back_up(&self) -> BTreeMap<StreamName, Kept> {
        self.streams.clone()
    }

    /// Replaces the streams.
    pub(super) fn restore(&mut self, streams: BTreeMap<StreamName, Kept>) {
        self.streams = streams;
    }

    pub(super) fn listen(
        &mut self,
        subject: String,
        group: Option<String>,
        is_cut: Signal<bool>,
    ) -> (u32, mpsc::UnboundedReceiver<Heard>) {
        let (heard, messages) = mpsc::unbounded_channel();
        let id = self.number();
        self.listeners.push(Listener { id, subject, group, is_cut, heard });
        (id, messages)
    }

    pub(super) fn leave(&mut self, id: u32) {
        self.listeners.retain(|listener| listener.id != id);
    }

    /// Gives a message to all listeners, and to one of each group. Returns whether there is one.
    pub(super) fn publish(&mut self, subject: &str, payload: &Bytes, reply: Option<&str>) -> bool {
        let mut groups: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        let mut chosen = Vec::new();
        for (at, listener) in self.listeners.iter().enumerate() {
            match &listener.group {
                _ if listener.subject != subject => {}
                Some(group) => groups.entry(group.clone()).or_default().push(at),
                None => chosen.push(at),
            }
        }
        for members in groups.into_values() {
            chosen.push(members[self.random.below(members.len())]);
        }
        for at in &chosen {
            let listener = &self.listeners[*at];
            if !listener.is_cut.get() {
                let (payload, reply) = (payload.clone(), reply.map(String::from));
                let _ = listener.heard.send(Heard { payload, reply });
            }
        }
        !chosen.is_empty()
    }
}
