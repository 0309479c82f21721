//! The folder in which sandboxes get their control groups, in version 2.
//!
//! ```text
//! delegated        hands controllers on, and so has no processes of its own
//!  ├─ supervisor   swiftprof
//!  └─ box-…        a sandbox, with its limits
//!      ├─ runner   the launcher and the runner
//!      └─ run      the measured program
//! ```
//!
//! The tree belongs to systemd, or to a container's engine. A group is swiftprof's if
//!
//! - systemd has marked it as delegated;
//! - it is the root of a cgroup namespace, as in a container;
//! - this user may write it, swiftprof is alone in it, and systemd says that its unit is delegated.
//!   A user's own systemd has no right to mark. A unit that is not delegated is of no use, because
//!   systemd stops it as soon as a program is out of memory.
//!
//! In a session without such a group, swiftprof asks systemd for one ([`systemd`]). In a delegated
//! group, the limits of swiftprof's own unit bind sandboxes too. If root has no delegated group,
//! sandboxes get their groups in a folder at the root of the tree.

mod host;
mod systemd;

pub(in crate::sandbox::native) use host::Host;
pub use host::NoCgroup;
pub(super) use host::named;
use nix::errno::Errno;
use nix::unistd::{AccessFlags, eaccess};
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Group of swiftprof itself, because a group with processes cannot hand controllers on. A unit may
/// have `DelegateSubgroup=supervisor`.
pub(super) const SUPERVISOR: &str = "supervisor";
/// The folder at the root of a hierarchy that holds all groups of swiftprof.
pub(super) const FAMILY: &str = "swiftprof";
/// File that lists the controllers that a group has.
pub(super) const CONTROLLERS: &str = "cgroup.controllers";
/// The file that hands controllers on to the groups below.
pub(super) const HANDED_ON: &str = "cgroup.subtree_control";
/// File that lists the processes of a group.
pub(super) const MEMBERS: &str = "cgroup.procs";
/// The controller that sandboxes cannot do without.
pub(super) const MEMORY: &str = "memory";
/// The controller that sandboxes get if it exists.
const PIDS: &str = "pids";
/// The controller that shares the processors evenly among sandboxes, however many processes each
/// has. Without it, one with many busy processes would starve the compiler of another.
const CPU: &str = "cpu";
/// The extended attributes by which systemd marks a group that it has delegated.
const MARKS: [&str; 2] = ["user.delegate", "trusted.delegate"];
/// A group that systemd makes at the root of its tree.
const SYSTEMD: &str = "init.scope";
/// Maximum number of passes to move processes out of a group. Each pass also moves processes that
/// started during the pass before.
const MOVES: u32 = 100;

/// Reason why an ordinary user's sandbox has no memory cgroup of version 1.
const NO_ROOT: &str = "only root gets one";
/// Ways to give a host a memory controller.
const MOUNT: &str = "mount it there, and boot without `cgroup_disable=memory`";

/// Tells an ordinary user that only root gets a cgroup here.
pub(in crate::sandbox::native) fn no_root() -> NoCgroup {
    NoCgroup { cause: NO_ROOT.into(), ways: &["start it as root"] }
}

/// Hierarchy that limits memory, and its folder in which sandboxes get their groups.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::sandbox::native) enum Hierarchy {
    /// Version 1: this folder.
    V1(PathBuf),
    /// Version 2: a group that was delegated to this process.
    Delegated(Delegated),
    /// Version 2: this folder at the root of the tree, and the reason why no delegated group is
    /// used.
    AtRoot(PathBuf, String),
}

/// A group that was delegated to this process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::sandbox::native) struct Delegated {
    group: PathBuf,
    /// Group that this process is in: `group`, or the supervisor's group below.
    own: PathBuf,
    /// Whether `group` was delegated with all processes in it, so that they may be moved.
    is_whole: bool,
    /// Whether `group` was made for this process alone.
    is_made: bool,
}

impl Hierarchy {
    /// Finds the hierarchy that has the memory controller, or says what is missing and how to get
    /// it. Changes nothing, except that systemd may move this process to another scope.
    pub(in crate::sandbox::native) async fn find(host: &Host) -> Result<Self, NoCgroup> {
        if !lists(&host.mounted.join(CONTROLLERS), MEMORY) {
            return Self::find_v1(host);
        }
        match Delegated::find_or_make(host).await {
            Ok(delegated) => Ok(Self::Delegated(delegated)),
            Err(why) if host.is_root => Self::at_root(host, why),
            Err(why) => Err(host.advise(why)),
        }
    }

    fn find_v1(host: &Host) -> Result<Self, NoCgroup> {
        let first = host.mounted.join("memory");
        if !first.join("memory.oom_control").exists() {
            let cause = format!("no memory controller at {}", host.mounted.display());
            return Err(NoCgroup { cause, ways: &[MOUNT] });
        }
        if host.is_root { Ok(Self::V1(first.join(FAMILY))) } else { Err(no_root()) }
    }

    /// Finds the folder at the root of the tree, if controllers can be handed on to it.
    fn at_root(host: &Host, why: String) -> Result<Self, NoCgroup> {
        let file = host.mounted.join(HANDED_ON);
        let refused = if lists(&file, MEMORY) {
            None
        } else if is_systemds(&host.mounted) {
            Some("systemd does not delegate the memory controller at the root of the tree".into())
        } else {
            let error = eaccess(&file, AccessFlags::W_OK).err();
            error.map(|errno| format!("{}: {errno}", file.display()))
        };
        match refused {
            None => Ok(Self::AtRoot(host.mounted.join(FAMILY), why)),
            Some(cause) => Err(host.advise(format!("{why}; {cause}"))),
        }
    }

    /// Returns the folder that has all groups of sandboxes.
    pub(super) fn folder(&self) -> &Path {
        match self {
            Self::V1(folder) | Self::AtRoot(folder, _) => folder,
            Self::Delegated(Delegated { group, .. }) => group,
        }
    }

    /// Whether [`Self::settle`] moves a process within a group that somebody else made.
    pub(in crate::sandbox::native) fn needs_moves(&self) -> bool {
        let Self::Delegated(Delegated { group, own, is_made: false, .. }) = self else {
            return false;
        };
        own == group || !members(group).is_empty()
    }

    /// Makes the folder ready. Root falls back to the root of the tree.
    pub(in crate::sandbox::native) fn settle(self, host: &Host) -> Result<Self, NoCgroup> {
        let Self::Delegated(delegated) = self else {
            return self.settle_at_root(host);
        };
        match delegated.settle() {
            Ok(leaf) => Ok(Self::Delegated(Delegated { own: leaf, ..delegated })),
            Err(cause) if host.is_root && delegated.group != host.mounted => {
                Self::at_root(host, cause)?.settle_at_root(host)
            }
            Err(cause) => Err(host.advise(cause)),
        }
    }

    /// Makes the folder at the root of the tree. If systemd owns the tree, only systemd hands
    /// controllers on at the root.
    fn settle_at_root(self, host: &Host) -> Result<Self, NoCgroup> {
        let Self::AtRoot(family, why) = &self else {
            return Ok(self);
        };
        let made = || -> Result<(), String> {
            if !is_systemds(&host.mounted) {
                // This comes first, because it fails in a namespace whose root has processes.
                hand_on(&host.mounted)?;
            }
            named(family, fs::create_dir_all(family))?;
            hand_on(family)?;
            share_processors(family);
            Ok(())
        };
        if let Err(cause) = made() {
            // The folder stays if another process has cgroups in it.
            let _ = fs::remove_dir(family);
            return Err(host.advise(format!("{why}; {cause}")));
        }
        Ok(self)
    }
}

impl Delegated {
    /// Finds the group that was delegated to this process, or else asks systemd for one.
    async fn find_or_make(host: &Host) -> Result<Self, String> {
        let why = match Self::find(host).await {
            Ok(delegated) => return Ok(delegated),
            Err(why) => why,
        };
        let group = host.own_group()?;
        if !systemd::may_leave(&group) {
            return Err(why);
        }
        match systemd::enter_scope(host, &group).await {
            Ok(()) => Ok(Self { is_made: true, ..Self::find(host).await? }),
            Err(refused) => Err(format!("{why}; {refused}")),
        }
    }

    async fn find(host: &Host) -> Result<Self, String> {
        let own = host.own_group()?;
        let group = match own.parent().filter(|_| own.ends_with(SUPERVISOR)) {
            Some(parent) => parent.to_owned(),
            None => own.clone(),
        };
        let not_delegated = || format!("{} is not delegated", group.display());
        // Unlike the root of a namespace, the root of the whole tree has no type.
        let is_namespace = group == host.mounted && group.join("cgroup.type").exists();
        let is_whole = is_namespace || MARKS.iter().any(|mark| has_mark(&group, mark));
        if host.is_root && !is_whole {
            return Err(not_delegated());
        }
        for file in ["", MEMBERS, HANDED_ON] {
            eaccess(&group.join(file), AccessFlags::W_OK)
                .map_err(|errno| format!("{}: {errno}", not_delegated()))?;
        }
        if !lists(&group.join(CONTROLLERS), MEMORY) {
            return Err(format!("{} has no memory controller", group.display()));
        }
        // A process in the supervisor's group has passed this check before.
        if !is_whole && own == group {
            let this = std::process::id();
            if members(&group).iter().any(|&pid| pid != this) {
                return Err(busy(&group));
            }
            if !systemd::delegates(&group).await {
                return Err(not_delegated());
            }
        }
        Ok(Self { group, own, is_whole, is_made: false })
    }

    /// Moves this process out of the group, and all processes that were delegated with it, so that
    /// the group can hand controllers on. Returns the supervisor's group.
    fn settle(&self) -> Result<PathBuf, String> {
        let leaf = self.group.join(SUPERVISOR);
        let mut moved = BTreeSet::new();
        let settled = self.empty(&leaf, &mut moved).and_then(|()| hand_on(&self.group));
        if settled.is_err() {
            for pid in moved {
                // The process may have ended.
                let _ = fs::write(self.group.join(MEMBERS), pid.to_string());
            }
            let _ = fs::remove_dir(&leaf);
        }
        settled.map(|()| {
            share_processors(&self.group);
            leaf
        })
    }

    /// Moves this process, and the processes delegated with the group, to the group `leaf`. Adds
    /// them to `moved`.
    fn empty(&self, leaf: &Path, moved: &mut BTreeSet<u32>) -> Result<(), String> {
        let to = leaf.join(MEMBERS);
        if self.own != leaf {
            named(leaf, fs::create_dir_all(leaf))?;
            let this = std::process::id();
            named(&to, fs::write(&to, this.to_string()))?;
            moved.insert(this);
        }
        if !self.is_whole {
            return Ok(());
        }
        for _ in 0..MOVES {
            // A process that this pid namespace does not see has no number here, and cannot be
            // moved.
            let others = members(&self.group).into_iter().filter(|&pid| pid != 0);
            let others = others.collect::<Vec<_>>();
            if others.is_empty() {
                return Ok(());
            }
            for pid in others {
                match fs::write(&to, pid.to_string()) {
                    Ok(()) => _ = moved.insert(pid),
                    // The process has ended.
                    Err(error) if error.raw_os_error() == Some(Errno::ESRCH as i32) => {}
                    Err(error) => return named(&to, Err(error)),
                }
            }
        }
        Err(busy(&self.group))
    }
}

fn has_mark(group: &Path, mark: &str) -> bool {
    let mut value = [0; 1];
    rustix::fs::getxattr(group, mark, &mut value) == Ok(1) && value == *b"1"
}

/// Whether systemd owns the tree.
fn is_systemds(mounted: &Path) -> bool {
    mounted.join(SYSTEMD).exists()
}

/// Hands the controllers that sandboxes use on to the groups below `group`.
pub(super) fn hand_on(group: &Path) -> Result<(), String> {
    let file = group.join(HANDED_ON);
    let has_pids = lists(&group.join(CONTROLLERS), PIDS);
    let ours = [MEMORY].into_iter().chain(has_pids.then_some(PIDS));
    let lacking = ours.filter(|name| !lists(&file, name)).map(|name| format!("+{name}"));
    let lacking = lacking.collect::<Vec<_>>().join(" ");
    if lacking.is_empty() {
        return Ok(());
    }
    match fs::write(&file, lacking) {
        Err(error) if error.kind() == io::ErrorKind::ResourceBusy => Err(busy(group)),
        written => named(&file, written),
    }
}

/// Hands the processors' controller on to the groups below `group`, if the group has it.
fn share_processors(group: &Path) {
    let file = group.join(HANDED_ON);
    if lists(&group.join(CONTROLLERS), CPU) && !lists(&file, CPU) {
        // The kernel refuses it in a group with real-time processes. Sandboxes do without.
        let _ = fs::write(&file, format!("+{CPU}"));
    }
}

fn busy(group: &Path) -> String {
    format!("other processes are in {}", group.display())
}

/// Whether a file lists a controller.
pub(super) fn lists(file: &Path, controller: &str) -> bool {
    let listed = fs::read_to_string(file).unwrap_or_default();
    listed.split_whitespace().any(|name| name == controller)
}

/// Returns the processes of a group. A process that this pid namespace does not see is 0.
pub(super) fn members(group: &Path) -> Vec<u32> {
    let listed = fs::read_to_string(group.join(MEMBERS)).unwrap_or_default();
    listed.lines().filter_map(|pid| pid.parse().ok()).collect()
}

#[cfg(test)]
mod tests;
