//! Backends that run a benchmark's programs.

use crate::failure::Failure;
use clap::{Args, ValueEnum};
use profiler_core::sandbox::{Backend, Choice, Instance};
use std::sync::Arc;

/// Backends that run a benchmark's programs.
#[derive(Debug, Args)]
pub(crate) struct BackendArgs {
    /// Backend that programs run on; both, where the benchmark compares them
    #[arg(long, value_enum, value_delimiter = ',', default_value = "native")]
    pub(crate) backend: Vec<Kind>,
    /// The Docker sandbox's image
    #[arg(long, default_value = sandbox_image::DEFAULT_TAG, value_name = "NAME:TAG")]
    image: String,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Kind {
    Native,
    Docker,
}

impl Kind {
    /// The name that the backend gives itself.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Native => "native",
            Self::Docker => "docker",
        }
    }
}

impl BackendArgs {
    /// Starts every requested backend.
    pub(crate) async fn backends(&self) -> Result<Vec<Arc<dyn Backend>>, Failure> {
        let mut backends = Vec::new();
        for kind in &self.backend {
            let choice = match kind {
                Kind::Native => Choice::Native,
                Kind::Docker => Choice::Docker,
            };
            let selected = choice.select(&self.image, Instance::fresh(), |_| {}).await?;
            selected.backend.precompile(&mut |_| {}).await;
            backends.push(selected.backend);
        }
        Ok(backends)
    }
}
