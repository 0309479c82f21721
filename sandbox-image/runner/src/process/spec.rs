//! Describes a program to start, and the place of its run.

use crate::confine::landlock::Role;
use crate::confine::run_cgroup::{Account, RunCgroup};
use crate::confine::seccomp_notify::NotifyFilter;
use runner_protocol::{Limits, NamedFiles};
use std::cell::RefCell;
use std::fs::File;
use std::os::fd::{OwnedFd, RawFd};
use std::path::PathBuf;

/// The `argv[0]` of every program.
pub(crate) const PROGRAM_NAME: &str = "./main.out";
/// The descriptor of [`Place::result`]: the first after stderr.
pub(crate) const RESULT: RawFd = 3;

/// A program to start.
#[derive(Default)]
pub(crate) struct Spec<'a> {
    pub(crate) path: PathBuf,
    /// The arguments, the program's own name first.
    pub(crate) argv: Vec<String>,
    /// Variables beyond the fixed environment.
    pub(crate) env: Vec<(&'a str, String)>,
    /// Limits and confinement. Without them the process is one of ours, such as `/usr/bin/time`.
    pub(crate) limits: Option<&'a Limits>,
    /// Role of the process, which decides its root and, if it is confined, what it may read and
    /// write.
    pub(crate) role: Role,
    /// The processor that the program is pinned to; `None` for this process's own processors.
    pub(crate) core: Option<u32>,
    /// Files that the program opens in place of stdin and stdout.
    pub(crate) files: NamedFiles,
    /// Whether this process traces the program, from exec on.
    pub(crate) is_traced: bool,
    /// Whether the process is at random addresses. Others have the same addresses in every run.
    pub(crate) is_at_random: bool,
    /// The filter that reports system calls to the runner, exec first. With it, the child gets a
    /// copy of the runner's memory, because the runner must answer before exec and cannot be
    /// suspended until then.
    pub(crate) notify: Option<&'a NotifyFilter>,
}

/// Place of a run: its descriptors, its cgroup and its scratch.
#[derive(Default)]
pub(crate) struct Place<'a> {
    /// stdin, stdout and stderr; `None` for this process's own.
    pub(crate) stdio: Option<[File; 3]>,
    /// The file that the process has open as descriptor [`RESULT`].
    pub(crate) result: Option<File>,
    /// Descriptors that stay open in the process under the same numbers.
    pub(crate) kept: Vec<OwnedFd>,
    /// The cgroup that the process begins in, or moves into.
    pub(crate) cgroup: Option<&'a RunCgroup>,
    /// The account of the memory that the run holds, which is read during the run.
    pub(crate) account: Option<RefCell<Account>>,
    /// Treatment of scratch after the run.
    pub(crate) scratch: Scratch,
}

/// Treatment of scratch after a run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Scratch {
    /// Empty it for the next run.
    #[default]
    Emptied,
    /// Keep it, because the run is a step of another one, which empties it.
    Kept,
}
