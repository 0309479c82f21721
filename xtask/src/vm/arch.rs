//! The processor of the guest.

use crate::install::packages::{ARM, EMULATED_ARM, Need, VM_X86};
use crate::release::{self, Target};
use crate::steps::failure::Failure;
use clap::ValueEnum;

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

    /// What this machine needs to emulate it.
    pub(super) fn emulators(self) -> impl Iterator<Item = &'static Need> {
        let own: [&[Need]; 2] = match self {
            Self::Amd64 => [&VM_X86, &[]],
            Self::Arm64 => [&EMULATED_ARM, &ARM],
        };
        own.into_iter().flatten()
    }

    /// What programs are built for.
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
