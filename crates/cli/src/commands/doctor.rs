//! `doctor`: tells which sandboxes work on this host, and what disturbs measurements.

mod backends;
mod code;
mod disturbances;
mod findings;
mod host;
mod noise;
mod render;
mod tools;

use crate::args::{DoctorArgs, ResultFormat};
use crate::exit::{Exit, Failure};
use crate::output;
use disturbances::Observation;
use findings::Findings;
use host::Root;
use profiler_core::sandbox::native::memory_cgroup;
use profiler_proto::json;
use tokio::time::sleep;

/// Examines this host and prints the findings. The only change to the host is that a missing
/// default image is built.
pub(crate) async fn examine(args: &DoctorArgs) -> Result<Exit, Failure> {
    let host = Root::this_host();
    let before = Observation::now(&host);
    let (backends, ()) =
        tokio::join!(backends::examine(&args.image), sleep(disturbances::INTERVAL));
    // After the backends: a process moves into a group of its own when it makes sandboxes.
    let cgroup = memory_cgroup();
    let findings = Findings {
        backends,
        tools: tools::find(),
        cgroup_version: host.cgroup_version(),
        cgroup_place: cgroup.as_ref().ok().cloned(),
        cgroup_missing: cgroup.err(),
        disturbances: disturbances::find(&host, &before),
    };
    let text = match args.format {
        ResultFormat::Table => render::text(&findings, &output::text_options()),
        ResultFormat::Json => {
            json::pretty(&findings).map_err(Failure::broken("write the findings"))?
        }
    };
    output::print(&text)?;
    let some_works = findings.backends.iter().any(|backend| backend.works);
    Ok(if some_works { Exit::Done } else { Exit::Fault })
}
