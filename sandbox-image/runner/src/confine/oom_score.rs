//! The OOM score of children: the OOM killer takes children first, and never the runner.
//!
//! A child that opened its own file in `/proc` would make the kernel prepare a folder for it there,
//! which takes ten times as long. So the runner raises its own score, the child inherits it, and
//! the child's first act is to set the runner's score back. In between, no process of a program is
//! alive with a lower score.

use crate::sys::fault::{Result, Stage};
use crate::sys::proc_view;
use std::fs::File;
use std::io::Read;
use std::os::unix::fs::FileExt;

/// The score of every child.
const HIGHEST: &[u8] = b"1000";
/// Longest score, in bytes.
const MAX_SCORE_BYTES: u64 = 8;

/// This process's own score.
pub(crate) struct OomScore {
    file: File,
    own: Vec<u8>,
}

impl OomScore {
    pub(crate) fn open() -> Result<Self> {
        let open = || File::options().read(true).write(true).open("/proc/self/oom_score_adj");
        let file = proc_view::while_dumpable(open).stage("open the OOM score")?;
        let mut own = Vec::new();
        (&file).take(MAX_SCORE_BYTES).read_to_end(&mut own).stage("read the OOM score")?;
        Ok(Self { file, own })
    }

    /// Raises this process's score for the next child.
    pub(crate) fn raise(&self) -> Result<()> {
        self.file.write_all_at(HIGHEST, 0).stage("raise the OOM score")
    }

    /// Sets back the score of the process that has opened it.
    pub(crate) fn set_back(&self) -> Result<()> {
        self.file.write_all_at(&self.own, 0).stage("set back the OOM score")
    }
}
