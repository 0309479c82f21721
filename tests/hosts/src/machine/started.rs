//! A machine of any kind.

use std::process::Child;
use tempfile::TempDir;

/// The guest's memory. It costs this machine only what the guest has touched. The guest's kernel
/// grants no larger array, and a hostile program asks for 4 GiB.
pub(super) const MEMORY: &str = "6G";

/// A machine that was started, and the way to it.
pub(super) struct Started {
    pub(super) process: Child,
    /// The words before `ssh`.
    pub(super) enter: Vec<String>,
    pub(super) address: &'static str,
    pub(super) port: u16,
    /// The folder of what the machine writes, if that does not end with the process.
    #[expect(dead_code, reason = "dropping it removes the folder")]
    pub(super) written: Option<TempDir>,
}
