//! A disk with Debian, made by debootstrap without a loop device.

use crate::steps::failure::Failure;
use crate::steps::shell::{command, output, privileged, run, target};
use std::fs;
use std::path::{Path, PathBuf};

/// Where apt keeps the addresses of its mirrors.
const SOURCES: [&str; 2] = ["/etc/apt/sources.list.d/debian.sources", "/etc/apt/sources.list"];
/// The mirror if apt names none.
const MIRROR: &str = "http://deb.debian.org/debian";
/// What debootstrap includes, so that later packages install quickly.
const INCLUDE: &str = "--include=ca-certificates,eatmydata";
/// What the guest needs to boot, to be talked to, and to compile.
const PACKAGES: &str = "systemd-sysv udev dbus dbus-user-session libpam-systemd \
    linux-image-cloud-amd64 initramfs-tools zstd openssh-server g++ binutils time libc6-dev \
    iproute2 procps kmod python3-minimal";
/// The size of the disk. Its file is sparse.
const DISK: &str = "10G";
/// The ordinary user.
pub(super) const USER: &str = "u";

/// The files that a machine boots from.
pub(super) struct Image {
    pub(super) disk: PathBuf,
    pub(super) kernel: PathBuf,
    pub(super) initrd: PathBuf,
    /// The private key that root and the ordinary user let in.
    pub(super) key: PathBuf,
}

impl Image {
    /// Makes the image, unless an earlier call did. It is never written to afterwards.
    pub(super) fn ensure(suite: &str) -> Result<Self, Failure> {
        let folder = target(&format!("vm/{suite}"))?;
        let at = |name| folder.join(name);
        let image =
            Self { disk: at("disk"), kernel: at("kernel"), initrd: at("initrd"), key: at("key") };
        if image.disk.exists() {
            println!("{} is there; remove its folder to make it anew", image.disk.display());
            return Ok(image);
        }
        image.make(suite, &at("root"))?;
        Ok(image)
    }

    fn make(&self, suite: &str, tree: &Path) -> Result<(), Failure> {
        let text = |path: &Path| path.to_string_lossy().into_owned();
        let (tree, key, disk) = (text(tree), text(&self.key), text(&self.disk));
        let as_root = |program: &str, args: &[&str]| run(&mut privileged(program, args));
        // Left by an interrupted attempt.
        as_root("rm", &["-rf", "--one-file-system", &tree, &key])?;
        let mirror = mirror();
        as_root("debootstrap", &["--variant=minbase", INCLUDE, suite, &tree, &mirror])?;
        run(&mut command("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", &key]))?;
        let public =
            fs::read_to_string(format!("{key}.pub")).map_err(Failure::file("read a key"))?;
        as_root("chroot", &[&tree, "sh", "-ec", &set_up(public.trim())])?;
        for (name, to) in [("vmlinuz", &self.kernel), ("initrd.img", &self.initrd)] {
            let newest = format!("ls {tree}/boot/{name}-* | tail -n 1");
            let from = output(&mut privileged("sh", ["-c", &newest]))?;
            as_root("install", &["-m", "644", from.trim(), &text(to)])?;
        }
        // Under another name until it is whole.
        let part = format!("{disk}.part");
        run(&mut command("truncate", ["-s", DISK, &part]))?;
        as_root("mkfs.ext4", &["-q", "-F", "-d", &tree, &part])?;
        as_root("chmod", &["a+rw", &part])?;
        as_root("rm", &["-rf", "--one-file-system", &tree])?;
        fs::rename(part, disk).map_err(Failure::file("name the disk"))
    }
}

/// Debian's mirror, as apt on this machine has it.
fn mirror() -> String {
    let texts = SOURCES.iter().filter_map(|path| fs::read_to_string(path).ok());
    texts.into_iter().find_map(|text| mirror_in(&text)).unwrap_or_else(|| MIRROR.into())
}

fn mirror_in(sources: &str) -> Option<String> {
    let lines = sources.lines().filter(|line| !line.trim_start().starts_with('#'));
    let mut words = lines.flat_map(str::split_whitespace);
    words.find_map(|word| {
        let address = word.trim_end_matches('/');
        (address.contains("://") && address.ends_with("/debian")).then(|| address.to_owned())
    })
}

/// Makes a bare system one that boots, and lets in who has `key`.
fn set_up(key: &str) -> String {
    format!(
        r"printf '#!/bin/sh\nexit 101\n' > /usr/sbin/policy-rc.d
chmod 755 /usr/sbin/policy-rc.d
echo force-unsafe-io > /etc/dpkg/dpkg.cfg.d/unsafe
apt-get update -qq
DEBIAN_FRONTEND=noninteractive eatmydata apt-get install -qq -y --no-install-recommends {PACKAGES}
apt-get clean
rm /usr/sbin/policy-rc.d
echo '/dev/vda / ext4 defaults,noatime 0 1' > /etc/fstab
echo UseDNS no > /etc/ssh/sshd_config.d/vm.conf
printf '[Match]\nName=e*\n[Network]\nAddress=10.0.2.15/24\n' > /etc/systemd/network/vm.network
useradd -m -s /bin/bash {USER}
mkdir -p /root/.ssh /home/{USER}/.ssh
echo '{key}' | tee /root/.ssh/authorized_keys > /home/{USER}/.ssh/authorized_keys
chown -R {USER}:{USER} /home/{USER}
systemctl enable systemd-networkd ssh
systemctl mask systemd-networkd-wait-online systemd-timesyncd"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn apts_mirror_is_taken() {
        for sources in [
            "Types: deb\n# http://snapshot/debian\nURIs: http://mirror.example/debian/\n",
            "deb http://mirror.example/debian trixie main\n",
        ] {
            assert_eq!(mirror_in(sources).as_deref(), Some("http://mirror.example/debian"));
        }
        assert_eq!(mirror_in("deb http://mirror.example/ubuntu noble main\n"), None);
    }
}
