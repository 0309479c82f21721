//! Stands in for Arrow IPC files in a build without the feature `arrow`.

use super::frame::Frame;
use crate::error::Error;
use std::io::Write;

impl Frame {
    /// Writes nothing.
    ///
    /// # Errors
    /// Always: this build lacks Arrow.
    pub fn write_arrow(&self, _out: impl Write) -> Result<(), Error> {
        Err(Error::Arrow("this build has no support for Arrow".into()))
    }
}
