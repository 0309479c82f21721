//! Sandboxes that are Docker containers: one container serves one job and is then destroyed.
//!
//! The runner is the container's pid 1. The channel is the container's stdin and stdout over the
//! API's attach call, which works with a local and a remote daemon.

mod container;
mod daemon;
mod engine;
pub mod image;
mod labels;
mod removal;
mod seccomp_file;

use super::backend::no_memory_cgroup;
use super::ownership::Owner;
use super::{Backend, Channel, Instance, Lease, Sandbox};
use crate::error::SandboxFault;
use crate::limits::{DAEMON_TIMEOUT, START_TIMEOUT};
use async_trait::async_trait;
use bollard::container::LogOutput;
use bollard::models::ContainerUpdateBody;
use bollard::query_parameters::{
    AttachContainerOptionsBuilder, CreateContainerOptionsBuilder, EventsOptionsBuilder,
    StartContainerOptions,
};
use daemon::{connect, failed, host, none, was_never_sent};
use engine::Engine;
use futures::{StreamExt, future};
use removal::Remover;
use runner_protocol::Hello;
use std::collections::HashMap;
use std::io;
use std::sync::OnceLock;
use tokio::time::timeout;
use tokio_util::io::StreamReader;
use uuid::Uuid;

/// The beginning of a container's name.
const NAME: &str = "swiftprof-";
/// The daemon's events after which a container's runner says nothing more.
const STOPPING: [&str; 2] = ["pause", "die"];
/// Restriction that is not enforced on a kernel without Landlock.
const NO_LANDLOCK: &str = "a program can read what the image shows to unprivileged users, such as /etc/resolv.conf, \
     and a compiler may quote it: no Landlock here";

/// Reason why the runner in a container samples memory.
const NO_LIMIT: &str = "the engine gave the container none";

/// Starts containers of one image on one daemon.
pub struct Docker {
    daemon: bollard::Docker,
    engine: Engine,
    image: String,
    owner: Owner,
    remover: Remover,
    swept: u64,
    /// Restrictions that the containers lack, one sentence each; known once a runner has introduced
    /// itself.
    lacking: OnceLock<Vec<String>>,
}

impl Docker {
    pub(super) const NAME: &str = "docker";

    /// Connects to the daemon that `DOCKER_HOST` names, or to the local one. Checks that it has
    /// `image` with this program's runner, and removes containers whose owner is gone.
    pub async fn connect(image: &str, instance: Instance) -> Result<Self, SandboxFault> {
        Self::connect_to(&host(), image, instance).await
    }

    /// Connects like [`Self::connect`], to the daemon at `host`.
    async fn connect_to(host: &str, image: &str, instance: Instance) -> Result<Self, SandboxFault> {
        let daemon = connect(host).await?.with_timeout(DAEMON_TIMEOUT);
        let engine = Engine::ask(&daemon, host).await?;
        image::check(&daemon, image).await?;
        let owner = Owner::this_process(instance);
        let remover = Remover::new(daemon.clone());
        let mut swept = 0;
        for orphan in labels::orphans(&daemon, &owner).await? {
            tracing::info!(target: "Profiler", id = %orphan, "removing an orphan");
            remover.remove(orphan).await;
            swept += 1;
        }
        let lacking = OnceLock::new();
        Ok(Self { daemon, engine, image: image.to_owned(), owner, remover, swept, lacking })
    }

    /// Creates a container. The lease is made first, because the container may exist even if the
    /// answer is lost.
    async fn create(&self) -> Result<ContainerLease, SandboxFault> {
        let seccomp = self.engine.seccomp();
        let seccomp = seccomp.map_err(SandboxFault::failed("place the seccomp profile"))?;
        let labels = labels::for_owner(&self.owner);
        let config = container::config(&self.image, labels, self.engine, &seccomp);
        let name = format!("{NAME}{}", Uuid::now_v7().simple());
        let mut lease = ContainerLease {
            daemon: self.daemon.clone(),
            remover: self.remover.clone(),
            name: Some(name.clone()),
        };
        let named = CreateContainerOptionsBuilder::default().name(&name).build();
        let created = self.daemon.create_container(Some(named), config).await;
        if created.as_ref().is_err_and(was_never_sent) {
            lease.name = None;
        }
        created.map_err(failed("create the container"))?;
        Ok(lease)
    }

    /// Attaches to the container, and then starts it, so that no frame is lost.
    async fn attach_and_start(&self, name: &str) -> Result<Channel, SandboxFault> {
        let options = AttachContainerOptionsBuilder::default()
            .stream(true)
            .stdin(true)
            .stdout(true)
            .stderr(true)
            .build();
        let attached = self
            .daemon
            .attach_container(name, Some(options))
            .await
            .map_err(failed("attach to the container"))?;
        self.daemon
            .start_container(name, None::<StartContainerOptions>)
            .await
            .map_err(failed("start the container"))?;
        let frames = attached.output.filter_map(|chunk| {
            future::ready(match chunk {
                Ok(LogOutput::StdErr { message }) => {
                    let said = String::from_utf8_lossy(&message).trim().to_owned();
                    tracing::warn!(target: "Profiler", %said, "the runner complains");
                    None
                }
                Ok(output) => Some(Ok(output.into_bytes())),
                Err(error) => Some(Err(io::Error::other(error))),
            })
        });
        let channel = Channel::new(StreamReader::new(frames), attached.input);
        Ok(channel.unless_stopped(stopped(self.daemon.clone(), name.to_owned())))
    }

    async fn start_one(&self) -> Result<Sandbox, SandboxFault> {
        // From here on dropping the lease removes the container, whatever fails.
        let lease = self.create().await?;
        let greeted = async {
            let mut channel = self.attach_and_start(lease.name()).await?;
            let hello = channel.greet(&self.image, image::MEND).await?;
            Ok::<_, SandboxFault>((channel, hello))
        };
        // Inspect the container and not the tag, which may name another image by now.
        let inspected = self.daemon.inspect_container(lease.name(), None);
        let (greeted, inspected) = future::join(greeted, inspected).await;
        let (channel, hello) = greeted?;
        self.lacking.get_or_init(|| lacking(&hello));
        let toolchain = inspected.ok().and_then(|container| container.image);
        Ok(Sandbox { channel, hello, toolchain, builds_bytes: 0, lease: Box::new(lease) })
    }
}

#[async_trait]
impl Backend for Docker {
    fn name(&self) -> &'static str {
        Self::NAME
    }

    async fn start(&self) -> Result<Sandbox, SandboxFault> {
        let silent = |_| SandboxFault::Silent(START_TIMEOUT.as_millis());
        timeout(START_TIMEOUT, self.start_one()).await.map_err(silent)?
    }

    async fn check(&self) -> Result<(), SandboxFault> {
        self.daemon.ping().await.map(drop).map_err(|error| none(&error))
    }

    async fn toolchain(&self) -> Option<String> {
        self.daemon.inspect_image(&self.image).await.ok()?.id
    }

    fn swept(&self) -> u64 {
        self.swept
    }

    fn not_enforced(&self) -> Vec<String> {
        let of_engine = self.engine.not_enforced().iter().copied().map(String::from);
        of_engine.chain(self.lacking.get().into_iter().flatten().cloned()).collect()
    }
}

/// Returns the restrictions that a container lacks, by its runner's introduction, one sentence
/// each.
fn lacking(hello: &Hello) -> Vec<String> {
    let landlock = (!hello.landlock).then(|| NO_LANDLOCK.to_owned());
    let memory = hello.cgroup.is_none().then(|| no_memory_cgroup(NO_LIMIT));
    landlock.into_iter().chain(memory).collect()
}

/// Returns when the container was paused or died. The channel may not show either: a paused runner
/// is silent, and the channel of a dead one may stay open.
async fn stopped(daemon: bollard::Docker, container: String) -> String {
    let filters =
        HashMap::from([("container", vec![container.as_str()]), ("event", STOPPING.to_vec())]);
    let options = EventsOptionsBuilder::default().filters(&filters).build();
    let mut events = Box::pin(daemon.events(Some(options)));
    match events.next().await {
        Some(Ok(event)) => {
            format!(
                "the daemon reports an event of the container: {}",
                event.action.unwrap_or_default()
            )
        }
        // A daemon that is gone closes the channel too.
        _ => future::pending().await,
    }
}

/// A container that exists, or is about to.
struct ContainerLease {
    daemon: bollard::Docker,
    remover: Remover,
    name: Option<String>,
}

impl ContainerLease {
    fn name(&self) -> &str {
        self.name.as_deref().unwrap_or_default()
    }
}

#[async_trait]
impl Lease for ContainerLease {
    async fn limit_memory(&mut self, bytes: u64) -> Result<(), SandboxFault> {
        let bytes = i64::try_from(bytes).map_err(SandboxFault::failed("limit memory"))?;
        let both = ContainerUpdateBody {
            memory: Some(bytes),
            memory_swap: Some(bytes),
            ..ContainerUpdateBody::default()
        };
        self.daemon
            .update_container(self.name(), both)
            .await
            .map_err(failed("limit the container's memory"))
    }

    async fn end(&mut self) {
        if let Some(name) = self.name.take() {
            self.remover.remove(name).await;
        }
    }
}

impl Drop for ContainerLease {
    fn drop(&mut self) {
        if let Some(name) = self.name.take() {
            let remover = self.remover.clone();
            tokio::spawn(async move { remover.remove(name).await });
        }
    }
}

#[cfg(test)]
mod tests;
