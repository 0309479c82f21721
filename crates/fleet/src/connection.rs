//! Connection to the engine (NATS `JetStream`), and the streams that must exist there.

pub(crate) mod engine;
pub(crate) mod limits;
mod nats;
mod outage;
mod refusal;
#[cfg(feature = "simulated")]
pub mod simulated;
mod streams;
mod waiting;

pub use waiting::wait_for_engine;

use crate::error::FleetError;
use crate::messages::Order;
use crate::names::{self, BLOBS, JOBS, LOGS};
use async_nats::jetstream::{self, Context};
use async_nats::{Client, ConnectOptions};
use bytes::Bytes;
use engine::{Engine, EngineError, StreamName};
use limits::LogLimits;
use nats::Nats;
use outage::Outage;
use prost::Message;
use refusal::Complaint;
use std::fmt::Display;
use std::future::ready;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use streams::make;

/// Maximum wait for an answer of the engine.
pub(crate) const ANSWER_TIMEOUT: Duration = Duration::from_secs(2);
/// Interval between pings on an idle connection.
const PING_INTERVAL: Duration = Duration::from_secs(2);
/// Longest pause between two attempts to reconnect.
const MAX_RECONNECT_PAUSE: Duration = Duration::from_secs(2);
const GATEWAY: Role =
    Role { inbox: "_INBOX.gateway", joining: "join as a gateway with this key (--fleet-nkey)" };
const WORKER: Role =
    Role { inbox: "_INBOX.worker", joining: "join as a worker with this key (--fleet-nkey)" };
const VIEWER: Role =
    Role { inbox: "_INBOX.viewer", joining: "join as a viewer with this key (--fleet-nkey)" };

/// A role in which a process joins the fleet.
struct Role {
    /// Prefix of the subjects on which the process receives answers. It must match
    /// `packaging/nats/roles.conf`: an answer can contain a job, so the engine restricts each role
    /// to its own prefix.
    inbox: &'static str,
    /// The action that fails if the key is one of another role.
    joining: &'static str,
}

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
    pub(crate) engine: Arc<dyn Engine>,
    /// The entry of the logs that was followed last, and its position.
    pub(crate) seen: Arc<Mutex<Option<(u64, Bytes)>>>,
    broken: Arc<AtomicU64>,
}

impl Fleet {
    /// Connects as a gateway, and creates the missing streams. `url` can name several servers of a
    /// cluster, separated by commas.
    pub async fn prepare(
        url: &str,
        credentials: &Credentials,
        limits: LogLimits,
    ) -> Result<Self, FleetError> {
        let (client, context, complaint) = open(url, credentials, &GATEWAY).await?;
        let doing = "make the streams (by default, they need 10 GiB of the server's file store)";
        let made = make(&client, &context, limits).await.map_err(FleetError::when(doing));
        made.map_err(|error| complaint.explain(GATEWAY.joining, error))?;
        Self::found(client, context, limits).await
    }

    /// Connects as a worker, to streams that a gateway has created. `url` is as in
    /// [`prepare`](Self::prepare).
    pub async fn join(url: &str, credentials: &Credentials) -> Result<Self, FleetError> {
        Self::attend(url, credentials, &WORKER).await
    }

    /// Connects as a viewer to the streams that a gateway has created. A viewer sees the workers
    /// and the lengths of the queues, but can neither read a log nor take a job.
    pub async fn view(url: &str, credentials: &Credentials) -> Result<Self, FleetError> {
        Self::attend(url, credentials, &VIEWER).await
    }

    /// Connects as an operator to the streams that a gateway has created. The key is one of a
    /// gateway, because a viewer must not give orders.
    pub async fn operate(url: &str, credentials: &Credentials) -> Result<Self, FleetError> {
        Self::attend(url, credentials, &GATEWAY).await
    }

    /// Sends an order to the workers that are there.
    pub async fn order(&self, order: &Order) -> Result<(), FleetError> {
        let doing = "send an order to the workers";
        let sent = self.engine.publish(names::orders(), order.encode_to_vec().into()).await;
        sent.map_err(FleetError::when(doing))?;
        self.engine.flush().await.map_err(FleetError::when(doing))
    }

    async fn attend(url: &str, credentials: &Credentials, role: &Role) -> Result<Self, FleetError> {
        let (client, context, complaint) = open(url, credentials, role).await?;
        let found = Self::found(client, context, LogLimits::default()).await;
        found.map_err(|error| complaint.explain(role.joining, error))
    }

    fn over(engine: impl Engine + 'static) -> Self {
        Self { engine: Arc::new(engine), seen: Arc::default(), broken: Arc::default() }
    }

    async fn found(
        client: Client,
        context: Context,
        limits: LogLimits,
    ) -> Result<Self, FleetError> {
        let missing = "find the streams (a gateway creates them)";
        let (logs, jobs, blobs) = tokio::try_join!(
            async { context.get_stream(LOGS).await.map_err(FleetError::when(missing)) },
            async { context.get_stream(JOBS).await.map_err(FleetError::when(missing)) },
            async { context.get_stream(BLOBS).await.map_err(FleetError::when(missing)) },
        )?;
        Ok(Self::over(Nats { client, context, limits, logs, jobs, blobs }))
    }

    /// Returns the identity of the streams, and the position of the last message of the logs.
    pub async fn logs_state(&self) -> Result<(i64, u64), FleetError> {
        self.identity().await.map_err(FleetError::when("look at the streams"))
    }

    /// Combines the times at which the streams were made, and returns the position of the last
    /// message of the logs.
    pub(crate) async fn identity(&self) -> Result<(i64, u64), EngineError> {
        let logs = self.engine.state(StreamName::Logs).await?;
        let mut identity = logs.created;
        for name in [StreamName::Jobs, StreamName::Blobs] {
            identity = identity.rotate_left(7) ^ self.engine.state(name).await?.created;
        }
        Ok((identity, logs.last))
    }

    /// Notes that a message was skipped because it cannot be read. Another attempt would not help.
    pub(crate) fn skip_broken(&self, what: &'static str, position: u64, error: &dyn Display) {
        self.broken.fetch_add(1, Ordering::Relaxed);
        tracing::error!(target: "Profiler", position, %error, "skipped a broken message: {what}");
    }

    /// Returns the number of messages that this process skipped because they cannot be read.
    pub fn broken_messages(&self) -> u64 {
        self.broken.load(Ordering::Relaxed)
    }

    /// Whether this process is connected to the engine now.
    pub fn is_connected(&self) -> bool {
        self.engine.is_connected()
    }
}

async fn open(
    url: &str,
    credentials: &Credentials,
    role: &Role,
) -> Result<(Client, Context, Complaint), FleetError> {
    let complaint = Complaint::default();
    let (hearing, outage) = (complaint.clone(), Outage::default());
    let mut options = ConnectOptions::new()
        .custom_inbox_prefix(role.inbox)
        .event_callback(move |event| {
            hearing.hear(&event);
            outage.hear(&event);
            ready(())
        })
        .ping_interval(PING_INTERVAL)
        .request_timeout(Some(ANSWER_TIMEOUT))
        .reconnect_delay_callback(|attempts| {
            let pause = Duration::from_millis(50) * u32::try_from(attempts.min(64)).unwrap_or(64);
            pause.min(MAX_RECONNECT_PAUSE)
        });
    if let Some(file) = &credentials.nkey {
        let seed = tokio::fs::read_to_string(file).await;
        let read = |error: io::Error| FleetError::for_good("read --fleet-nkey", error.to_string());
        let seed = seed.map_err(read)?;
        options = options.nkey(seed.trim().to_owned());
    }
    if let Some(file) = &credentials.ca {
        options = options.add_root_certificates(file.clone()).require_tls(true);
    }
    // The client connects to any of several servers.
    let servers: Vec<&str> = url.split(',').map(str::trim).collect();
    let connected = options.connect(servers).await;
    let client = connected.map_err(|error| refusal::of_connecting(&error))?;
    let context = jetstream::ContextBuilder::new().timeout(ANSWER_TIMEOUT).build(client.clone());
    Ok((client, context, complaint))
}
