//! `doctor`: tells which sandboxes work on this host, and what disturbs measurements.

mod backends;
mod disturbances;
mod findings;
mod host;
mod noise;
mod render;
mod tools;

use crate::args::ResultFormat;
use crate::exit::{Exit, Failure};
use crate::output;
use disturbances::Observation;
use findings::Findings;
use host::Root;
use profiler_core::sandbox::Instance;
use profiler_core::sandbox::native::Native;
use tokio::time::sleep;

/// Examines this host and prints the findings. Builds a missing default image. Moves no other
/// process to another cgroup, and this process only to a scope that systemd makes for it.
pub(crate) async fn examine(image: &str, format: ResultFormat) -> Result<Exit, Failure> {
    let host = Root("/".into());
    let before = Observation::now(&host);
    let native = Native::to_look_at(Instance::fresh()).await;
    let cgroup = match &native {
        Ok(native) => native.memory_cgroup(),
        Err(fault) => Err(fault.to_string().into()),
    };
    let (backends, ()) =
        tokio::join!(backends::examine(image, native), sleep(disturbances::INTERVAL));
    let findings = Findings {
        backends,
        tools: tools::find(),
        cgroup_version: host.cgroup_version(),
        cgroup_place: cgroup.as_ref().ok().cloned(),
        cgroup_ways: cgroup.as_ref().err().map(|why| why.ways.to_vec()).unwrap_or_default(),
        cgroup_missing: cgroup.err().map(|why| why.cause),
        disturbances: disturbances::find(&host, &before),
    };
    let text = || render::text(&findings, &output::text_options());
    output::print_as(format, &findings, text)?;
    let some_works = findings.backends.iter().any(|backend| backend.works);
    Ok(if some_works { Exit::Done } else { Exit::Fault })
}
