//! Whose the sandboxes on a host are. What we leave there is labelled with its owner, so that a
//! sweep takes what nobody owns any more and nothing else, two servers on one host notwithstanding.

use std::fmt;
use std::fs;
use std::str::FromStr;
use uuid::Uuid;

/// Separates the parts of an owner as text.
const SEPARATOR: char = '.';
/// Where the start of a process stands in `/proc/PID/stat`, counted behind the command's
/// parenthesis: field 22 of all.
const START_FIELD: usize = 19;
/// The states of a process that has ended.
const DEAD: [&str; 3] = ["Z", "X", "x"];

/// A profiler over its restarts. One that keeps a state folder, which one process at a time may
/// hold, is the same instance whenever it starts: so what an earlier process of the same instance
/// left is nobody's, be it from another boot or another container.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Instance(Uuid);

impl Instance {
    /// One that ends with this process.
    pub fn fresh() -> Self {
        Self(Uuid::now_v7())
    }
}

impl FromStr for Instance {
    type Err = uuid::Error;

    /// The instance that was stored as this text.
    fn from_str(stored: &str) -> Result<Self, Self::Err> {
        stored.parse().map(Self)
    }
}

impl fmt::Display for Instance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.hyphenated().fmt(f)
    }
}

/// A process that owns sandboxes, as labels and names tell of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Owner {
    pub(super) instance: String,
    /// The host's boot, and the pid namespace in which the process's pid has a meaning.
    pub(super) world: String,
    /// Its pid and its start, so that a pid used again is not taken for it.
    pub(super) process: String,
}

impl Owner {
    /// This process, as a part of `instance`.
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

    /// Whether what `other` owns is to be swept. Whoever is of this instance and not this process
    /// is dead; of everybody else that is known only in this world: other hosts, other boots and
    /// other pid namespaces may be alive.
    pub(super) fn survives(&self, other: &Self) -> bool {
        let me = (&self.world, &self.process) == (&other.world, &other.process);
        let predecessor = self.instance == other.instance && !me;
        predecessor || (self.world == other.world && !is_alive(&other.process))
    }
}

/// The text is part of a file's name: it has no spaces and no slashes.
impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { instance, world, process } = self;
        write!(f, "{instance}{SEPARATOR}{world}{SEPARATOR}{process}")
    }
}

impl Owner {
    /// The owner that a text begins with; what follows is separated from it as its parts are.
    pub(super) fn at_the_beginning_of(text: &str) -> Option<Self> {
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

/// Pid and start time of a process that lives. One that was killed and that nobody has waited for,
/// for want of an init in a container, does not.
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
    fn an_instance_is_what_was_stored() {
        assert_eq!(STORED.parse::<Instance>().unwrap().to_string(), STORED);
    }

    #[test]
    fn a_text_that_is_no_instance_is_refused() {
        assert!("swiftprof".parse::<Instance>().is_err());
    }

    #[test]
    fn a_living_process_is_left_alone() {
        let other = Owner::this_process(Instance::fresh());
        assert!(!stored().survives(&other));
    }

    #[test]
    fn this_process_is_left_alone_by_itself() {
        assert!(!stored().survives(&stored()));
    }

    #[test]
    fn a_pid_used_again_is_not_the_owner() {
        let dead = process_0(&Owner::this_process(Instance::fresh()));
        assert!(stored().survives(&dead));
    }

    #[test]
    fn a_process_that_nobody_waits_for_is_dead() {
        let mut child = std::process::Command::new("true").spawn().unwrap();
        // It has ended, and is not reaped.
        let flags = WaitPidFlag::WEXITED | WaitPidFlag::WNOWAIT;
        waitid(Id::Pid(Pid::from_raw(child.id().cast_signed())), flags).unwrap();
        let seen = process(child.id());
        child.wait().unwrap();
        assert_eq!(seen, None);
    }

    #[test]
    fn what_another_world_owns_is_left_alone() {
        let there = process_0(&Owner {
            world: "another:1".into(),
            ..Owner::this_process(Instance::fresh())
        });
        assert!(!stored().survives(&there));
    }

    #[test]
    fn a_predecessor_in_another_world_is_dead() {
        let there = Owner { world: "another:1".into(), ..stored() };
        assert!(stored().survives(&there));
    }

    #[test]
    fn an_owner_can_be_read_from_a_name() {
        let owner = stored();
        assert_eq!(Owner::at_the_beginning_of(&format!("{owner}.sandbox")), Some(owner));
    }

    #[test]
    fn a_name_of_another_form_has_no_owner() {
        assert_eq!(Owner::at_the_beginning_of("123-01890a5d"), None);
    }
}
