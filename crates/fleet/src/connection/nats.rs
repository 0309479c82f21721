//! The engine: NATS `JetStream`.

use super::engine::{
    Answer, Consumer, Engine, EngineError, Heard, Job, Listening, LogReader, NewConsumer, Put,
    Stored, StreamName, StreamState, Why, Word,
};
use super::limits::LogLimits;
use super::streams::make;
use crate::names::EVERY_LOG;
use async_nats::client::RequestErrorKind;
use async_nats::jetstream::consumer::pull::{self, Ordered, OrderedConfig};
use async_nats::jetstream::consumer::{DeliverPolicy, PullConsumer};
use async_nats::jetstream::context::{ConsumerInfoErrorKind, PublishError, PublishErrorKind};
use async_nats::jetstream::message::{PublishMessage, StreamMessage};
use async_nats::jetstream::stream::{
    DeleteMessageErrorKind, RawMessageError, RawMessageErrorKind, Stream,
};
use async_nats::jetstream::{self, AckKind, Context, ErrorCode};
use async_nats::{Client, Subscriber};
use bytes::Bytes;
use futures::future::BoxFuture;
use futures::{FutureExt, StreamExt};
use std::error::Error;
use std::pin::Pin;
use std::task::{self, Poll};
use std::time::{Duration, UNIX_EPOCH};

/// Text of the refusal to remove a message that is gone.
const GONE: &str = "no message found";

/// A connection, and the streams as they were when it was made.
pub(super) struct Nats {
    pub(super) client: Client,
    pub(super) context: Context,
    pub(super) limits: LogLimits,
    pub(super) logs: Stream,
    pub(super) jobs: Stream,
    pub(super) blobs: Stream,
}

impl Nats {
    fn stream(&self, name: StreamName) -> &Stream {
        match name {
            StreamName::Logs => &self.logs,
            StreamName::Jobs => &self.jobs,
            StreamName::Blobs => &self.blobs,
        }
    }
}

impl Engine for Nats {
    fn is_connected(&self) -> bool {
        self.client.connection_state() == async_nats::connection::State::Connected
    }

    fn publish(&self, subject: String, payload: Bytes) -> Answer<'_, ()> {
        self.client.publish(subject, payload).map(|sent| sent.map_err(EngineError::other)).boxed()
    }

    fn flush(&self) -> Answer<'_, ()> {
        self.client.flush().map(|flushed| flushed.map_err(EngineError::other)).boxed()
    }

    fn request(&self, subject: String, payload: Bytes) -> Answer<'_, ()> {
        let answered = self.client.request(subject, payload);
        let told = answered.map(|answer| match answer {
            Ok(_) => Ok(()),
            Err(error) if error.kind() == RequestErrorKind::NoResponders => {
                Err(EngineError { why: Why::Nobody, ..EngineError::other(error) })
            }
            Err(error) => Err(EngineError::other(error)),
        });
        told.boxed()
    }

    fn listen(&self, subject: String, group: Option<&str>) -> Answer<'_, Box<dyn Listening>> {
        let group = group.map(String::from);
        async move {
            let listening = match group {
                Some(group) => self.client.queue_subscribe(subject, group).await,
                None => self.client.subscribe(subject).await,
            };
            let listening = listening.map_err(EngineError::other)?;
            Ok(Box::new(Subscription(listening)) as Box<dyn Listening>)
        }
        .boxed()
    }

    fn store(&self, subject: String, put: Put) -> Answer<'_, u64> {
        let mut message = PublishMessage::build().payload(put.payload);
        if let Some(name) = put.name {
            message = message.message_id(name);
        }
        if let Some(after) = put.after {
            message = message.expected_last_subject_sequence(after);
        }
        async move {
            let sent = self.context.send_publish(subject, message).await.map_err(refused)?;
            Ok(sent.await.map_err(refused)?.sequence)
        }
        .boxed()
    }

    fn last<'a>(&'a self, of: StreamName, subject: &'a str) -> Answer<'a, Option<Stored>> {
        self.stream(of).get_last_raw_message_by_subject(subject).map(found).boxed()
    }

    fn next<'a>(
        &'a self,
        of: StreamName,
        subject: &'a str,
        from: u64,
    ) -> Answer<'a, Option<Stored>> {
        let next = self.stream(of).raw_message_builder().sequence(from);
        async move { found(next.next_by_subject(subject).send().await) }.boxed()
    }

    fn at(&self, of: StreamName, position: u64) -> Answer<'_, Option<Stored>> {
        self.stream(of).get_raw_message(position).map(found).boxed()
    }

    fn remove(&self, from: StreamName, position: u64) -> Answer<'_, ()> {
        let removed = self.stream(from).delete_message(position);
        let removed = removed.map(|removed| match removed {
            Ok(_) => Ok(()),
            Err(error) => match error.kind() {
                DeleteMessageErrorKind::JetStream(cause) if is_gone(&cause) => Ok(()),
                _ => Err(EngineError::other(error)),
            },
        });
        removed.boxed()
    }

    fn state(&self, of: StreamName) -> Answer<'_, StreamState> {
        async move {
            let info = self.stream(of).get_info().await.map_err(|error| {
                let is_absent = code(&error) == Some(ErrorCode::STREAM_NOT_FOUND);
                let why = if is_absent { Why::Absent } else { Why::Other };
                EngineError { why, ..EngineError::other(error) }
            })?;
            let first = u64::try_from(info.state.first_timestamp.unix_timestamp()).ok();
            let oldest = first.filter(|_| info.state.messages > 0);
            let oldest = oldest.map(|at| UNIX_EPOCH + Duration::from_secs(at));
            let created = i64::try_from(info.created.unix_timestamp_nanos()).unwrap_or(i64::MAX);
            let limit = u64::try_from(info.config.max_bytes).ok().filter(|limit| *limit > 0);
            let (last, bytes) = (info.state.last_sequence, info.state.bytes);
            Ok(StreamState { created, last, bytes, limit, oldest })
        }
        .boxed()
    }

    fn make_streams(&self) -> Answer<'_, ()> {
        make(&self.client, &self.context, self.limits).boxed()
    }

    fn subjects(&self, matching: String) -> Answer<'_, Vec<(String, usize)>> {
        async move {
            let subjects = self.jobs.info_with_subjects(matching).await;
            let mut subjects = subjects.map_err(EngineError::other)?;
            let mut found = Vec::new();
            while let Some(subject) = subjects.next().await {
                found.push(subject.map_err(EngineError::other)?);
            }
            Ok(found)
        }
        .boxed()
    }

    fn read_logs(&self, after: u64, silence: Duration) -> Answer<'_, Box<dyn LogReader>> {
        let config = OrderedConfig {
            filter_subject: EVERY_LOG.into(),
            deliver_policy: DeliverPolicy::ByStartSequence { start_sequence: after + 1 },
            max_expires: silence,
            ..OrderedConfig::default()
        };
        async move {
            let consumer = self.logs.create_consumer(config).await.map_err(EngineError::other)?;
            let reader = consumer.clone();
            let messages = consumer.messages().await.map_err(EngineError::other)?;
            Ok(Box::new(Reader { reader, messages }) as Box<dyn LogReader>)
        }
        .boxed()
    }

    fn make_consumer(&self, new: NewConsumer) -> Answer<'_, ()> {
        let config = pull::Config {
            durable_name: Some(new.name),
            filter_subject: new.subject,
            ack_wait: new.ack_wait,
            max_ack_pending: -1,
            inactive_threshold: new.idle,
            ..pull::Config::default()
        };
        async move {
            let made = self.jobs.create_consumer(config).await;
            made.map(drop).map_err(EngineError::other)
        }
        .boxed()
    }

    fn consumer<'a>(&'a self, name: &'a str) -> Answer<'a, Box<dyn Consumer>> {
        async move {
            let found = self.jobs.get_consumer::<pull::Config>(name).await;
            let found = found.map_err(EngineError::other)?;
            Ok(Box::new(found) as Box<dyn Consumer>)
        }
        .boxed()
    }

    fn has_jobs<'a>(&'a self, consumer: &'a str) -> Answer<'a, bool> {
        let found = self.jobs.consumer_info(consumer);
        let has_jobs = found.map(|found| match found {
            Ok(found) => Ok(found.num_pending > 0 || found.num_ack_pending > 0),
            Err(error) if error.kind() == ConsumerInfoErrorKind::NotFound => Ok(false),
            Err(error) => Err(EngineError::other(error)),
        });
        has_jobs.boxed()
    }

    fn delete_consumer<'a>(&'a self, name: &'a str) -> Answer<'a, ()> {
        let deleted = self.jobs.delete_consumer(name);
        deleted.map(|deleted| deleted.map(drop).map_err(EngineError::other)).boxed()
    }

    fn acknowledge(&self, reply: String, word: Word) -> Answer<'_, ()> {
        let word = match word {
            Word::Progress => AckKind::Progress,
            Word::Done => AckKind::Ack,
            Word::HandBack => AckKind::Nak(None),
        };
        let told = self.client.request(reply, word.into());
        told.map(|told| told.map(drop).map_err(EngineError::other)).boxed()
    }
}

struct Subscription(Subscriber);

impl futures::Stream for Subscription {
    type Item = Heard;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut task::Context<'_>) -> Poll<Option<Heard>> {
        let heard = |message: async_nats::Message| Heard {
            payload: message.payload,
            reply: message.reply.map(|reply| reply.to_string()),
        };
        self.0.poll_next_unpin(cx).map(|message| message.map(heard))
    }
}

impl Listening for Subscription {
    fn drain(&mut self) -> Answer<'_, ()> {
        async move { self.0.drain().await.map_err(EngineError::other) }.boxed()
    }
}

struct Reader {
    reader: jetstream::consumer::Consumer<OrderedConfig>,
    messages: Ordered,
}

impl LogReader for Reader {
    fn next(&mut self) -> BoxFuture<'_, Option<Result<Stored, EngineError>>> {
        let read = self.messages.next().map(|message| {
            let message = message?.map_err(EngineError::other);
            Some(message.and_then(|message| {
                let position = message.info().map_err(EngineError::other)?.stream_sequence;
                let subject = message.subject.to_string();
                Ok(Stored { position, subject, payload: message.payload.clone() })
            }))
        });
        read.boxed()
    }

    fn check(&mut self) -> Answer<'_, ()> {
        let found = self.reader.info();
        found.map(|found| found.map(drop).map_err(EngineError::other)).boxed()
    }
}

impl Consumer for PullConsumer {
    fn fetch(&self) -> Answer<'_, Option<Job>> {
        async move {
            let fetched = PullConsumer::fetch(self).max_messages(1).messages().await;
            let mut fetched = fetched.map_err(EngineError::other)?;
            let Some(message) = fetched.next().await else { return Ok(None) };
            let message = message.map_err(EngineError::other)?;
            Ok(Some(Job {
                position: message.info().map_or(0, |info| info.stream_sequence),
                payload: message.payload.clone(),
                reply: message.reply.as_ref().map(ToString::to_string),
            }))
        }
        .boxed()
    }
}

/// Whether a message could not be removed because it is gone. NATS has a code for this, but answers
/// with that of any failure, and the text of the other one.
fn is_gone(refusal: &jetstream::Error) -> bool {
    match refusal.error_code() {
        ErrorCode::NO_MESSAGE_FOUND | ErrorCode::SEQUENCE_NOT_FOUND => true,
        ErrorCode::STREAM_MESSAGE_DELETE_FAILED => refusal.to_string().contains(GONE),
        _ => false,
    }
}

/// Returns the code of the engine's answer that caused an error.
fn code(error: &dyn Error) -> Option<ErrorCode> {
    Some(error.source()?.downcast_ref::<jetstream::Error>()?.error_code())
}

/// Tells the kinds of refusals apart.
fn refused(error: PublishError) -> EngineError {
    let why = match error.kind() {
        PublishErrorKind::WrongLastSequence => Why::Overtaken,
        PublishErrorKind::Other if code(&error) == Some(ErrorCode::STREAM_STORE_FAILED) => {
            Why::Full
        }
        _ => Why::Other,
    };
    EngineError { why, ..EngineError::other(error) }
}

fn found(read: Result<StreamMessage, RawMessageError>) -> Result<Option<Stored>, EngineError> {
    match read {
        Ok(found) => Ok(Some(Stored {
            position: found.sequence,
            subject: found.subject.to_string(),
            payload: found.payload,
        })),
        Err(error) if error.kind() == RawMessageErrorKind::NoMessageFound => Ok(None),
        Err(error) => Err(EngineError::other(error)),
    }
}
