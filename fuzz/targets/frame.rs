//! Frames, in both directions: what was read can be written, and read again as the same message.

#![no_main]

use libfuzzer_sys::fuzz_target;
use runner_protocol::{
    Enter, FrameError, MAX_FRAME_BYTES, Request, Response, decode, encode, read_frame,
};
use serde::{Serialize, de::DeserializeOwned};
use std::fmt::Debug;

fuzz_target!(|bytes: &[u8]| {
    channel::<Response>(bytes);
    channel::<Request>(bytes);
    message::<Response>(bytes);
    message::<Request>(bytes);
    message::<Enter>(bytes);
});

/// Decodes a whole channel, up to the first frame that is invalid.
fn channel<T: Serialize + DeserializeOwned + PartialEq + Debug>(mut bytes: &[u8]) {
    loop {
        let before = bytes;
        match read_frame::<T>(&mut bytes) {
            Ok(Some(message)) => same(&message),
            Ok(None) => return assert!(before.is_empty()),
            Err(FrameError::TooLong(length)) => return assert!(length > MAX_FRAME_BYTES),
            Err(FrameError::Io(_) | FrameError::Encoding(_)) => return,
        }
    }
}

fn message<T: Serialize + DeserializeOwned + PartialEq + Debug>(bytes: &[u8]) {
    if let Ok(message) = decode::<T>(bytes) {
        same(&message);
    }
}

fn same<T: Serialize + DeserializeOwned + PartialEq + Debug>(message: &T) {
    match encode(message) {
        Ok(bytes) => assert_eq!(*message, decode(&bytes).expect("it was written")),
        Err(error) => assert!(matches!(error, FrameError::TooLong(_)), "{error}"),
    }
}
