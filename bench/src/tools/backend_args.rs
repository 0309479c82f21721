//! Backends that run a benchmark's programs.

use crate::failure::Failure;
use clap::Args;
use profiler_core::sandbox::{Backend, Choice, Instance};
use std::sync::Arc;

/// Backends that run a benchmark's programs.
#[derive(Debug, Args)]
pub(crate) struct BackendArgs {
    /// Backend that programs run on; both, where the benchmark compares them
    #[arg(long, value_delimiter = ',', default_value = "native")]
    pub(crate) backend: Vec<Choice>,
    /// The Docker sandbox's image
    #[arg(long, default_value = sandbox_image::DEFAULT_TAG, value_name = "NAME:TAG")]
    image: String,
}

impl BackendArgs {
    /// Starts every requested backend.
    pub(crate) async fn backends(&self) -> Result<Vec<Arc<dyn Backend>>, Failure> {
        let mut backends = Vec::new();
        for choice in &self.backend {
            let selected = choice.select(&self.image, Instance::fresh(), |_| {}).await?;
            selected.backend.precompile(&mut |_| {}).await;
            backends.push(selected.backend);
        }
        Ok(backends)
    }
}
