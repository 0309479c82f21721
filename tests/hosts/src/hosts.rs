//! The kinds of host, and the tries of each.

use super::arch::Arch;
use super::engine::Engine;
use super::machine::User;

/// A try of swiftprof on a host.
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
    /// A job, and a count of what it leaves: control groups in a unit that goes on, or containers.
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
    /// The beginning of each command.
    pub(super) prefix: &'static str,
    pub(super) backend: Backend,
    /// A line of `doctor`, and how it goes on.
    pub(super) doctor: (&'static str, &'static str),
    /// The evidence against a program that takes too much memory. Where no sandbox can be made, the
    /// word that the refusal names.
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

/// Maker of the sandboxes.
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

/// `doctor` on an engine that works.
const WORKS: (&str, &str) = ("docker", "works");
/// `doctor` where no sandbox can be made.
const NO_SANDBOX: (&str, &str) = ("native", "does not work");
/// The line of `doctor` on the memory cgroup, and how it goes on with a delegated group.
const CGROUP: &str = "memory cgroup";
const DELEGATED: (&str, &str) = (CGROUP, "version 2, in the delegated /sys/fs/cgroup");
/// With a folder at the root of the tree.
pub(super) const AT_ROOT: (&str, &str) = (CGROUP, "version 2, in /sys/fs/cgroup/swiftprof");
/// Without a group.
const NONE: (&str, &str) = (CGROUP, "none: ");

/// Words that boot a kernel without Landlock.
const NO_LANDLOCK: &str = "lsm=apparmor";

// Parts of sentences in `not_enforced`.
/// Of root's sandboxes without delegation.
const OWN_UNIT: &str = "limits of swiftprof's own unit do not bind sandboxes";
/// Of an ordinary user's native sandboxes.
const ONE_USER: &str = "the program runs as the runner's own user";
/// Of the same without delegation.
const NO_CGROUP: &str = "no memory cgroup";
/// Of repetitions where no process can begin in a cgroup, as on ARM.
pub(super) const NO_RUN_CGROUP: &str = "they have no cgroup of their own (clone3";
/// Of Podman's containers.
const INODES: &str = "number of files in scratch";
const SCRATCH: &str = "an interactor can write to the program's scratch";
/// Of a kernel without Landlock.
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

/// A service of root's whose unit has these options.
macro_rules! service {
    ($options:literal) => {
        concat!("systemd-run --quiet --wait --pipe -E HOME=/root", $options)
    };
}

/// Native sandboxes of root with delegation. Each host says what differs from it.
const NATIVE: Host = Host {
    name: "",
    engine: Engine::None,
    kernel: "",
    user: User::Root,
    prefix: "",
    backend: Backend::Native,
    doctor: DELEGATED,
    notices: KERNEL,
    limit_mb: 64,
    lacking: &[],
    tries: &ALL,
};
/// The same of an ordinary user.
const OF_USER: Host = Host { user: User::Ordinary, lacking: &[ONE_USER], ..NATIVE };
/// Native sandboxes in one of Docker's containers.
const IN_CONTAINER: Host = Host { engine: Engine::Docker, tries: &MOST, ..NATIVE };
/// Sandboxes that are containers.
const CONTAINERS: Host =
    Host { engine: Engine::Docker, backend: Backend::Docker, doctor: WORKS, ..NATIVE };

/// The hosts. A delegated scope of a user's has no `Killed`: a shell in it hinders delegation.
pub(super) static HOSTS: [Host; 18] = [
    Host { name: "root, ssh session", tries: &ALL_AND_PROFILE, ..NATIVE },
    Host { name: "root, service", prefix: service!(" -p Delegate=yes"), ..NATIVE },
    Host {
        name: "root, service without delegation",
        prefix: service!(""),
        doctor: AT_ROOT,
        lacking: &[OWN_UNIT],
        tries: &[Try::Doctor, Try::Benign, Try::Hog, Try::Killed, Try::Left],
        ..NATIVE
    },
    // As in a container: the group is the root of a namespace, and a shell is in it.
    Host {
        name: "root, cgroup namespace",
        prefix: service!(
            " -p Delegate=yes unshare --cgroup --mount sh -c \
             'mount -t cgroup2 none /sys/fs/cgroup && \"$@\"' sh"
        ),
        tries: &[Try::Doctor, Try::Hog, Try::Killed],
        ..NATIVE
    },
    // The unit's limit is the smaller one, and binds.
    Host {
        name: "root, service of 400 MiB",
        prefix: service!(" -p Delegate=yes -p MemoryMax=400M -p MemorySwapMax=0"),
        notices: UNIT,
        limit_mb: 2000,
        tries: &[Try::Hog],
        ..NATIVE
    },
    Host { name: "user, ssh session", ..OF_USER },
    // swiftprof does not leave a service.
    Host {
        name: "user, service without delegation",
        prefix: "systemd-run --quiet --wait --pipe --user",
        doctor: NONE,
        notices: POLLED,
        lacking: &[ONE_USER, NO_CGROUP],
        tries: &[Try::Doctor, Try::Benign, Try::Hog, Try::Hostile],
        ..OF_USER
    },
    Host {
        name: "user, scope",
        prefix: "systemd-run --quiet --user --scope -p Delegate=yes",
        tries: &MOST,
        ..OF_USER
    },
    Host {
        name: "user, service",
        prefix: "systemd-run --quiet --wait --pipe --user -p Delegate=yes",
        tries: &[Try::Doctor, Try::Hog, Try::Left],
        ..OF_USER
    },
    Host {
        name: "root, no Landlock",
        kernel: NO_LANDLOCK,
        lacking: &[LANDLOCK],
        tries: &MOST,
        ..NATIVE
    },
    Host {
        name: "user, no Landlock",
        kernel: NO_LANDLOCK,
        doctor: NO_SANDBOX,
        notices: "Landlock",
        lacking: &[],
        tries: &[Try::Doctor, Try::Refused],
        ..OF_USER
    },
    Host {
        name: "root, in a container",
        prefix: container!(""),
        doctor: NO_SANDBOX,
        notices: "--privileged",
        tries: &[Try::Doctor, Try::Refused],
        ..IN_CONTAINER
    },
    Host {
        name: "root, in a privileged container",
        prefix: container!("--privileged"),
        ..IN_CONTAINER
    },
    // The flags that the refusal names.
    Host {
        name: "root, in a container with flags",
        prefix: container!(
            "--cap-add SYS_ADMIN --security-opt seccomp=unconfined --security-opt \
             apparmor=unconfined --security-opt systempaths=unconfined"
        ),
        doctor: NONE,
        notices: POLLED,
        lacking: &[NO_CGROUP],
        ..IN_CONTAINER
    },
    Host { name: "root, Docker", ..CONTAINERS },
    Host { name: "root, Docker with containerd's store", engine: Engine::Containerd, ..CONTAINERS },
    Host {
        name: "user, Podman",
        engine: Engine::Podman,
        user: User::Ordinary,
        lacking: &[INODES, SCRATCH],
        ..CONTAINERS
    },
    Host {
        name: "user, rootless Docker",
        engine: Engine::Rootless,
        user: User::Ordinary,
        ..CONTAINERS
    },
];
