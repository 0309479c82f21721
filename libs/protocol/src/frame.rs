//! Messages as frames: a little-endian `u32` length, and that many bytes of postcard.

use serde::{Serialize, de::DeserializeOwned};
use std::io::{self, Read, Write};

/// Largest frame, in bytes.
pub const MAX_FRAME_BYTES: usize = 1 << 20;

/// Reason why a frame could not be exchanged.
#[derive(Debug, thiserror::Error)]
pub enum FrameError {
    /// The channel failed or ended inside a frame.
    #[error("channel: {0}")]
    Io(#[from] io::Error),
    /// The bytes are not a valid frame.
    #[error("frame: {0}")]
    Encoding(#[from] postcard::Error),
    /// The frame is too long.
    #[error("frame of {0} bytes, allowed are {MAX_FRAME_BYTES}")]
    TooLong(usize),
}

/// The bytes of a frame, without its length.
pub fn encode(message: &impl Serialize) -> Result<Vec<u8>, FrameError> {
    let bytes = postcard::to_stdvec(message)?;
    if bytes.len() > MAX_FRAME_BYTES {
        return Err(FrameError::TooLong(bytes.len()));
    }
    Ok(bytes)
}

/// The message in a frame's bytes.
pub fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, FrameError> {
    Ok(postcard::from_bytes(bytes)?)
}

/// Writes a frame and flushes.
pub fn write_frame(to: &mut impl Write, message: &impl Serialize) -> Result<(), FrameError> {
    let bytes = encode(message)?;
    let length = u32::try_from(bytes.len()).map_err(|_| FrameError::TooLong(bytes.len()))?;
    to.write_all(&length.to_le_bytes())?;
    to.write_all(&bytes)?;
    Ok(to.flush()?)
}

/// Reads a frame; `None` if the channel ends before a frame begins.
pub fn read_frame<T: DeserializeOwned>(from: &mut impl Read) -> Result<Option<T>, FrameError> {
    let mut length = [0; 4];
    if from.read(&mut length[..1])? == 0 {
        return Ok(None);
    }
    from.read_exact(&mut length[1..])?;
    let length = u32::from_le_bytes(length) as usize;
    if length > MAX_FRAME_BYTES {
        return Err(FrameError::TooLong(length));
    }
    let mut bytes = vec![0; length];
    from.read_exact(&mut bytes)?;
    Ok(Some(decode(&bytes)?))
}
