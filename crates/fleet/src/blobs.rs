//! Storage of bytes of any size: few bytes go into the message itself, more are split into pieces,
//! which are messages of a separate stream.
//!
//! A piece is written once: the engine refuses a second message with the same subject, so no
//! process can replace the bytes that another stored.

use crate::connection::Fleet;
use crate::error::FleetError;
use crate::messages::Body;
use crate::names;
use async_nats::jetstream::ErrorCode;
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::stream::{DeleteMessageErrorKind, RawMessageErrorKind, Stream};
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
            let message = PublishMessage::build().payload(piece.to_vec().into());
            self.store(subject, message).await.map_err(FleetError::when(doing))?;
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
            let found = self.blobs.get_last_raw_message_by_subject(&subject).await;
            let found = found.map_err(FleetError::when("read large bytes"))?;
            bytes.extend_from_slice(&found.payload);
        }
        Ok(bytes)
    }

    /// Erases the pieces of a blob.
    pub(crate) async fn erase(&self, blob: &str, pieces: u32) -> Result<(), FleetError> {
        for piece in 0..pieces {
            let subject = names::piece(blob, piece);
            match self.blobs.get_last_raw_message_by_subject(&subject).await {
                Ok(found) => self.remove(&self.blobs, found.sequence).await?,
                Err(error) if error.kind() == RawMessageErrorKind::NoMessageFound => {}
                Err(error) => return Err(FleetError::new("erase bytes", error.to_string())),
            }
        }
        Ok(())
    }

    /// Removes a message from a stream, if it is still there.
    pub(crate) async fn remove(&self, from: &Stream, position: u64) -> Result<(), FleetError> {
        match from.delete_message(position).await.map_err(|error| error.kind()) {
            Ok(_) => Ok(()),
            Err(DeleteMessageErrorKind::JetStream(error))
                if error.error_code() == ErrorCode::NO_MESSAGE_FOUND =>
            {
                Ok(())
            }
            Err(error) => Err(FleetError::new("erase a message", error.to_string())),
        }
    }
}
