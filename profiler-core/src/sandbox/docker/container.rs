//! Permissions and limits of a sandbox's container.

use super::engine::Engine;
use crate::limits::{
    COMPILING_BYTES, PROCESSES, SCRATCH_INODES, SCRATCH_TMPFS_BYTES, WORK_TMPFS_BYTES,
};
use bollard::models::{ContainerCreateBody, HostConfig, HostConfigLogConfig};
use runner_protocol::{PROGRAM_ID, SCRATCH_DIR, WORK_DIR};
use std::collections::HashMap;

/// Capabilities that the runner needs to become the program's user and to kill its processes.
const CAPABILITIES: [&str; 3] = ["SETUID", "SETGID", "KILL"];

/// Files that a program finds empty. First come those that Docker masks by itself, because a list
/// replaces Docker's own. The others describe the host. `cpuinfo`, `loadavg` and `sys` in /proc are
/// not masked, because the runner reads them.
const MASKED: [&str; 36] = [
    "/proc/acpi",
    "/proc/asound",
    "/proc/interrupts",
    "/proc/kcore",
    "/proc/keys",
    "/proc/latency_stats",
    "/proc/sched_debug",
    "/proc/scsi",
    "/proc/timer_list",
    "/proc/timer_stats",
    "/sys/devices/virtual/powercap",
    "/sys/firmware",
    "/proc/buddyinfo",
    "/proc/cgroups",
    "/proc/cmdline",
    "/proc/config.gz",
    "/proc/consoles",
    "/proc/devices",
    "/proc/diskstats",
    "/proc/iomem",
    "/proc/ioports",
    "/proc/kallsyms",
    "/proc/key-users",
    "/proc/locks",
    "/proc/meminfo",
    "/proc/misc",
    "/proc/modules",
    "/proc/partitions",
    "/proc/pressure",
    "/proc/softirqs",
    "/proc/stat",
    "/proc/swaps",
    "/proc/uptime",
    "/proc/version",
    "/proc/vmstat",
    "/proc/zoneinfo",
];

/// Makes the container's configuration. `seccomp` is the value of the option of this name. Nothing
/// depends on the job, so containers can be started ahead of time.
pub(super) fn config(
    image: &str,
    labels: HashMap<String, String>,
    engine: Engine,
    seccomp: &str,
) -> ContainerCreateBody {
    // The compiler's limit comes first; the program's own limit is set after compiling.
    let memory = i64::try_from(COMPILING_BYTES).ok();
    let mut security = vec!["no-new-privileges".into(), format!("seccomp={seccomp}")];
    let masked_paths = match engine {
        Engine::Docker => Some(MASKED.map(String::from).into()),
        // Podman ignores the list.
        Engine::Podman => {
            security.push(format!("mask={}", MASKED.join(":")));
            None
        }
    };
    let host = HostConfig {
        network_mode: Some("none".into()),
        ipc_mode: Some("none".into()),
        memory,
        memory_swap: memory,
        pids_limit: i64::try_from(PROCESSES).ok(),
        readonly_rootfs: Some(true),
        tmpfs: Some(tmpfs(engine)),
        masked_paths,
        cap_drop: Some(vec!["ALL".into()]),
        cap_add: Some(CAPABILITIES.map(String::from).into()),
        security_opt: Some(security),
        // The channel carries sources and inputs, so the daemon must not log it.
        log_config: Some(HostConfigLogConfig { typ: Some("none".into()), config: None }),
        ..HostConfig::default()
    };
    ContainerCreateBody {
        image: Some(image.into()),
        labels: Some(labels),
        open_stdin: Some(true),
        stdin_once: Some(true),
        // A daemon that shuts down waits for its containers, and the runner ignores other signals.
        stop_signal: Some("SIGKILL".into()),
        attach_stdin: Some(true),
        attach_stdout: Some(true),
        attach_stderr: Some(true),
        host_config: Some(host),
        ..ContainerCreateBody::default()
    }
}

/// Mount options of `/dev`. Docker's own has access times, which the runner would have to set back
/// before each run, and terminals and message queues, which no program needs.
const DEV_OPTIONS: &str = "rw,dev,nosuid,noexec,noatime,mode=0755,size=65536";

/// Returns the mounts of tmpfs. A tmpfs is noexec by default, and its content counts as the
/// container's memory. Only the program may write to scratch; an interactor may not. Podman refuses
/// the options `gid`, `nr_inodes` and `noatime`. Under Podman, the runner sets the access times.
fn tmpfs(engine: Engine) -> HashMap<String, String> {
    let (all, scratch, dev) = match engine {
        Engine::Docker => (
            ",noatime",
            format!("mode=1770,gid={PROGRAM_ID},nr_inodes={SCRATCH_INODES}"),
            Some(("/dev".into(), DEV_OPTIONS.into())),
        ),
        Engine::Podman => ("", "mode=1777".into(), None),
    };
    let mounts = [
        (WORK_DIR.into(), format!("rw,exec,nosuid,nodev{all},mode=0755,size={WORK_TMPFS_BYTES}")),
        (
            SCRATCH_DIR.into(),
            format!("rw,noexec,nosuid,nodev{all},{scratch},size={SCRATCH_TMPFS_BYTES}"),
        ),
    ];
    mounts.into_iter().chain(dev).collect()
}
