//! Effect of a sweep: what it removes and what it leaves. Labels and names of dead owners are made
//! up here, because a test cannot reboot the host.

use crate::sandbox::Fault;
use crate::scene::works;
use bollard::models::ContainerCreateBody;
use bollard::query_parameters::{CreateContainerOptions, RemoveContainerOptionsBuilder};
use profiler_core::sandbox::docker::Docker;
use profiler_core::sandbox::native::Native;
use profiler_core::sandbox::{Backend, Instance};
use profiler_tests::harness::image;
use profiler_tests::jobs;
use profiler_tests::swiftprof::Served;
use profiler_tests::traces::{self, Program, cgroups};
use std::collections::HashMap;
use std::fs;
use std::path::Path;

/// Another boot and another pid namespace.
const ELSEWHERE: &str = "00000000-0000-4000-8000-000000000000:1";
/// A process in that world.
const PROCESS: &str = "1:1";

/// A container whose labels name this instance, but a process in another world.
async fn container(daemon: &bollard::Docker, instance: Instance) -> String {
    let label = |name: &str| format!("org.swiftsolve.profiler.{name}");
    let labels = [
        ("sandbox", env!("CARGO_PKG_VERSION").to_owned()),
        ("instance", instance.to_string()),
        ("world", ELSEWHERE.to_owned()),
        ("owner", PROCESS.to_owned()),
    ];
    let labels: HashMap<_, _> = labels.map(|(name, value)| (label(name), value)).into();
    let body = ContainerCreateBody {
        image: Some(image()),
        labels: Some(labels),
        ..ContainerCreateBody::default()
    };
    let created = daemon.create_container(None::<CreateContainerOptions>, body).await;
    created.expect("a container").id
}

pub(crate) async fn containers_of_the_same_instance_are_swept() {
    let daemon = traces::daemon(None).await.expect("a daemon answers");
    let (own, other) = (Instance::fresh(), Instance::fresh());
    let predecessor = container(&daemon, own).await;
    let stranger = container(&daemon, other).await;
    let first = Docker::connect(&image(), own).await.expect("connected");
    let sandbox = first.start().await.expect("a sandbox");
    let _second = Docker::connect(&image(), own).await.expect("connected");
    let is_there = async |id: &str| daemon.inspect_container(id, None).await.is_ok();
    let left = (is_there(&predecessor).await, is_there(&stranger).await);
    let forced = RemoveContainerOptionsBuilder::default().force(true).build();
    daemon.remove_container(&stranger, Some(forced)).await.expect("removed");
    assert_eq!(left, (false, true), "the predecessor's, and another instance's elsewhere");
    assert!(sandbox.hello.own_user);
    sandbox.end().await;
}

pub(crate) async fn control_groups_of_the_same_instance_are_swept() {
    let (own, other) = (Instance::fresh(), Instance::fresh());
    // The first start after a boot makes the folder of all cgroups.
    let before = Native::new(own).await.expect("native sandboxes");
    let sandbox = before.start().await.expect("a sandbox");
    let family = cgroups().find(|folder| Path::new(folder).is_dir()).expect("control groups");
    let group = |instance: Instance| {
        let path = Path::new(&family).join(format!("{instance}.{ELSEWHERE}.{PROCESS}.sandbox"));
        fs::create_dir(&path).expect("a control group");
        path
    };
    let (predecessor, stranger) = (group(own), group(other));
    let _again = Native::new(own).await.expect("native sandboxes");
    let left = (predecessor.exists(), stranger.exists());
    fs::remove_dir(&stranger).expect("removed");
    assert_eq!(left, (false, true), "the predecessor's, and another instance's elsewhere");
    let name = format!("{own}.");
    let kept = fs::read_dir(family).expect("a folder").flatten();
    let kept = kept.filter(|entry| entry.file_name().to_string_lossy().starts_with(&name));
    assert_eq!(kept.count(), 1, "this process's own");
    sandbox.end().await;
}

/// A stopped runner does not notice that its host is gone.
pub(crate) async fn stopped_sandboxes_are_killed(backend: &'static str, fault: Fault) {
    let served = Served::start(backend, &[]).await;
    let (job, name) = jobs::endless();
    let _run = served.client().await.submit(job).await.expect("accepted");
    let program = Program::running(&name).await;
    let sandbox = served.sandbox_of(&name).await;
    // Otherwise the server would notice and clean up.
    served.freeze();
    fault.does(&sandbox).await;
    let orphans = served.kill().await;
    assert!(program.is_running(), "what is stopped cannot end it");
    let next = Served::start(backend, &[]).await;
    program.gone().await;
    assert_eq!(orphans.left().await, Vec::<String>::new(), "not swept");
    works(&next).await;
    assert!(next.stop().await.success());
}
