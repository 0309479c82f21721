//! Bounds on the cost of connections that have sent nothing: silent connections are closed, and a
//! process without free file descriptors waits instead of spinning.

pub(crate) mod in_process;
pub(crate) mod incoming;
pub(crate) mod listener;

use crate::identity::Peer;
use crate::telemetry::logging;
use futures::{Stream, stream};
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use std::future::poll_fn;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep, sleep_until};
use tonic::transport::server::Connected;

pub(crate) trait Io: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Io for T {}

/// A connection is closed if it has not sent the preface of HTTP/2 after this time.
const PREFACE_LIMIT: Duration = Duration::from_secs(10);
/// Length of the preface of HTTP/2 (RFC 9113, section 3.4).
const PREFACE_BYTES: usize = 24;
/// Pause of the server after it could not accept a connection. The usual reason is that no file
/// descriptor is free, and then trying again at once would keep a core busy.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Raises the soft limit of open files to the hard limit. Logs a failure.
pub(crate) fn raise_file_limit() {
    let limit = Resource::RLIMIT_NOFILE;
    let raised = getrlimit(limit).and_then(|(_, hard)| setrlimit(limit, hard, hard));
    if let Err(error) = raised {
        tracing::warn!(target: logging::TARGET, "cannot raise the limit of open files: {error}");
    }
}

/// Yields the connections that `accept` returns. The first failure is logged, and every failure is
/// followed by [`ACCEPT_PAUSE`].
pub(crate) fn accepted<Io: Send>(
    accept: impl FnMut(&mut Context<'_>) -> Poll<io::Result<Io>> + Send,
) -> impl Stream<Item = Io> + Send {
    stream::unfold((accept, false), |(mut accept, mut logged)| async move {
        loop {
            match poll_fn(&mut accept).await {
                Ok(io) => return Some((io, (accept, logged))),
                // The peer has left; the next connection can be accepted.
                Err(error) if error.kind() == io::ErrorKind::ConnectionAborted => {}
                Err(error) => {
                    if !logged {
                        tracing::warn!(
                            target: logging::TARGET,
                            "cannot accept a connection: {error}; further failures are not logged"
                        );
                        logged = true;
                    }
                    sleep(ACCEPT_PAUSE).await;
                }
            }
        }
    })
}

/// A connection that fails if its preface does not arrive within [`PREFACE_LIMIT`].
pub(crate) struct Connection {
    io: Box<dyn Io>,
    peer: Peer,
    /// `None` after the preface has arrived.
    awaited: Option<Preface>,
}

/// The part of the preface that has not arrived, and its time limit.
#[derive(Debug)]
struct Preface {
    bytes: usize,
    limit: Pin<Box<Sleep>>,
}

impl Connection {
    /// Makes a connection that was accepted at `begin`.
    pub(crate) fn new(io: impl Io + 'static, peer: Peer, begin: Instant) -> Self {
        let limit = Box::pin(sleep_until(begin + PREFACE_LIMIT));
        Self { io: Box::new(io), peer, awaited: Some(Preface { bytes: PREFACE_BYTES, limit }) }
    }
}

impl AsyncRead for Connection {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.io).poll_read(context, buffer);
        if let Some(preface) = &mut self.awaited {
            preface.bytes = preface.bytes.saturating_sub(buffer.filled().len() - before);
            if preface.bytes == 0 {
                self.awaited = None;
            } else if read.is_pending() && preface.limit.as_mut().poll(context).is_ready() {
                return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
            }
        }
        read
    }
}

impl AsyncWrite for Connection {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.io).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_shutdown(context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.io).poll_write_vectored(context, slices)
    }

    fn is_write_vectored(&self) -> bool {
        self.io.is_write_vectored()
    }
}

impl Connected for Connection {
    type ConnectInfo = Peer;

    fn connect_info(&self) -> Peer {
        self.peer.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::StreamExt;
    use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};
    use tokio::time::timeout;

    fn connection(io: impl Io + 'static) -> Connection {
        Connection::new(io, Peer::unknown(), Instant::now())
    }

    /// Longer than any limit of a connection.
    const LONG: Duration = Duration::from_secs(3600);

    #[tokio::test(start_paused = true)]
    async fn silent_connection_fails_after_the_limit() {
        let (begin, (_peer, io)) = (Instant::now(), duplex(64));
        let error = connection(io).read_u8().await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        assert_eq!(begin.elapsed().as_secs(), PREFACE_LIMIT.as_secs());
    }

    #[tokio::test(start_paused = true)]
    async fn connection_that_dribbles_fails_after_the_limit() {
        let (begin, (mut peer, io)) = (Instant::now(), duplex(64));
        let mut connection = connection(io);
        let dribble = async {
            while peer.write_u8(b'P').await.is_ok() {
                sleep(PREFACE_LIMIT / 5).await;
            }
        };
        let read = async {
            while connection.read_u8().await.is_ok() {}
            begin.elapsed()
        };
        let ended = tokio::select! {
            ended = read => ended,
            () = dribble => panic!("the peer ended first"),
        };
        assert_eq!(ended.as_secs(), PREFACE_LIMIT.as_secs());
    }

    #[tokio::test(start_paused = true)]
    async fn connection_may_be_silent_after_the_preface() {
        let (mut peer, io) = duplex(64);
        let mut connection = connection(io);
        peer.write_all(&[b'P'; PREFACE_BYTES]).await.unwrap();
        connection.read_exact(&mut [0; PREFACE_BYTES]).await.unwrap();
        assert!(timeout(LONG, connection.read_u8()).await.is_err());
    }

    #[tokio::test(start_paused = true)]
    async fn accepting_pauses_without_descriptors() {
        let attempts = AtomicU32::new(0);
        let accept = |_: &mut Context<'_>| {
            attempts.fetch_add(1, Relaxed);
            Poll::Ready(Err::<(), _>(io::Error::from_raw_os_error(nix::libc::EMFILE)))
        };
        let mut connections = Box::pin(accepted(accept));
        assert!(timeout(10 * ACCEPT_PAUSE, connections.next()).await.is_err());
        assert!((1..=11).contains(&attempts.load(Relaxed)), "{attempts:?}");
    }

    #[test]
    fn pages_say_when_a_silent_connection_is_closed() {
        let promise = format!("after {} s is closed", PREFACE_LIMIT.as_secs());
        for page in
            [include_str!("../../docs/service.md"), include_str!("../../docs/security-model.md")]
        {
            let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(page.contains(&promise), "{promise}");
        }
    }

    #[test]
    fn file_limit_becomes_the_hard_one() {
        let (_, hard) = getrlimit(Resource::RLIMIT_NOFILE).unwrap();
        setrlimit(Resource::RLIMIT_NOFILE, hard.min(1000), hard).unwrap();
        raise_file_limit();
        assert_eq!(getrlimit(Resource::RLIMIT_NOFILE).unwrap(), (hard, hard));
    }
}
