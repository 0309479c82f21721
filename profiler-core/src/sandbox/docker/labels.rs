//! Labels that name the owner of every container, so that a sweep can find containers whose owner
//! is gone.

use super::daemon::failed;
use crate::error::SandboxFault;
use crate::sandbox::ownership::Owner;
use bollard::query_parameters::ListContainersOptionsBuilder;
use std::collections::HashMap;

/// Label that marks a container as a sandbox of swiftprof.
const SANDBOX: &str = "org.swiftsolve.profiler.sandbox";
/// Label for [`Owner::instance`].
const INSTANCE: &str = "org.swiftsolve.profiler.instance";
/// Label for [`Owner::world`].
const WORLD: &str = "org.swiftsolve.profiler.world";
/// Label for [`Owner::process`].
const PROCESS: &str = "org.swiftsolve.profiler.owner";

pub(super) fn for_owner(owner: &Owner) -> HashMap<String, String> {
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

/// Returns the containers whose owners `owner_now` [survives](Owner::survives).
pub(super) async fn orphans(
    daemon: &bollard::Docker,
    owner_now: &Owner,
) -> Result<Vec<String>, SandboxFault> {
    let ours = HashMap::from([("label", vec![SANDBOX])]);
    let options = ListContainersOptionsBuilder::default().all(true).filters(&ours).build();
    let found = daemon.list_containers(Some(options)).await;
    let found = found.map_err(failed("list containers"))?.into_iter();
    let orphans = found.filter(|container| {
        let owner = container.labels.as_ref().and_then(owner);
        owner.is_some_and(|owner| owner_now.survives(&owner))
    });
    Ok(orphans.filter_map(|container| container.id).collect())
}
