//! The kinds of host, and what is tried on each.

use super::arch::Arch;
use super::engine::Engine;
use super::machine::User;

/// What is tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Try {
    /// `swiftprof doctor`.
    Doctor,
    /// A benign program.
    Benign,
    /// Instructions, hotspots and allocations of a benign program.
    Evidence,
    /// A program that takes memory without end.
    Hog,
    /// A benign program where no sandbox can be made.
    Refused,
    /// The first row of each group of the suite of hostile programs.
    Hostile,
    /// The same, and all rows about memory.
    Memory,
    /// The whole suite.
    Whole,
    /// A run that is killed, and another one after it.
    Killed,
    /// What a job leaves: control groups in a unit that goes on, or containers.
    Left,
    /// Whether AppArmor's parser accepts the profile. Its syntax is of AppArmor 4.
    Profile,
}

/// A way to start swiftprof.
pub(super) struct Host {
    pub(super) name: &'static str,
    pub(super) engine: Engine,
    /// Words for the kernel's command line.
    pub(super) kernel: &'static str,
    pub(super) user: User,
    /// What stands before each command.
    pub(super) prefix: &'static str,
    pub(super) backend: Backend,
    /// A line of `doctor`, and how it goes on.
    pub(super) doctor: (&'static str, &'static str),
    /// How a program that takes too much memory is noticed. Where no sandbox can be made, what the
    /// refusal names.
    pub(super) notices: &'static str,
    /// The memory limit of that program, in MiB.
    pub(super) limit_mb: u32,
    /// Of each sentence in `not_enforced`, a part. There are no others.
    pub(super) lacking: &'static [&'static str],
    pub(super) tries: &'static [Try],
}

impl Host {
    /// Whether swiftprof is started in a login's session, which it leaves for a scope of its own.
    pub(super) fn is_session(&self) -> bool {
        self.engine == Engine::None && self.prefix.is_empty()
    }

    /// Of each sentence in `not_enforced` on this processor, a part.
    pub(super) fn lacking_on(&self, arch: Arch) -> impl Iterator<Item = &'static str> {
        let has_cgroup = self.backend == Backend::Native && self.notices == KERNEL;
        let own = (has_cgroup && !arch.begins_in_cgroups()).then_some(NO_RUN_CGROUP);
        self.lacking.iter().copied().chain(own)
    }
}

/// What makes the sandboxes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Backend {
    Native,
    Docker,
}

impl Backend {
    /// Its name on the command line, and in the suite.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Native => "native",
            Self::Docker => "docker",
        }
    }
}

/// The kernel has killed the program, as the cgroup says.
const KERNEL: &str = "OOM_KILL";
/// The runner has found the program's resident set too large.
const POLLED: &str = "POLLED";

/// The unit's memory has run out first, which is an error that names this.
pub(super) const UNIT: &str = "MemoryMax";

/// What `doctor` says of an engine that works.
const WORKS: (&str, &str) = ("docker", "works");
/// What it says where nothing works.
const NO_SANDBOX: (&str, &str) = ("native", "does not work");
/// The line of `doctor` on the memory cgroup, and what it says of a delegated group.
const CGROUP: &str = "memory cgroup";
const DELEGATED: (&str, &str) = (CGROUP, "version 2, in the delegated /sys/fs/cgroup");
/// What it says of a folder at the root of the tree.
pub(super) const AT_ROOT: (&str, &str) = (CGROUP, "version 2, in /sys/fs/cgroup/swiftprof");
/// What it says where there is none.
const NONE: (&str, &str) = (CGROUP, "none: ");

/// Words that boot a kernel without Landlock.
const NO_LANDLOCK: &str = "lsm=apparmor";

/// What root's lack without delegation.
const OWN_UNIT: &str = "limits of swiftprof's own unit do not bind sandboxes";
/// What an ordinary user's native sandboxes lack.
const ONE_USER: &str = "the program runs as the runner's own user";
/// What they lack without delegation.
const NO_CGROUP: &str = "no memory cgroup";
/// What repetitions lack where no process can begin in a cgroup, as on ARM.
pub(super) const NO_RUN_CGROUP: &str = "they have no cgroup of their own (clone3";
/// What Podman's containers lack.
const INODES: &str = "number of files in scratch";
const SCRATCH: &str = "an interactor can write to the program's scratch";
/// What a kernel without Landlock lacks.
const LANDLOCK: &str = "no Landlock here";

const ALL: [Try; 7] =
    [Try::Doctor, Try::Benign, Try::Evidence, Try::Hog, Try::Hostile, Try::Killed, Try::Left];
const ALL_AND_PROFILE: [Try; 8] = [
    Try::Profile,
    Try::Doctor,
    Try::Benign,
    Try::Evidence,
    Try::Hog,
    Try::Hostile,
    Try::Killed,
    Try::Left,
];
const MOST: [Try; 5] = [Try::Doctor, Try::Benign, Try::Evidence, Try::Hog, Try::Hostile];

/// A container with a toolchain, and with the guest's programs and repository. It is started with
/// these options. Every command has the variables. Without `--init` nobody would reap what a runner
/// leaves, because swiftprof would be pid 1.
macro_rules! container {
    ($options:literal) => {
        concat!(
            "docker run --rm --init --network none --volume /usr/local/bin:/usr/local/bin:ro \
             --volume \"$REPOSITORY:$REPOSITORY\" ",
            $options,
            " \"$BASE\""
        )
    };
}

/// A delegated scope of a user's has no `Killed`: a shell in it hinders delegation.
pub(super) static HOSTS: [Host; 18] = [
    Host {
        name: "root, ssh session",
        engine: Engine::None,
        kernel: "",
        user: User::Root,
        prefix: "",
        backend: Backend::Native,
        doctor: DELEGATED,
        notices: KERNEL,
        limit_mb: 64,
        lacking: &[],
        tries: &ALL_AND_PROFILE,
    },
    Host {
        name: "root, service",
        engine: Engine::None,
        kernel: "",
        user: User::Root,
        prefix: "systemd-run --quiet --wait --pipe -E HOME=/root -p Delegate=yes",
        backend: Backend::Native,
        doctor: DELEGATED,
        notices: KERNEL,
        limit_mb: 64,
        lacking: &[],
        tries: &ALL,
    },
    Host {
        name: "root, service without delegation",
        engine: Engine::None,
        kernel: "",
        user: User::Root,
        prefix: "systemd-run --quiet --wait --pipe -E HOME=/root",
        backend: Backend::Native,
        doctor: AT_ROOT,
        notices: KERNEL,
        limit_mb: 64,
        lacking: &[OWN_UNIT],
        tries: &[Try::Doctor, Try::Benign, Try::Hog, Try::Killed, Try::Left],
    },
    // As in a container: the group is the root of a namespace, and a shell is in it.
    Host {
        name: "root, cgroup namespace",
        engine: Engine::None,
        kernel: "",
        user: User::Root,
        prefix: "systemd-run --quiet --wait --pipe -E HOME=/root -p Delegate=yes unshare --cgroup --mount sh -c \
                 'mount -t cgroup2 none /sys/fs/cgroup && \"$@\"' sh",
        backend: Backend::Native,
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
        kernel: "",
        user: User::Root,
        prefix: "systemd-run --quiet --wait --pipe -E HOME=/root -p Delegate=yes \
                 -p MemoryMax=400M -p MemorySwapMax=0",
        backend: Backend::Native,
        doctor: DELEGATED,
        notices: UNIT,
        limit_mb: 2000,
        lacking: &[],
        tries: &[Try::Hog],
    },
    Host {
        name: "user, ssh session",
        engine: Engine::None,
        kernel: "",
        user: User::Ordinary,
        prefix: "",
        backend: Backend::Native,
        doctor: DELEGATED,
        notices: KERNEL,
        limit_mb: 64,
        lacking: &[ONE_USER],
        tries: &ALL,
    },
    // swiftprof does not leave a service.
    Host {
        name: "user, service without delegation",
        engine: Engine::None,
        kernel: "",
        user: User::Ordinary,
        prefix: "systemd-run --quiet --wait --pipe --user",
        backend: Backend::Native,
        doctor: NONE,
        notices: POLLED,
        limit_mb: 64,
        lacking: &[ONE_USER, NO_CGROUP],
        tries: &[Try::Doctor, Try::Benign, Try::Hog, Try::Hostile],
    },
    Host {
        name: "user, scope",
        engine: Engine::None,
        kernel: "",
        user: User::Ordinary,
        prefix: "systemd-run --quiet --user --scope -p Delegate=yes",
        backend: Backend::Native,
        doctor: DELEGATED,
        notices: KERNEL,
        limit_mb: 64,
        lacking: &[ONE_USER],
        tries: &MOST,
    },
    Host {
        name: "user, service",
        engine: Engine::None,
        kernel: "",
        user: User::Ordinary,
        prefix: "systemd-run --quiet --wait --pipe --user -p Delegate=yes",
        backend: Backend::Native,
        doctor: DELEGATED,
        notices: KERNEL,
        limit_mb: 64,
        lacking: &[ONE_USER],
        tries: &[Try::Doctor, Try::Hog, Try::Left],
    },
    Host {
        name: "root, no Landlock",
        engine: Engine::None,
        kernel: NO_LANDLOCK,
        user: User::Root,
        prefix: "",
        backend: Backend::Native,
        doctor: DELEGATED,
        notices: KERNEL,
        limit_mb: 64,
        lacking: &[LANDLOCK],
        tries: &MOST,
    },
    Host {
        name: "user, no Landlock",
        engine: Engine::None,
        kernel: NO_LANDLOCK,
        user: User::Ordinary,
        prefix: "",
        backend: Backend::Native,
        doctor: NO_SANDBOX,
        notices: "Landlock",
        limit_mb: 64,
        lacking: &[],
        tries: &[Try::Doctor, Try::Refused],
    },
    Host {
        name: "root, in a container",
        engine: Engine::Docker,
        kernel: "",
        user: User::Root,
        prefix: container!(""),
        backend: Backend::Native,
        doctor: NO_SANDBOX,
        notices: "--privileged",
        limit_mb: 64,
        lacking: &[],
        tries: &[Try::Doctor, Try::Refused],
    },
    Host {
        name: "root, in a privileged container",
        engine: Engine::Docker,
        kernel: "",
        user: User::Root,
        prefix: container!("--privileged"),
        backend: Backend::Native,
        doctor: DELEGATED,
        notices: KERNEL,
        limit_mb: 64,
        lacking: &[],
        tries: &MOST,
    },
    // The flags that the refusal names.
    Host {
        name: "root, in a container with flags",
        engine: Engine::Docker,
        kernel: "",
        user: User::Root,
        prefix: container!(
            "--cap-add SYS_ADMIN --security-opt seccomp=unconfined --security-opt \
             apparmor=unconfined --security-opt systempaths=unconfined"
        ),
        backend: Backend::Native,
        doctor: NONE,
        notices: POLLED,
        limit_mb: 64,
        lacking: &[NO_CGROUP],
        tries: &MOST,
    },
    Host {
        name: "root, Docker",
        engine: Engine::Docker,
        kernel: "",
        user: User::Root,
        prefix: "",
        backend: Backend::Docker,
        doctor: WORKS,
        notices: KERNEL,
        limit_mb: 64,
        lacking: &[],
        tries: &ALL,
    },
    Host {
        name: "root, Docker with containerd's store",
        engine: Engine::Containerd,
        kernel: "",
        user: User::Root,
        prefix: "",
        backend: Backend::Docker,
        doctor: WORKS,
        notices: KERNEL,
        limit_mb: 64,
        lacking: &[],
        tries: &ALL,
    },
    Host {
        name: "user, Podman",
        engine: Engine::Podman,
        kernel: "",
        user: User::Ordinary,
        prefix: "",
        backend: Backend::Docker,
        doctor: WORKS,
        notices: KERNEL,
        limit_mb: 64,
        lacking: &[INODES, SCRATCH],
        tries: &ALL,
    },
    Host {
        name: "user, rootless Docker",
        engine: Engine::Rootless,
        kernel: "",
        user: User::Ordinary,
        prefix: "",
        backend: Backend::Docker,
        doctor: WORKS,
        notices: KERNEL,
        limit_mb: 64,
        lacking: &[],
        tries: &ALL,
    },
];
