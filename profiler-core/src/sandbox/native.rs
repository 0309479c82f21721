//! Sandboxes that are Native containers.
use super::{Backend, Sandbox};
use crate::error::SandboxFault;
/// Native.
pub struct Native;
impl Native {
    /// Connects.
    pub fn new() -> Result<Self, SandboxFault> {
        Err(SandboxFault::NoDaemon("not yet".into()))
    }
    /// The image's tag.
    pub fn image(&self) -> &str {
        ""
    }
}
#[async_trait::async_trait]
impl Backend for Native {
    fn name(&self) -> &'static str {
        "native"
    }
    async fn start(&self) -> Result<Sandbox, SandboxFault> {
        Err(SandboxFault::NoDaemon("not yet".into()))
    }
    fn not_enforced(&self) -> Vec<String> {
        vec![]
    }
}
