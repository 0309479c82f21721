//! Answers until they are sent: their room in memory, and their pace.
//!
//! hyper takes a whole piece of a body before the caller has room for it. So the body comes in
//! small pieces, and what is left of it keeps its room until they are taken.

use crate::permits::Permit;
use crate::rpc::limits::SLOW_WATCHER_LIMIT;
use crate::rpc::status::CallError;
use futures::stream;
use http_body::{Body as _, Frame};
use http_body_util::{BodyExt, StreamBody};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;
use tonic::body::Body;
use tonic::codegen::Bytes;
use tonic::codegen::http::{HeaderMap, Response};
use tonic::{Request, Status};

/// Maximum number of bytes of a piece: the usual frame of HTTP/2.
const PIECE_BYTES: usize = 16 << 10;

type Piece = Result<Frame<Bytes>, Status>;

/// The room of what a call has read and not yet sent. Clones share it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Unsent(Arc<Mutex<Vec<Arc<Permit>>>>);

impl Unsent {
    /// Returns the room of the call of this request.
    pub(crate) fn of<T>(request: &Request<T>) -> Self {
        request.extensions().get().cloned().unwrap_or_default()
    }

    /// Keeps room until what the call answers next is sent.
    pub(crate) fn hold(&self, room: Arc<Permit>) {
        self.lock().push(room);
    }

    /// Sends a response in pieces. It ends if none is taken for [`SLOW_WATCHER_LIMIT`].
    pub(crate) fn send(self, response: Response<Body>) -> Response<Body> {
        response.map(|body| if body.is_end_stream() { body } else { self.in_pieces(body) })
    }

    fn in_pieces(self, body: Body) -> Body {
        let (pieces, receiver) = mpsc::channel(1);
        let (abort, aborted) = oneshot::channel();
        tokio::spawn(self.send_all(body, pieces, abort));
        let taken = stream::unfold((receiver, aborted), async |(mut receiver, mut aborted)| {
            let next = match receiver.recv().await {
                Some(piece) => piece,
                None => ending(aborted.try_recv().ok()?),
            };
            Some((next, (receiver, aborted)))
        });
        Body::new(StreamBody::new(taken))
    }

    /// Sends every piece. The error for a slow reader goes through `abort`, because `pieces` is
    /// full then.
    async fn send_all(
        self,
        mut body: Body,
        pieces: mpsc::Sender<Piece>,
        abort: oneshot::Sender<CallError>,
    ) {
        loop {
            let frame = tokio::select! {
                frame = body.frame() => frame,
                // The caller is gone.
                () = pieces.closed() => return,
            };
            let Some(frame) = frame else { return };
            for piece in divided(frame) {
                match timeout(SLOW_WATCHER_LIMIT, pieces.send(piece)).await {
                    Ok(Ok(())) => {}
                    Ok(Err(_)) => return,
                    Err(_) => {
                        // A caller that is gone needs no error.
                        let _ = abort.send(CallError::SlowWatcher);
                        return;
                    }
                }
            }
            self.lock().clear();
        }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Arc<Permit>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn divided(frame: Piece) -> Vec<Piece> {
    match frame.map(Frame::into_data) {
        Ok(Ok(mut data)) => {
            let mut pieces = Vec::with_capacity(data.len().div_ceil(PIECE_BYTES));
            while !data.is_empty() {
                let piece = data.split_to(PIECE_BYTES.min(data.len()));
                pieces.push(Ok(Frame::data(piece)));
            }
            pieces
        }
        Ok(Err(trailers)) => vec![Ok(trailers)],
        Err(status) => vec![Err(status)],
    }
}

/// The end of an answer that was not taken.
fn ending(error: CallError) -> Piece {
    let mut trailers = HeaderMap::new();
    Status::from(error).add_header(&mut trailers)?;
    Ok(Frame::trailers(trailers))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::permits::Permits;
    use futures::FutureExt;
    use tokio::time::sleep;

    /// An answer of a mebibyte that holds the only permit.
    async fn answer(permits: &Permits) -> Body {
        let unsent = Unsent::default();
        unsent.hold(Arc::new(permits.take("a", 1).await.unwrap()));
        unsent.send(Response::new(Body::new("x".repeat(1 << 20)))).into_body()
    }

    fn is_free(permits: &Permits) -> bool {
        permits.take("b", 1).now_or_never().is_some()
    }

    #[tokio::test]
    async fn answer_has_its_room_until_it_is_sent() {
        let permits = Permits::new(1, 1);
        let mut body = answer(&permits).await;
        let mut bytes = 0;
        while bytes < (1 << 20) - 2 * PIECE_BYTES {
            assert!(!is_free(&permits), "after {bytes} bytes");
            let piece = body.frame().await.unwrap().unwrap().into_data().unwrap();
            assert!(piece.len() <= PIECE_BYTES);
            bytes += piece.len();
        }
        let rest = body.collect().await.unwrap().to_bytes().len();
        assert_eq!(bytes + rest, 1 << 20);
        assert!(is_free(&permits));
    }

    #[tokio::test(start_paused = true)]
    async fn answer_that_nobody_takes_loses_its_room() {
        let permits = Permits::new(1, 1);
        let body = answer(&permits).await;
        sleep(SLOW_WATCHER_LIMIT * 2).await;
        assert!(is_free(&permits));
        let read = body.collect().await.unwrap();
        let status = Status::from_header_map(read.trailers().unwrap()).unwrap();
        assert_eq!(status.message(), CallError::SlowWatcher.to_string());
        assert!(read.to_bytes().len() <= 2 * PIECE_BYTES);
    }

    #[tokio::test]
    async fn answer_to_a_caller_that_has_gone_loses_its_room() {
        let permits = Permits::new(1, 1);
        drop(answer(&permits).await);
        assert!(permits.take("b", 1).await.is_ok());
    }
}
