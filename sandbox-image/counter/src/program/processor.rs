//! The processor that the program sees: the same on every host, because a C library chooses its
//! functions by `cpuid`, and each choice has its own count.
//!
//! The model has what x86-64-v2 requires and nothing else that a program could use: no `xgetbv`, so
//! no AVX, and no fast `rep movsb`, which counts as one instruction for any length. Its family and
//! its caches are those of the first processors of this level, which every C library knows. It has
//! one core. Instructions beyond the model still run; the program is only not told of them. But the
//! loader ends a program whose file says that it needs more (`-z x86-64-v3`).

use profiler_decode::counter_output::COUNTED_CPU;
use std::arch::asm;

/// The leaf of the caches, the only one with several entries.
const CACHES: u32 = 4;
/// Features in edx of leaf 1, those of every processor of 64 bits: up to SSE2.
const FEATURES: u32 = 0x078B_FBFF;
/// Features in ecx of leaf 1: SSE3, SSSE3, `cmpxchg16b`, SSE4.1, SSE4.2 and `popcnt`.
const MORE_FEATURES: u32 = 1 | 1 << 9 | 1 << 13 | 1 << 19 | 1 << 20 | 1 << 23;
/// Features in edx of the first extended leaf: `syscall`, pages that are not executable, 64 bits.
const EXTENDED_FEATURES: u32 = 1 << 11 | 1 << 20 | 1 << 29;

/// Every leaf that is not all zero: its number, the number of its entry, and eax, ebx, ecx and edx.
const LEAVES: [(u32, u32, [u32; 4]); 14] = [
    // The last leaf, and the vendor "GenuineIntel". Leaf 3 would be a serial number.
    (0, 0, [CACHES, 0x756E_6547, 0x6C65_746E, 0x4965_6E69]),
    // Family 6, model 26, stepping 5; lines of 64 bytes.
    (1, 0, [0x0001_06A5, 0x0001_0800, MORE_FEATURES, FEATURES]),
    // The caches below, as bytes.
    (2, 0, [0x5503_5A01, 0x00F0_B2E4, 0, 0x09CA_212C]),
    // 32 KiB for data and for code, 256 KiB, and 8 MiB.
    (CACHES, 0, [0x121, 0x01C0_003F, 0x3F, 0]),
    (CACHES, 1, [0x122, 0x00C0_003F, 0x7F, 0]),
    (CACHES, 2, [0x143, 0x01C0_003F, 0x1FF, 0]),
    (CACHES, 3, [0x163, 0x03C0_003F, 0x1FFF, 2]),
    (0x8000_0000, 0, [0x8000_0008, 0, 0, 0]),
    // The only feature in ecx is `lahf`.
    (0x8000_0001, 0, [0, 0, 1, EXTENDED_FEATURES]),
    (0x8000_0002, 0, name(0)),
    (0x8000_0003, 0, name(1)),
    (0x8000_0004, 0, name(2)),
    // The second cache again.
    (0x8000_0006, 0, [0, 0, 0x0100_6040, 0]),
    // Addresses of 40 bits in memory, and of 48 bits in a process.
    (0x8000_0008, 0, [0x3028, 0, 0, 0]),
];

/// The value of `AT_HWCAP`, as the kernel takes it from `cpuid`.
pub(crate) const HWCAP: u64 = FEATURES as u64;
/// Instructions with the effect of an `xgetbv` that changes no flag: `mov eax, 3; mov edx, 0`. The
/// state of x87 and SSE is enabled.
pub(crate) const XGETBV: [u8; 10] = [0xB8, 3, 0, 0, 0, 0xBA, 0, 0, 0, 0];

/// Returns eax, ebx, ecx and edx after `cpuid`.
pub(crate) fn cpuid(leaf: u32, entry: u32) -> [u32; 4] {
    let entry = if leaf == CACHES { entry } else { 0 };
    let known = LEAVES.iter().find(|known| (known.0, known.1) == (leaf, entry));
    known.map_or([0; 4], |known| known.2)
}

/// Whether the host's processor executes `tzcnt` as such. Before 2013, processors executed it as
/// `bsf`, which has no result for zero. A `cpuid` would take longer in a virtual machine.
pub(crate) fn has_tzcnt() -> bool {
    let result: u32;
    // SAFETY: changes no memory.
    unsafe {
        asm!("xor {0:e}, {0:e}", "tzcnt {0:e}, {0:e}", out(reg) result, options(nomem, nostack));
    }
    result == u32::BITS
}

/// Part of the model's name in one of the three leaves for it.
const fn name(part: usize) -> [u32; 4] {
    let (text, mut words, mut at) = (COUNTED_CPU.as_bytes(), [0; 4], 0);
    while at < 16 {
        if part * 16 + at < text.len() {
            words[at / 4] |= (text[part * 16 + at] as u32) << (at % 4 * 8);
        }
        at += 1;
    }
    words
}
