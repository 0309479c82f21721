//! Which backend serves this host.

use super::{Backend, docker::Docker, native::Native};
use crate::error::SandboxFault;
use std::sync::Arc;

/// What a caller asks for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Choice {
    /// Docker if a daemon answers and the image is there or can be made, else native.
    #[default]
    Auto,
    /// Docker or nothing.
    Docker,
    /// Native or nothing.
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
    /// Chooses. Docker's image is made if it is missing and its base is at hand.
    pub async fn select(self) -> Result<Selected, SandboxFault> {
        let chosen = |backend: Arc<dyn Backend>, reason: String| Selected { backend, reason };
        match self {
            Self::Docker => Ok(chosen(
                Arc::new(Docker::connect().await?),
                "as asked".into(),
            )),
            Self::Native => Ok(chosen(Arc::new(Native::new()?), "as asked".into())),
            Self::Auto => match Docker::connect().await {
                Ok(docker) => {
                    let reason = format!("a docker daemon answers and has {}", docker.image());
                    Ok(chosen(Arc::new(docker), reason))
                }
                Err(fault) => Ok(chosen(Arc::new(Native::new()?), fault.to_string())),
            },
        }
    }
}
