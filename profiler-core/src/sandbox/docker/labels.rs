//! Every container carries labels that name its owner, and a sweep takes those that nobody owns.

use super::{failed, removal};
use crate::error::SandboxFault;
use crate::sandbox::owner::Owner;
use bollard::query_parameters::ListContainersOptionsBuilder;
use std::collections::HashMap;

/// Marks a container as a sandbox of ours.
const SANDBOX: &str = "org.swiftsolve.profiler.sandbox";
/// [`Owner::instance`].
const INSTANCE: &str = "org.swiftsolve.profiler.instance";
/// [`Owner::world`].
const WORLD: &str = "org.swiftsolve.profiler.world";
/// [`Owner::process`].
const PROCESS: &str = "org.swiftsolve.profiler.owner";

pub(super) fn of(owner: &Owner) -> HashMap<String, String> {
    HashMap::from([
        (SANDBOX.into(), env!("CARGO_PKG_VERSION").into()),
        (INSTANCE.into(), owner.instance.clone()),
        (WORLD.into(), owner.world.clone()),
        (PROCESS.into(), owner.process.clone()),
    ])
}

fn owner(labels: &HashMap<String, String>) -> Option<Owner> {
    let [instance, world, process] =
        [INSTANCE, WORLD, PROCESS].map(|label| labels.get(label).cloned());
    Some(Owner { instance: instance?, world: world?, process: process? })
}

/// Removes the containers that `owner` [survives](Owner::survives).
pub(super) async fn sweep(daemon: &bollard::Docker, owner_now: &Owner) -> Result<(), SandboxFault> {
    let ours = HashMap::from([("label", vec![SANDBOX])]);
    let options = ListContainersOptionsBuilder::default().all(true).filters(&ours).build();
    let found = daemon
        .list_containers(Some(options))
        .await
        .map_err(|error| failed("list containers", &error))?;
    for container in found {
        let owner = container.labels.as_ref().and_then(owner);
        if let (Some(owner), Some(id)) = (owner, container.id)
            && owner_now.survives(&owner)
        {
            match removal::remove(daemon, &id).await {
                Ok(()) => tracing::info!(target: "Profiler", %id, "removed an orphan"),
                // No reason not to serve; the next start's sweep takes it.
                Err(error) => tracing::warn!(target: "Profiler", %error, %id, "an orphan is left"),
            }
        }
    }
    Ok(())
}
