//! Bytes of any size: in the message if they are few, else in the object store.

use crate::connection::Fleet;
use crate::error::FleetError;
use crate::messages::Body;
use async_nats::jetstream::object_store::{DeleteErrorKind, PutErrorKind};
use tokio::io::AsyncReadExt;

/// Most bytes in a message. The engine takes 1 MiB by default, with everything around them.
pub(crate) const MAX_INLINE_BYTES: usize = 512 << 10;

impl Fleet {
    /// Makes a body of `bytes`, which are put where `name` says if they are many.
    pub(crate) async fn body(&self, name: &str, bytes: &[u8]) -> Result<Body, FleetError> {
        if bytes.len() <= MAX_INLINE_BYTES {
            return Ok(Body { inline: bytes.to_vec(), blob: String::new() });
        }
        match self.blobs.put(name, &mut &*bytes).await {
            // They are stored a second time, because the answer to the first was not heard. What is
            // left of the first goes by its age, for a worker may remove nothing.
            Err(error) if error.kind() == PutErrorKind::PurgeOldChunks => {}
            put => drop(put.map_err(FleetError::when("store large bytes"))?),
        }
        Ok(Body { inline: Vec::new(), blob: name.to_owned() })
    }

    /// The bytes of a body.
    pub(crate) async fn bytes(&self, body: Body) -> Result<Vec<u8>, FleetError> {
        if body.blob.is_empty() {
            return Ok(body.inline);
        }
        let doing = "read large bytes";
        let mut object = self.blobs.get(&body.blob).await.map_err(FleetError::when(doing))?;
        let mut bytes = Vec::new();
        object.read_to_end(&mut bytes).await.map_err(FleetError::when(doing))?;
        Ok(bytes)
    }

    /// Erases the bytes of a body that lie in the object store.
    pub(crate) async fn erase(&self, body: Body) -> Result<(), FleetError> {
        if body.blob.is_empty() {
            return Ok(());
        }
        match self.blobs.delete(&body.blob).await {
            Err(error) if error.kind() == DeleteErrorKind::NotFound => Ok(()),
            erased => erased.map_err(FleetError::when("erase large bytes")),
        }
    }
}
