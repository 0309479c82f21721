//! The streams of the engine, and their limits.

use super::engine::EngineError;
use super::limits::{
    DUPLICATE_WINDOW, LogLimits, MAX_JOB_AGE, MAX_JOB_BYTES, MAX_JOBS, MAX_JOBS_PER_CALLER,
    MAX_LOG_BYTES, RETENTION,
};
use crate::names::{BLOBS, EVERY_JOB, EVERY_PIECE, JOBS, LOG_SUBJECTS, LOGS};
use async_nats::Client;
use async_nats::jetstream::Context;
use async_nats::jetstream::stream::{Config, DiscardPolicy, RetentionPolicy, StorageType};

/// Makes the streams that are missing, and corrects the limits of the others.
pub(super) async fn make(
    client: &Client,
    context: &Context,
    limits: LogLimits,
) -> Result<(), EngineError> {
    // A cluster has three servers.
    let num_replicas = if client.server_info().cluster.is_some() { 3 } else { 1 };
    let common = Config { storage: StorageType::File, num_replicas, ..Config::default() };
    let logs = Config {
        name: LOGS.into(),
        subjects: LOG_SUBJECTS.map(String::from).into(),
        max_age: limits.age.unwrap_or(RETENTION),
        max_bytes: limits.max_bytes().unwrap_or(MAX_LOG_BYTES),
        // The oldest messages may be those of a live run, so gateways remove ended runs instead.
        discard: DiscardPolicy::New,
        duplicate_window: DUPLICATE_WINDOW,
        allow_direct: true,
        ..common.clone()
    };
    let jobs = Config {
        name: JOBS.into(),
        subjects: vec![EVERY_JOB.into()],
        retention: RetentionPolicy::WorkQueue,
        discard: DiscardPolicy::New,
        discard_new_per_subject: true,
        max_messages_per_subject: MAX_JOBS_PER_CALLER.into(),
        max_messages: MAX_JOBS,
        max_bytes: MAX_JOB_BYTES,
        max_age: MAX_JOB_AGE,
        duplicate_window: DUPLICATE_WINDOW,
        ..common.clone()
    };
    // A piece is written once.
    let blobs = Config {
        name: BLOBS.into(),
        subjects: vec![EVERY_PIECE.into()],
        discard: DiscardPolicy::New,
        discard_new_per_subject: true,
        max_messages_per_subject: 1,
        max_age: limits.age.unwrap_or(RETENTION),
        ..common
    };
    for stream in [logs, jobs, blobs] {
        let made = context.get_or_create_stream(stream).await;
        let made = made.map_err(EngineError::other)?;
        let found = &made.cached_info().config;
        let wanted = corrected(found.clone(), limits);
        if wanted != *found {
            context.update_stream(wanted).await.map_err(EngineError::other)?;
        }
    }
    Ok(())
}

/// Corrects the limits of a stream that another gateway made. One of 0.2 made room for fewer jobs
/// of a caller, and let the engine remove the oldest messages of full logs. The other limits may be
/// the operator's.
fn corrected(mut found: Config, limits: LogLimits) -> Config {
    match found.name.as_str() {
        JOBS => {
            let most = found.max_messages_per_subject;
            found.max_messages_per_subject = most.max(MAX_JOBS_PER_CALLER.into());
        }
        LOGS => {
            found.discard = DiscardPolicy::New;
            found.max_bytes = limits.max_bytes().unwrap_or(found.max_bytes);
            found.max_age = limits.age.unwrap_or(found.max_age);
        }
        _ => found.max_age = limits.age.unwrap_or(found.max_age),
    }
    found
}
