//! Connection to the engine (NATS `JetStream`), and the streams that must exist there.

use crate::error::FleetError;
use crate::names::{BLOBS, EVERY_JOB, EVERY_PIECE, JOBS, LOG_SUBJECTS, LOGS};
use async_nats::jetstream::context::PublishError;
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::publish::PublishAck;
use async_nats::jetstream::stream::{Config, DiscardPolicy, RetentionPolicy, StorageType, Stream};
use async_nats::jetstream::{self, Context};
use async_nats::{Client, ConnectOptions};
use std::path::PathBuf;
use std::time::Duration;

/// Maximum wait for an answer of the engine.
pub(crate) const ANSWER_TIMEOUT: Duration = Duration::from_secs(2);
/// Interval between pings on an idle connection.
const PING_INTERVAL: Duration = Duration::from_secs(2);
/// Longest pause between two attempts to reconnect.
const MAX_RECONNECT_PAUSE: Duration = Duration::from_secs(2);
/// Retention period of logs, claims and large bytes.
const RETENTION: Duration = Duration::from_secs(7 * 24 * 60 * 60);
/// Maximum time that a job stays in the queue. The gateways end its run before that.
const MAX_JOB_AGE: Duration = Duration::from_secs(25 * 60 * 60);
/// Period within which the engine stores a message only once, even if it is sent again.
const DUPLICATE_WINDOW: Duration = Duration::from_secs(2 * 60);
/// Maximum number of jobs of one caller in one pool, including those being measured.
const MAX_JOBS_PER_CALLER: i64 = 2048;
/// Maximum number of jobs of all callers and pools together.
const MAX_JOBS: i64 = 10_000;
/// Maximum size of all jobs together, in bytes. Large jobs are split, and only their first part
/// counts.
const MAX_JOB_BYTES: i64 = 512 << 20;
/// Maximum total size of all logs, in bytes.
const MAX_LOG_BYTES: i64 = 8 << 30;

// Prefixes of the subjects on which a process receives answers. They must match
// `packaging/nats/roles.conf`: an answer can contain a job, so the engine restricts each role to
// its own prefix.
const GATEWAY_INBOX: &str = "_INBOX.gateway";
const WORKER_INBOX: &str = "_INBOX.worker";
const VIEWER_INBOX: &str = "_INBOX.viewer";

/// Files by which this process and the engine identify themselves to each other.
#[derive(Debug, Clone, Default)]
pub struct Credentials {
    /// File with the seed of this process's nkey (a NATS key pair).
    pub nkey: Option<PathBuf>,
    /// File with the certificate, in PEM, of the authority that signed the engine's certificate.
    pub ca: Option<PathBuf>,
}

/// A connection to the engine. Clones share it.
#[derive(Clone)]
pub struct Fleet {
    pub(crate) client: Client,
    pub(crate) context: Context,
    pub(crate) logs: Stream,
    pub(crate) jobs: Stream,
    pub(crate) blobs: Stream,
}

impl Fleet {
    /// Connects as a gateway, and creates the missing streams. `url` can name several servers of a
    /// cluster, separated by commas.
    pub async fn prepare(url: &str, credentials: &Credentials) -> Result<Self, FleetError> {
        let (client, context) = open(url, credentials, GATEWAY_INBOX).await?;
        // A cluster has three servers.
        let replicas = if client.server_info().cluster.is_some() { 3 } else { 1 };
        make(&context, replicas).await?;
        Self::found(client, context).await
    }

    /// Connects as a worker, to streams that a gateway has created. `url` is as in
    /// [`prepare`](Self::prepare).
    pub async fn join(url: &str, credentials: &Credentials) -> Result<Self, FleetError> {
        let (client, context) = open(url, credentials, WORKER_INBOX).await?;
        Self::found(client, context).await
    }

    /// Connects as a viewer to the streams that a gateway has created. A viewer sees the workers
    /// and the lengths of the queues, but can neither read a log nor take a job.
    pub async fn view(url: &str, credentials: &Credentials) -> Result<Self, FleetError> {
        let (client, context) = open(url, credentials, VIEWER_INBOX).await?;
        Self::found(client, context).await
    }

    async fn found(client: Client, context: Context) -> Result<Self, FleetError> {
        let missing = "find the streams (start a gateway first)";
        let (logs, jobs, blobs) = tokio::try_join!(
            async { context.get_stream(LOGS).await.map_err(FleetError::when(missing)) },
            async { context.get_stream(JOBS).await.map_err(FleetError::when(missing)) },
            async { context.get_stream(BLOBS).await.map_err(FleetError::when(missing)) },
        )?;
        Ok(Self { client, context, logs, jobs, blobs })
    }

    /// Publishes a message to a stream, and returns once it is stored.
    pub(crate) async fn store(
        &self,
        subject: String,
        message: PublishMessage,
    ) -> Result<PublishAck, PublishError> {
        self.context.send_publish(subject, message).await?.await
    }

    /// Whether this process is connected to the engine now.
    pub fn is_connected(&self) -> bool {
        self.client.connection_state() == async_nats::connection::State::Connected
    }
}

async fn open(
    url: &str,
    credentials: &Credentials,
    inbox: &str,
) -> Result<(Client, Context), FleetError> {
    let mut options = ConnectOptions::new()
        .custom_inbox_prefix(inbox)
        .ping_interval(PING_INTERVAL)
        .request_timeout(Some(ANSWER_TIMEOUT))
        .reconnect_delay_callback(|attempts| {
            let pause = Duration::from_millis(50) * u32::try_from(attempts.min(64)).unwrap_or(64);
            pause.min(MAX_RECONNECT_PAUSE)
        });
    if let Some(file) = &credentials.nkey {
        let seed = tokio::fs::read_to_string(file).await;
        let seed = seed.map_err(FleetError::when("read the nkey"))?;
        options = options.nkey(seed.trim().to_owned());
    }
    if let Some(file) = &credentials.ca {
        options = options.add_root_certificates(file.clone()).require_tls(true);
    }
    // The client connects to any of several servers.
    let servers: Vec<&str> = url.split(',').map(str::trim).collect();
    let client =
        options.connect(servers).await.map_err(FleetError::when("connect to the engine"))?;
    let context = jetstream::ContextBuilder::new().timeout(ANSWER_TIMEOUT).build(client.clone());
    Ok((client, context))
}

async fn make(context: &Context, num_replicas: usize) -> Result<(), FleetError> {
    let common = Config { storage: StorageType::File, num_replicas, ..Config::default() };
    let logs = Config {
        name: LOGS.into(),
        subjects: LOG_SUBJECTS.map(String::from).into(),
        max_age: RETENTION,
        max_bytes: MAX_LOG_BYTES,
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
        max_messages_per_subject: MAX_JOBS_PER_CALLER,
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
        max_age: RETENTION,
        ..common
    };
    let doing = "make the streams (they need 8.5 GiB of the server's file store)";
    for stream in [logs, jobs, blobs] {
        let made = context.get_or_create_stream(stream).await;
        let made = made.map_err(FleetError::when(doing))?;
        let mut config = made.cached_info().config.clone();
        // A gateway of 0.2 made a stream with room for fewer jobs of a caller. Its other limits
        // may be the operator's.
        if config.name == JOBS && config.max_messages_per_subject < MAX_JOBS_PER_CALLER {
            config.max_messages_per_subject = MAX_JOBS_PER_CALLER;
            context.update_stream(config).await.map_err(FleetError::when(doing))?;
        }
    }
    Ok(())
}
