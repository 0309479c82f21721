//! The targets that swiftprof is built for, and what each needs of this machine.

use crate::steps::failure::Failure;
use crate::steps::shell::{command, find, output};
use std::path::Path;

/// A platform as rustc names it.
#[derive(Debug)]
pub(crate) struct Target {
    pub(crate) triple: &'static str,
    /// Compiles the C code of libraries, such as the database's.
    c_compiler: &'static str,
    /// Debian's package with that compiler.
    package: &'static str,
}

/// All targets. A build for musl is static, and runs on any distribution.
const TARGETS: [Target; 3] = [
    Target { triple: "x86_64-unknown-linux-gnu", c_compiler: "cc", package: "gcc" },
    Target { triple: "x86_64-unknown-linux-musl", c_compiler: "musl-gcc", package: "musl-tools" },
    Target {
        triple: "aarch64-unknown-linux-gnu",
        c_compiler: "aarch64-linux-gnu-gcc",
        package: "g++-aarch64-linux-gnu",
    },
];

/// The target with this name.
pub(crate) fn named(triple: &str) -> Result<&'static Target, Failure> {
    TARGETS.iter().find(|target| target.triple == triple).ok_or_else(|| {
        let all = TARGETS.map(|target| target.triple).join(", ");
        Failure::Missing(format!("--target {triple}: swiftprof is built for {all}"))
    })
}

/// The target that this machine's toolchain builds for by itself.
pub(crate) fn of_host() -> Result<&'static Target, Failure> {
    named(output(&mut command("rustc", ["--print", "host-tuple"]))?.trim())
}

/// The targets of a processor architecture.
pub(crate) fn of_architecture(name: &str) -> Result<Vec<&'static Target>, Failure> {
    let is_of = |target: &&Target| target.triple.split('-').next() == Some(name);
    let targets: Vec<_> = TARGETS.iter().filter(is_of).collect();
    if targets.is_empty() {
        return Err(Failure::Missing(format!("swiftprof is not built for {name}")));
    }
    Ok(targets)
}

impl Target {
    /// Fails with everything that this machine lacks.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        match self.missing(self.has_library()?, find(self.c_compiler).is_some()) {
            None => Ok(()),
            Some(missing) => Err(Failure::Missing(missing)),
        }
    }

    /// Whether this machine has Rust's library for this target.
    pub(crate) fn has_library(&self) -> Result<bool, Failure> {
        let words = ["--print", "target-libdir", "--target", self.triple];
        let library = output(&mut command("rustc", words))?;
        Ok(Path::new(library.trim()).is_dir())
    }

    /// What is missing for this target, and how to install it.
    fn missing(&self, has_library: bool, has_compiler: bool) -> Option<String> {
        let Self { triple, c_compiler, package } = self;
        let library = format!("Rust's library (rustup target add {triple})");
        let compiler = format!("{c_compiler} (Debian's package {package})");
        let needs = [(has_library, library), (has_compiler, compiler)];
        let missing: Vec<_> =
            needs.into_iter().filter(|(has, _)| !has).map(|(_, what)| what).collect();
        (!missing.is_empty())
            .then(|| format!("to build for {triple}, install {}", missing.join(" and ")))
    }

    /// The variables that a build for this target needs. The C compiler also links, except for
    /// musl: its linker's files come with Rust.
    pub(crate) fn variables(&self) -> Vec<(String, &'static str)> {
        let name = self.triple.replace('-', "_");
        let mut variables = vec![(format!("CC_{name}"), self.c_compiler)];
        if !self.triple.ends_with("-musl") {
            let linker = format!("CARGO_TARGET_{}_LINKER", name.to_uppercase());
            variables.push((linker, self.c_compiler));
        }
        variables
    }
}

#[cfg(test)]
mod tests {
    use super::{named, of_architecture};

    #[test]
    fn an_unknown_target_is_refused_with_the_known_ones() {
        let refused = named("riscv64gc-unknown-linux-gnu").unwrap_err().to_string();
        assert!(refused.starts_with("--target riscv64gc-unknown-linux-gnu: "), "{refused}");
        assert!(refused.contains("x86_64-unknown-linux-musl"), "{refused}");
    }

    #[test]
    fn what_a_machine_lacks_is_named_with_its_remedy() {
        let musl = named("x86_64-unknown-linux-musl").unwrap();
        assert_eq!(musl.missing(true, true), None);
        let bare = musl.missing(false, false).unwrap();
        assert!(bare.contains("rustup target add x86_64-unknown-linux-musl"), "{bare}");
        assert!(bare.contains("musl-gcc (Debian's package musl-tools)"), "{bare}");
        assert!(!musl.missing(true, false).unwrap().contains("rustup"));
    }

    #[test]
    fn archives_are_made_for_one_architecture() {
        let targets = of_architecture("x86_64").unwrap();
        let triples: Vec<_> = targets.iter().map(|target| target.triple).collect();
        assert_eq!(triples, ["x86_64-unknown-linux-gnu", "x86_64-unknown-linux-musl"]);
        assert!(of_architecture("x86").is_err());
    }

    #[test]
    fn the_c_compiler_links_except_for_musl() {
        let names = |triple| -> Vec<String> {
            named(triple).unwrap().variables().into_iter().map(|(name, _)| name).collect()
        };
        assert_eq!(names("x86_64-unknown-linux-musl"), ["CC_x86_64_unknown_linux_musl"]);
        assert_eq!(
            names("aarch64-unknown-linux-gnu"),
            ["CC_aarch64_unknown_linux_gnu", "CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER"]
        );
    }
}
