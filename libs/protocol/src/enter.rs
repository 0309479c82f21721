//! Start of a runner: the sandbox that it enters, and its introduction.

use serde::{Deserialize, Serialize};

/// The first frame to a runner that enters its own namespaces.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Enter {
    /// First of [`ENTER_IDS`] unused host ids, of users and of groups, which the sandbox's ids map
    /// to. `None` if the sandbox has only the caller's own id.
    pub first_id: Option<u32>,
    /// This sandbox's memory cgroup: its version, and its folder on the host. It may have a child
    /// [`RUN_CGROUP`], and in version 2 it has a child [`RUNNER_CGROUP`] too.
    pub cgroup: Option<(u8, String)>,
    /// Size of [`WORK_DIR`](crate::WORK_DIR), in bytes.
    pub work_bytes: u64,
    /// Size of [`SCRATCH_DIR`](crate::SCRATCH_DIR), in bytes.
    pub scratch_bytes: u64,
    /// Maximum number of files in [`SCRATCH_DIR`](crate::SCRATCH_DIR).
    pub scratch_inodes: u64,
    /// Host folder that is mounted as [`PRECOMPILED_DIR`](crate::PRECOMPILED_DIR), if there is one.
    pub precompiled: Option<String>,
}

/// Name of the cgroup of a run, a child of the sandbox's cgroup.
pub const RUN_CGROUP: &str = "run";
/// Name of the cgroup of the runner, a child of the sandbox's cgroup.
pub const RUNNER_CGROUP: &str = "runner";

/// Number of user ids, and of group ids, that a native sandbox run by root maps to ids of the host.
pub const ENTER_IDS: u32 = 1 << 16;

/// A runner's introduction.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hello {
    /// [`SOURCES`](crate::SOURCES) of the runner.
    pub sources: String,
    /// Whether programs run as a different user than the runner.
    pub own_user: bool,
    /// Version of the memory cgroup whose OOM-kill count the runner can read.
    pub cgroup: Option<u8>,
    /// Reason why repetitions have no cgroup of their own, although they should: in a native
    /// sandbox with cgroup version 2.
    pub no_run_cgroup: Option<String>,
    /// Whether the kernel reports how long a process waited for a processor.
    pub schedstat: bool,
    /// Whether the kernel has Landlock.
    pub landlock: bool,
    /// Tools that are missing in the sandbox, by path.
    pub missing_tools: Vec<String>,
    /// Kernel release.
    pub kernel: String,
    /// Processor model.
    pub cpu_model: String,
    /// Sorted names of the features of the first processor, separated by spaces.
    pub cpu_flags: String,
    /// Number of processors of the machine.
    pub cpus: u32,
}
