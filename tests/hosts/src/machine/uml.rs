//! User-mode Linux: a kernel that is a program of this machine, on this machine's processor.
//!
//! Programs of the guest run here, and the kernel handles their system calls and page faults. So
//! a compiler takes some three times as long as outside, where an emulated one takes twenty. The
//! kernel is built from the newest source in Debian. Linux 7.2 takes a program's calls without
//! ptrace, and 6.12 does not.

use super::started::{MEMORY, Started};
use crate::image::Image;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Stdio, id};
use std::thread::available_parallelism;
use xtask::install::debian;
use xtask::steps::failure::Failure;
use xtask::steps::shell::{command, privileged, root, run, start, target};

/// Settings of the kernel beyond its defaults.
const OPTIONS: &str = "tests/hosts/src/machine/uml.config";
/// Mappings that a program of the guest may take here: the kernel makes up to one a page.
const MAPPINGS: u64 = 1 << 24;
const MAX_MAPPINGS: &str = "/proc/sys/vm/max_map_count";
/// The guest's address, as its image sets it.
const GUEST: &str = "10.0.2.15";
/// Runs a command with a network that holds the guest alone.
const WITH_NETWORK: &str = "\
ip link add host type veth peer name guest
ip address add 10.0.2.2/24 dev host
ip link set host up
ip link set guest up
exec \"$@\"";

/// The kernel. It is built unless an earlier call did.
pub(super) fn kernel() -> Result<PathBuf, Failure> {
    let folder = target("vm/uml")?;
    let kernel = folder.join("linux");
    if kernel.exists() {
        println!("the kernel is built; to build it again, remove {}", kernel.display());
        return Ok(kernel);
    }
    let mut build = command("sh", ["-ec", BUILD, "sh"]);
    run(build.arg(folder).arg(debian::mirror()).arg(root().join(OPTIONS)))?;
    Ok(kernel)
}

/// Starts it with these further words for the kernel, in a network of its own.
pub(super) fn boot(image: &Image, kernel: &Path, words: &str) -> Result<Started, Failure> {
    allow_mappings()?;
    let temporary = tempfile::tempdir_in(target("vm")?);
    let written = temporary.map_err(Failure::file("make a folder for what is written"))?;
    // It switches between the kernel and a program all the time. With a core for each, every switch
    // wakes a core, and compiling took twice as long.
    let cores = available_parallelism().map_or(1, usize::from);
    let core = (id() as usize % cores).to_string();
    let mut uml = command("nice", ["unshare", "--user", "--map-root-user", "--net"]);
    // All of it ends with `unshare`.
    uml.args(["--pid", "--fork", "--kill-child", "sh", "-ec", WITH_NETWORK, "sh"]);
    uml.args(["taskset", "--cpu-list", &core]).arg(kernel);
    let changed = written.path().join("changed");
    uml.arg(format!("ubd0={},{}", changed.display(), image.disk.display()));
    uml.arg(format!("ubd1r={}", image.base.display()));
    uml.args(["root=/dev/ubda", "rw", "seccomp=on", "con=null"]);
    uml.arg(format!("mem={MEMORY}")).arg("vec0:transport=raw,ifname=guest,gro=1");
    uml.args(words.split_whitespace());
    // Its memory is a file, and would be slower by far on a disk. At home it keeps a socket.
    uml.env("TMPDIR", "/dev/shm").env("HOME", written.path());
    let process = uml.stdout(Stdio::null()).spawn();
    let process = process.map_err(start(&uml))?;
    let target = process.id().to_string();
    let enter = ["nsenter", "--user", "--net", "--preserve-credentials", "--target", &target];
    let enter = enter.map(String::from).into();
    Ok(Started { process, enter, address: GUEST, port: 22, written: Some(written) })
}

/// Lets a program of this machine have as many mappings as the kernel makes.
fn allow_mappings() -> Result<(), Failure> {
    let text = fs::read_to_string(MAX_MAPPINGS).map_err(Failure::file("read max_map_count"))?;
    if text.trim().parse().is_ok_and(|most: u64| most >= MAPPINGS) {
        return Ok(());
    }
    run(&mut privileged("sysctl", ["--write", &format!("vm.max_map_count={MAPPINGS}")]))
}

/// Builds the kernel in the folder `$1`, from the mirror `$2`, with the options in the file `$3`.
/// apt checks signatures, and keeps what it reads in that folder. The mirror may be older than its
/// files allow. The source is changed twice. Processor time is in nanoseconds; it would go in
/// steps of 10 ms. And mappings begin at a third of the address space, as with most kernels; they
/// would begin at 1 GiB, where the counter of instructions puts a program's libraries.
const BUILD: &str = r#"
cd "$1"
mkdir -p lists/partial cache/archives/partial
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $2 sid main" > sources
cat > apt.conf << END
Dir::Etc::SourceList "$1/sources";
Dir::Etc::SourceParts "-";
Dir::State::Lists "$1/lists";
Dir::Cache "$1/cache";
Acquire::Check-Valid-Until "false";
Acquire::Languages "none";
APT::Sandbox::User "";
END
export APT_CONFIG="$1/apt.conf"
apt-get update -qq
source=$(apt-cache depends linux-source | sed -n 's/^ *Depends: //p')
apt-get download -qq "$source"
dpkg-deb -x "$source"_*.deb package
tar -xf "package/usr/src/$source.tar.xz"
cd "$source"
make -s ARCH=um x86_64_defconfig
scripts/kconfig/merge_config.sh -m .config "$3"
make -s ARCH=um olddefconfig
echo 'unsigned long long notrace sched_clock(void) { return os_nsecs(); }' >> arch/um/kernel/time.c
sed -i 's|^#define TASK_UNMAPPED_BASE.*|#define TASK_UNMAPPED_BASE PAGE_ALIGN(TASK_SIZE / 3)|' \
    arch/um/include/asm/processor-generic.h
nice make -s ARCH=um "-j$(nproc)" linux
mv linux ..
cd ..
rm -rf "$source" "$source"_*.deb package lists cache"#;
