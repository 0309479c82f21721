//! A virtual machine under QEMU, and what is done in it over ssh.

use super::image::{Image, USER};
use crate::steps::failure::Failure;
use crate::steps::shell::{command, output, pipe, run, start, succeeds};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The processor that is emulated. QEMU 7.2 emulates `cmpxchg16b` wrongly: Linux 6.12 does not boot
/// with it.
const PROCESSOR: &str = "max,-cx16";
/// The options that do not depend on the image. `-snapshot` keeps the disk as it is.
const OPTIONS: [&str; 17] = [
    "-accel",
    "tcg,thread=multi,tb-size=1024",
    "-cpu",
    PROCESSOR,
    "-smp",
    "2",
    "-m",
    "4G",
    "-display",
    "none",
    "-serial",
    "null",
    "-no-reboot",
    "-snapshot",
    "-device",
    "virtio-rng-pci",
    "-append",
];
/// The kernel's command line.
const KERNEL: &str = "root=/dev/vda rw mitigations=off nokaslr quiet";
/// How long booting may take, and how often to look.
const BOOTED_WITHIN: Duration = Duration::from_secs(300);
const LOOK_EVERY: Duration = Duration::from_secs(2);

/// Who does something in the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum User {
    Root,
    Ordinary,
}

/// A running machine. Dropping it stops it and forgets what it wrote.
pub(super) struct Machine {
    emulator: Child,
    key: PathBuf,
    port: u16,
}

impl Machine {
    /// Boots, and returns when commands can be run.
    pub(super) fn boot(image: &Image) -> Result<Self, Failure> {
        let port = free_port().map_err(Failure::file("find a free port"))?;
        let network =
            format!("user,model=virtio-net-pci,restrict=on,hostfwd=tcp:127.0.0.1:{port}-:22");
        let disk = format!("file={},format=raw,if=virtio,cache=unsafe", image.disk.display());
        // Whatever else this machine does goes first.
        let mut qemu = command("nice", ["qemu-system-x86_64"]);
        qemu.args(OPTIONS).args([KERNEL, "-nic", &network, "-drive", &disk]);
        qemu.arg("-kernel").arg(&image.kernel).arg("-initrd").arg(&image.initrd);
        let emulator = qemu.stdout(Stdio::null()).spawn().map_err(start(&qemu))?;
        let mut machine = Self { emulator, key: image.key.clone(), port };
        let begun = Instant::now();
        while !succeeds(&mut machine.ssh(User::Root, "true")) {
            let ended = machine.emulator.try_wait().map_err(Failure::file("wait for QEMU"))?;
            if ended.is_some() || begun.elapsed() > BOOTED_WITHIN {
                return Err(Failure::Missing("the machine does not boot".into()));
            }
            sleep(LOOK_EVERY);
        }
        Ok(machine)
    }

    /// Runs a command of root's.
    pub(super) fn sh(&self, script: &str) -> Result<(), Failure> {
        run(&mut self.ssh(User::Root, script))
    }

    /// What a user's command prints. It may fail.
    pub(super) fn printed(&self, user: User, script: &str) -> Result<String, Failure> {
        output(&mut self.ssh(user, &format!("{{ {script}; }} 2>&1 || true")))
    }

    /// Copies `names` of the folder `from` into the guest's folder `to`.
    pub(super) fn unpack(&self, from: &Path, names: &[&str], to: &Path) -> Result<(), Failure> {
        let mut packed = command("tar", ["-C", &from.to_string_lossy(), "-cf", "-"]);
        packed.args(names);
        let to = to.display();
        let script = format!("mkdir -p {to} && tar -C {to} --no-same-owner -xf -");
        pipe(&mut packed, &mut self.ssh(User::Root, &script))
    }

    fn ssh(&self, user: User, script: &str) -> Command {
        let user = if user == User::Root { "root" } else { USER };
        let key = self.key.to_string_lossy();
        let port = self.port.to_string();
        let mut ssh = command("ssh", ["-q", "-i", &key, "-p", &port, "-o", "ConnectTimeout=10"]);
        // The guest's own key is new with every image.
        ssh.args(["-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null"]);
        ssh.args([&format!("{user}@127.0.0.1"), script]);
        ssh
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.emulator.kill();
        let _ = self.emulator.wait();
    }
}

/// A port of this machine that nobody listens on now.
fn free_port() -> std::io::Result<u16> {
    Ok(TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port())
}
