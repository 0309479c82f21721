//! `doctor`: which sandboxes work here, and what on this host disturbs measurements.

mod backends;
mod disturbance;
mod host;
mod live;
mod noise;
mod render;
mod setup;
mod tools;

use crate::args::{DoctorArgs, DoctorFormat};
use crate::exit::{Exit, Failure, print};
use crate::terminal;
use backends::Backend;
use disturbance::Disturbance;
use host::Root;
use live::Moment;
use tokio::time::sleep;
use tools::Tool;

/// Everything that was found.
#[derive(Debug, serde::Serialize)]
struct Findings {
    /// Every backend, and whether a sandbox of it could be started.
    backends: Vec<Backend>,
    /// What the native backend needs of this host.
    tools: Vec<Tool>,
    /// Version of the memory cgroup, where there is one.
    cgroup_version: Option<u8>,
    /// What makes figures worse, and how to mend it.
    disturbances: Vec<Disturbance>,
}

/// Examines this host and prints what it finds. Nothing on the host is changed but that a default
/// image which is missing is made.
pub(crate) async fn examine(args: &DoctorArgs) -> Result<Exit, Failure> {
    let host = Root::this_host();
    let before = Moment::of(&host);
    let (backends, ()) = tokio::join!(backends::examine(&args.image), sleep(live::INTERVAL));
    let findings = Findings {
        backends,
        tools: tools::find(),
        cgroup_version: host.cgroup_version(),
        disturbances: disturbance::find(&host, &before),
    };
    let text = match args.format {
        DoctorFormat::Table => render::text(&findings, &terminal::palette()),
        DoctorFormat::Json => serde_json::to_string_pretty(&findings)
            .map_err(Failure::broken("write the findings"))?,
    };
    print(&text)?;
    let some_works = findings.backends.iter().any(|backend| backend.works);
    Ok(if some_works { Exit::Done } else { Exit::Fault })
}
