//! Reports that `run --format json` wrote.

use crate::exit::Failure;
use profiler_proto::json;
use profiler_proto::v1::ProfileReport;
use std::fs::File;
use std::io::{Error, ErrorKind, Read};
use std::path::Path;

/// The largest report that is read, in bytes: one with all its samples stays far below.
const MAX_BYTES: u64 = 64 << 20;

/// The report in the file.
pub(super) fn read(path: &Path) -> Result<ProfileReport, Failure> {
    let unreadable = |cause| Failure::Unreadable { path: path.into(), cause };
    let mut text = String::new();
    let file = File::open(path).map_err(unreadable)?;
    let length = file.take(MAX_BYTES + 1).read_to_string(&mut text).map_err(unreadable)?;
    if length as u64 > MAX_BYTES {
        return Err(unreadable(Error::from(ErrorKind::FileTooLarge)));
    }
    json::parse(&text).map_err(|cause| Failure::NoReport { path: path.into(), cause })
}
