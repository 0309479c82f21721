//! A Docker daemon: the one that answers, else one that is started here.

use crate::steps::failure::Failure;
use crate::steps::shell::{command, find, privileged, run, start, succeeds, target};
use std::fs::File;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Maximum time until a daemon answers.
const START_TIMEOUT: Duration = Duration::from_secs(60);
/// Interval at which the daemon is asked until then.
const POLL: Duration = Duration::from_millis(250);

/// Files that exist if control groups are mounted, of version 1 or 2.
const CGROUPS: [&str; 2] =
    ["/sys/fs/cgroup/memory/cgroup.procs", "/sys/fs/cgroup/cgroup.controllers"];

/// Whether control groups are mounted. On a machine without systemd, perhaps nobody has mounted
/// them.
pub(crate) fn has_cgroups() -> bool {
    CGROUPS.iter().any(|file| Path::new(file).exists())
}

/// Whether a daemon answers.
pub(crate) fn answers() -> bool {
    succeeds(&mut command("docker", ["info"]))
}

/// Starts a daemon in the background unless one answers, and waits until it does. The daemon
/// outlives this process, because the sandbox image that it holds is needed again.
pub(crate) fn ensure() -> Result<(), Failure> {
    if answers() {
        println!("a Docker daemon answers");
        return Ok(());
    }
    let program = find("dockerd").ok_or_else(|| {
        Failure::Missing("no Docker daemon answers, and there is no dockerd to start".into())
    })?;
    if !has_cgroups() {
        run(&mut privileged("cgroupfs-mount", [""; 0]))?;
    }
    let log = target("xtask")?.join("dockerd.log");
    let out = File::create(&log).map_err(Failure::file(format!("write {}", log.display())))?;
    let err = out.try_clone().map_err(Failure::file("copy a handle"))?;
    let mut dockerd = privileged(program, [""; 0]);
    // A process group of its own, so that Ctrl-C at the terminal ends this process and not the
    // daemon.
    dockerd.process_group(0);
    dockerd.stdin(Stdio::null()).stdout(out).stderr(err);
    let mut daemon = dockerd.spawn().map_err(start(&dockerd))?;
    println!(
        "started dockerd as process {}; it logs to {} and stays; `kill $(cat /run/docker.pid)` ends it",
        daemon.id(),
        log.display()
    );
    let until = Instant::now() + START_TIMEOUT;
    while Instant::now() < until {
        if answers() {
            return Ok(());
        }
        if let Ok(Some(status)) = daemon.try_wait() {
            let program = format!("dockerd (see {})", log.display());
            return Err(Failure::Ended { program, status });
        }
        sleep(POLL);
    }
    Err(Failure::Missing(format!(
        "dockerd runs and `docker info` does not succeed after {} s; see {}, and whether this user \
         may use the daemon's socket",
        START_TIMEOUT.as_secs(),
        log.display()
    )))
}
