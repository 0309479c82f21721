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
//! The tree belongs to systemd, or to a container's engine. Only a group that they have delegated
//! is swiftprof's, and there the limits of its own unit bind sandboxes too. systemd marks such a
//! group. A group at the root of a namespace is the container's. A user's own systemd marks
//! nothing, so it is asked: it stops a unit that is not delegated as soon as a program is out of
//! memory. Such a group must contain nobody else.
//!
//! As root without such a group, sandboxes get theirs in a folder at the root of the tree.

use nix::unistd::{AccessFlags, eaccess, geteuid};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Where swiftprof itself is, because a group with processes cannot hand controllers on. A unit may
/// have `DelegateSubgroup=supervisor`.
pub(super) const SUPERVISOR: &str = "supervisor";
/// The folder at the root of a hierarchy that holds all our groups.
pub(super) const FAMILY: &str = "swiftprof";
/// The file that hands controllers on to the groups below.
pub(super) const HANDED_ON: &str = "cgroup.subtree_control";
/// The processes of a group.
pub(super) const MEMBERS: &str = "cgroup.procs";
/// What sandboxes are limited by.
const CONTROLLERS: [&str; 2] = ["memory", "pids"];
/// The extended attributes by which systemd marks a group that it has delegated.
const MARKS: [&str; 2] = ["user.delegate", "trusted.delegate"];
/// A group that systemd makes at the root of its tree.
const SYSTEMD: &str = "init.scope";
/// The ends of the names of groups that are units of systemd's with processes.
const UNITS: [&str; 2] = [".scope", ".service"];
/// What gives an ordinary user a group.
const ADVICE: &str = "start it as `systemd-run --user --scope -p Delegate=yes swiftprof …`";

/// What decides which cgroups this process can make.
#[derive(Debug)]
pub(crate) struct Host {
    /// Where the hierarchies are mounted.
    pub(crate) mounted: PathBuf,
    /// The file that names this process's own cgroups.
    pub(crate) membership: PathBuf,
    pub(crate) is_root: bool,
}

impl Host {
    pub(crate) fn this() -> Self {
        let mounted = PathBuf::from("/sys/fs/cgroup");
        let membership = PathBuf::from("/proc/self/cgroup");
        Self { mounted, membership, is_root: geteuid().is_root() }
    }
}

/// Where sandboxes get their groups.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Parent {
    pub(super) folder: PathBuf,
    /// Whether somebody has delegated it.
    pub(super) is_delegated: bool,
}

/// Finds the folder, and makes it ready, or says what is missing.
pub(super) fn find(host: &Host) -> Result<Parent, String> {
    match Delegated::find(host) {
        Ok(delegated) => {
            let advice = if host.is_root { String::new() } else { format!("; {ADVICE}") };
            let folder = delegated.settle().map_err(|cause| cause + &advice)?;
            Ok(Parent { folder, is_delegated: true })
        }
        Err(_) if host.is_root => {
            let folder = at_root(&host.mounted)?;
            Ok(Parent { folder, is_delegated: false })
        }
        Err(cause) => Err(format!("{cause}; {ADVICE}")),
    }
}

/// A group that was delegated to this process.
struct Delegated {
    group: PathBuf,
    /// The group that this process is in: that one, or the supervisor's below.
    own: PathBuf,
    /// Whether all processes in it came with it.
    is_whole: bool,
}

impl Delegated {
    fn find(host: &Host) -> Result<Self, String> {
        let own = own(host)?;
        let group = match own.parent().filter(|_| own.ends_with(SUPERVISOR)) {
            Some(parent) => parent.to_owned(),
            None => own.clone(),
        };
        // The root of the whole tree has no type.
        let is_namespace = group == host.mounted && group.join("cgroup.type").exists();
        let is_whole = is_namespace || MARKS.iter().any(|mark| has_mark(&group, mark));
        if host.is_root && !is_whole {
            return Err(format!("{} is not delegated", group.display()));
        }
        for file in ["", MEMBERS, HANDED_ON] {
            let path = group.join(file);
            eaccess(&path, AccessFlags::W_OK)
                .map_err(|errno| format!("{} is not delegated: {errno}", group.display()))?;
        }
        if !is_whole && own == group && is_refused(&group) {
            return Err(format!("{} is not delegated", group.display()));
        }
        let lacking = lacking(&group.join("cgroup.controllers"));
        if lacking.is_empty() {
            Ok(Self { group, own, is_whole })
        } else {
            Err(format!("{} has no controller {}", group.display(), lacking.join(" ")))
        }
    }

    /// Moves this process out of the group, so that the group can hand controllers on.
    fn settle(self) -> Result<PathBuf, String> {
        let Self { group, own, is_whole } = self;
        let leaf = group.join(SUPERVISOR);
        let members = leaf.join(MEMBERS);
        if own != leaf {
            named(&leaf, fs::create_dir_all(&leaf))?;
            named(&members, fs::write(&members, "0"))?;
        }
        let mut handed_on = hand_on(&group);
        if handed_on.is_err() && is_whole {
            let others = fs::read_to_string(group.join(MEMBERS)).unwrap_or_default();
            for other in others.lines() {
                // It may have ended.
                let _ = fs::write(&members, other);
            }
            handed_on = hand_on(&group);
        }
        handed_on.map_err(|cause| {
            if own != leaf {
                let _ = fs::write(own.join(MEMBERS), "0");
                let _ = fs::remove_dir(&leaf);
            }
            format!("{cause}; other processes are in the group")
        })?;
        Ok(group)
    }
}

/// The folder of the group that this process is in.
fn own(host: &Host) -> Result<PathBuf, String> {
    let text = named(&host.membership, fs::read_to_string(&host.membership))?;
    let path = text.lines().find_map(|line| line.strip_prefix("0::/"));
    // What is outside of the namespace cannot be named.
    let path = path.filter(|path| !path.split('/').any(|part| part == ".."));
    let path = path.ok_or_else(|| format!("{} names no group here", host.membership.display()))?;
    Ok(if path.is_empty() { host.mounted.clone() } else { host.mounted.join(path) })
}

fn has_mark(group: &Path, mark: &str) -> bool {
    let mut value = [0; 1];
    rustix::fs::getxattr(group, mark, &mut value) == Ok(1) && value == *b"1"
}

/// Whether the user's systemd has made the group and has not delegated it.
fn is_refused(group: &Path) -> bool {
    let mut names = group.ancestors().filter_map(|folder| folder.file_name()?.to_str());
    let Some(unit) = names.find(|name| UNITS.iter().any(|end| name.ends_with(end))) else {
        return false;
    };
    let words = ["--user", "show", "--value", "--property=Delegate", unit];
    let asked = Command::new("systemctl").args(words).output();
    asked.is_ok_and(|said| said.stdout.trim_ascii() == b"no")
}

/// The folder at the root of the tree. Where systemd owns the tree, the root's file is its own.
fn at_root(mounted: &Path) -> Result<PathBuf, String> {
    let lacking = lacking(&mounted.join(HANDED_ON));
    if !lacking.is_empty() && mounted.join(SYSTEMD).exists() {
        return Err(format!("systemd hands no {} on", lacking.join(" ")));
    }
    // First, because it fails in a namespace whose root has processes.
    hand_on(mounted)?;
    let family = mounted.join(FAMILY);
    named(&family, fs::create_dir_all(&family))?;
    hand_on(&family)?;
    Ok(family)
}

/// Hands our controllers on to the groups below `group`.
pub(super) fn hand_on(group: &Path) -> Result<(), String> {
    let file = group.join(HANDED_ON);
    let lacking = lacking(&file);
    if lacking.is_empty() {
        return Ok(());
    }
    let added: Vec<String> = lacking.iter().map(|name| format!("+{name}")).collect();
    named(&file, fs::write(&file, added.join(" ")))
}

/// Those of our controllers that a file does not list.
fn lacking(file: &Path) -> Vec<&'static str> {
    let listed = fs::read_to_string(file).unwrap_or_default();
    let is_listed = |name: &&str| listed.split_whitespace().any(|listed| listed == *name);
    CONTROLLERS.into_iter().filter(|name| !is_listed(name)).collect()
}

/// Names the file or folder of an error.
pub(super) fn named<T>(place: &Path, done: io::Result<T>) -> Result<T, String> {
    done.map_err(|error| format!("{}: {error}", place.display()))
}

#[cfg(test)]
mod tests;
