//! Enters the native backend's sandbox: its own namespaces and a private read-only root. The caller
//! then serves requests.
//!
//! ```text
//! launcher                         child, pid 1 of its namespaces
//!   reads Enter from the channel, enters a cgroup of version 1
//!   clone ------------------------> waits
//!   writes the id maps, divides the cgroup, reports a failure to do so
//!   ------------------------------> builds the root, moves into it, serves
//!   waits for the child; if the launcher dies, the child dies too
//! ```

use crate::confine::mounts::{OWN, SAFE, bind, large_tmpfs, read_only, share, tmpfs};
use crate::confine::program_root;
use crate::confine::run_cgroup::{self, Divided, RunCgroup};
use crate::sys::fault::{Fault, Result, Stage};
use crate::sys::files::INSIDE;
use crate::sys::proc_view;
use nix::errno::Errno;
use nix::fcntl::OFlag;
use nix::mount::{MntFlags, MsFlags, mount, umount2};
use nix::sys::prctl;
use nix::sys::signal::Signal;
use nix::sys::wait::{WaitStatus, waitpid};
use nix::unistd::{self, Gid, Pid, Uid};
use runner_protocol::{
    ENTER_IDS, Enter, PRECOMPILED_DIR, PROGRAM_ID, SCRATCH_DIR, WORK_DIR, read_frame, write_frame,
};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::fs::{OpenOptionsExt, symlink};
use std::path::Path;

/// Folder where the new root is assembled. The root covers the folder's old content.
const STAGE: &str = "/tmp";
/// The host's files that the compiler and its tools need. Missing files are skipped.
const SHARED: [&str; 9] = [
    "usr",
    "bin",
    "sbin",
    "lib",
    "lib32",
    "lib64",
    "libx32",
    "etc/alternatives",
    "etc/ld.so.cache",
];
/// Harmless devices of the host, which the sandbox shows too.
const DEVICES: [&str; 5] = ["null", "zero", "full", "random", "urandom"];
/// The links in `/dev` through which programs find the standard streams.
const STREAMS: [(&str, &str); 4] = [
    ("/proc/self/fd", "dev/fd"),
    ("/proc/self/fd/0", "dev/stdin"),
    ("/proc/self/fd/1", "dev/stdout"),
    ("/proc/self/fd/2", "dev/stderr"),
];

/// Mount options of `/proc`. A program sees only the processes that it might trace, which are its
/// own, and nothing of the host.
const OWN_PROCESSES: &str = "hidepid=4,subset=pid";

/// Reads [`Enter`] from stdin, creates the sandbox and moves into it. Returns twice: in the child,
/// which is pid 1 of the sandbox, with the cgroup of its runs; in the launcher, after the sandbox
/// has ended, with `None`.
pub(crate) fn enter() -> Result<Option<Divided>> {
    let enter: Enter = read_frame(&mut io::stdin().lock())
        .stage("read the sandbox's shape")?
        .ok_or_else(|| Fault::new("read the sandbox's shape", "the channel ended"))?;
    run_cgroup::enter_v1(&enter)?;
    let (uid, gid) = (unistd::geteuid(), unistd::getegid());
    let (wait, go) = unistd::pipe2(OFlag::O_CLOEXEC).stage("pipe")?;
    let sandbox_peak = run_cgroup::open_sandbox_peak(&enter)?;
    match clone_into_namespaces()? {
        None => {
            drop(go);
            let mut wait = File::from(wait);
            let undivided: Option<String> = read_frame(&mut wait)
                .stage("wait for the id maps")?
                .ok_or_else(|| Fault::new("wait for the id maps", "the launcher ended"))?;
            let run_cgroup = match (undivided, &enter.cgroup) {
                (Some(why), _) => Err(why),
                (None, None) => Ok(None),
                (None, Some((1, path))) => Ok(RunCgroup::open_v1(Path::new(path))),
                (None, Some((_, path))) => {
                    Ok(Some(RunCgroup::open(Path::new(path), sandbox_peak)?))
                }
            };
            become_root_of_namespace(&enter)?;
            // This comes after the change of user, which would clear the signal.
            prctl::set_pdeathsig(Signal::SIGKILL).stage("die with the launcher")?;
            if wait.read(&mut [0]).stage("die with the launcher")? == 0 {
                return Err(Fault::new("die with the launcher", "the launcher ended"));
            }
            build_root(&enter)?;
            Ok(Some(run_cgroup))
        }
        Some(child) => {
            drop(wait);
            map_ids(child, &enter, uid, gid)?;
            // If the division fails, runs stay in the sandbox's cgroup.
            let undivided = run_cgroup::divide(&enter, child).err().map(|fault| fault.to_string());
            let mut go = File::from(go);
            write_frame(&mut go, &undivided).stage("let the sandbox begin")?;
            // This byte shows the child that the launcher is still alive.
            go.write_all(&[1]).stage("let the sandbox begin")?;
            match waitpid(child, None).stage("wait for the sandbox")? {
                // If a signal ended the sandbox, somebody sent it, or the kernel did because memory
                // ran out. The host notices that itself, and would take a message for a missing
                // feature.
                WaitStatus::Exited(_, 0) | WaitStatus::Signaled(..) => Ok(None),
                ended => Err(Fault::new("sandbox", format!("{ended:?}"))),
            }
        }
    }
}

/// Forks a child that is pid 1 of new namespaces.
fn clone_into_namespaces() -> Result<Option<Pid>> {
    let flags = libc::CLONE_NEWUSER
        | libc::CLONE_NEWPID
        | libc::CLONE_NEWNS
        | libc::CLONE_NEWIPC
        | libc::CLONE_NEWUTS
        | libc::CLONE_NEWNET
        | libc::CLONE_NEWCGROUP
        | libc::SIGCHLD;
    // SAFETY: without a stack and without CLONE_VM this is fork(2) with other flags, in a process
    // with one thread. libc's wrapper cannot do it.
    let pid = unsafe { libc::syscall(libc::SYS_clone, flags, 0, 0, 0, 0) };
    match Errno::result(pid).stage("make namespaces")? {
        0 => Ok(None),
        pid => Ok(Some(Pid::from_raw(i32::try_from(pid).stage("make namespaces")?))),
    }
}

/// Maps the sandbox's ids: to a range that nobody else uses, or to the caller's own id.
fn map_ids(child: Pid, enter: &Enter, uid: Uid, gid: Gid) -> Result<()> {
    let write = |file: &str, text: String| {
        fs::write(format!("/proc/{child}/{file}"), text).stage("map the sandbox's ids")
    };
    if let Some(first) = enter.first_id {
        write("uid_map", format!("0 {first} {ENTER_IDS}"))?;
        return write("gid_map", format!("0 {first} {ENTER_IDS}"));
    }
    write("setgroups", "deny".into())?;
    write("uid_map", format!("{PROGRAM_ID} {uid} 1"))?;
    write("gid_map", format!("{PROGRAM_ID} {gid} 1"))
}

/// With a range of ids, the runner is the sandbox's root and the program is another user. With one
/// id, the runner is the program's user, and keeps its rights over the namespaces only until exec.
fn become_root_of_namespace(enter: &Enter) -> Result<()> {
    if enter.first_id.is_some() {
        let (root, group) = (Uid::from_raw(0), Gid::from_raw(0));
        unistd::setresgid(group, group, group).stage("become the sandbox's root")?;
        unistd::setresuid(root, root, root).stage("become the sandbox's root")?;
        unistd::setgroups(&[]).stage("become the sandbox's root")?;
    }
    Ok(())
}

fn build_root(enter: &Enter) -> Result<()> {
    let mut own_binary = File::open("/proc/self/exe").stage("open the runner")?;
    // Open the folder now, because the stage may hide it. If another toolchain has replaced the
    // folder, go on without it.
    let precompiled = enter.precompiled.as_ref().and_then(|folder| File::open(folder).ok());
    mount(None::<&str>, "/", None::<&str>, MsFlags::MS_REC | MsFlags::MS_PRIVATE, None::<&str>)
        .stage("make mounts private")?;
    let stage = Path::new(STAGE);
    large_tmpfs(stage, MsFlags::MS_NODEV, "mode=755,size=16m")?;
    for name in SHARED {
        share(name, stage)?;
    }
    program_root::fill(stage)?;
    if let Some((version, path)) = &enter.cgroup {
        let place =
            stage.join(if *version == 1 { "sys/fs/cgroup/memory" } else { "sys/fs/cgroup" });
        fs::create_dir_all(&place).stage("make a folder")?;
        bind(Path::new(path), &place)?;
    }
    if let Some(headers) = precompiled {
        let place = stage.join(&PRECOMPILED_DIR[1..]);
        fs::create_dir_all(&place).stage("make a folder")?;
        bind(Path::new(&format!("/proc/self/fd/{}", headers.as_raw_fd())), &place)?;
    }
    fs::create_dir_all(stage.join("dev")).stage("make a folder")?;
    for device in DEVICES {
        let place = stage.join("dev").join(device);
        File::create(&place).stage("make a device")?;
        let host = Path::new("/dev").join(device);
        mount(Some(&host), &place, None::<&str>, MsFlags::MS_BIND, None::<&str>)
            .stage("make a device")?;
    }
    for (target, link) in STREAMS {
        symlink(target, stage.join(link)).stage("name a stream")?;
    }
    let mode = 0o755;
    let mut inside = OpenOptions::new();
    inside.write(true).create_new(true).mode(mode);
    let mut inside = inside.open(stage.join(&INSIDE[1..])).stage("place the runner")?;
    let length = own_binary.metadata().stage("place the runner")?.len();
    inside.set_len(length).stage("place the runner")?;
    io::copy(&mut own_binary, &mut inside).stage("place the runner")?;
    drop(inside);
    move_into(stage, enter)
}

/// Makes `stage` the root, with no way back to the host's root, and mounts the writable folders.
fn move_into(stage: &Path, enter: &Enter) -> Result<()> {
    for dir in ["proc", &WORK_DIR[1..], &SCRATCH_DIR[1..]] {
        fs::create_dir_all(stage.join(dir)).stage("make a folder")?;
    }
    mount_proc(&stage.join("proc"))?;
    unistd::chdir(stage).stage("enter the root")?;
    unistd::pivot_root(".", ".").stage("change the root")?;
    umount2(".", MntFlags::MNT_DETACH).stage("leave the host's root")?;
    unistd::chdir("/").stage("enter the root")?;
    tmpfs(WORK_DIR, OWN, &format!("mode=755,size={}", enter.work_bytes))?;
    let (size, files) = (enter.scratch_bytes, enter.scratch_inodes);
    // If the sandbox has a range of ids, scratch belongs to the program, and not to the interactor.
    let owner = match enter.first_id {
        Some(_) => format!("mode=1770,gid={PROGRAM_ID}"),
        None => "mode=1777".to_owned(),
    };
    tmpfs(SCRATCH_DIR, OWN, &format!("{owner},size={size},nr_inodes={files}"))?;
    program_root::complete()?;
    read_only(Path::new("/"))?;
    unistd::sethostname("sandbox").stage("name the host")
}

/// Mounts `/proc` as a program may see it, and keeps another mount for the runner.
fn mount_proc(place: &Path) -> Result<()> {
    let mount_with = |options: Option<&str>| {
        mount(Some("proc"), place, Some("proc"), SAFE | MsFlags::MS_NOEXEC, options)
    };
    mount_with(None).stage("mount /proc")?;
    let mut folder = OpenOptions::new();
    folder.read(true).custom_flags(libc::O_PATH | libc::O_DIRECTORY);
    proc_view::keep(folder.open(place).stage("open /proc")?.into());
    umount2(place, MntFlags::MNT_DETACH).stage("hide /proc")?;
    match mount_with(Some(OWN_PROCESSES)) {
        // Linux before 5.8 does not know these options.
        Err(Errno::EINVAL) => mount_with(None),
        mounted => mounted,
    }
    .stage("mount /proc")
}
