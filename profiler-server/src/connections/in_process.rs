//! Connections from within this process, for callers that are identified already.

use super::Connection;
use crate::identity::{Caller, Peer};
use futures::{Stream, stream};
use std::io;
use tokio::io::{DuplexStream, duplex};
use tokio::sync::mpsc;
use tokio::time::Instant;

/// Maximum number of connections that wait to be served.
const MAX_WAITING: usize = 64;
/// Maximum number of unread bytes in one direction of a connection: about the default window of
/// HTTP/2.
const BUFFER_BYTES: usize = 64 << 10;

/// Opens connections to the service of this process.
#[derive(Debug, Clone)]
pub struct InProcess(mpsc::Sender<Connection>);

/// Connections that an [`InProcess`] has opened, for [`serve`](crate::serve).
#[derive(Debug)]
pub struct Opened(mpsc::Receiver<Connection>);

impl Opened {
    /// Yields the connections for as long as an [`InProcess`] can open one.
    pub(crate) fn connections(mut self) -> impl Stream<Item = Connection> + Send {
        stream::poll_fn(move |context| self.0.poll_recv(context))
    }
}

impl InProcess {
    /// Makes an opener, and the receiver of its connections.
    pub fn new() -> (Self, Opened) {
        let (sender, receiver) = mpsc::channel(MAX_WAITING);
        (Self(sender), Opened(receiver))
    }

    /// Opens a connection for calls of `caller`, whose own connection comes from `peer`.
    ///
    /// # Errors
    /// If the service has ended.
    pub async fn open(&self, peer: Peer, caller: Caller) -> io::Result<DuplexStream> {
        let (ours, theirs) = duplex(BUFFER_BYTES);
        let connection = Connection::new(theirs, peer.known_as(caller), Instant::now());
        let sent = self.0.send(connection).await;
        sent.map_err(|_| io::Error::from(io::ErrorKind::ConnectionRefused))?;
        Ok(ours)
    }
}
