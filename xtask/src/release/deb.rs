//! Debian's package, made by dpkg-deb. The files that are not built are in `packaging/`.

use super::content::{Content, place};
use super::target::{PROGRAM, Target, VERSION};
use crate::steps::failure::Failure;
use crate::steps::shell::{command, pipe, root, run};
use std::fs::{self, File};
use std::path::Path;

/// Files that are copied from the repository: the mode, the file, and its place in the package.
const FILES: [(u32, &str, &str); 19] = [
    (0o644, "packaging/systemd/swiftprof.service", "usr/lib/systemd/system/swiftprof.service"),
    (
        0o644,
        "packaging/systemd/swiftprof-native.service",
        "usr/lib/systemd/system/swiftprof-native.service",
    ),
    (
        0o644,
        "packaging/systemd/swiftprof-worker.service",
        "usr/lib/systemd/system/swiftprof-worker.service",
    ),
    (0o644, "packaging/debian/worker.env", "etc/swiftprof/worker.env"),
    (0o644, "packaging/nats/server.conf", "usr/share/swiftprof/nats/server.conf"),
    (0o644, "packaging/nats/cluster.conf", "usr/share/swiftprof/nats/cluster.conf"),
    (0o644, "packaging/nats/common.conf", "usr/share/swiftprof/nats/common.conf"),
    (0o644, "packaging/nats/accounts.conf", "usr/share/swiftprof/nats/accounts.conf"),
    (0o644, "packaging/nats/users.conf", "usr/share/swiftprof/nats/users.conf"),
    (0o644, "packaging/nats/roles.conf", "usr/share/swiftprof/nats/roles.conf"),
    (0o644, "packaging/debian/sysusers.conf", "usr/lib/sysusers.d/swiftprof.conf"),
    (0o644, "packaging/debian/serve.toml", "etc/swiftprof/serve.toml"),
    (0o644, "packaging/apparmor/swiftprof", "usr/share/swiftprof/apparmor"),
    (0o644, "packaging/debian/copyright", "usr/share/doc/swiftprof/copyright"),
    (0o644, "packaging/debian/lintian-overrides", "usr/share/lintian/overrides/swiftprof"),
    (0o644, "docs/service.md", "usr/share/doc/swiftprof/service.md"),
    (0o644, "docs/settings.md", "usr/share/doc/swiftprof/settings.md"),
    (0o644, "docs/fleet.md", "usr/share/doc/swiftprof/fleet.md"),
    (0o644, "docs/operations.md", "usr/share/doc/swiftprof/operations.md"),
];
/// Scripts that dpkg runs when the package is installed or removed.
const SCRIPTS: [&str; 3] = ["postinst", "prerm", "postrm"];
/// Paths at which Debian expects the completions of each shell.
const COMPLETIONS: [(&str, &str); 3] = [
    ("swiftprof.bash", "usr/share/bash-completion/completions/swiftprof"),
    ("_swiftprof", "usr/share/zsh/vendor-completions/_swiftprof"),
    ("swiftprof.fish", "usr/share/fish/vendor_completions.d/swiftprof.fish"),
];
/// Files that dpkg treats as conffiles: an upgrade keeps the edits of an administrator.
const CONFFILES: &str = "/etc/swiftprof/serve.toml\n/etc/swiftprof/worker.env\n";
/// Debian's name of the maintainer.
const MAINTAINER: &str = "swiftprof's maintainers <maintainers@swiftprof.invalid>";

/// Writes the package to a folder; returns its name.
pub(crate) fn write(content: &Content, target: &Target, folder: &Path) -> Result<String, Failure> {
    let package = format!("{PROGRAM}_{VERSION}_{}", target.debian);
    let tree = folder.join(&package);
    let at = |name: &str| tree.join(name);
    place(&content.program, &at("usr/bin/swiftprof"), 0o755)?;
    place(&content.sbom, &at("usr/share/doc/swiftprof/sbom.cdx.json"), 0o644)?;
    for (mode, from, to) in FILES {
        place(&root().join(from), &at(to), mode)?;
    }
    for (from, to) in COMPLETIONS {
        place(&content.generated.join(from), &at(to), 0o644)?;
    }
    for page in content.man_pages()? {
        compress(&content.generated.join(&page), &at(&format!("usr/share/man/man1/{page}.gz")))?;
    }
    for script in SCRIPTS {
        let from = root().join("packaging/debian").join(script);
        place(&from, &at(&format!("DEBIAN/{script}")), 0o755)?;
    }
    let written = [
        ("DEBIAN/control", control(target.debian)),
        ("DEBIAN/conffiles", CONFFILES.into()),
        ("changelog", changelog(&content.date()?)),
    ];
    for (name, text) in written {
        fs::write(at(name), text).map_err(Failure::file(name))?;
    }
    compress(&at("changelog"), &at("usr/share/doc/swiftprof/changelog.gz"))?;
    fs::remove_file(at("changelog")).map_err(Failure::file("remove changelog"))?;
    // The umask of whoever builds must not matter.
    run(&mut command("chmod", ["-R", "u=rwX,go=rX", &tree.to_string_lossy()]))?;
    let name = format!("{package}.deb");
    // One thread: with several, the archive depends on their number.
    let words = ["--root-owner-group", "-Zxz", "--threads-max=1", "--build"];
    let mut build = command("dpkg-deb", words);
    build.arg(&tree).arg(folder.join(&name)).env("SOURCE_DATE_EPOCH", &content.seconds);
    run(&mut build)?;
    fs::remove_dir_all(&tree).map_err(Failure::file(tree.to_string_lossy()))?;
    Ok(name)
}

/// `from | gzip > to`, without the name and the time of the file.
fn compress(from: &Path, to: &Path) -> Result<(), Failure> {
    let named = || Failure::file(format!("compress {}", from.display()));
    fs::create_dir_all(to.parent().unwrap_or(to)).map_err(named())?;
    let file = File::create(to).map_err(named())?;
    pipe(command("cat", [""; 0]).arg(from), command("gzip", ["-9n"]).stdout(file))
}

/// Builds the package's control file for dpkg. The program is static, so it depends on no library.
fn control(architecture: &str) -> String {
    format!(
        "Package: {PROGRAM}\n\
         Version: {VERSION}\n\
         Architecture: {architecture}\n\
         Maintainer: {MAINTAINER}\n\
         Section: devel\n\
         Priority: optional\n\
         Depends: systemd | systemd-standalone-sysusers | systemd-sysusers\n\
         Recommends: g++, binutils, time\n\
         Suggests: docker.io\n\
         Description: profiler of C++ programs over growing inputs\n \
         swiftprof compiles a C++ program in a sandbox, runs it over growing inputs,\n \
         and reports time and peak memory of every size, and how both grow.\n \
         It is a command line and a gRPC service.\n"
    )
}

/// Debian's changelog, which refers to the project's own.
fn changelog(date: &str) -> String {
    format!(
        "{PROGRAM} ({VERSION}) unstable; urgency=medium\n\n  \
         * The changes are in CHANGELOG.md of the project.\n\n \
         -- {MAINTAINER}  {date}\n"
    )
}

#[cfg(test)]
mod tests {
    use super::super::content::tests::stand_in;
    use super::super::target::named;
    use super::write;
    use crate::steps::shell::{command, is_root, output};
    use std::fs;
    use std::os::unix::fs::MetadataExt;
    use std::path::Path;

    const ARM: &str = "aarch64-unknown-linux-musl";

    #[test]
    fn same_content_gives_the_same_package() {
        let packages = [0o700, 0o755].map(|mode| {
            let folder = tempfile::tempdir().unwrap();
            let content = stand_in(folder.path(), mode);
            let name = write(&content, named(ARM).unwrap(), folder.path()).unwrap();
            assert!(name.starts_with("swiftprof_") && name.ends_with("_arm64.deb"), "{name}");
            fs::read(folder.path().join(name)).unwrap()
        });
        assert!(packages[0].len() > 1000 && packages[0] == packages[1]);
    }

    #[test]
    fn installed_files_have_place_mode_owner_and_are_purged() {
        let has_dpkg = Path::new("/usr/bin/dpkg").exists() && is_root();
        if !has_dpkg {
            println!("skipped for want of dpkg and root");
            return;
        }
        let folder = tempfile::tempdir().unwrap();
        let content = stand_in(folder.path(), 0o755);
        let name = write(&content, named(ARM).unwrap(), folder.path()).unwrap();
        let system = folder.path().join("system");
        for made in ["var/lib/dpkg/info", "var/lib/dpkg/updates", "etc/apparmor.d/abi"] {
            fs::create_dir_all(system.join(made)).unwrap();
        }
        fs::write(system.join("var/lib/dpkg/status"), "").unwrap();
        fs::write(system.join("etc/apparmor.d/abi/4.0"), "").unwrap();
        // Scripts run outside the folder, and get its path in DPKG_ROOT.
        let dpkg = |words: &[&str]| {
            let mut dpkg = command("dpkg", ["--force-depends", "--force-architecture"]);
            dpkg.arg("--force-script-chrootless").arg("--root").arg(&system);
            dpkg.args(words).current_dir(folder.path());
            output(&mut dpkg).unwrap()
        };
        let said = dpkg(&["--install", &name]);
        assert!(said.contains("no service was started"), "{said}");
        for (mode, path) in [
            (0o755, "usr/bin/swiftprof"),
            (0o644, "etc/swiftprof/serve.toml"),
            (0o644, "etc/apparmor.d/swiftprof"),
            (0o644, "usr/lib/systemd/system/swiftprof.service"),
            (0o644, "usr/lib/systemd/system/swiftprof-native.service"),
            (0o644, "usr/lib/systemd/system/swiftprof-worker.service"),
            (0o644, "etc/swiftprof/worker.env"),
            (0o644, "usr/share/swiftprof/nats/accounts.conf"),
            (0o644, "usr/share/swiftprof/nats/roles.conf"),
            (0o644, "usr/share/man/man1/swiftprof.1.gz"),
            (0o644, "usr/share/bash-completion/completions/swiftprof"),
        ] {
            let found = fs::metadata(system.join(path)).unwrap_or_else(|e| panic!("{path}: {e}"));
            let found = (found.mode() & 0o7777, found.uid(), found.gid());
            assert_eq!(found, (mode, 0, 0), "{path}");
        }
        let users = fs::read_to_string(system.join("etc/passwd")).unwrap();
        assert!(users.contains("swiftprof:x:") && users.contains(":/var/lib/swiftprof:"));

        let settings = system.join("etc/swiftprof/serve.toml");
        fs::write(&settings, "max_queued = 4\n").unwrap();
        fs::create_dir_all(system.join("var/lib/swiftprof/runs")).unwrap();
        dpkg(&["--install", &name]);
        assert_eq!(fs::read_to_string(&settings).unwrap(), "max_queued = 4\n");
        dpkg(&["--remove", "swiftprof"]);
        assert!(settings.exists() && system.join("var/lib/swiftprof/runs").exists());
        assert!(!system.join("usr/bin/swiftprof").exists());
        dpkg(&["--purge", "swiftprof"]);
        for path in ["etc/swiftprof", "etc/apparmor.d/swiftprof", "var/lib/swiftprof"] {
            assert!(!system.join(path).exists(), "{path}");
        }
    }
}
