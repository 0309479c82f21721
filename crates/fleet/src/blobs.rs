//! Storage of bytes of any size: few bytes go into the message itself, more are split into pieces,
//! which are messages of a separate stream.
//!
//! A piece is written once: the engine refuses a second message with the same subject, so no
//! process can replace the bytes that another stored.

use crate::connection::Fleet;
use crate::connection::engine::{Put, StreamName};
use crate::error::FleetError;
use crate::messages::Body;
use crate::names;
use uuid::Uuid;

/// Maximum number of bytes stored in the message itself. By default, the engine accepts messages up
/// to 1 MiB, including the fields around the bytes.
pub(crate) const MAX_INLINE_BYTES: usize = 512 << 10;

impl Fleet {
    /// Makes a body of `bytes`, and stores them in pieces if they are too many for one message. A
    /// repeated attempt stores new pieces; the pieces of the first attempt expire in the engine.
    pub(crate) async fn body(&self, bytes: &[u8]) -> Result<Body, FleetError> {
        if bytes.len() <= MAX_INLINE_BYTES {
            return Ok(Body { inline: bytes.to_vec(), ..Body::default() });
        }
        let doing = "store large bytes";
        let blob = Uuid::now_v7().to_string();
        let mut pieces = 0;
        for piece in bytes.chunks(MAX_INLINE_BYTES) {
            let subject = names::piece(&blob, pieces);
            let stored = self.engine.store(subject, Put::of(piece.to_vec())).await;
            stored.map_err(FleetError::when(doing))?;
            pieces += 1;
        }
        Ok(Body { blob, pieces, ..Body::default() })
    }

    /// Reads the bytes of a body from the leader of the stream, because other servers may not have
    /// them yet.
    pub(crate) async fn bytes(&self, body: Body) -> Result<Vec<u8>, FleetError> {
        if !body.blob.is_empty() && body.pieces == 0 {
            return Err(FleetError::new("read large bytes", "they were stored by an older layout"));
        }
        let mut bytes = body.inline;
        for piece in 0..body.pieces {
            let subject = names::piece(&body.blob, piece);
            let found = self.engine.last(StreamName::Blobs, &subject).await;
            let found = found.map_err(FleetError::when("read large bytes"))?;
            let found =
                found.ok_or_else(|| FleetError::new("read large bytes", "a piece is gone"))?;
            bytes.extend_from_slice(&found.payload);
        }
        Ok(bytes)
    }

    /// Erases the pieces of a blob.
    pub(crate) async fn erase(&self, blob: &str, pieces: u32) -> Result<(), FleetError> {
        for piece in 0..pieces {
            let subject = names::piece(blob, piece);
            let found = self.engine.last(StreamName::Blobs, &subject).await;
            if let Some(found) = found.map_err(FleetError::when("erase bytes"))? {
                self.remove(StreamName::Blobs, found.position).await?;
            }
        }
        Ok(())
    }

    /// Removes a message from a stream, if it is still there.
    pub(crate) async fn remove(&self, from: StreamName, position: u64) -> Result<(), FleetError> {
        let removed = self.engine.remove(from, position).await;
        removed.map_err(FleetError::when("erase a message"))
    }
}
