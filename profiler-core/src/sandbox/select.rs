//! Chooses the backend for this host.

use super::docker::image::{self, BuildOptions};
use super::{Backend, Instance, docker::Docker, native::Native};
use crate::error::SandboxFault;
use std::sync::Arc;

/// Backend that a caller asks for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Choice {
    /// Docker if a daemon answers and the image exists or can be built, else native.
    #[default]
    Auto,
    /// Docker only.
    Docker,
    /// Native only.
    Native,
}

/// The chosen backend, and why.
pub struct Selected {
    /// The backend.
    pub backend: Arc<dyn Backend>,
    /// One sentence for stderr.
    pub reason: String,
}

impl Choice {
    /// Chooses the backend and sweeps what has no living owner. The default Docker image is built
    /// if it is missing or outdated and its base is there. `progress` gets messages line by line.
    pub async fn select(
        self,
        image: &str,
        instance: Instance,
        mut progress: impl FnMut(&str) + Send,
    ) -> Result<Selected, SandboxFault> {
        if self == Self::Native {
            return native("as asked".into(), instance).await;
        }
        match (docker(image, instance, &mut progress).await, self) {
            (Ok(docker), Self::Docker) => {
                Ok(Selected { backend: Arc::new(docker), reason: "as asked".into() })
            }
            (Ok(docker), _) => {
                let reason = format!("a docker daemon answers and has {image}");
                Ok(Selected { backend: Arc::new(docker), reason })
            }
            (Err(fault), Self::Docker) => Err(fault),
            (Err(fault), _) => native(fault.to_string(), instance).await,
        }
    }
}

async fn native(reason: String, instance: Instance) -> Result<Selected, SandboxFault> {
    Ok(Selected { backend: Arc::new(Native::new(instance).await?), reason })
}

async fn docker(
    image: &str,
    instance: Instance,
    progress: impl FnMut(&str) + Send,
) -> Result<Docker, SandboxFault> {
    match Docker::connect(image, instance).await {
        Err(SandboxFault::NoImage(_) | SandboxFault::OtherRunner { .. })
            if image == sandbox_image::DEFAULT_TAG && image::has_default_base().await =>
        {
            image::build(&BuildOptions::default(), progress).await?;
            Docker::connect(image, instance).await
        }
        connected => connected,
    }
}

#[cfg(test)]
mod tests;
