//! `cargo xtask vm`: swiftprof on a real host of another kind, as a virtual machine.
//!
//! Where this machine has cgroup version 1, or no systemd, only another machine shows what
//! swiftprof does with version 2. The guest is Debian, with its own kernel under QEMU without KVM,
//! or with user-mode Linux. Its times are worth nothing, and a test that judges times may fail.

#![forbid(unsafe_code)]

mod arch;
mod attempts;
mod engine;
mod finished_cells;
mod hosts;
mod image;
mod machine;
mod rows;
mod suite;

use arch::Arch;
use clap::Parser;
use finished_cells::Kept;
use image::{Image, Release};
use machine::{Kernel, Kind, Machine, PROGRAMS, User, quoted};
use rows::Choice;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::ExitCode;
use std::{env, fs};
use xtask::install::packages;
use xtask::release::{self, Build};
use xtask::steps::failure::Failure;
use xtask::steps::shell::root;
use xtask::steps::step::Steps;

/// Folders of the programs that are tried.
const SOURCES: [&str; 3] = ["tests/programs", "tests/interactive", "tests/checked"];

/// Try swiftprof on a Debian of its own, in a virtual machine, and print a table.
#[derive(Debug, Parser)]
#[command(bin_name = "cargo xtask vm", disable_version_flag = true)]
struct Vm {
    /// The guest's kernel and machine. User-mode Linux is an x86-64 one
    #[arg(long, value_enum, default_value_t = Kind::Qemu)]
    machine: Kind,
    /// The release of Debian
    #[arg(long, value_enum, default_value_t = Release::Trixie)]
    release: Release,
    /// The guest's processor. Another one than x86-64 takes many times longer
    #[arg(long, value_enum, default_value_t = Arch::Amd64)]
    arch: Arch,
    /// Take debug builds, which are made sooner and are slower
    #[arg(long)]
    debug: bool,
    #[command(flatten)]
    choice: Choice,
}

/// Programs of the guest.
struct Programs {
    swiftprof: PathBuf,
    suite: PathBuf,
}

fn main() -> ExitCode {
    Failure::exit_code("vm", run(&Vm::parse()))
}

/// Makes the image unless it is there, boots it, and fills the table. Cells that were right with
/// the same files are not tried again.
fn run(Vm { machine, release, arch, debug, choice }: &Vm) -> Result<(), Failure> {
    let (kind, release, arch) = (*machine, *release, *arch);
    let chosen = choice.cells()?;
    let mut steps = Steps::default();
    let needs = kind.needs(arch)?;
    steps.take("install packages", || packages::ensure(needs))?;
    let image = steps.take("image", || Image::ensure(release, arch))?;
    let kernel = steps.take("kernel", || Kernel::ensure(kind))?;
    let programs = steps.take("programs", || build(arch, *debug))?;
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
    rows::print(&chosen, &kept)
}

fn build(arch: Arch, is_debug: bool) -> Result<Programs, Failure> {
    let (target, build) = (arch.target()?, Build::Guest { is_debug });
    let suite = suite::build(target, build)?;
    let swiftprof = release::build_for(target, build)?;
    Ok(Programs { swiftprof, suite })
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

/// Copies the programs. Tests find their sources by the path of the repository, so the guest has
/// them at that path.
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
            "mv {PROGRAMS}/{suite}-* {PROGRAMS}/{suite} && mkdir -m 1777 {}",
            quoted(&root().join("target").to_string_lossy()),
            suite = suite::NAME
        ),
    )
}
