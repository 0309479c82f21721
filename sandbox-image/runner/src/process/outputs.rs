//! Output of the last run: its length, its digests, its beginning and its end.

use crate::sys::fault::{Result, Stage};
use crate::sys::files::{Kept, WorkFile, read_at_most};
use runner_protocol::{MAX_STDERR_TAIL_BYTES, WordDigest, Written};
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{Seek, SeekFrom};
use std::os::unix::fs::FileExt;

/// Maximum size that is read at a time, in bytes.
const BLOCK_BYTES: usize = 16 << 10;

/// Whether stdout or stderr has reached `limit`.
pub(crate) fn any_is_full(limit: u64) -> Result<bool> {
    let reaches = |output: &File| Ok(output.metadata().stage("look at an output")?.len() >= limit);
    let [stdout, stderr] = &Kept::get()?.outputs;
    Ok(reaches(stdout)? || reaches(stderr)?)
}

pub(crate) fn is_full(output: WorkFile, limit: u64) -> Result<bool> {
    Ok(output.length()? >= limit)
}

/// The output of the last run.
pub(crate) fn written(head: u32) -> Result<Written> {
    let stdout_head = read_at_most(WorkFile::STDOUT.open()?, head as usize).stage("read stdout")?;
    let ((stdout_bytes, stdout_sha256), stdout_words_sha256) = stdout_digests()?;
    let stderr_tail = tail(WorkFile::STDERR, MAX_STDERR_TAIL_BYTES)?;
    Ok(Written { stdout_bytes, stdout_sha256, stdout_words_sha256, stdout_head, stderr_tail })
}

/// The length of a file in bytes, and its SHA-256.
pub(crate) type FileDigest = (u64, [u8; 32]);

/// Digests the last run's stdout.
pub(crate) fn stdout_digest() -> Result<FileDigest> {
    digest(&Kept::get()?.outputs[0])
}

/// Digests a file.
pub(crate) fn digest(file: &File) -> Result<FileDigest> {
    let mut hash = Sha256::new();
    let bytes = read_blocks(file, |block| hash.update(block))?;
    Ok((bytes, hash.finalize().into()))
}

/// Digests the last run's stdout, as a whole and by its words.
pub(crate) fn stdout_digests() -> Result<(FileDigest, [u8; 32])> {
    let (mut hash, mut words) = (Sha256::new(), WordDigest::default());
    let bytes = read_blocks(&Kept::get()?.outputs[0], |block| {
        hash.update(block);
        words.update(block);
    })?;
    Ok(((bytes, hash.finalize().into()), words.finish()))
}

/// The last bytes of a stderr, at most `most`.
pub(crate) fn tail(stderr: WorkFile, most: usize) -> Result<Vec<u8>> {
    let mut stderr = stderr.open()?;
    let length = stderr.metadata().stage("read stderr")?.len();
    let begin = length.saturating_sub(most as u64);
    stderr.seek(SeekFrom::Start(begin)).stage("read stderr")?;
    read_at_most(stderr, most).stage("read stderr")
}

/// Hands a file to `take`, block by block. Returns its length.
fn read_blocks(file: &File, mut take: impl FnMut(&[u8])) -> Result<u64> {
    let mut block = [0; BLOCK_BYTES];
    let mut bytes = 0;
    loop {
        match file.read_at(&mut block, bytes).stage("read a file to digest it")? {
            0 => return Ok(bytes),
            count => {
                take(&block[..count]);
                bytes += count as u64;
            }
        }
    }
}
