//! Debian packages that the sandbox and the tests need.

use crate::steps::failure::Failure;
use crate::steps::shell::{command, find, is_root, privileged, run, succeeds};
use std::collections::BTreeSet;
use std::fmt;
use std::io::{self, BufRead, IsTerminal, Write};
use std::path::Path;

/// Requirement: the probe that checks for it, and the package that has it.
pub struct Need {
    seen_by: Probe,
    package: &'static str,
}

enum Probe {
    /// A program is installed.
    Program(&'static str),
    /// A shared library is installed.
    Library(&'static str),
    /// A file is there.
    File(&'static str),
    /// Python runs this without an error.
    Python(&'static str),
    /// The kernel's control groups are mounted.
    Cgroups,
    /// A Docker daemon answers, or `dockerd` is installed.
    Engine,
}

/// Requires a program, which this package has.
pub const fn program(name: &'static str, package: &'static str) -> Need {
    Need { seen_by: Probe::Program(name), package }
}

/// Debian's own keys, with which debootstrap checks what it gets.
pub const KEYS: Need = Need {
    seen_by: Probe::File("/usr/share/keyrings/debian-archive-keyring.gpg"),
    package: "debian-archive-keyring",
};

/// Requirements of the native backend on the host.
pub(crate) const TOOLCHAIN: [Need; 3] =
    [program("g++", "g++"), program("gprof", "binutils"), program("time", "time")];

/// Requirements of the docker backend and its base image.
pub(crate) const DOCKER: [Need; 6] = [
    Need { seen_by: Probe::Cgroups, package: "cgroupfs-mount" },
    Need { seen_by: Probe::Engine, package: "docker.io" },
    program("docker", "docker.io"),
    program("iptables", "iptables"),
    program("debootstrap", "debootstrap"),
    KEYS,
];

/// Requirements of the checks of wire formats: buf comes from pip, Perun is built from source.
pub(crate) const PYTHON: [Need; 5] = [
    program("python3", "python3"),
    program("openssl", "openssl"),
    Need { seen_by: Probe::Python("import ensurepip, venv"), package: "python3-venv" },
    Need {
        seen_by: Probe::Python(
            "import os, sysconfig; os.stat(sysconfig.get_paths()['include'] + '/Python.h')",
        ),
        package: "python3-dev",
    },
    Need { seen_by: Probe::Library("libmagic.so.1"), package: "libmagic1" },
];

/// Compiler and linker of a build for ARM.
pub const ARM: [Need; 1] = [program("aarch64-linux-gnu-g++", "g++-aarch64-linux-gnu")];

/// Requirement of tests that give a server a different time.
pub(crate) const CLOCK: [Need; 1] =
    [Need { seen_by: Probe::Library("faketime/libfaketime.so.1"), package: "libfaketime" }];

impl Need {
    fn is_met(&self) -> bool {
        match self.seen_by {
            Probe::Program(name) => find(name).is_some(),
            Probe::Library(name) => {
                let folder = format!("/usr/lib/{}-linux-gnu", std::env::consts::ARCH);
                Path::new(&folder).join(name).exists()
            }
            Probe::File(path) => Path::new(path).exists(),
            Probe::Python(script) => succeeds(&mut command("python3", ["-c", script])),
            Probe::Cgroups => crate::install::engine::has_cgroups(),
            Probe::Engine => crate::install::engine::answers() || find("dockerd").is_some(),
        }
    }
}

/// Packages to install. Their list has been printed, and the person at the terminal has agreed.
#[derive(Default)]
pub(crate) struct Missing(BTreeSet<&'static str>);

/// Installs what is missing, after saying what that is. A person at a terminal is asked once.
pub fn ensure<'a>(needs: impl IntoIterator<Item = &'a Need>) -> Result<(), Failure> {
    announce(needs)?.install()
}

/// Says what is missing. A person at a terminal is asked once.
pub(crate) fn announce<'a>(needs: impl IntoIterator<Item = &'a Need>) -> Result<Missing, Failure> {
    let missing = needs.into_iter().filter(|need| !need.is_met());
    let missing = Missing(missing.map(|need| need.package).collect());
    if missing.is_empty() {
        println!("nothing is missing");
        return Ok(missing);
    }
    if find("apt-get").is_none() {
        // The requirement may be there under another name. If not, the program that misses it says
        // so.
        println!("without apt-get, please install by hand what Debian calls: {missing}");
        return Ok(Missing::default());
    }
    println!("about to install with apt-get: {missing}");
    if !agreed()? {
        return Err(Failure::Declined);
    }
    if !is_root() {
        // Start sudo now, so that it does not ask for a password among the lines of a build.
        run(&mut privileged("true", [""; 0]))?;
    }
    Ok(missing)
}

impl Missing {
    /// Whether there is nothing to install.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Installs the packages.
    pub(crate) fn install(&self) -> Result<(), Failure> {
        if self.is_empty() {
            return Ok(());
        }
        run(&mut privileged("apt-get", ["update", "--quiet=2"]))?;
        let flags =
            ["install", "--yes", "--quiet=2", "-oDpkg::Use-Pty=0", "--no-install-recommends"];
        let noninteractive = ["DEBIAN_FRONTEND=noninteractive", "apt-get"];
        let words = noninteractive.into_iter().chain(flags).chain(self.0.iter().copied());
        run(&mut privileged("env", words))
    }
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.iter().copied().collect::<Vec<_>>().join(" "))
    }
}

/// Whether to go on: always without a terminal, where nobody could answer.
fn agreed() -> Result<bool, Failure> {
    if !io::stdin().is_terminal() {
        return Ok(true);
    }
    let sudo = if is_root() { "" } else { " with sudo" };
    print!("go on{sudo}? [Y/n] ");
    let mut answer = String::new();
    let asked = io::stdout().flush();
    asked.and_then(|()| io::stdin().lock().read_line(&mut answer)).map_err(Failure::file("ask"))?;
    Ok(matches!(answer.trim(), "" | "y" | "Y" | "yes"))
}
