//! The targets that swiftprof is built for, and what each needs of this machine.

use crate::steps::failure::Failure;
use crate::steps::shell::{command, find, output, root};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::Path;

/// The program that is handed out, and its package.
pub(crate) const PROGRAM: &str = "swiftprof";
pub(crate) const PACKAGE: &str = "profiler-cli";
/// The compiler and the linker that are called if none is named.
const DEFAULT: &str = "cc";
/// The version of the whole workspace.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A platform as rustc names it.
#[derive(Debug)]
pub struct Target {
    pub(crate) triple: &'static str,
    /// Compiles the C code of libraries, such as the database's.
    c_compiler: &'static str,
    /// Script of the repository that calls the compiler, if it cannot be called directly.
    wrapper: Option<&'static str>,
    /// Package that has that compiler, or command that installs it.
    package: &'static str,
    /// Program that links. Rust itself has the other files that linking for musl needs.
    linker: &'static str,
    /// Debian's name of the architecture.
    pub(crate) debian: &'static str,
}

/// All targets. A build for musl is static, and runs on any distribution.
const TARGETS: [Target; 4] = [
    Target {
        triple: "x86_64-unknown-linux-gnu",
        c_compiler: DEFAULT,
        wrapper: None,
        package: "Debian's package gcc",
        linker: DEFAULT,
        debian: "amd64",
    },
    Target {
        triple: "x86_64-unknown-linux-musl",
        c_compiler: "musl-gcc",
        wrapper: None,
        package: "Debian's package musl-tools",
        linker: DEFAULT,
        debian: "amd64",
    },
    Target {
        triple: "aarch64-unknown-linux-gnu",
        c_compiler: "aarch64-linux-gnu-gcc",
        wrapper: None,
        package: "Debian's package g++-aarch64-linux-gnu",
        linker: "aarch64-linux-gnu-gcc",
        debian: "arm64",
    },
    Target {
        triple: "aarch64-unknown-linux-musl",
        c_compiler: "python-zig",
        wrapper: Some("packaging/aarch64-linux-musl-cc"),
        package: "pip install ziglang",
        linker: "aarch64-linux-gnu-gcc",
        debian: "arm64",
    },
];

/// The target with this name.
pub fn named(triple: &str) -> Result<&'static Target, Failure> {
    TARGETS.iter().find(|target| target.triple == triple).ok_or_else(|| {
        let all = TARGETS.map(|target| target.triple).join(", ");
        Failure::Missing(format!("--target {triple}: swiftprof is built for {all}"))
    })
}

/// The target that this machine's toolchain builds for by default.
pub(crate) fn of_host() -> Result<&'static Target, Failure> {
    named(output(&mut command("rustc", ["--print", "host-tuple"]))?.trim())
}

/// The targets that are handed out: the static ones.
pub(crate) fn handed_out() -> Vec<&'static Target> {
    TARGETS.iter().filter(|target| target.is_static()).collect()
}

/// Fails with everything that this machine lacks for these targets.
pub(crate) fn check(targets: &[&Target]) -> Result<(), Failure> {
    let lacks = |target: &&Target| {
        Ok(target.missing(target.has_library()?, |program| find(program).is_some()))
    };
    let lacks = targets.iter().map(lacks).collect::<Result<Vec<_>, Failure>>()?;
    let lacks: Vec<_> = lacks.into_iter().flatten().collect();
    if lacks.is_empty() { Ok(()) } else { Err(Failure::Missing(lacks.join("; "))) }
}

impl Target {
    /// Whether this machine has Rust's library for this target, and that for the sandbox programs.
    pub(crate) fn has_library(&self) -> Result<bool, Failure> {
        let libraries = self.libraries().into_iter().map(|triple| {
            let words = ["--print", "target-libdir", "--target", &triple];
            let library = output(&mut command("rustc", words))?;
            Ok(Path::new(library.trim()).is_dir())
        });
        Ok(libraries.collect::<Result<Vec<_>, Failure>>()?.into_iter().all(|has| has))
    }

    /// Returns the targets for which a build for this target compiles. The sandbox programs of a
    /// build for musl are built for glibc.
    fn libraries(&self) -> BTreeSet<String> {
        [self.triple.to_owned(), self.triple.replace("-musl", "-gnu")].into()
    }

    /// Returns what is missing for this target, and how to install it.
    fn missing(&self, has_library: bool, has: impl Fn(&str) -> bool) -> Option<String> {
        let Self { triple, c_compiler, package, linker, .. } = self;
        let libraries: Vec<_> = self.libraries().into_iter().collect();
        let library = format!("Rust's library (rustup target add {})", libraries.join(" "));
        let compiler = format!("{c_compiler} ({package})");
        let needs = [
            (has_library, library),
            (has(c_compiler), compiler),
            (linker == c_compiler || has(linker), (*linker).to_owned()),
        ];
        let missing: Vec<_> =
            needs.into_iter().filter(|(has, _)| !has).map(|(_, what)| what).collect();
        (!missing.is_empty())
            .then(|| format!("to build for {triple}, install {}", missing.join(" and ")))
    }

    /// Whether a build is static.
    pub(crate) fn is_static(&self) -> bool {
        self.triple.ends_with("-musl")
    }

    /// Returns the variables that a build for this target needs. Empty if cargo calls the same
    /// programs without them, because with them cargo would compile everything again.
    pub(crate) fn variables(&self) -> Vec<(String, OsString)> {
        if [self.c_compiler, self.linker] == [DEFAULT; 2] {
            return Vec::new();
        }
        let name = self.triple.replace('-', "_");
        let wrapper = self.wrapper.map(|script| root().join(script).into());
        let mut variables =
            vec![(format!("CC_{name}"), wrapper.unwrap_or_else(|| self.c_compiler.into()))];
        for triple in self.libraries() {
            let linker = triple.replace('-', "_").to_uppercase();
            let linker = format!("CARGO_TARGET_{linker}_LINKER");
            variables.push((linker, self.linker.into()));
        }
        variables
    }
}

#[cfg(test)]
mod tests {
    use super::{handed_out, named};

    #[test]
    fn unknown_target_is_refused_with_the_known_ones() {
        let refused = named("riscv64gc-unknown-linux-gnu").unwrap_err().to_string();
        assert!(refused.starts_with("--target riscv64gc-unknown-linux-gnu: "), "{refused}");
        assert!(refused.contains("x86_64-unknown-linux-musl"), "{refused}");
    }

    #[test]
    fn missing_tool_is_named_with_its_remedy() {
        let musl = named("x86_64-unknown-linux-musl").unwrap();
        assert_eq!(musl.missing(true, |_| true), None);
        let bare = musl.missing(false, |_| false).unwrap();
        let both = "rustup target add x86_64-unknown-linux-gnu x86_64-unknown-linux-musl";
        assert!(bare.contains(both), "{bare}");
        assert!(bare.contains("musl-gcc (Debian's package musl-tools)"), "{bare}");
        let lacks = musl.missing(true, |program| program == "cc").unwrap();
        let sentence = "install musl-gcc (Debian's package musl-tools)";
        assert!(lacks.ends_with(sentence), "what is there is not named: {lacks}");
    }

    #[test]
    fn handed_out_target_is_static() {
        let triples: Vec<_> = handed_out().iter().map(|target| target.triple).collect();
        assert_eq!(triples, ["x86_64-unknown-linux-musl", "aarch64-unknown-linux-musl"]);
    }

    #[test]
    fn build_for_musl_links_the_sandbox_programs_too() {
        let names = |triple| -> Vec<String> {
            named(triple).unwrap().variables().into_iter().map(|(name, _)| name).collect()
        };
        assert_eq!(
            names("aarch64-unknown-linux-gnu"),
            ["CC_aarch64_unknown_linux_gnu", "CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER"]
        );
        assert_eq!(names("x86_64-unknown-linux-gnu"), [""; 0]);
        let musl = names("aarch64-unknown-linux-musl");
        assert_eq!(musl[0], "CC_aarch64_unknown_linux_musl");
        assert_eq!(musl[1], "CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER");
        assert_eq!(musl[2], "CARGO_TARGET_AARCH64_UNKNOWN_LINUX_MUSL_LINKER");
    }
}
