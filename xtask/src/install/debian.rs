//! File trees of Debian systems, made by debootstrap.

use crate::steps::failure::Failure;
use crate::steps::shell::{command, output, privileged, run, succeeds};
use std::fs;
use std::path::Path;

/// Files where apt keeps the addresses of its mirrors.
const SOURCES: [&str; 2] = ["/etc/apt/sources.list.d/debian.sources", "/etc/apt/sources.list"];
/// Mirror that is used if apt names none.
const MIRROR: &str = "http://deb.debian.org/debian";
/// File systems that debootstrap mounts in a tree, and leaves mounted when it is interrupted.
const MOUNTED: [&str; 2] = ["proc", "sys"];

/// Makes a tree of `suite` with the packages of `include`, whose signatures are checked. `arch` is
/// Debian's name of an architecture; any other than this machine's needs an emulator.
pub fn make(tree: &str, suite: &str, arch: &str, include: &str) -> Result<(), Failure> {
    // An interrupted attempt may have left a tree.
    remove(tree)?;
    let arch = format!("--arch={arch}");
    let mirror = mirror();
    let options = ["--variant=minbase", "--force-check-gpg", &arch, include, suite, tree, &mirror];
    run(&mut privileged("debootstrap", options))
}

/// Debian's name of this machine's architecture.
pub(crate) fn own_arch() -> Result<String, Failure> {
    Ok(output(&mut command("dpkg", ["--print-architecture"]))?.trim().into())
}

/// Removes a tree, but nothing that is mounted in it.
pub fn remove(tree: &str) -> Result<(), Failure> {
    for name in MOUNTED.map(|name| format!("{tree}/{name}")) {
        // In a container, debootstrap makes a link to the machine's own `/proc`.
        if !Path::new(&name).is_symlink() {
            // This fails if nothing is mounted. If something stays mounted, `rm` fails.
            succeeds(&mut privileged("umount", ["--recursive", &name]));
        }
    }
    run(&mut privileged("rm", ["-rf", "--one-file-system", tree]))
}

/// Returns Debian's mirror that apt on this machine uses.
pub fn mirror() -> String {
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
