//! Confines every untrusted program: resource limits, another user, Landlock and seccomp.

use crate::confine::landlock::{FileRules, Role};
use crate::confine::named_files;
use crate::confine::seccomp;
use crate::confine::seccomp::install::install;
use crate::confine::seccomp_notify::NotifyFilter;
use crate::sys::facts;
use crate::sys::fault::{Fault, Result, Stage};
use nix::errno::Errno;
use nix::sys::resource::{RLIM_INFINITY, Resource, getrlimit, rlim_t, setrlimit};
use nix::unistd::{self, Gid, Uid};
use runner_protocol::{INTERACTOR_ID, Limits, NamedFiles, PROGRAM_ID, USERS};
use seccompiler::BpfProgram;
use std::fs;
use std::os::unix::fs::MetadataExt;

/// The confinement of a program. It is the same for every run, so it is prepared once.
pub(crate) struct Confinement {
    /// Whether programs have a user of their own.
    own_user: bool,
    /// User of programs, if they have one of their own.
    user: Uid,
    /// Whether nobody else on the host uses this sandbox's user ids.
    private_users: bool,
    /// Limit of pending signals.
    signals: rlim_t,
    /// In the order of [`Role::ALL`].
    file_rules: Vec<FileRules>,
    pub(crate) filter: BpfProgram,
    /// Filter of an interactive program, whose memory no cgroup counts separately.
    interactive_filter: BpfProgram,
}

impl Confinement {
    /// Drops this process's groups, limits what neither it nor a program needs, and prepares the
    /// confinement for a sandbox with or without a memory cgroup, in which programs may have a root
    /// of their own.
    pub(crate) fn prepare(has_cgroup: bool, programs: Option<&str>) -> Result<Self> {
        let own_user = has_own_user();
        if own_user {
            unistd::setgroups(&[]).stage("drop groups")?;
        }
        limit_all()?;
        let file_rules =
            Role::ALL.into_iter().map(|role| FileRules::prepare(own_user, role, programs));
        Ok(Self {
            own_user,
            user: program_user(),
            private_users: facts::has_private_users(),
            signals: SIGNALS.min(hard_limit(Resource::RLIMIT_SIGPENDING)?),
            file_rules: file_rules.collect::<Result<_>>()?,
            filter: seccomp::for_programs(own_user, has_cgroup)?,
            interactive_filter: seccomp::for_programs(own_user, false)?,
        })
    }

    /// Sets the limits, changes the user if programs have their own, links the files that the
    /// program opens, and applies Landlock and seccomp. The filter of `notify` contains the usual
    /// filter, and replaces it.
    pub(crate) fn confine(
        &self,
        limits: &Limits,
        role: Role,
        notify: Option<&NotifyFilter>,
        files: NamedFiles,
    ) -> Result<()> {
        limit(limits)?;
        setrlimit(Resource::RLIMIT_SIGPENDING, self.signals, self.signals)
            .stage("limit pending signals")?;
        if self.private_users {
            setrlimit(Resource::RLIMIT_NPROC, limits.processes, limits.processes)
                .stage("limit processes")?;
        }
        if self.own_user {
            // With different users, connected programs cannot read each other's memory or signal
            // each other.
            let (user, group) = match role {
                Role::Interactor => (Uid::from_raw(self.user.as_raw() + 1), INTERACTOR_ID),
                _ => (self.user, PROGRAM_ID),
            };
            let group = Gid::from_raw(group);
            unistd::setresgid(group, group, group).stage("change group")?;
            unistd::setresuid(user, user, user).stage("change user")?;
        }
        // The links belong to the program's user, who empties scratch.
        named_files::link(files)?;
        self.file_rules[role as usize].restrict_self()?;
        let filter = match (notify, role) {
            (Some(notify), _) => return notify.install(),
            (None, Role::InteractiveProgram) => &self.interactive_filter,
            (None, _) => &self.filter,
        };
        install(filter, 0).map(drop).stage("install the system call filter")
    }
}

/// Whether programs run as a different user than this process.
pub(crate) fn has_own_user() -> bool {
    unistd::geteuid().is_root()
}

/// Namespace of this sandbox's processes.
const NAMESPACE: &str = "/proc/self/ns/pid";

/// The user of programs, if they have their own. The kernel counts pending signals, pages in pipes
/// and other resources for each user of the host, and containers share the host's users.
pub(crate) fn program_user() -> Uid {
    user_of(fs::metadata(NAMESPACE).map_or(0, |namespace| namespace.ino()))
}

/// The first of the sandbox's two users; the interactor is the other one. No two namespaces that
/// exist have the same number, and numbers of new ones are close together.
fn user_of(namespace: u64) -> Uid {
    let pairs = (USERS.end - USERS.start) / 2;
    let pair = u32::try_from(namespace).unwrap_or_default() % pairs;
    Uid::from_raw(USERS.start + 2 * pair)
}

/// Limit that prevents core dumps, even into a pipe. If the host's `core_pattern` names a program,
/// the kernel starts that program at every limit except 1, even at 0 (`vfs_coredump` in the
/// kernel). If this process was started with a limit of 0, the limit stays 0.
const CORE_BYTES: u64 = 1;

/// Maximum number of signals that wait for a program's processes, and of their timers, for each of
/// which the kernel reserves a signal. The kernel also charges those of a native sandbox to the
/// user who started it. The runner keeps its limit, because in a container it may be the host's
/// root.
const SIGNALS: u64 = 1024;

/// Sets the limits of what this process does not use, so its children inherit them.
fn limit_all() -> Result<()> {
    for (resource, most) in [
        (Resource::RLIMIT_MEMLOCK, 0),
        (Resource::RLIMIT_MSGQUEUE, 0),
        (Resource::RLIMIT_CORE, CORE_BYTES.min(hard_limit(Resource::RLIMIT_CORE)?)),
    ] {
        setrlimit(resource, most, most).stage("limit every process")?;
    }
    Ok(())
}

fn limit(limits: &Limits) -> Result<()> {
    for (resource, soft, hard) in [
        (Resource::RLIMIT_AS, limits.address_space_bytes, limits.address_space_bytes),
        (Resource::RLIMIT_STACK, limits.stack_bytes, limits.stack_bytes),
        (Resource::RLIMIT_FSIZE, limits.file_bytes, limits.file_bytes),
        (Resource::RLIMIT_NOFILE, limits.open_files, limits.open_files),
        // One second between SIGXCPU and SIGKILL.
        (Resource::RLIMIT_CPU, limits.cpu_s, limits.cpu_s + 1),
    ] {
        // Without a limit, an inherited one stays.
        if hard != RLIM_INFINITY {
            setrlimit(resource, soft, hard).map_err(|cause| too_low(resource, hard, cause))?;
        }
    }
    Ok(())
}

fn hard_limit(resource: Resource) -> Result<rlim_t> {
    getrlimit(resource).map(|(_, hard)| hard).stage("read a resource limit")
}

/// The error if this process was started with a lower hard limit than its programs need.
fn too_low(resource: Resource, needed: u64, cause: Errno) -> Fault {
    let here = hard_limit(resource).unwrap_or_default();
    let why = format!("{cause}; programs need {needed}, the hard limit here is {here}: raise it");
    Fault::new("set a resource limit", format!("{resource:?}: {why}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// The first numbers are the kernel's, the last one is too large for it.
    #[test]
    fn sandboxes_have_different_users() {
        let namespaces = [4_026_531_836, 4_026_531_837, 4_026_532_203, 4_026_533_000, u64::MAX];
        let users = namespaces.map(|namespace| user_of(namespace).as_raw());
        let of_both: BTreeSet<_> = users.iter().flat_map(|&user| [user, user + 1]).collect();
        assert_eq!(of_both.len(), 2 * namespaces.len());
        assert!(of_both.iter().all(|user| USERS.contains(user)));
    }
}
