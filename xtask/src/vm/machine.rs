//! A virtual machine under QEMU, and what is done in it over ssh.

use super::arch::Arch;
use super::image::{Image, USER};
use crate::steps::failure::Failure;
use crate::steps::shell::{command, output, pipe, run, start, succeeds, watch};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The options that do not depend on the image. `-snapshot` keeps the disk as it is. The kernel
/// grants no array that is larger than its memory, and a hostile program asks for 4 GiB. QEMU takes
/// what the guest has touched.
const OPTIONS: [&str; 15] = [
    "-accel",
    "tcg,thread=multi,tb-size=256",
    "-smp",
    "2",
    "-m",
    "6G",
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
/// Where the guest has the programs.
pub(super) const PROGRAMS: &str = "/usr/local/bin";
/// How long booting may take, and how often to look.
const BOOTED_WITHIN: Duration = Duration::from_secs(900);
const LOOK_EVERY: Duration = Duration::from_secs(2);
/// How ssh is called: it asks nobody, takes our key alone, and gives up after five silent minutes.
/// The guest's own key is new with every image.
const SSH: [&str; 17] = [
    "-q",
    "-F",
    "none",
    "-o",
    "BatchMode=yes",
    "-o",
    "IdentitiesOnly=yes",
    "-o",
    "ConnectTimeout=10",
    "-o",
    "ServerAliveInterval=30",
    "-o",
    "ServerAliveCountMax=10",
    "-o",
    "StrictHostKeyChecking=no",
    "-o",
    "UserKnownHostsFile=/dev/null",
];

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
    pub(super) arch: Arch,
}

impl Machine {
    /// Boots with these further words for the kernel, and returns when commands can be run.
    pub(super) fn boot(image: &Image, kernel: &str) -> Result<Self, Failure> {
        let port = free_port().map_err(Failure::file("find a free port"))?;
        let network =
            format!("user,model=virtio-net-pci,restrict=on,hostfwd=tcp:127.0.0.1:{port}-:22");
        let disk = |file: &Path| {
            // QEMU takes a doubled comma for one of the name.
            let file = file.display().to_string().replace(',', ",,");
            format!("file={file},format=raw,if=virtio,cache=unsafe")
        };
        let (system, base) = (disk(&image.disk), disk(&image.base));
        // Whatever else this machine does goes first.
        let mut qemu = command("nice", image.arch.emulator());
        let kernel = format!("{KERNEL} {kernel}");
        qemu.args(OPTIONS).args([&kernel, "-nic", &network, "-drive", &system, "-drive", &base]);
        qemu.arg("-kernel").arg(&image.kernel).arg("-initrd").arg(&image.initrd);
        let emulator = qemu.stdout(Stdio::null()).spawn().map_err(start(&qemu))?;
        let mut machine = Self { emulator, key: image.key.clone(), port, arch: image.arch };
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

    /// Runs a user's command.
    pub(super) fn sh(&self, user: User, script: &str) -> Result<(), Failure> {
        run(&mut self.ssh(user, script))
    }

    /// What a user's command prints. It may fail.
    pub(super) fn printed(&self, user: User, script: &str) -> Result<String, Failure> {
        output(&mut self.ssh(user, &not_failing(script)))
    }

    /// The same, and shows each line as it comes: for what takes an hour.
    pub(super) fn shown(&self, user: User, script: &str) -> Result<String, Failure> {
        let mut printed = String::new();
        watch(self.ssh(user, &not_failing(script)), |line| {
            printed.push_str(line);
            printed.push('\n');
        })?;
        Ok(printed)
    }

    /// Copies `names` of the folder `from` into the guest's folder `to`.
    pub(super) fn unpack(&self, from: &Path, names: &[&str], to: &Path) -> Result<(), Failure> {
        let mut packed = command("tar", ["-C", &from.to_string_lossy(), "-cf", "-"]);
        packed.args(names);
        let to = quoted(&to.to_string_lossy());
        let script = format!("mkdir -p {to} && tar -C {to} --no-same-owner -xf -");
        pipe(&mut packed, &mut self.ssh(User::Root, &script))
    }

    fn ssh(&self, user: User, script: &str) -> Command {
        let user = if user == User::Root { "root" } else { USER };
        let mut ssh = command("ssh", SSH);
        ssh.arg("-i").arg(&self.key).args(["-p", &self.port.to_string()]);
        ssh.args([&format!("{user}@127.0.0.1"), script]);
        ssh
    }
}

/// A script that ends well, with its errors among what it prints.
fn not_failing(script: &str) -> String {
    format!("{{ {script}\n}} 2>&1 || true")
}

/// A text as one word of a shell.
pub(super) fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', r"'\''"))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quoted_text_is_one_word() {
        let text = "/a b/it's $HOME;`id`";
        let mut sh = command("sh", ["-c", &format!("printf %s {}", quoted(text))]);
        assert_eq!(output(&mut sh).unwrap(), text);
    }
}
