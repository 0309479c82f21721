//! `cargo xtask vm`: swiftprof on a real host of another kind, as a virtual machine.
//!
//! Where this machine has cgroup version 1, or no systemd, only another machine shows what
//! swiftprof does with version 2. The guest is Debian, with its own kernel under QEMU without KVM,
//! or with user-mode Linux. Its times are worth nothing, and a test that judges times may fail.

mod arch;
mod engine;
mod hosts;
mod image;
mod kept;
mod machine;
mod rows;
mod tries;

use crate::install::packages;
use crate::release::{self, Build};
use crate::steps::failure::Failure;
use crate::steps::shell::root;
use crate::steps::step::Steps;
use crate::test::binaries::{self, Selection};
pub(crate) use arch::Arch;
pub(crate) use engine::Engine;
use image::Image;
pub(crate) use image::Release;
use kept::Kept;
pub(crate) use machine::Kind;
use machine::{Kernel, Machine, PROGRAMS, User, quoted};
pub(crate) use rows::{Choice, Hostile};
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::{env, fs};
use tries::SUITE;

/// Folders of the programs that are tried.
const SOURCES: [&str; 2] = ["tests/programs", "tests/interactive"];

/// What runs in the guest.
struct Programs {
    swiftprof: PathBuf,
    suite: PathBuf,
}

/// `cargo xtask vm`: makes the image unless it is there, boots it, and fills the table. Cells that
/// were right with the same files are not tried again.
pub(crate) fn run(
    kind: Kind,
    release: Release,
    arch: Arch,
    is_debug: bool,
    choice: &Choice,
) -> Result<(), Failure> {
    let chosen = choice.cells()?;
    let mut steps = Steps::default();
    let needs = kind.needs(arch)?;
    steps.take("install packages", || packages::ensure(needs))?;
    let image = steps.take("image", || Image::ensure(release, arch))?;
    let kernel = steps.take("kernel", || Kernel::ensure(kind))?;
    let programs = steps.take("programs", || build(arch, is_debug))?;
    let matters = what_matters(&programs, &kernel)?;
    let mut kept = Kept::read(&image::folder(release, arch)?, &matters)?;
    let lacking = chosen.iter().filter(|place| place.found(&kept).is_none());
    let words: BTreeSet<_> = lacking.map(|place| place.host.kernel).collect();
    for words in words {
        let machine = steps.take("boot", || Machine::boot(&image, &kernel, words))?;
        steps.take("copy", || copy(&machine, &programs))?;
        steps.take("engine", || choice.engine.prepare(&machine))?;
        let booted_so = chosen.iter().filter(|place| place.host.kernel == words);
        steps.take("rows", || rows::fill(&machine, booted_so, &mut kept))?;
    }
    steps.summarise();
    rows::print(&chosen, &kept)
}

fn build(arch: Arch, is_debug: bool) -> Result<Programs, Failure> {
    let target = arch.target()?;
    let selection = Selection::Suite { name: SUITE, target, is_debug };
    let suite = binaries::build(&selection)?.pop();
    let suite = suite.ok_or_else(|| Failure::Missing(format!("cargo built no {SUITE}")))?;
    let swiftprof = release::build_for(target, Build::Guest { is_debug })?;
    Ok(Programs { swiftprof, suite: suite.executable })
}

/// The files that decide what the cells are: the programs, this one with its table, the kernel, and
/// sources.
fn what_matters(programs: &Programs, kernel: &Kernel) -> Result<Vec<PathBuf>, Failure> {
    let own = env::current_exe().map_err(Failure::file("find this program"))?;
    let mut files = vec![own, programs.swiftprof.clone(), programs.suite.clone()];
    files.extend(kernel.file().map(PathBuf::from));
    for name in SOURCES {
        let entries = fs::read_dir(root().join(name)).map_err(Failure::file("list sources"))?;
        files.extend(entries.flatten().map(|entry| entry.path()));
    }
    files.sort();
    Ok(files)
}

/// Tests find their programs by the path of the repository, so the guest has them at that path.
fn copy(machine: &Machine, programs: &Programs) -> Result<(), Failure> {
    machine.unpack(&root(), &["tests", "examples", "packaging"], &root())?;
    for program in [&programs.swiftprof, &programs.suite] {
        let folder = program.parent().unwrap_or(program);
        let name = program.file_name().unwrap_or_default().to_string_lossy();
        machine.unpack(folder, &[&name], PROGRAMS.as_ref())?;
    }
    // Cargo adds a hash to the name. The suite keeps binaries below the repository's root.
    machine.sh(
        User::Root,
        &format!(
            "mv {PROGRAMS}/{SUITE}-* {PROGRAMS}/{SUITE} && mkdir -m 1777 {}",
            quoted(&root().join("target").to_string_lossy())
        ),
    )
}
