//! Ownership of the sandboxes on a host. Everything that swiftprof leaves on a host is labelled
//! with its owner. A sweep removes only what has no living owner, even with two servers on one
//! host.

use std::fmt;
use std::fs;
use std::str::FromStr;
use uuid::Uuid;

/// Separator of the parts of an owner that is written as text.
const SEPARATOR: char = '.';
/// The index of a process's start time in `/proc/PID/stat`, counted after the command's
/// parenthesis; field 22 of the whole line.
const START_FIELD: usize = 19;
/// The states of a process that has ended.
const DEAD: [&str; 3] = ["Z", "X", "x"];

/// A profiler across its restarts. A server that keeps a state folder is the same instance whenever
/// it starts, because only one process at a time may hold the folder. So whatever an earlier
/// process of the instance left has no owner, even if it is from another boot or another container.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Instance(Uuid);

impl Instance {
    /// An instance that ends with this process.
    pub fn fresh() -> Self {
        Self(Uuid::now_v7())
    }
}

impl FromStr for Instance {
    type Err = uuid::Error;

    /// Parses an instance that was stored as text.
    fn from_str(stored: &str) -> Result<Self, Self::Err> {
        stored.parse().map(Self)
    }
}

impl fmt::Display for Instance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.hyphenated().fmt(f)
    }
}

/// A process that owns sandboxes, as written in labels and names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Owner {
    pub(super) instance: String,
    /// The host's boot and the pid namespace, within which the process's pid has a meaning.
    pub(super) world: String,
    /// The pid and the start time, so that a reused pid is not taken for the same process.
    pub(super) process: String,
}

impl Owner {
    /// This process, as the current process of `instance`.
    pub(super) fn this_process(instance: Instance) -> Self {
        let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
        let namespace = fs::read_link("/proc/self/ns/pid").unwrap_or_default();
        let namespace: String =
            namespace.to_string_lossy().chars().filter(char::is_ascii_digit).collect();
        let pid = std::process::id();
        Self {
            instance: instance.to_string(),
            world: format!("{}:{namespace}", boot.trim()),
            process: process(pid).unwrap_or_else(|| pid.to_string()),
        }
    }

    /// Whether to sweep what `other` owns. Any other process of this instance is dead. A process of
    /// another instance is known to be dead only within this world: processes of other hosts, boots
    /// and pid namespaces may be alive.
    pub(super) fn survives(&self, other: &Self) -> bool {
        let me = (&self.world, &self.process) == (&other.world, &other.process);
        let predecessor = self.instance == other.instance && !me;
        predecessor || (self.world == other.world && !is_alive(&other.process))
    }
}

/// Writes the owner as part of a file's name, without spaces and slashes.
impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { instance, world, process } = self;
        write!(f, "{instance}{SEPARATOR}{world}{SEPARATOR}{process}")
    }
}

impl Owner {
    /// Returns the owner that a name begins with. The rest of the name follows a separator.
    pub(super) fn from_start_of(text: &str) -> Option<Self> {
        let mut parts = text.split(SEPARATOR).map(String::from);
        let (instance, world, process) = (parts.next()?, parts.next()?, parts.next()?);
        parts.next()?;
        Some(Self { instance, world, process })
    }
}

fn is_alive(owner: &str) -> bool {
    let pid = owner.split(':').next().and_then(|pid| pid.parse().ok());
    pid.and_then(process).is_some_and(|process| process == owner)
}

/// The pid and start time of a living process. A zombie does not count as living: in a container
/// without an init, a killed process may never be reaped.
fn process(pid: u32) -> Option<String> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let start = fields.get(START_FIELD)?;
    (!DEAD.contains(fields.first()?)).then(|| format!("{pid}:{start}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use nix::sys::wait::{Id, WaitPidFlag, waitid};
    use nix::unistd::Pid;

    const STORED: &str = "01890a5d-ac96-774b-bcce-b302099a8057";

    fn stored() -> Owner {
        Owner::this_process(STORED.parse().unwrap())
    }

    fn process_0(owner: &Owner) -> Owner {
        Owner { process: format!("{}:0", std::process::id()), ..owner.clone() }
    }

    #[test]
    fn instance_survives_storing() {
        assert_eq!(STORED.parse::<Instance>().unwrap().to_string(), STORED);
    }

    #[test]
    fn text_that_is_no_instance_is_refused() {
        assert!("swiftprof".parse::<Instance>().is_err());
    }

    #[test]
    fn living_process_is_left_alone() {
        let other = Owner::this_process(Instance::fresh());
        assert!(!stored().survives(&other));
    }

    #[test]
    fn own_process_is_left_alone_by_itself() {
        assert!(!stored().survives(&stored()));
    }

    #[test]
    fn pid_used_again_is_not_the_owner() {
        let dead = process_0(&Owner::this_process(Instance::fresh()));
        assert!(stored().survives(&dead));
    }

    #[test]
    fn process_that_nobody_waits_for_is_dead() {
        let mut child = std::process::Command::new("true").spawn().unwrap();
        // The child has ended, but is not reaped.
        let flags = WaitPidFlag::WEXITED | WaitPidFlag::WNOWAIT;
        waitid(Id::Pid(Pid::from_raw(child.id().cast_signed())), flags).unwrap();
        let seen = process(child.id());
        child.wait().unwrap();
        assert_eq!(seen, None);
    }

    #[test]
    fn sandbox_of_another_world_is_left_alone() {
        let there = process_0(&Owner {
            world: "another:1".into(),
            ..Owner::this_process(Instance::fresh())
        });
        assert!(!stored().survives(&there));
    }

    #[test]
    fn predecessor_in_another_world_is_dead() {
        let there = Owner { world: "another:1".into(), ..stored() };
        assert!(stored().survives(&there));
    }

    #[test]
    fn owner_can_be_read_from_a_name() {
        let owner = stored();
        assert_eq!(Owner::from_start_of(&format!("{owner}.sandbox")), Some(owner));
    }

    #[test]
    fn name_of_another_form_has_no_owner() {
        assert_eq!(Owner::from_start_of("123-01890a5d"), None);
    }
}
