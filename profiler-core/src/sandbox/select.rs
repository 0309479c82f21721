//! Chooses the backend for this host.

use super::docker::image::{self, BuildOptions};
use super::{Backend, Instance, docker::Docker, native::Native};
use crate::error::SandboxFault;
use std::fmt;
use std::str::FromStr;
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
    /// Reason for the choice; `None` if the caller made it.
    pub reason: Option<String>,
}

impl fmt::Display for Selected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "backend: {}", self.backend.name())?;
        self.reason.iter().try_for_each(|reason| write!(f, " ({reason})"))
    }
}

impl Choice {
    /// Every choice.
    pub const ALL: [Self; 3] = [Self::Auto, Self::Docker, Self::Native];

    /// Word on the command line: `auto`, or the name of the backend.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Docker => Docker::NAME,
            Self::Native => Native::NAME,
        }
    }

    /// Help of the command line.
    pub fn summary(self) -> &'static str {
        match self {
            Self::Auto => "Docker if a daemon runs and has the image, else native",
            Self::Docker => "One container for each job",
            Self::Native => "Linux namespaces, without a daemon",
        }
    }

    /// Chooses the backend and sweeps what has no owner. The default Docker image is built if it is
    /// missing or outdated and its base is there. `progress` gets messages line by line.
    pub async fn select(
        self,
        image: &str,
        instance: Instance,
        mut progress: impl FnMut(&str) + Send,
    ) -> Result<Selected, SandboxFault> {
        let selected = |docker, reason| Selected { backend: Arc::new(docker), reason };
        match self {
            Self::Native => native(None, instance).await,
            Self::Docker => Ok(selected(docker(image, instance, &mut progress).await?, None)),
            Self::Auto => match docker(image, instance, &mut progress).await {
                Ok(docker) => {
                    let reason = format!("a Docker daemon answers and has {image}");
                    Ok(selected(docker, Some(reason)))
                }
                Err(fault) => native(Some(fault.to_string()), instance).await,
            },
        }
    }
}

impl FromStr for Choice {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let named = Self::ALL.into_iter().find(|choice| choice.name() == name);
        named.ok_or_else(|| format!("there is no backend {name}"))
    }
}

async fn native(reason: Option<String>, instance: Instance) -> Result<Selected, SandboxFault> {
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
