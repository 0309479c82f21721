//! A virtual machine, and what is done in it over ssh.

mod qemu;
mod started;
mod uml;

use super::arch::Arch;
use super::image::{Image, USER};
use clap::ValueEnum;
use started::Started;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};
use xtask::install::packages::{KEYS, Need, program};
use xtask::steps::failure::Failure;
use xtask::steps::shell::{command, output, pipe, run, succeeds, watch};

/// Needs of every virtual machine, and of making its disk.
const NEEDS: [Need; 4] = [
    program("debootstrap", "debootstrap"),
    KEYS,
    program("mkfs.ext4", "e2fsprogs"),
    program("ssh", "openssh-client"),
];
/// Needs of user-mode Linux: its build, and its network.
const UML_NEEDS: [Need; 7] = [
    program("gcc", "gcc"),
    program("make", "make"),
    program("flex", "flex"),
    program("bison", "bison"),
    program("bc", "bc"),
    program("xz", "xz-utils"),
    program("ip", "iproute2"),
];

/// The way in which the guest's kernel runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    /// Debian's own kernel, on a processor that QEMU emulates.
    Qemu,
    /// User-mode Linux: the newest kernel as a program on this processor, several times as fast.
    Uml,
}

impl Kind {
    /// Needs of such a guest. User-mode Linux is refused where there is none.
    pub(super) fn needs(self, arch: Arch) -> Result<Vec<&'static Need>, Failure> {
        let own: Vec<_> = match (self, arch) {
            (Self::Qemu, arch) => arch.emulators().collect(),
            (Self::Uml, Arch::Amd64) if cfg!(target_arch = "x86_64") => UML_NEEDS.iter().collect(),
            (Self::Uml, _) => {
                let refused = "user-mode Linux needs --arch amd64, on such a machine; take qemu";
                return Err(Failure::Missing(refused.into()));
            }
        };
        Ok(NEEDS.iter().chain(own).collect())
    }
}

/// The guest's folder of the programs.
pub(super) const PROGRAMS: &str = "/usr/local/bin";
/// Longest time until it has booted, and between two looks.
const BOOTED_WITHIN: Duration = Duration::from_secs(900);
const LOOK_EVERY: Duration = Duration::from_secs(2);
/// Options of ssh. It asks nobody, takes our key alone, and gives up after five silent minutes.
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

/// A user of the guest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum User {
    Root,
    Ordinary,
}

/// The kernel that a machine of some kind boots.
pub(super) enum Kernel {
    /// The image's.
    OfImage,
    /// User-mode Linux.
    Uml(PathBuf),
}

impl Kernel {
    /// Makes it, unless an earlier call did.
    pub(super) fn ensure(kind: Kind) -> Result<Self, Failure> {
        Ok(match kind {
            Kind::Qemu => Self::OfImage,
            Kind::Uml => Self::Uml(uml::kernel()?),
        })
    }

    /// Its file, if it is not the image's.
    pub(super) fn file(&self) -> Option<&Path> {
        match self {
            Self::OfImage => None,
            Self::Uml(file) => Some(file),
        }
    }
}

/// A running machine. Dropping it stops it and forgets what it wrote.
pub(super) struct Machine {
    started: Started,
    key: PathBuf,
    pub(super) arch: Arch,
}

impl Machine {
    /// Boots with these further words for the kernel, and returns when commands can be run.
    pub(super) fn boot(image: &Image, kernel: &Kernel, words: &str) -> Result<Self, Failure> {
        let started = match kernel {
            Kernel::OfImage => qemu::boot(image, words)?,
            Kernel::Uml(kernel) => uml::boot(image, kernel, words)?,
        };
        let mut machine = Self { started, key: image.key.clone(), arch: image.arch };
        let begun = Instant::now();
        while !succeeds(&mut machine.ssh(User::Root, "true")) {
            let process = &mut machine.started.process;
            let ended = process.try_wait().map_err(Failure::file("wait for the machine"))?;
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

    /// Returns what a user's command prints. It may fail.
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
        let Started { enter, address, port, .. } = &self.started;
        let user = if user == User::Root { "root" } else { USER };
        let mut words = enter.iter().map(String::as_str).chain(["ssh"]).chain(SSH);
        let mut ssh = command(words.next().unwrap_or_default(), words);
        ssh.arg("-i").arg(&self.key).args(["-p", &port.to_string()]);
        ssh.args([&format!("{user}@{address}"), script]);
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
        let _ = self.started.process.kill();
        let _ = self.started.process.wait();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_text_is_one_word() {
        let text = "/a b/it's $HOME;`id`";
        let mut sh = command("sh", ["-c", &format!("printf %s {}", quoted(text))]);
        assert_eq!(output(&mut sh).unwrap(), text);
    }
}
