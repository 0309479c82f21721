//! Engines of containers in the guest.

use super::machine::{Machine, PROGRAMS, User};
use clap::ValueEnum;
use xtask::install::base::BASE;
use xtask::steps::failure::Failure;

/// An engine of containers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Engine {
    /// None: native sandboxes.
    None,
    /// Docker of root.
    Docker,
    /// Docker of root, set as version 29 is by default: images in containerd's store, and no client
    /// older than API 1.44.
    Containerd,
    /// Podman of an ordinary user.
    Podman,
    /// Docker of an ordinary user.
    Rootless,
}

/// Prints the versions of what matters.
const VERSIONS: &str = "uname -r; systemctl --version | head -n 1; g++ --version | head -n 1; \
    dpkg-query --show docker.io podman runc crun";
/// Lets the ordinary user read the base, and keep a service.
const FOR_USER: &str = "chmod a+r /dev/vdb && loginctl enable-linger u";
/// Options of Docker. No container has a network, so it needs no bridge, and the kernel no filter.
macro_rules! no_network {
    () => {
        "--bridge=none --iptables=false --ip6tables=false"
    };
}

/// Starts Docker. Debian's unit reads the variable.
const DOCKER: &str =
    concat!("systemctl set-environment DOCKER_OPTS='", no_network!(), "'; systemctl start docker");
/// The settings of [`Engine::Containerd`].
const CONTAINERD: &str = "echo '{\"features\": {\"containerd-snapshotter\": true}}' \
    > /etc/docker/daemon.json; systemctl set-environment DOCKER_MIN_API_VERSION=1.44";
/// Whether they are in force.
const IS_CONTAINERD: &str = "docker info --format '{{.DriverStatus}}' | grep containerd; \
    docker version --format '{{.Server.MinAPIVersion}}' | grep -x 1.44";
/// Starts rootless Docker, and waits at most a minute until it answers.
const ROOTLESS: &str = concat!(
    "systemd-run --user --quiet --unit docker -p Delegate=yes \
     -E PATH=/usr/local/sbin:/usr/sbin:/sbin:/usr/local/bin:/usr/bin:/bin \
     /usr/share/docker.io/contrib/dockerd-rootless.sh ",
    no_network!(),
    " && timeout 60 sh -c 'until docker info > /dev/null 2>&1; do sleep 1; done'"
);

impl Engine {
    /// The variable that names its socket.
    pub(super) fn address(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Docker | Self::Containerd => "DOCKER_HOST=unix:///var/run/docker.sock",
            Self::Podman => "DOCKER_HOST=unix:///run/user/1000/podman/podman.sock",
            Self::Rootless => "DOCKER_HOST=unix:///run/user/1000/docker.sock",
        }
    }

    /// The command that lists its containers, one a line.
    pub(super) fn containers(self) -> &'static str {
        match self {
            Self::None | Self::Docker | Self::Containerd | Self::Rootless => {
                "docker ps --all --quiet"
            }
            Self::Podman => "podman ps --all --quiet",
        }
    }

    /// Starts it, and makes the sandbox image without a registry. The base is the guest's second
    /// disk.
    pub(super) fn prepare(self, machine: &Machine) -> Result<(), Failure> {
        machine.sh(User::Root, VERSIONS)?;
        let containerd = [CONTAINERD, DOCKER, IS_CONTAINERD].join("; ");
        let (user, client, start) = match self {
            Self::None => return Ok(()),
            Self::Docker => (User::Root, "docker", DOCKER),
            Self::Containerd => (User::Root, "docker", containerd.as_str()),
            Self::Podman => (User::Ordinary, "podman", "systemctl --user start podman.socket"),
            Self::Rootless => (User::Ordinary, "docker", ROOTLESS),
        };
        machine.sh(User::Root, FOR_USER)?;
        let address = self.address();
        machine.sh(
            user,
            &format!(
                "set -e; export {address}; {start}; {client} import - {BASE} < /dev/vdb; \
                 {PROGRAMS}/swiftprof image build"
            ),
        )
    }
}
