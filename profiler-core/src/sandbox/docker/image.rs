//! The sandbox image: is it there, and how it is made.

use super::daemon::{connect, failed};
use crate::error::SandboxFault;
use bollard::errors::Error;
use bollard::query_parameters::BuildImageOptionsBuilder;
use bytes::Bytes;
use futures::TryStreamExt;
use runner_protocol::{PRECOMPILED_DIR, PRECOMPILED_FLAGS, PRECOMPILED_HEADER, SOURCES};
use sandbox_image::SOURCES_LABEL;
use std::collections::HashMap;

/// Docker's status for something that does not exist.
pub(super) const NOT_FOUND: u16 = 404;

/// How to mend a missing or an old image.
pub(super) const MEND: &str = "make it anew with `swiftprof image build`";

/// How the image is made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuildOptions {
    /// What it will be called.
    pub tag: String,
    /// What it is made from.
    pub base_image: String,
    /// The major version of g++; the distribution's own, if absent.
    pub gcc_version: Option<String>,
}

impl Default for BuildOptions {
    fn default() -> Self {
        Self {
            tag: sandbox_image::DEFAULT_TAG.into(),
            base_image: sandbox_image::DEFAULT_BASE.into(),
            gcc_version: None,
        }
    }
}

/// Makes the image. `progress` gets the daemon's output line by line.
pub async fn build(
    options: &BuildOptions,
    mut progress: impl FnMut(&str) + Send,
) -> Result<(), SandboxFault> {
    let daemon = connect().await?;
    let flags = PRECOMPILED_FLAGS.join(" ");
    let mut arguments = HashMap::from([
        ("BASE_IMAGE", options.base_image.as_str()),
        ("RUNNER_SOURCES", SOURCES),
        ("PRECOMPILED_DIR", PRECOMPILED_DIR),
        ("PRECOMPILED_HEADER", PRECOMPILED_HEADER),
        ("PRECOMPILED_FLAGS", &flags),
    ]);
    if let Some(version) = &options.gcc_version {
        arguments.insert("GCC_VERSION", version);
    }
    let query = BuildImageOptionsBuilder::default()
        .t(&options.tag)
        .buildargs(&arguments)
        .rm(true)
        .forcerm(true)
        .build();
    let context =
        sandbox_image::context().map_err(|e| SandboxFault::failed("pack the build context")(&e))?;
    let body = bollard::body_full(Bytes::from(context));
    let mut steps = daemon.build_image(query, None, Some(body));
    let wrap = |error| failed("build the image", &error);
    while let Some(step) = steps.try_next().await.map_err(wrap)? {
        for line in step.stream.iter().chain(&step.status).flat_map(|text| text.lines()) {
            if !line.trim().is_empty() {
                progress(line);
            }
        }
        if let Some(cause) = step.error_detail.and_then(|detail| detail.message) {
            return Err(SandboxFault::Failed { stage: "build the image", cause });
        }
    }
    Ok(())
}

/// Whether the daemon has `image`, with the runner of this program's version.
pub(super) async fn check(daemon: &bollard::Docker, image: &str) -> Result<(), SandboxFault> {
    let found = match daemon.inspect_image(image).await {
        Ok(found) => found,
        Err(Error::DockerResponseServerError { status_code: NOT_FOUND, .. }) => {
            return Err(SandboxFault::NoImage(image.into()));
        }
        Err(error) => return Err(failed("look for the image", &error)),
    };
    let labels = found.config.and_then(|config| config.labels).unwrap_or_default();
    match labels.get(SOURCES_LABEL) {
        Some(sources) if sources == SOURCES => Ok(()),
        _ => Err(SandboxFault::OtherRunner { place: image.into(), mend: MEND.into() }),
    }
}

/// Whether the daemon has the base that the default image is made from, so that making it needs no
/// registry.
pub(crate) async fn has_default_base() -> bool {
    match connect().await {
        Ok(daemon) => daemon.inspect_image(sandbox_image::DEFAULT_BASE).await.is_ok(),
        Err(_) => false,
    }
}
