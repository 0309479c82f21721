//! Whose a container is. Every container carries labels that name its owner, so that a sweep takes
//! what dead owners left and nothing else, two servers on one daemon notwithstanding.

use super::failed;
use crate::error::SandboxFault;
use bollard::query_parameters::{ListContainersOptionsBuilder, RemoveContainerOptionsBuilder};
use std::collections::HashMap;
use std::fs;

/// Marks a container as a sandbox of ours.
const SANDBOX: &str = "org.swiftsolve.profiler.sandbox";
/// The host's boot, and the pid namespace in which the owner's pid has a meaning.
const WORLD: &str = "org.swiftsolve.profiler.world";
/// The owner's pid and its start, so that a pid used again is not taken for the owner.
const OWNER: &str = "org.swiftsolve.profiler.owner";

/// A process that owns containers.
pub(super) struct Owner {
    world: String,
    process: String,
}

impl Owner {
    pub(super) fn this_process() -> Self {
        let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
        let namespace = fs::read_link("/proc/self/ns/pid").unwrap_or_default();
        let pid = std::process::id();
        Self {
            world: format!("{} {}", boot.trim(), namespace.display()),
            process: process(pid).unwrap_or_else(|| pid.to_string()),
        }
    }

    pub(super) fn labels(&self) -> HashMap<String, String> {
        HashMap::from([
            (SANDBOX.into(), env!("CARGO_PKG_VERSION").into()),
            (WORLD.into(), self.world.clone()),
            (OWNER.into(), self.process.clone()),
        ])
    }

    /// Removes containers whose owner lived in this world and is dead. Those of other hosts, other
    /// boots and other pid namespaces are left: nobody here can know whether their owner lives.
    pub(super) async fn sweep(&self, daemon: &bollard::Docker) -> Result<(), SandboxFault> {
        let ours = HashMap::from([("label", vec![format!("{WORLD}={}", self.world)])]);
        let options = ListContainersOptionsBuilder::default().all(true).filters(&ours).build();
        let found = daemon
            .list_containers(Some(options))
            .await
            .map_err(|error| failed("list containers", &error))?;
        for container in found {
            let owner = container.labels.as_ref().and_then(|labels| labels.get(OWNER));
            let (Some(owner), Some(id)) = (owner, &container.id) else {
                continue;
            };
            if !is_alive(owner) {
                let options = RemoveContainerOptionsBuilder::default().force(true).v(true).build();
                daemon
                    .remove_container(id, Some(options))
                    .await
                    .map_err(|error| failed("remove an orphan", &error))?;
                tracing::info!(target: "Profiler", %id, "removed a dead owner's container");
            }
        }
        Ok(())
    }
}

fn is_alive(owner: &str) -> bool {
    let pid = owner.split(' ').next().and_then(|pid| pid.parse().ok());
    pid.and_then(process).is_some_and(|process| process == owner)
}

/// Pid and start time (field 22 of `/proc/PID/stat`, counted behind the command's parenthesis).
fn process(pid: u32) -> Option<String> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let start = text.rsplit_once(')')?.1.split_whitespace().nth(19)?.to_owned();
    Some(format!("{pid} {start}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_process_lives() {
        assert!(is_alive(&Owner::this_process().process));
    }

    #[test]
    fn a_pid_used_again_is_not_the_owner() {
        assert!(!is_alive(&format!("{} 0", std::process::id())));
    }
}
