//! The disk's own rate of synced writes, which bounds what servers can store.

use crate::failure::Failure;
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;
use std::time::{Duration, Instant};

const BLOCK_BYTES: usize = 4 << 10;
/// Duration of the writes.
const DURATION: Duration = Duration::from_secs(1);
/// Number of blocks in the file. After the last one, writing goes on at the first.
const BLOCKS: u64 = 1024;

/// Returns the number of synced writes per second to a file in this folder, one after the other.
pub(crate) fn synced_writes(folder: &Path) -> Result<f64, Failure> {
    let mut file = tempfile::tempfile_in(folder)?;
    let block = [7; BLOCK_BYTES];
    let begin = Instant::now();
    let mut count = 0_u64;
    while begin.elapsed() < DURATION {
        file.seek(SeekFrom::Start(count % BLOCKS * BLOCK_BYTES as u64))?;
        file.write_all(&block)?;
        file.sync_data()?;
        count += 1;
    }
    Ok(count as f64 / begin.elapsed().as_secs_f64())
}
