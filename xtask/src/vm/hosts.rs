//! The kinds of host, and what is tried on each.

use super::engine::Engine;
use super::machine::User;

/// What is tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Try {
    /// `swiftprof doctor`.
    Doctor,
    /// A benign program.
    Benign,
    /// A program that takes memory without end.
    Hog,
    /// The first row of each group of the suite of hostile programs.
    Hostile,
    /// A run that is killed, and another one after it.
    Killed,
    /// What a job leaves: control groups in a unit that goes on, or containers.
    Left,
}

/// A way to start swiftprof.
pub(super) struct Host {
    pub(super) name: &'static str,
    pub(super) engine: Engine,
    pub(super) user: User,
    /// What stands before each command.
    pub(super) prefix: &'static str,
    /// How the answer of `doctor` begins: on the engine, or on the memory cgroup if there is none.
    pub(super) doctor: &'static str,
    /// How a program that takes too much memory is noticed.
    pub(super) notices: &'static str,
    /// The memory limit of that program, in MiB.
    pub(super) limit_mb: u32,
    /// Of each sentence in `not_enforced`, a part. There are no others.
    pub(super) lacking: &'static [&'static str],
    pub(super) tries: &'static [Try],
}

/// The kernel has killed the program, as the cgroup says.
const KERNEL: &str = "OOM_KILL";
/// The runner has found the program's resident set too large.
const POLLED: &str = "POLLED";

/// The unit's memory has run out first, which is an error that names this.
pub(super) const UNIT: &str = "MemoryMax";

/// What `doctor` says of a backend that works.
const WORKS: &str = "works";
/// What `doctor` says of a delegated group.
const DELEGATED: &str = "version 2, in the delegated /sys/fs/cgroup";

/// What root's lack without delegation.
const OWN_UNIT: &str = "limits of swiftprof's own unit do not bind sandboxes";
/// What an ordinary user's native sandboxes lack.
const ONE_USER: &str = "the program runs as the runner's own user";
/// What they lack without delegation.
const NO_CGROUP: &str = "no memory cgroup";
/// What Podman's containers lack.
const INODES: &str = "number of files in scratch";
const SCRATCH: &str = "an interactor can write to the program's scratch";

const ALL: [Try; 6] = [Try::Doctor, Try::Benign, Try::Hog, Try::Hostile, Try::Killed, Try::Left];
const OF_USER: [Try; 4] = [Try::Doctor, Try::Benign, Try::Hog, Try::Hostile];

/// An ordinary user has no `Killed`: a shell in the user's scope hinders delegation.
pub(super) static HOSTS: [Host; 11] = [
    Host {
        name: "root, ssh session",
        engine: Engine::None,
        user: User::Root,
        prefix: "",
        doctor: "version 2, in /sys/fs/cgroup/swiftprof",
        notices: KERNEL,
        limit_mb: 64,
        lacking: &[OWN_UNIT],
        tries: &ALL,
    },
    Host {
        name: "root, service",
        engine: Engine::None,
        user: User::Root,
        prefix: "systemd-run --quiet --wait --pipe -E HOME=/root -p Delegate=yes",
        doctor: DELEGATED,
        notices: KERNEL,
        limit_mb: 64,
        lacking: &[],
        tries: &ALL,
    },
    // As in a container: the group is the root of a namespace, and a shell is in it.
    Host {
        name: "root, cgroup namespace",
        engine: Engine::None,
        user: User::Root,
        prefix: "systemd-run --quiet --wait --pipe -E HOME=/root -p Delegate=yes unshare --cgroup --mount sh -c \
                 'mount -t cgroup2 none /sys/fs/cgroup && \"$@\"' sh",
        doctor: DELEGATED,
        notices: KERNEL,
        limit_mb: 64,
        lacking: &[],
        tries: &[Try::Doctor, Try::Hog, Try::Killed],
    },
    // The unit's limit is the smaller one, and binds.
    Host {
        name: "root, service of 400 MiB",
        engine: Engine::None,
        user: User::Root,
        prefix: "systemd-run --quiet --wait --pipe -E HOME=/root -p Delegate=yes \
                 -p MemoryMax=400M -p MemorySwapMax=0",
        doctor: DELEGATED,
        notices: UNIT,
        limit_mb: 2000,
        lacking: &[],
        tries: &[Try::Hog],
    },
    Host {
        name: "user, ssh session",
        engine: Engine::None,
        user: User::Ordinary,
        prefix: "",
        doctor: "none: ",
        notices: POLLED,
        limit_mb: 64,
        lacking: &[ONE_USER, NO_CGROUP],
        tries: &OF_USER,
    },
    // systemd would stop it when a program is out of memory.
    Host {
        name: "user, service without delegation",
        engine: Engine::None,
        user: User::Ordinary,
        prefix: "systemd-run --quiet --wait --pipe --user",
        doctor: "none: ",
        notices: POLLED,
        limit_mb: 64,
        lacking: &[ONE_USER, NO_CGROUP],
        tries: &[Try::Doctor, Try::Hog],
    },
    Host {
        name: "user, scope",
        engine: Engine::None,
        user: User::Ordinary,
        prefix: "systemd-run --quiet --user --scope -p Delegate=yes",
        doctor: DELEGATED,
        notices: KERNEL,
        limit_mb: 64,
        lacking: &[ONE_USER],
        tries: &OF_USER,
    },
    Host {
        name: "user, service",
        engine: Engine::None,
        user: User::Ordinary,
        prefix: "systemd-run --quiet --wait --pipe --user -p Delegate=yes",
        doctor: DELEGATED,
        notices: KERNEL,
        limit_mb: 64,
        lacking: &[ONE_USER],
        tries: &[Try::Doctor, Try::Hog, Try::Left],
    },
    Host {
        name: "root, Docker",
        engine: Engine::Docker,
        user: User::Root,
        prefix: "",
        doctor: WORKS,
        notices: KERNEL,
        limit_mb: 64,
        lacking: &[],
        tries: &ALL,
    },
    Host {
        name: "user, Podman",
        engine: Engine::Podman,
        user: User::Ordinary,
        prefix: "",
        doctor: WORKS,
        notices: KERNEL,
        limit_mb: 64,
        lacking: &[INODES, SCRATCH],
        tries: &ALL,
    },
    Host {
        name: "user, rootless Docker",
        engine: Engine::Rootless,
        user: User::Ordinary,
        prefix: "",
        doctor: WORKS,
        notices: KERNEL,
        limit_mb: 64,
        lacking: &[],
        tries: &ALL,
    },
];
