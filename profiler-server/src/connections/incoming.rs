//! The connections of a listener. The steps before the preface (the lookup of the user, and the TLS
//! handshake) do not block the accept loop.

use super::{Connection, PREFACE_LIMIT, accepted};
use crate::connections::listener::{Listener, SocketFile};
use crate::identity::{Access, Peer};
use futures::stream::BoxStream;
use futures::{Stream, StreamExt, stream};
use std::collections::VecDeque;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use tokio::net::TcpStream;
use tokio::task::{AbortHandle, JoinSet};
use tokio::time::{Instant, timeout_at};

/// Maximum number of connections that are prepared at the same time. If there are more, the oldest
/// is closed, because preparing an honest connection takes milliseconds.
const MAX_PREPARED: usize = 512;

/// Returns the connections of `listener` and its socket file.
pub(crate) fn incoming(
    listener: Listener,
    access: Arc<Access>,
) -> (BoxStream<'static, Connection>, Option<SocketFile>) {
    match listener {
        Listener::Tcp(listener) => {
            let accept = move |context: &mut Context<'_>| {
                let (stream, _) = ready!(listener.poll_accept(context))?;
                // With Nagle's algorithm, answers would arrive later.
                let _ = stream.set_nodelay(true);
                Poll::Ready(Ok(stream))
            };
            let prepare = move |stream| prepare(stream, Arc::clone(&access));
            (prepared(accepted(accept).boxed(), prepare, MAX_PREPARED).boxed(), None)
        }
        Listener::Unix(listener, file) => {
            let accept = move |context: &mut Context<'_>| {
                listener.poll_accept(context).map_ok(|(stream, _)| stream)
            };
            let connections = accepted(accept).map(|stream| {
                let peer = Peer::of_socket_file(&stream);
                Connection::new(stream, peer, Instant::now())
            });
            (connections.boxed(), Some(file))
        }
    }
}

/// Looks up the user of the connection, and makes the handshake if TCP has TLS. Returns `None` if
/// the peer is too slow or the handshake fails.
async fn prepare(stream: TcpStream, access: Arc<Access>) -> Option<Connection> {
    let begin = Instant::now();
    let prepared = async {
        let peer = Peer::of_tcp(&stream, access.users_count()).await?;
        let Some(acceptor) = access.acceptor() else {
            return Some(Connection::new(stream, peer, begin));
        };
        let stream = acceptor.accept(stream).await.ok()?;
        let peer = peer.with_certificate_of(&stream);
        Some(Connection::new(stream, peer, begin))
    };
    timeout_at(begin + PREFACE_LIMIT, prepared).await.ok()?
}

/// Applies `prepare` to the items of `raw`, and yields the results in the order in which they are
/// ready. At most `most` are prepared at a time; a further item ends the preparation of the oldest.
fn prepared<Raw: Send, Out: Send + 'static, Prepared>(
    raw: impl Stream<Item = Raw> + Send + Unpin,
    prepare: impl Fn(Raw) -> Prepared + Send,
    most: usize,
) -> impl Stream<Item = Out> + Send
where
    Prepared: Future<Output = Option<Out>> + Send + 'static,
{
    let state = (raw, prepare, JoinSet::new(), VecDeque::<AbortHandle>::new());
    stream::unfold(state, move |(mut raw, prepare, mut tasks, mut handles)| async move {
        loop {
            tokio::select! {
                // Prepared connections come before new ones.
                biased;
                Some(ended) = tasks.join_next() => {
                    if tasks.is_empty() {
                        handles.clear();
                    }
                    if let Ok(Some(out)) = ended {
                        return Some((out, (raw, prepare, tasks, handles)));
                    }
                }
                next = raw.next() => {
                    if tasks.len() >= most {
                        handles.retain(|handle| !handle.is_finished());
                        if handles.len() >= most && let Some(oldest) = handles.pop_front() {
                            oldest.abort();
                        }
                    }
                    handles.push_back(tasks.spawn(prepare(next?)));
                }
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::future::{Either, pending, ready};

    /// Silent ones give way to those that are ready.
    #[tokio::test]
    async fn silent_connections_do_not_stop_others() {
        // Other tasks work between two arrivals.
        let arrive = |number| async move {
            tokio::task::yield_now().await;
            number
        };
        let raw = stream::iter(0..100_u32).then(arrive).chain(stream::pending());
        let prepare = |number: u32| match number % 10 {
            0 => Either::Left(ready(Some(number))),
            _ => Either::Right(pending()),
        };
        let found: Vec<u32> = prepared(raw.boxed(), prepare, 5).take(10).collect().await;
        assert_eq!(found, [0, 10, 20, 30, 40, 50, 60, 70, 80, 90]);
    }
}
