//! A machine whose processor QEMU emulates, with Debian's own kernel.

use super::started::{MEMORY, Started};
use crate::image::Image;
use std::net::TcpListener;
use std::path::Path;
use std::process::Stdio;
use xtask::steps::failure::Failure;
use xtask::steps::shell::{command, start};

/// The options that do not depend on the image. `-snapshot` keeps the disk as it is.
const OPTIONS: [&str; 15] = [
    "-accel",
    "tcg,thread=multi,tb-size=256",
    "-smp",
    "2",
    "-m",
    MEMORY,
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

/// Starts it with these further words for the kernel. QEMU forwards a port of this machine.
pub(super) fn boot(image: &Image, kernel: &str) -> Result<Started, Failure> {
    let port = free_port().map_err(Failure::file("find a free port"))?;
    let network = format!("user,model=virtio-net-pci,restrict=on,hostfwd=tcp:127.0.0.1:{port}-:22");
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
    let process = qemu.stdout(Stdio::null()).spawn().map_err(start(&qemu))?;
    Ok(Started { process, enter: Vec::new(), address: "127.0.0.1", port, written: None })
}

/// A port of this machine that nobody listens on now.
fn free_port() -> std::io::Result<u16> {
    Ok(TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port())
}
