//! The streams of a simulated engine, and the consumers of its queue.

use crate::connection::engine::{
    EngineError, Job, NewConsumer, Put, Stored, StreamName, Why, Word,
};
use crate::connection::limits::{DUPLICATE_WINDOW, MAX_JOBS, MAX_JOBS_PER_CALLER};
use bytes::Bytes;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use tokio::time::Instant;

/// Beginning of the address for acknowledgements of a job.
const ACKNOWLEDGEMENTS: &str = "$ack";

/// A stream.
#[derive(Debug, Clone)]
pub(super) struct Kept {
    /// Number that no other stream has.
    pub(super) created: i64,
    /// Position of the last message, which may be gone.
    pub(super) last: u64,
    messages: BTreeMap<u64, (String, Bytes)>,
    positions: BTreeMap<String, BTreeSet<u64>>,
    /// Position of each named message, and the time at which it came.
    names: BTreeMap<String, (u64, Instant)>,
    consumers: BTreeMap<String, Lane>,
}

/// A consumer.
#[derive(Debug, Clone)]
struct Lane {
    subject: String,
    ack_wait: Duration,
    /// The first position that was not given out.
    next: u64,
    /// Jobs under way, each with the time at which it is given out again.
    under_way: BTreeMap<u64, Instant>,
    /// Jobs to give out again.
    again: BTreeSet<u64>,
}

impl Kept {
    pub(super) fn new(created: i64) -> Self {
        let (messages, positions, names, consumers) = Default::default();
        Self { created, last: 0, messages, positions, names, consumers }
    }

    pub(super) fn store(
        &mut self,
        stream: StreamName,
        subject: &str,
        put: Put,
    ) -> Result<u64, EngineError> {
        if let Some((position, at)) = put.name.as_ref().and_then(|name| self.names.get(name))
            && at.elapsed() < DUPLICATE_WINDOW
        {
            return Ok(*position);
        }
        let own = self.positions.get(subject);
        let last = own.and_then(BTreeSet::last).copied().unwrap_or(0);
        if put.after.is_some_and(|after| after != last) {
            return Err(refused(Why::Overtaken, "wrong last sequence"));
        }
        let own = own.map_or(0, BTreeSet::len);
        let is_full = match stream {
            StreamName::Logs => false,
            StreamName::Jobs => {
                own >= MAX_JOBS_PER_CALLER as usize
                    || i64::try_from(self.messages.len()).is_ok_and(|jobs| jobs >= MAX_JOBS)
            }
            StreamName::Blobs => own > 0,
        };
        if is_full {
            return Err(refused(Why::Full, "no room"));
        }
        self.last += 1;
        self.messages.insert(self.last, (subject.to_owned(), put.payload));
        self.positions.entry(subject.to_owned()).or_default().insert(self.last);
        if let Some(name) = put.name {
            self.names.insert(name, (self.last, Instant::now()));
        }
        Ok(self.last)
    }

    pub(super) fn length(&self) -> usize {
        self.messages.len()
    }

    /// Returns the size of its messages.
    pub(super) fn bytes(&self) -> u64 {
        let sizes = self.messages.values().map(|(subject, payload)| subject.len() + payload.len());
        sizes.sum::<usize>() as u64
    }

    pub(super) fn at(&self, position: u64) -> Option<Stored> {
        let (subject, payload) = self.messages.get(&position)?;
        Some(Stored { position, subject: subject.clone(), payload: payload.clone() })
    }

    pub(super) fn last_of(&self, subject: &str) -> Option<Stored> {
        self.at(*self.positions.get(subject)?.last()?)
    }

    pub(super) fn next_of(&self, subject: &str, from: u64) -> Option<Stored> {
        let found = match self.positions.get(subject) {
            Some(own) => own.range(from..).next(),
            None if subject.contains('*') => {
                let mut after = self.messages.range(from..);
                after.find(|(_, (own, _))| matches(subject, own)).map(|(position, _)| position)
            }
            None => None,
        };
        self.at(*found?)
    }

    /// Returns the first message at or after a position whose subject begins so.
    pub(super) fn next_below(&self, beginning: &str, from: u64) -> Option<Stored> {
        let mut after = self.messages.range(from..);
        let found = after.find(|(_, (subject, _))| subject.starts_with(beginning));
        found.and_then(|(position, _)| self.at(*position))
    }

    pub(super) fn remove(&mut self, position: u64) {
        if let Some((subject, _)) = self.messages.remove(&position)
            && let Some(own) = self.positions.get_mut(&subject)
        {
            own.remove(&position);
            if own.is_empty() {
                self.positions.remove(&subject);
            }
        }
    }

    /// Returns the subjects that match, each with the number of its messages, in order.
    pub(super) fn subjects(&self, matching: &str) -> Vec<(String, usize)> {
        let found = self.positions.iter().filter(|(subject, _)| matches(matching, subject));
        found.map(|(subject, own)| (subject.clone(), own.len())).collect()
    }

    pub(super) fn make_consumer(&mut self, new: NewConsumer) {
        let NewConsumer { name, subject, ack_wait, .. } = new;
        let (under_way, again) = Default::default();
        let lane = Lane { subject, ack_wait, next: 1, under_way, again };
        self.consumers.entry(name).or_insert(lane);
    }

    pub(super) fn has_consumer(&self, name: &str) -> bool {
        self.consumers.contains_key(name)
    }

    pub(super) fn delete_consumer(&mut self, name: &str) {
        self.consumers.remove(name);
    }

    /// Makes the consumers take all jobs of the queue to have ended.
    pub(super) fn forget_jobs(&mut self) {
        for lane in self.consumers.values_mut() {
            lane.next = self.last + 1;
            lane.under_way.clear();
            lane.again.clear();
        }
    }

    pub(super) fn has_jobs(&self, consumer: &str) -> bool {
        self.consumers.get(consumer).is_some_and(|lane| {
            !lane.under_way.is_empty()
                || !lane.again.is_empty()
                || self.next_of(&lane.subject, lane.next).is_some()
        })
    }

    pub(super) fn fetch(&mut self, consumer: &str) -> Result<Option<Job>, EngineError> {
        let Some(mut lane) = self.consumers.remove(consumer) else {
            return Err(EngineError::other("consumer not found"));
        };
        let now = Instant::now();
        let (due, under_way) = lane.under_way.into_iter().partition(|(_, at)| *at <= now);
        lane.under_way = under_way;
        lane.again.extend(BTreeMap::into_keys(due));
        lane.again.retain(|position| self.messages.contains_key(position));
        let position = lane.again.pop_first().or_else(|| {
            let next = self.next_of(&lane.subject, lane.next)?.position;
            lane.next = next + 1;
            Some(next)
        });
        let job = position.and_then(|position| self.at(position)).map(|found| {
            lane.under_way.insert(found.position, now + lane.ack_wait);
            Job {
                position: found.position,
                payload: found.payload,
                reply: Some(format!("{ACKNOWLEDGEMENTS} {consumer} {}", found.position)),
            }
        });
        self.consumers.insert(consumer.to_owned(), lane);
        Ok(job)
    }

    /// Does what a worker says of a job. As in the real engine, it does not matter which worker
    /// says it.
    pub(super) fn acknowledge(&mut self, reply: &str, word: Word) -> Result<(), EngineError> {
        let mut words = reply.split(' ').skip(1);
        let (consumer, position) = (words.next().unwrap_or_default(), words.next());
        let position = position.and_then(|position| position.parse().ok()).unwrap_or(0);
        let Some(lane) = self.consumers.get_mut(consumer) else {
            return Err(refused(Why::Nobody, "no responders"));
        };
        let is_under_way = lane.under_way.contains_key(&position);
        match word {
            Word::Progress if is_under_way => {
                lane.under_way.insert(position, Instant::now() + lane.ack_wait);
            }
            Word::HandBack if is_under_way => {
                lane.under_way.remove(&position);
                lane.again.insert(position);
            }
            Word::Done if is_under_way || lane.again.contains(&position) => {
                lane.under_way.remove(&position);
                lane.again.remove(&position);
                self.remove(position);
            }
            _ => {}
        }
        Ok(())
    }
}

fn refused(why: Why, text: &str) -> EngineError {
    EngineError { why, ..EngineError::other(text) }
}

/// Whether a subject matches a pattern, in which `*` stands for any word.
fn matches(pattern: &str, subject: &str) -> bool {
    let (mut wanted, mut found) = (pattern.split('.'), subject.split('.'));
    loop {
        match (wanted.next(), found.next()) {
            (None, None) => return true,
            (Some(wanted), Some(found)) if wanted == "*" || wanted == found => {}
            _ => return false,
        }
    }
}
