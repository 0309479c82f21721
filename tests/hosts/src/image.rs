//! A disk with Debian, made by debootstrap without a loop device.

use super::arch::Arch;
use clap::ValueEnum;
use std::fs;
use std::path::{Path, PathBuf};
use xtask::install::{base, debian};
use xtask::steps::failure::Failure;
use xtask::steps::shell::{command, privileged, run, target};

/// Packages of debootstrap, so that later ones install quickly.
const INCLUDE: &str = "--include=ca-certificates,eatmydata";
/// Packages that the guest needs to boot, to be talked to, and to compile.
const PACKAGES: &str = "systemd-sysv udev dbus dbus-user-session libpam-systemd \
    initramfs-tools zstd openssh-server g++ binutils time libc6-dev \
    iproute2 procps kmod python3-minimal";
/// Packages of the engines of containers.
const ENGINES: &str = "docker.io iptables apparmor podman crun netavark aardvark-dns \
    fuse-overlayfs passt uidmap slirp4netns rootlesskit";
/// The size of the disk. Its file is sparse.
const DISK: &str = "14G";
/// The ordinary user.
pub(super) const USER: &str = "u";

/// Debian's releases: 13 has Linux 6.12 and 12 has Linux 6.1. The unstable one has the newest.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum Release {
    /// Debian 13.
    Trixie,
    /// Debian 12.
    Bookworm,
    /// Debian unstable.
    Sid,
}

impl Release {
    /// Debian's name for it.
    fn suite(self) -> &'static str {
        match self {
            Self::Trixie => "trixie",
            Self::Bookworm => "bookworm",
            Self::Sid => "sid",
        }
    }

    /// The package that has the program `docker`, if `docker.io` does not.
    fn client(self) -> &'static str {
        match self {
            Self::Trixie | Self::Sid => "docker-cli",
            Self::Bookworm => "",
        }
    }
}

/// The files that a machine boots from.
pub(super) struct Image {
    pub(super) arch: Arch,
    pub(super) disk: PathBuf,
    /// The base of the sandbox image, as a tar archive.
    pub(super) base: PathBuf,
    pub(super) kernel: PathBuf,
    pub(super) initrd: PathBuf,
    /// The private key that root and the ordinary user let in.
    pub(super) key: PathBuf,
}

impl Image {
    /// Makes the image, unless an earlier call did. It is never written to afterwards.
    pub(super) fn ensure(release: Release, arch: Arch) -> Result<Self, Failure> {
        let folder = folder(release, arch)?;
        let at = |name| folder.join(name);
        let base = target("vm")?.join(format!("base-{}.tar", arch.debian()));
        let (disk, kernel, initrd) = (at("disk"), at("kernel"), at("initrd"));
        let image = Self { arch, disk, base, kernel, initrd, key: at("key") };
        if !image.base.exists() {
            let part = image.base.with_extension("part");
            let file = format!("of={}", part.display());
            base::pack(arch.debian(), &mut command("dd", ["status=none", &file]))?;
            fs::rename(part, &image.base).map_err(Failure::file("name the base"))?;
        }
        if image.disk.exists() {
            println!("{} is there; remove its folder to make it anew", image.disk.display());
        } else {
            image.make(release, &at("root"))?;
        }
        Ok(image)
    }

    fn make(&self, release: Release, tree: &Path) -> Result<(), Failure> {
        let text = |path: &Path| path.to_string_lossy().into_owned();
        let (root, key) = (text(tree), text(&self.key));
        debian::make(&root, release.suite(), self.arch.debian(), INCLUDE)?;
        run(&mut command("rm", ["-f", &key]))?;
        run(&mut command("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", &key]))?;
        let public =
            fs::read_to_string(format!("{key}.pub")).map_err(Failure::file("read a key"))?;
        let kernel = format!("linux-image-cloud-{}", self.arch.debian());
        let packages = [PACKAGES, &kernel, ENGINES, release.client()].join(" ");
        let words = ["sh", "-ec", SET_UP, "sh", public.trim(), USER, &packages];
        run(privileged("chroot", [&root]).args(words))?;
        for (name, to) in [("vmlinuz-", &self.kernel), ("initrd.img-", &self.initrd)] {
            let from = newest(&tree.join("boot"), name)?;
            run(&mut privileged("install", ["-m", "644", &text(&from), &text(to)]))?;
        }
        // Under another name until it is whole. Made by us, it stays ours.
        let part = text(&self.disk.with_extension("part"));
        run(&mut command("truncate", ["-s", DISK, &part]))?;
        run(&mut privileged("mkfs.ext4", ["-q", "-F", "-d", &root, &part]))?;
        debian::remove(&root)?;
        fs::rename(part, &self.disk).map_err(Failure::file("name the disk"))
    }
}

/// The folder of all about a release for an architecture.
pub(super) fn folder(release: Release, arch: Arch) -> Result<PathBuf, Failure> {
    target(&format!("vm/{}-{}", release.suite(), arch.debian()))
}

/// The last file in `folder`, by name, whose name begins with `prefix`.
fn newest(folder: &Path, prefix: &str) -> Result<PathBuf, Failure> {
    let entries = fs::read_dir(folder).map_err(Failure::file("look for the kernel"))?;
    let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    let newest = names.filter(|name| name.starts_with(prefix)).max();
    let newest = newest.ok_or_else(|| Failure::Missing(format!("the image has no {prefix}")))?;
    Ok(folder.join(newest))
}

/// Makes a bare system one that boots, lets in who has the key `$1` as root or as the user `$2`,
/// and has the packages `$3`. No engine starts by itself. A mirror of the unstable release may be
/// older than its files allow; their signatures are checked all the same. User-mode Linux has other
/// names for disks and networks.
const SET_UP: &str = r#"
printf '#!/bin/sh\nexit 101\n' > /usr/sbin/policy-rc.d
chmod 755 /usr/sbin/policy-rc.d
echo force-unsafe-io > /etc/dpkg/dpkg.cfg.d/unsafe
apt-get update -qq -o Acquire::Check-Valid-Until=false
DEBIAN_FRONTEND=noninteractive eatmydata apt-get install -qq -y --no-install-recommends $3
apt-get clean
rm /usr/sbin/policy-rc.d
echo '/dev/vda / ext4 defaults,noatime 0 1' > /etc/fstab
echo UseDNS no > /etc/ssh/sshd_config.d/vm.conf
printf 'KERNEL=="ubda", SYMLINK+="vda"\nKERNEL=="ubdb", SYMLINK+="vdb"\n' \
    > /etc/udev/rules.d/60-ubd.rules
printf '[Match]\nName=e* vec*\n[Network]\nAddress=10.0.2.15/24\n' > /etc/systemd/network/vm.network
useradd -m -s /bin/bash "$2"
mkdir -p /root/.ssh "/home/$2/.ssh"
printf '%s\n' "$1" | tee /root/.ssh/authorized_keys > "/home/$2/.ssh/authorized_keys"
chown -R "$2:$2" "/home/$2"
systemctl enable systemd-networkd ssh
systemctl disable docker.socket docker containerd podman.socket podman
systemctl --global disable podman.socket podman
systemctl mask systemd-networkd-wait-online systemd-timesyncd"#;
