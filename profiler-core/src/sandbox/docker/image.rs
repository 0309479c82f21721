//! The sandbox image: checks that the daemon has it, and builds it.

use super::daemon::{connect, failed, host, shortened};
use crate::error::SandboxFault;
use bollard::errors::Error;
use bollard::models::ImageInspect;
use bollard::query_parameters::BuildImageOptionsBuilder;
use bytes::Bytes;
use futures::TryStreamExt;
use runner_protocol::{DEFAULT_FLAGS, PRECOMPILED_DIR, PRECOMPILED_HEADER, SOURCES, header_flags};
use sandbox_image::{DEFAULT_BASE, SOURCES_LABEL};
use std::collections::HashMap;

/// Docker's status for something that does not exist.
pub(super) const NOT_FOUND: u16 = 404;

/// Flags for the standards that the image has a precompiled header for, each with the default level
/// of optimization. A header takes about 100 MB, and 5 s of the build.
const STANDARDS: [&str; 4] = ["-std=c++14", "-std=c++17", "-std=c++20", "-std=c++23"];

/// Remedy for a missing or old image.
pub(super) const MEND: &str = "rebuild it with `swiftprof image build`";

/// Options for building the image.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuildOptions {
    /// The tag of the new image.
    pub tag: String,
    /// Image that the new image is based on.
    pub base_image: String,
    /// The major version of g++; `None` for the distribution's own.
    pub gcc_version: Option<String>,
}

impl Default for BuildOptions {
    fn default() -> Self {
        Self {
            tag: sandbox_image::DEFAULT_TAG.into(),
            base_image: DEFAULT_BASE.into(),
            gcc_version: None,
        }
    }
}

/// Builds the image. `progress` gets the daemon's output line by line.
pub async fn build(
    options: &BuildOptions,
    progress: impl FnMut(&str) + Send,
) -> Result<(), SandboxFault> {
    build_on(&connect(&host()).await?, options, progress).await
}

/// Builds the image on this daemon.
pub(super) async fn build_on(
    daemon: &bollard::Docker,
    options: &BuildOptions,
    mut progress: impl FnMut(&str) + Send,
) -> Result<(), SandboxFault> {
    if options.base_image == DEFAULT_BASE && inspect(daemon, DEFAULT_BASE).await?.is_none() {
        return Err(SandboxFault::NoBase(DEFAULT_BASE.into()));
    }
    let flags = precompiled_flags();
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
    let context = sandbox_image::context();
    let context = context.map_err(SandboxFault::failed("pack the build context"))?;
    let body = bollard::body_full(Bytes::from(context));
    let mut steps = daemon.build_image(query, None, Some(body));
    while let Some(step) = steps.try_next().await.map_err(failed("build the image"))? {
        for line in step.stream.iter().chain(&step.status).flat_map(|text| text.lines()) {
            if !line.trim().is_empty() {
                progress(line);
            }
        }
        if let Some(cause) = step.error_detail.and_then(|detail| detail.message) {
            let cause = shortened(&cause);
            return Err(SandboxFault::Failed { stage: "build the image", cause });
        }
    }
    Ok(())
}

/// Returns the lists of flags that the image has a precompiled header for, as the Dockerfile reads
/// them.
fn precompiled_flags() -> String {
    let level = DEFAULT_FLAGS[0];
    let lists = STANDARDS.map(|standard| {
        let flags = [level, standard];
        header_flags(&flags).unwrap_or_default().join(" ")
    });
    lists.join(",")
}

/// Checks that the daemon has `image`, with the runner of this program's version.
pub(super) async fn check(daemon: &bollard::Docker, image: &str) -> Result<(), SandboxFault> {
    let found = inspect(daemon, image).await?;
    let found = found.ok_or_else(|| SandboxFault::NoImage(image.into()))?;
    let labels = found.config.and_then(|config| config.labels).unwrap_or_default();
    match labels.get(SOURCES_LABEL) {
        Some(sources) if sources == SOURCES => Ok(()),
        _ => Err(SandboxFault::OtherRunner { place: image.into(), mend: MEND.into() }),
    }
}

/// Asks the daemon about an image; `None` if the daemon does not have it.
async fn inspect(
    daemon: &bollard::Docker,
    image: &str,
) -> Result<Option<ImageInspect>, SandboxFault> {
    match daemon.inspect_image(image).await {
        Ok(found) => Ok(Some(found)),
        Err(Error::DockerResponseServerError { status_code: NOT_FOUND, .. }) => Ok(None),
        Err(error) => Err(failed("look for the image")(error)),
    }
}

/// Whether the daemon has the default base image, so that building needs no registry.
pub(crate) async fn has_default_base() -> bool {
    match connect(&host()).await {
        Ok(daemon) => inspect(&daemon, DEFAULT_BASE).await.is_ok_and(|found| found.is_some()),
        Err(_) => false,
    }
}
