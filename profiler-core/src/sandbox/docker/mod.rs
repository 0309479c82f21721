//! Sandboxes that are Docker containers: one container serves one job and is then destroyed.
//!
//! The runner is the container's pid 1, and the channel is the container's stdin and stdout over the
//! API's attach, which works with a local daemon as with a remote one.

mod container;
pub mod image;
mod owner;

use super::{Backend, Channel, Lease, Sandbox};
use crate::error::SandboxFault;
use async_trait::async_trait;
use bollard::container::LogOutput;
use bollard::models::ContainerUpdateBody;
use bollard::query_parameters::{
    AttachContainerOptionsBuilder, CreateContainerOptions, RemoveContainerOptionsBuilder,
    StartContainerOptions,
};
use futures::{StreamExt, future};
use owner::Owner;
use std::error::Error;
use std::{env, io};
use tokio_util::io::StreamReader;

/// Where a daemon listens if `DOCKER_HOST` does not say.
const DEFAULT_HOST: &str = "unix:///var/run/docker.sock";
/// The command that mends a missing or an old image.
const MEND: &str = "make it anew with `swiftprof image build`";

/// Starts containers of one image on one daemon.
pub struct Docker {
    daemon: bollard::Docker,
    image: String,
    owner: Owner,
}

impl Docker {
    /// Connects to the daemon that `DOCKER_HOST` names, else to the local one; checks that it has
    /// `image` with this program's runner; and sweeps containers whose owner is dead.
    pub async fn connect(image: &str) -> Result<Self, SandboxFault> {
        let daemon = connect().await?;
        image::check(&daemon, image).await?;
        let owner = Owner::this_process();
        owner.sweep(&daemon).await?;
        Ok(Self { daemon, image: image.to_owned(), owner })
    }

    /// The image's tag.
    pub fn image(&self) -> &str {
        &self.image
    }

    async fn create(&self) -> Result<ContainerLease, SandboxFault> {
        let config = container::config(&self.image, self.owner.labels());
        let created = self
            .daemon
            .create_container(None::<CreateContainerOptions>, config)
            .await
            .map_err(|error| failed("create the container", &error))?;
        Ok(ContainerLease { daemon: self.daemon.clone(), id: Some(created.id) })
    }

    /// Attaches before the start, so that no frame is lost.
    async fn attach_and_start(&self, id: &str) -> Result<Channel, SandboxFault> {
        let options = AttachContainerOptionsBuilder::default()
            .stream(true)
            .stdin(true)
            .stdout(true)
            .stderr(true)
            .build();
        let attached = self
            .daemon
            .attach_container(id, Some(options))
            .await
            .map_err(|error| failed("attach to the container", &error))?;
        self.daemon
            .start_container(id, None::<StartContainerOptions>)
            .await
            .map_err(|error| failed("start the container", &error))?;
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
        Ok(Channel::new(StreamReader::new(frames), attached.input))
    }
}

#[async_trait]
impl Backend for Docker {
    fn name(&self) -> &'static str {
        "docker"
    }

    async fn start(&self) -> Result<Sandbox, SandboxFault> {
        // From here on dropping the lease removes the container, whatever fails.
        let lease = self.create().await?;
        let greeted = async {
            let mut channel = self.attach_and_start(lease.id()).await?;
            let hello = channel.greet(&self.image, MEND).await?;
            Ok::<_, SandboxFault>((channel, hello))
        };
        // Of the container: the tag may name another image by now.
        let inspected = self.daemon.inspect_container(lease.id(), None);
        let (greeted, inspected) = future::join(greeted, inspected).await;
        let (channel, hello) = greeted?;
        let toolchain = inspected.ok().and_then(|container| container.image);
        Ok(Sandbox { channel, hello, toolchain, lease: Box::new(lease) })
    }

    async fn toolchain(&self) -> Option<String> {
        self.daemon.inspect_image(&self.image).await.ok()?.id
    }

    fn not_enforced(&self) -> Vec<String> {
        Vec::new()
    }
}

/// A connection to the daemon, with the newest API version that both sides speak.
async fn connect() -> Result<bollard::Docker, SandboxFault> {
    let none = |error: bollard::errors::Error| {
        let address = env::var("DOCKER_HOST").unwrap_or_else(|_| DEFAULT_HOST.into());
        // The transport's own text says nothing but that it is one.
        let mut cause: &dyn Error = &error;
        while let Some(deeper) = cause.source() {
            cause = deeper;
        }
        SandboxFault::NoDaemon(format!("{address} ({cause}); start one, or set DOCKER_HOST"))
    };
    let daemon = bollard::Docker::connect_with_defaults().map_err(none)?;
    daemon.negotiate_version().await.map_err(none)
}

fn failed(stage: &'static str, cause: &bollard::errors::Error) -> SandboxFault {
    SandboxFault::failed(stage)(cause)
}

/// A container that exists.
struct ContainerLease {
    daemon: bollard::Docker,
    id: Option<String>,
}

impl ContainerLease {
    fn id(&self) -> &str {
        self.id.as_deref().unwrap_or_default()
    }

    async fn remove(daemon: bollard::Docker, id: String) {
        let options = RemoveContainerOptionsBuilder::default().force(true).v(true).build();
        if let Err(error) = daemon.remove_container(&id, Some(options)).await {
            // The next start's sweep takes it.
            tracing::warn!(target: "Profiler", %error, %id, "a container is left");
        }
    }
}

#[async_trait]
impl Lease for ContainerLease {
    async fn limit_memory(&mut self, bytes: u64) -> Result<(), SandboxFault> {
        let bytes = i64::try_from(bytes).map_err(|e| SandboxFault::failed("limit memory")(&e))?;
        let both = ContainerUpdateBody {
            memory: Some(bytes),
            memory_swap: Some(bytes),
            ..ContainerUpdateBody::default()
        };
        self.daemon
            .update_container(self.id(), both)
            .await
            .map_err(|error| failed("limit the container's memory", &error))
    }

    async fn end(&mut self) {
        if let Some(id) = self.id.take() {
            Self::remove(self.daemon.clone(), id).await;
        }
    }
}

impl Drop for ContainerLease {
    fn drop(&mut self) {
        if let Some(id) = self.id.take() {
            tokio::spawn(Self::remove(self.daemon.clone(), id));
        }
    }
}

#[cfg(test)]
mod tests;
