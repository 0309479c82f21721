//! The processor of the guest.

use clap::ValueEnum;
use xtask::install::packages::{ARM, Need, program};
use xtask::release::{self, Target};
use xtask::steps::failure::Failure;

/// Emulators of a machine with an x86-64 processor.
const X86_NEEDS: [Need; 1] = [program("qemu-system-x86_64", "qemu-system-x86")];
/// Emulators of a machine with an ARM processor, and of single programs for one.
const ARM_NEEDS: [Need; 3] = [
    program("qemu-system-aarch64", "qemu-system-arm"),
    program("qemu-aarch64-static", "qemu-user-static"),
    program("update-binfmts", "binfmt-support"),
];

/// Debian's names of processor architectures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Arch {
    /// x86-64.
    Amd64,
    /// 64-bit ARM. Its disk is filled by programs that run emulated.
    Arm64,
}

impl Arch {
    pub(super) fn debian(self) -> &'static str {
        match self {
            Self::Amd64 => "amd64",
            Self::Arm64 => "arm64",
        }
    }

    /// The emulator, and the machine that it is.
    pub(super) fn emulator(self) -> &'static [&'static str] {
        match self {
            // QEMU 7.2 emulates `cmpxchg16b` wrongly: Linux 6.12 does not boot with it.
            Self::Amd64 => &["qemu-system-x86_64", "-cpu", "max,-cx16"],
            Self::Arm64 => &["qemu-system-aarch64", "-machine", "virt", "-cpu", "cortex-a72"],
        }
    }

    /// Needs of a machine that emulates it.
    pub(super) fn emulators(self) -> impl Iterator<Item = &'static Need> {
        match self {
            Self::Amd64 => X86_NEEDS.iter().chain(&[]),
            Self::Arm64 => ARM_NEEDS.iter().chain(&ARM),
        }
    }

    /// The target of its programs.
    pub(super) fn target(self) -> Result<&'static Target, Failure> {
        release::named(match self {
            Self::Amd64 => "x86_64-unknown-linux-gnu",
            Self::Arm64 => release::ARM,
        })
    }

    /// Whether the runner can let a process begin in a cgroup.
    pub(super) fn begins_in_cgroups(self) -> bool {
        self == Self::Amd64
    }

    /// Whether swiftprof can count a program's instructions.
    pub(super) fn counts(self) -> bool {
        self == Self::Amd64
    }
}
