//! Sandboxes that are Docker containers.
use super::{Backend, Sandbox};
use crate::error::SandboxFault;
/// Docker.
pub struct Docker;
impl Docker {
    /// Connects.
    pub async fn connect() -> Result<Self, SandboxFault> {
        Err(SandboxFault::NoDaemon("not yet".into()))
    }
    /// The image's tag.
    pub fn image(&self) -> &str {
        ""
    }
}
#[async_trait::async_trait]
impl Backend for Docker {
    fn name(&self) -> &'static str {
        "docker"
    }
    async fn start(&self) -> Result<Sandbox, SandboxFault> {
        Err(SandboxFault::NoDaemon("not yet".into()))
    }
    fn not_enforced(&self) -> Vec<String> {
        vec![]
    }
}
