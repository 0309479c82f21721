//! Keeps a submitted program away from everything except its own work.

pub(crate) mod confinement;
pub(crate) mod control_message;
pub(crate) mod landlock;
mod mounts;
mod named_files;
pub(crate) mod namespaces;
pub(crate) mod oom_counter;
pub(crate) mod oom_score;
pub(crate) mod program_root;
pub(crate) mod run_cgroup;
pub(crate) mod seccomp;
pub(crate) mod seccomp_notify;
